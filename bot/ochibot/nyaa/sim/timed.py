"""Runs a match in time: a simple model of frames orders the locks of both seats.

Nuisance arrives when the sender's grid is at rest. Events are processed in the order of their frames; on the same
frame, seat 1 goes before seat 2.

The durations are the exact durations of our own cartridge (the README of roms/homebrew/neogeo), with two exceptions:
``after_wave`` and ``fall`` depend on how far blocks fall, but are constants here. docs/nyaa_player.md lists what else
is left out.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

from ochibot.errors import GameError
from ochibot.falling.clock import TwoSeats
from ochibot.nyaa.rules.lock import Outcome
from ochibot.nyaa.rules.pair import SPAWN, Placement
from ochibot.nyaa.rules.snapshot import Burning, Snapshot
from ochibot.nyaa.sim.match import Match, SeatSettled


@dataclass(frozen=True, slots=True)
class Timing:
    """Durations. All numbers are frames.

    - spawn_delay: from a spawn to the first frame under control.
    - press: a press and its release.
    - drop_row: a pair falls one row with Down held.
    - lock: a pair on the ground locks with Down held (each frame takes 4 from a budget of 28).
    - half_row: a half falls one row on its own.
    - wave_step: one step of an ignition.
    - after_wave: from the ignition's last step until all blocks are at rest. That is 36 + 2 (r + 1) if blocks fall r
      rows; here r is 2.
    - fall: from the start of nuisance's fall until it is at rest. That is 2 (f + 1) for f free rows; here f is 7.

    These values of r and f are rounded averages over matches of the shipped player against itself.
    """

    spawn_delay: int = 12
    press: int = 2
    drop_row: int = 2
    lock: int = 7
    half_row: int = 2
    wave_step: int = 5
    after_wave: int = 42
    fall: int = 16

    def control(self, placement: Placement) -> int:
        """Frames from a pair's first frame under control until it locks, played as fast as the pad allows."""
        rows = max(placement.y - SPAWN.y, 0)
        return self.press * len(placement.path) + self.drop_row * rows + self.lock

    def settling(self, outcome: Outcome) -> int:
        """Frames from a lock until the grid is at rest and the attack is sent."""
        frames = max(1, self.half_row * outcome.drop)
        return frames + (self.wave_step * outcome.steps + self.after_wave if outcome.ignited else 0)


NEOGEO_TIMING: Final = Timing()
"""The durations of our own cartridge."""


class _Clock:
    """When a seat's next event happens. at: its frame. The event is a spawn or, if ``done`` is set, the moment when the
    grid has come to rest after a lock.
    """

    __slots__ = ("at", "done", "spawned")

    def __init__(self) -> None:
        self.at = 0
        self.spawned = 0
        self.done: Outcome | None = None

    @property
    def decides(self) -> bool:
        """Whether its pair has spawned and isn't locked yet."""
        return self.done is None


class TimedMatch(TwoSeats[Match, _Clock]):
    """Runs a ``Match`` by frames; both first pairs spawn at frame 0.

    Use it like this::

        timed = TimedMatch(match)
        while (seat := timed.waiting()) is not None:
            timed.snapshot(seat)  # what its player sees
            timed.lock(seat, placement)
        timed.loser
    """

    def __init__(self, match: Match, timing: Timing = NEOGEO_TIMING, counter: int = 0) -> None:
        """``counter``: the cartridge's frame counter at frame 0. It matters only for a round that both seats lose at
        once.
        """
        super().__init__(match, (_Clock(), _Clock()), counter)
        self.timing = timing
        self.settled: list[tuple[int, SeatSettled]] = []
        """(seat, what its lock led to) for every lock whose grid has come to rest, the earliest first."""

    def _event(self, seat: int, clock: _Clock) -> None:
        done, clock.done = clock.done, None
        assert done is not None
        settled = self.match.finish(seat, done)
        self.settled.append((seat, settled))
        if settled.over:
            self._over_at = self.frame
        clock.at += (self.timing.fall if settled.fallen else 0) + 1
        clock.spawned = clock.at

    def snapshot(self, seat: int) -> Snapshot:
        """What the player at that seat sees when its pair spawns: as ``Match.snapshot``, and how an ignition of the
        other side ends, from its lock on.
        """
        seen, clock = self.match.snapshot(seat), self._clock(3 - seat)
        done, other = clock.done, seen.opponent
        if other is None or done is None or not done.ignited or self.frame < clock.at - self.timing.settling(done):
            return seen
        burning = Burning(done.grid, self.match.seat(3 - seat).nexts[0], done.attack)
        return replace(seen, opponent=replace(other, burning=burning))

    def lock(self, seat: int, placement: Placement, control: int | None = None) -> Outcome:
        """Steers the seat's pair to the placement. Returns the result, which ``waiting`` applies when its time comes.

        ``control``: frames under control (None: as fast as the pad allows). Raises GameError when the seat has no pair
        to lock, FieldError when the pair doesn't fit at the placement.
        """
        clock, timing = self._clock(seat), self.timing
        if clock.done is not None or self.match.over:
            raise GameError(f"seat {seat} has no pair to lock")
        done = self.match.resolved(seat, placement)
        frames = timing.control(placement) if control is None else control
        clock.done = done
        clock.at = clock.spawned + timing.spawn_delay + frames + timing.settling(done)
        return done

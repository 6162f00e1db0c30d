"""Runs a match in time: a simple model of frames (``ochibot.nyaa.sim.durations``) orders the locks of both seats.

Nuisance arrives when the sender's grid is at rest. Events are processed in the order of their frames; on the same
frame, seat 1 goes before seat 2.
"""

from __future__ import annotations

from dataclasses import replace

from ochibot.errors import GameError
from ochibot.falling.clock import TwoSeats
from ochibot.nyaa.rules.lock import Outcome
from ochibot.nyaa.rules.pair import Placement
from ochibot.nyaa.rules.snapshot import Burning, Snapshot
from ochibot.nyaa.sim.durations import NEOGEO_TIMING, Timing
from ochibot.nyaa.sim.match import Match, SeatSettled


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

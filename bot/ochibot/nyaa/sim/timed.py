"""Runs a match in time: a simple model of frames (``ochibot.nyaa.sim.durations``) orders the locks of both seats.

Nuisance arrives when the sender's grid is at rest. Events are processed in the order of their frames; on the same
frame, seat 1 goes before seat 2.
"""

from __future__ import annotations

from ochibot.errors import GameError
from ochibot.nyaa.rules.lock import Outcome
from ochibot.nyaa.rules.pair import Placement
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


class TimedMatch:
    """Runs a ``Match`` by frames; both first pairs spawn at frame 0.

    Use it like this::

        timed = TimedMatch(match)
        while (seat := timed.waiting()) is not None:
            timed.lock(seat, placement)
        timed.loser
    """

    def __init__(self, match: Match, timing: Timing = NEOGEO_TIMING, counter: int = 0) -> None:
        """``counter``: the cartridge's frame counter at frame 0. It matters only for a round that both seats lose at
        once.
        """
        self.match = match
        self.timing = timing
        self.frame = 0
        """The frame of the latest event."""
        self.settled: list[tuple[int, SeatSettled]] = []
        """(seat, what its lock led to) for every lock whose grid has come to rest, the earliest first."""
        self._counter = counter
        self._clocks = _Clock(), _Clock()

    def _clock(self, seat: int) -> _Clock:
        self.match.seat(seat)  # raises GameError if there is no such seat
        return self._clocks[seat - 1]

    def spawned(self, seat: int) -> int:
        """The frame on which the seat's pair spawned."""
        return self._clock(seat).spawned

    def waiting(self) -> int | None:
        """Advances to a pair that has spawned and isn't locked yet. Returns its seat; None if the round is over."""
        while True:
            first, second = self._clocks
            seat, clock = (1, first) if first.at <= second.at else (2, second)
            if self.match.over and clock.at > self.frame:
                return None
            self.frame = clock.at
            if clock.done is None:
                return None if self.match.over else seat
            done, clock.done = clock.done, None
            settled = self.match.finish(seat, done)
            self.settled.append((seat, settled))
            clock.at += (self.timing.fall if settled.fallen else 0) + 1
            clock.spawned = clock.at

    @property
    def loser(self) -> int | None:
        """The seat that has lost; None while the round goes on."""
        return self.match.loser(self._counter + self.frame)

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

"""The order of events in a simulated match of two seats."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Final, Generic, Protocol, TypeVar

from ochibot.errors import GameError

NEVER: Final = 1 << 60
"""A frame that no match reaches."""


class SeatClock(Protocol):
    """A seat's progress. at: the frame of its next event. spawned: the frame on which its piece spawned."""

    at: int
    spawned: int

    @property
    def decides(self) -> bool:
        """Whether its piece has spawned and isn't locked yet."""


class RoundState(Protocol):
    """What the order of events asks of a match."""

    @property
    def over(self) -> bool:
        """Whether a seat has lost."""

    def loser(self, counter: int = 0) -> int | None:
        """The seat that has lost; ``counter``, the game's frame counter, decides if both lose on the same frame."""


C = TypeVar("C", bound=SeatClock)
M = TypeVar("M", bound=RoundState)


class TwoSeats(ABC, Generic[M, C]):
    """Goes from event to event; both first pieces spawn at frame 0. The earlier event is processed first; on the same
    frame, seat 1 goes before seat 2.
    """

    def __init__(self, match: M, clocks: tuple[C, C], counter: int) -> None:
        """``counter``: the game's frame counter at frame 0. It matters only for a round that both seats lose at
        once.
        """
        self.match = match
        self.frame = 0
        """The frame of the latest event."""
        self._clocks = clocks
        self._counter = counter
        self._over_at = NEVER

    @abstractmethod
    def _event(self, seat: int, clock: C) -> None:
        """Processes a seat's next event. Sets ``_over_at`` to the present frame if it ends the round."""

    def _clock(self, seat: int) -> C:
        if seat not in (1, 2):
            raise GameError(f"there is no seat {seat}: give 1 or 2")
        return self._clocks[seat - 1]

    def spawned(self, seat: int) -> int:
        """The frame on which the seat's piece spawned."""
        return self._clock(seat).spawned

    def waiting(self) -> int | None:
        """Advances until a piece has spawned that still has to be locked. Returns its seat; None: the round is over."""
        while True:
            first, second = self._clocks
            seat, clock = (1, first) if first.at <= second.at else (2, second)
            if clock.at > self._over_at or (self.match.over and clock.decides):
                return None
            self.frame = clock.at
            if clock.decides:
                return seat
            self._event(seat, clock)

    @property
    def loser(self) -> int | None:
        """The seat that has lost; None while the round goes on."""
        return self.match.loser(self._counter + self._over_at) if self._over_at < NEVER else None

"""The other side of a match, as a player sees it on the screen (``ochibot.puyo.rules.snapshot.Rival``). It is read from
RAM through a map.
"""

from __future__ import annotations

from typing import Final, Protocol

from ochibot.errors import FieldError, GameError, PointerError
from ochibot.puyo.rules.field import Field
from ochibot.puyo.rules.pair import PairState, Placement
from ochibot.puyo.rules.profile import Rules
from ochibot.puyo.rules.snapshot import Rival, Snapshot
from ochibot.puyo.rules.steps import Lock, lock_piece
from ochibot.puyo.sim.durations import FAMICOM_TIMING

_NOTHING: Final = Rival(Field.empty())


class WatchedSeat(Protocol):
    """What ``Watch`` needs of the seat that it follows."""

    rules: Rules

    def plain(self) -> Snapshot:
        """The snapshot without the other side of the match."""

    def falling(self) -> bool:
        """Whether ``pair_state`` shows a pair that is falling or has just locked."""

    def pair_state(self) -> PairState | None:
        """Where the falling pair is."""

    def has_locked(self) -> bool:
        """Whether the pair has locked and its field is still settling."""

    def pending(self) -> int:
        """Nuisance that waits to fall on this seat."""


class Watch:
    """Follows a seat frame by frame; ``rival`` is what the other side sees of that seat.

    The result of a lock is computed by the rules, from the field at the spawn and from where the pair was seen last.
    How long its chain runs is computed from our own Famicom cartridge's timing. frames: the round's frames so far.
    """

    def __init__(self, seat: WatchedSeat) -> None:
        self.frames = 0
        self._seat = seat
        self._before: Snapshot | None = None
        self._last: PairState | None = None
        self._lock: Lock | None = None
        self._since = 0

    def saw(self, *, spawned: bool) -> None:
        """Reads the seat after a frame. ``spawned``: whether a new pair has just been announced."""
        seat = self._seat
        self.frames += 1
        if spawned:
            self._begin()
        elif self._before is not None and self._lock is None:
            if seat.has_locked():
                self._locked()
            elif seat.falling():
                self._last = seat.pair_state() or self._last
        elif self._lock is not None:
            self._since += 1

    def forget(self) -> None:
        """Forgets what was seen, after a savestate was loaded or RAM was written."""
        self._before = self._last = self._lock = None

    def _begin(self) -> None:
        self._lock, self._since = None, 0
        try:
            self._before = self._seat.plain()
        except (GameError, FieldError, PointerError):
            self._before = None
            return
        self._last = self._before.state
        if self._before.field.count() == 0 and self._before.score == 0:
            self.frames = 0

    def _locked(self) -> None:
        assert self._before is not None
        if self._last is None:
            return
        try:
            self._lock = lock_piece(self._before.field, self._before.pair, Placement(*self._last), self._seat.rules)
        except FieldError:
            self._before = None  # the pair wasn't where it was seen last: wait for the next spawn

    def rival(self) -> Rival:
        """The seat as the other side sees it now."""
        seat = self._seat
        if self._before is None and not seat.has_locked():
            self._begin()
        before, lock, waiting = self._before, self._lock, seat.pending()
        if before is None:
            return _NOTHING
        shown = before.pair, before.next_pair, *before.foreseen
        if lock is None:
            return Rival(before.field, shown, waiting)
        takes = FAMICOM_TIMING.alone(lock.drop, tuple(step.fall for step in lock.steps))
        frames = max(0, takes - self._since) if lock.steps else 0
        nuisance = seat.rules.nuisance
        made = lock.chain_score // nuisance.points_at(self.frames) if frames and nuisance.points_each else 0
        against = min(made, waiting) if nuisance.offset else 0
        return Rival(lock.field, shown[1:], waiting - against, made - against, frames)

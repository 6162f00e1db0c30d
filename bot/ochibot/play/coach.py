"""Coaches a person: follows his seat frame by frame, and says where his falling piece could go.

The coach presses nothing and writes nothing. Advice is worked out in a thread of its own, so that no frame waits for
it; when frames are replayed as fast as possible, the coach waits for it instead.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Any

from ochibot.errors import FieldError, GameError, PlayerError, PointerError
from ochibot.falling.advice import PLACES, Advice, Adviser, advise
from ochibot.falling.player import AnyPlayer, prepare
from ochibot.games.protocols import AnySeat, Facing
from ochibot.report import Reported

LOOKS: int = 15
"""Dangers of a match are looked at again after so many frames."""


class Hints(StrEnum):
    """When a coach shows the best places: never, so that it only warns; once the person has thought for a while; at
    once.
    """

    NONE = "none"
    LATER = "later"
    ALL = "all"


@dataclass(frozen=True, slots=True, eq=False)
class CoachShown:
    """What is shown at a moment. advice: None before the first piece. places: whether its places and ``fire`` may be
    shown.
    """

    advice: Advice | None = None
    places: bool = False


class Counsel:
    """Works out the advice of one seat in a thread of its own, which alone uses the players and the adviser."""

    def __init__(
        self, player: AnyPlayer, again: AnyPlayer, adviser: Adviser | None, cells_of: Callable[..., Any]
    ) -> None:
        """See ``ochibot.falling.advice.advise``."""
        self._player, self._again, self._adviser, self._cells_of = player, again, adviser, cells_of
        self._pool = ThreadPoolExecutor(1, "ochibot-coach")

    def prepare(self) -> None:
        """Loads or compiles what is needed, so that the first advice is quick."""
        for one in (self._player, self._again, self._adviser):
            if one is not None:
                prepare(one)

    def ask(self, snapshot: Any) -> Future[Advice]:
        """Begins to work out the advice for a snapshot."""
        return self._pool.submit(advise, self._player, self._again, self._adviser, snapshot, self._cells_of)

    def look(self, advice: Advice, snapshot: Any) -> Future[Advice]:
        """The same advice with the dangers and the chance of a later snapshot of the same piece."""
        adviser = self._adviser
        assert adviser is not None

        def seen() -> Advice:
            dangers = sorted(adviser.dangers(snapshot), key=lambda danger: -danger.grave)
            return replace(advice, dangers=tuple(dangers), chance=adviser.chance(snapshot))

        return self._pool.submit(seen)

    @property
    def looks(self) -> bool:
        """Whether ``look`` can be asked."""
        return self._adviser is not None

    def close(self) -> None:
        """Ends the thread."""
        self._pool.shutdown(cancel_futures=True)


@dataclass
class CoachResult(Reported):
    """What a coach has seen and said; the fields of ``ochibot coach --json``.

    pieces: those for which there was advice. unread: pieces whose field or pair couldn't be read. late: pieces that
    locked before there was advice. taken: how often the person took the best place, the second, the third, and none of
    them, among ``judged`` locks. frames: those that were followed. stopped_by: what ended the run.
    """

    pieces: int = 0
    unread: int = 0
    late: int = 0
    judged: int = 0
    taken: list[int] = field(default_factory=lambda: [0] * (PLACES + 1))
    frames: int = 0
    stopped_by: str = ""


@dataclass(frozen=True, slots=True)
class Took:
    """What a person did with a piece. advice: what there was to say about it. place: the index of the place that he
    took; None if it was none of them.
    """

    advice: Advice
    place: int | None


class Coach:
    """Follows one seat. Call ``frame`` after each frame of the machine; ``shown`` is what may be shown.

    result: the counts. arrived: when the frame came that showed the present piece, by ``clock``.
    """

    def __init__(
        self,
        seat: AnySeat,
        counsel: Counsel,
        other: AnySeat | None = None,
        *,
        hints: Hints = Hints.ALL,
        after: int = 180,
        waits: bool = False,
        clock: Callable[[], float] = time.perf_counter,
        on_took: Callable[[Took], None] = lambda _: None,
    ) -> None:
        """``other``: the other side of a match. ``hints``, ``after``: how much is shown, and for LATER, how many frames
        after a piece has appeared. ``waits``: whether ``frame`` waits for the advice. ``on_took``: is called when a
        piece has locked for which there was advice.
        """
        self.seat, self.other = seat, other
        self.shown = CoachShown()
        self.result = CoachResult()
        self.arrived = 0.0
        self._counsel, self._hints, self._after = counsel, hints, after
        self._waits, self._clock, self._on_took = waits, clock, on_took
        self._coming: Future[Advice] | None = None
        self._advice: Advice | None = None
        self._snapshot: Any = None
        self._looking: Future[Advice] | None = None
        self._landed: Any = None
        self._age = 0
        if other is not None and isinstance(seat, Facing):
            seat.face(other)

    def frame(self, arrived: float | None = None) -> bool:
        """Looks at RAM once. Returns whether what may be shown has changed. ``arrived``: when the frame came, by the
        clock; None: now.

        Raises PlayerError when the player fails.
        """
        self.result.frames += 1
        before, other = self.shown, self.other
        # as in a battle, seat 1 is looked at first
        if other is not None and other.number < self.seat.number:
            other.update()
        if self.seat.update():
            self._spawned(self._clock() if arrived is None else arrived)
        elif self._snapshot is not None:
            self._age += 1
            if self.seat.falling() and not self.seat.has_locked():
                self._landed = self.seat.pair_state() or self._landed
        if other is not None and other.number > self.seat.number:
            other.update()
        self._hear()
        self.shown = CoachShown(self._advice, self._shows_places())
        return self.shown.advice is not before.advice or self.shown.places != before.places

    def _shows_places(self) -> bool:
        if self._hints is Hints.NONE or self._advice is None:
            return False
        return self._hints is Hints.ALL or self._age >= self._after

    def _spawned(self, arrived: float) -> None:
        self.settle()
        self._age, self.arrived, self._landed = 0, arrived, None
        self._advice = self._looking = None
        try:
            self._snapshot = self.seat.snapshot()
        except (GameError, FieldError, PointerError):
            self._snapshot = None
            self.result.unread += 1
            return
        self._coming = self._counsel.ask(self._snapshot)

    def _hear(self) -> None:
        """Takes the advice that is ready, and looks for dangers again from time to time."""
        coming = self._coming
        if coming is not None and (self._waits or coming.done()):
            self._coming = None
            try:
                self._advice = coming.result()
            except FieldError:
                self._snapshot = None
                self.result.unread += 1
                return
            self.result.pieces += 1
        if self._looking is not None and self._looking.done():
            looking, self._looking = self._looking, None
            if self._advice is not None and looking.exception() is None:
                self._advice = looking.result()
        elif self._advice is not None and self._age and self._age % LOOKS == 0 and self._looks():
            try:
                snapshot = self.seat.snapshot()
            except (GameError, FieldError, PointerError):
                return
            self._looking = self._counsel.look(self._advice, snapshot)
            if self._waits:
                self._advice, self._looking = self._looking.result(), None

    def _looks(self) -> bool:
        return self.other is not None and self._counsel.looks and self.seat.in_hand()

    def settle(self) -> None:
        """Counts what the person did with the last piece. Call it at the end, too."""
        snapshot, advice, landed = self._snapshot, self._advice, self._landed
        if self._coming is not None:
            self._coming.cancel()
            self._coming = None
            self.result.late += snapshot is not None
        self._snapshot = None
        if snapshot is None or advice is None or landed is None:
            return
        place = None
        for number, one in enumerate(advice.places):
            try:
                meant = not self.seat.forecast(snapshot, one.decision.placement).misses(landed)
            except (GameError, FieldError):
                continue
            if meant:
                place = number
                break
        self.result.judged += 1
        self.result.taken[PLACES if place is None else place] += 1
        self._on_took(Took(advice, place))


def check_player(player: AnyPlayer) -> None:
    """Raises PlayerError for a player that can't be asked twice about one piece: an engine plays its games in order."""
    if hasattr(player, "leave"):
        raise PlayerError(
            "a coach asks a player several times about one piece, which engines can't be: give another one"
        )

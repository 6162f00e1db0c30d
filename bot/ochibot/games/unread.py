"""Rows that hold puyos, but that a map doesn't show. What lies in them is known from the forecasts of the locks.

A game may have a hidden row that isn't in the grid its map names. No byte that is read shows what comes to rest in that
row. But for every lock the rules predict it, and the visible rows confirm the prediction. Nuisance is the exception,
since the game chooses its columns. If it may lie in an unread row, every possibility is kept, and the next locks show
which one is true. After a savestate is loaded, nobody knows the content of these rows, so they are assumed to be empty.

The other side of a match, as a player sees it on the screen (``ochibot.puyo.rules.snapshot.Rival``). It is read from
RAM through a map.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import product
from typing import Final, Protocol

from ochibot.errors import FieldError, GameError, PointerError
from ochibot.falling.orientation import STEP, Orientation
from ochibot.keeping import Keeps
from ochibot.puyo.forecast import Prediction, Settled, is_covered
from ochibot.puyo.rules.field import COLUMNS, NUISANCE, ROWS, Field
from ochibot.puyo.rules.pair import PairState, Placement
from ochibot.puyo.rules.profile import Rules
from ochibot.puyo.rules.snapshot import Rival, Snapshot
from ochibot.puyo.rules.steps import Lock, lock_piece
from ochibot.puyo.sim.timed import FAMICOM_TIMING

MOST_WAYS: Final = 64
"""How many possible contents ("fillings") of the unread rows are kept at most."""


def states() -> Iterator[PairState]:
    """Every place where a pair can be. The partner may be one row above the field."""
    return (
        PairState(x, y, orientation)
        for x in range(1, COLUMNS + 1)
        for y in range(ROWS)
        for orientation in Orientation
        if 1 <= x + STEP[orientation][0] <= COLUMNS
    )


@dataclass(frozen=True)
class PartlySeen:
    """The forecasts for all possible fillings of the unread rows. They hold together if one of them holds.

    ``predictions`` are of one placement, the likeliest first. ``unread``: the number of rows at the top that ``seen``
    fields don't show.
    """

    predictions: tuple[Prediction, ...]
    unread: int

    @property
    def chain(self) -> int:
        """The chain's length."""
        return self.predictions[0].chain

    def misses(self, landed: PairState) -> bool:
        """Whether a pair last seen at ``landed`` has landed elsewhere than meant, whatever the unread rows hold."""
        return all(prediction.misses(landed) for prediction in self.predictions)

    def elsewhere(self, landed: PairState) -> PartlySeen:
        """The forecasts for a pair that lands at ``landed``. Raises FieldError when the pair can't be there."""
        return PartlySeen(tuple(_possible(self.predictions, landed)), self.unread)

    def covers(self, seen: Settled) -> bool:
        """Whether the rows that are read are as predicted, apart from nuisance that fell on them."""
        return any(prediction.covers(full) for prediction, full in self._matches(seen))

    def holds(self, seen: Settled) -> bool:
        """Whether the rows that are read and the score are as predicted."""
        return any(prediction.holds(full) for prediction, full in self._matches(seen))

    def describe(self, seen: Settled) -> str:
        """A report for people on how ``seen`` differs from the likeliest forecast."""
        rows = "the top row isn't" if self.unread == 1 else f"the top {self.unread} rows aren't"
        return f"{self.predictions[0].describe(seen)}\n{rows} in the map's field: known only from the forecasts"

    def fillings(self, seen: Settled) -> list[bytes]:
        """All fillings of the unread rows that agree with the rows seen, the likeliest first; at most MOST_WAYS."""
        found = dict.fromkeys(_cells(full.field)[: self.unread * COLUMNS] for _, full in self._matches(seen))
        return list(found)[:MOST_WAYS]

    def _matches(self, seen: Settled) -> Iterator[tuple[Prediction, Settled]]:
        """Each prediction that agrees with ``seen``, with ``seen`` completed by its unread rows."""
        below = _cells(seen.field)[self.unread * COLUMNS :]
        for prediction in self.predictions:
            top = prediction.rules.kept_top
            for above in _with_nuisance(prediction.outcome.field, below, range(top, self.unread), seen.fallen):
                full = replace(seen, field=Field(above + below))
                if is_covered(prediction.outcome.field, full.field, seen.fallen, prediction.rules):
                    yield prediction, full


def _possible(predictions: tuple[Prediction, ...], landed: PairState) -> list[Prediction]:
    """The predictions for a pair that lands at ``landed``, without those in which it can't be there. Raises FieldError
    when none is left.
    """
    found, problem = [], FieldError("nothing was forecast")
    for old in predictions:
        try:
            found.append(old.elsewhere(landed))
        except FieldError as error:
            problem = error
    if not found:
        raise problem
    return found


def _cells(field: Field) -> bytes:
    return field.cells.tobytes()


def _with_nuisance(settled: Field, below: bytes, rows: range, fallen: int) -> Iterator[bytes]:
    """Yields the unread rows of a settled field, with nuisance in ``rows`` in every possible way, the fewest first."""
    above = _cells(settled)[: rows.stop * COLUMNS]
    if not fallen:
        yield above
        return
    # nuisance rests in an unread row only on a column that is full below it
    free = [[row for row in rows if below[x] and not above[row * COLUMNS + x]] for x in range(COLUMNS)]
    for falls in sorted(product(*(range(len(room) + 1) for room in free)), key=sum):
        filled = bytearray(above)
        for x, count in enumerate(falls):
            for row in free[x][len(free[x]) - count :]:
                filled[row * COLUMNS + x] = NUISANCE
        yield bytes(filled)


class UnreadRows(Keeps):
    """What is known about the unread rows of one seat."""

    _changing = ("_ways", "_open", "_due")

    def __init__(self, rows: int, rules: Rules) -> None:
        self.rows = rows
        self._rules = rules
        self._ways: list[bytes] = [bytes(rows * COLUMNS)]
        self._open: PartlySeen | None = None
        self._due = False

    def forget(self) -> None:
        """Assumes that the rows are empty, after a savestate was loaded or RAM was written."""
        self._ways, self._open, self._due = [bytes(self.rows * COLUMNS)], None, False

    def spawned(self) -> None:
        """Tells that a new pair is announced, so that the last pair's forecast can be compared."""
        self._due = self._open is not None

    def fresh(self, below: bytes, fallen: int) -> None:
        """Settles what the rows hold, when a new pair has spawned and before the seat resets ``fallen``."""
        self._ways, self._open, self._due = self._known(below, fallen), None, False

    def filled(self, below: bytes, fallen: int) -> bytes:
        """The likeliest filling. ``below``: the cells that are read, row by row. ``fallen``: how much nuisance fell."""
        return self._known(below, fallen)[0]

    def forecast(self, snapshot: Snapshot, predict: Callable[[Snapshot], Prediction]) -> PartlySeen:
        """What must follow from a placement by the rules, for every possible filling of the unread rows.

        ``predict``: predicts from a snapshot; it raises FieldError where the pair can't be there.
        """
        below = _cells(snapshot.field)[self.rows * COLUMNS :]
        found = []
        for above in self._resting(below, self._ways):
            with suppress(FieldError):
                found.append(predict(replace(snapshot, field=Field(above + below))))
        self._open, self._due = PartlySeen(tuple(found or [predict(snapshot)]), self.rows), False
        return self._open

    def _known(self, below: bytes, fallen: int) -> list[bytes]:
        ways = self._ways
        if self._due and self._open is not None:
            seen = Settled(Field(bytes(self.rows * COLUMNS) + below), fallen=fallen)
            ways = self._open.fillings(seen) or self._landed_elsewhere(self._open, seen) or ways
        return self._resting(below, ways)

    def _landed_elsewhere(self, forecast: PartlySeen, seen: Settled) -> list[bytes]:
        """The fillings that agree with ``seen`` if the pair landed anywhere else than meant."""
        found: dict[bytes, None] = {}
        for state in states():
            try:
                other = forecast.elsewhere(state)
            except FieldError:
                continue
            found.update(dict.fromkeys(other.fillings(seen)))
        return list(found)[:MOST_WAYS]

    def _resting(self, below: bytes, ways: list[bytes]) -> list[bytes]:
        """The fillings, without puyos above a column that isn't full, since no puyo can rest on such a column."""
        cells = range(self.rows * COLUMNS)
        kept = (bytes(way[at] if below[at % COLUMNS] else 0 for at in cells) for way in ways)
        return list(dict.fromkeys(kept))


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

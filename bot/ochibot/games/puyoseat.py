"""What all seats of Puyo Puyo titles read in the same way: a pair of two colours over a field of 14 rows."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any, ClassVar, Final

from ochibot.console import Button, Ram
from ochibot.errors import FieldError, PointerError
from ochibot.falling.player import Facts
from ochibot.games.piece import pair_source
from ochibot.games.protocols import Look
from ochibot.games.puyolook import without_pair
from ochibot.games.ramseat import RamSeat, Unchanged
from ochibot.games.table import Table
from ochibot.games.unread import PartlySeen, UnreadRows, Watch, states
from ochibot.puyo.accounts import Owed, SoftRows
from ochibot.puyo.family import FAMILY
from ochibot.puyo.forecast import PairCourse, Prediction, Settled
from ochibot.puyo.rules.field import COLORS, COLUMNS, NUISANCE, ROWS, Field
from ochibot.puyo.rules.pair import BIG, CARBUNCLE, UNKNOWN, Action, Pair, PairState, Placement, halves
from ochibot.puyo.rules.profile import Rules
from ochibot.puyo.rules.snapshot import Snapshot
from ochibot.ram import RamMap

STILL_FRAMES: Final = 300
"""A field unchanged for this many frames isn't in a chain: each step of a chain is shorter."""

_POINTS_LATE: Final = 1
"""Nuisance that shrinks so few frames after points were added was cancelled by them."""

_PAIRS: Final[dict[tuple[int, ...], Pair]] = {
    **{(axis, partner): Pair(axis, partner) for axis in COLORS for partner in COLORS},
    **{(item, item): Pair(item, item) for item in (BIG, CARBUNCLE)},
}


_COLORS: Final = frozenset((*COLORS, BIG, CARBUNCLE))


class PuyoSeat(RamSeat[Action, Rules]):
    """One player's side of the running game, read through its map; see ``ochibot.games.protocols.Seat``."""

    _changing: ClassVar[tuple[str, ...]] = (
        *(
            "received",
            "sent",
            "_last_sign",
            "_in_control",
            "_falling",
            "_still",
            "_waiting",
            "_fallen",
            "_scored",
            "_rows_told",
        ),
        *("_unread", "_soft_rows", "_owed", "_last_field"),
    )

    def __init__(self, table: Table, look: Look[Any, Any], ram_map: RamMap, ram: Ram, rules: Rules) -> None:
        hidden = ROWS - rules.visible_rows
        super().__init__(
            table, FAMILY, ram_map, ram, rules, rows=ROWS, columns=COLUMNS, first_row=0, most_unread=hidden
        )
        self.look = look
        self.best = "chain"
        self._where, self._states = pair_source(self.map, table.orientations, states(), halves)
        self._spawn_cell = table.spawn.y * COLUMNS + table.spawn.x - 1
        self._sign = self._spawn or self._other_sign()
        self._pair = self.map.several("axis", "partner")
        shows = any(name in self.map for name in ("next_axis", "next_partner"))
        # a game may show no NEXT; half of one is a mistake in the map
        self._in_field = self.map.map.pair.in_field
        self._next = self.map.several("next_axis", "next_partner") if shows else None
        self._colors = self._optional("colors")
        # a table without phases has NEVER for all of them, a negative number
        self._phase = self._optional("phase", astray=-1) if table.phases.control >= 0 else None
        # if none of these shows a game over, only a field that no longer changes does
        self._watches_field = self._over is None and self._phase is None and self._state is None
        self._last_sign = self._sign()
        self._falling = self._phase is None and self._control is None
        self._in_control = False
        unread = max(0, self.map.map.entries["field"].top or 0)
        self._unread = UnreadRows(unread, rules) if unread > rules.kept_top else None
        self._still = b"", 0
        self.received: int | None = 0
        self.sent: int | None = None
        self._waiting = self.pending()
        self._fallen = 0
        # A game may count itself what fell and was sent. Offset changes what waits, so that doesn't show it.
        self._fell, self._sent_in_all = self._optional("fallen"), self._optional("sent_in_all")
        if self._fell is not None:
            self.received = None
        if self._sent_in_all is not None:
            self.sent = 0
        self._offset = rules.nuisance.offset and self.knows_score and self._pending is not None and self._fell is None
        self._falls = 1
        self._scored = self.score() if self._offset else 0
        self._frames_since_points = 0
        self._soft = self._optional("soft")
        self._rows_told = 0
        # soft-dropped rows and the all-clear bonus that is owed: only if the score depends on them
        y = self.map.map.entries.get("y")
        soft = SoftRows(table.tap, pixels=y is not None and y.divide > 1)
        self._soft_rows = soft if rules.drop_bonus and self.knows_score else None
        self._owed = Owed(rules) if rules.all_clear_later and self.knows_score else None
        self._last_field = Field.empty()
        self._facts, self._snapshots = Unchanged(Facts), Unchanged(Snapshot)
        self._limit = self._optional("limit")
        self._points, self._bonus = self._optional("points"), self._optional("all_clear")
        self._watch: Watch | None = None
        self._facing: Watch | None = None

    def _other_sign(self) -> Callable[[], int]:
        """A reader for maps without the sign ``spawn``: it returns 0 unless a pair is being announced."""
        spawning = self._optional("spawning", astray=0)
        if spawning is not None:
            return spawning
        found = [self._optional(name, astray=0) for name in self.table.spawn_signs]
        signs = [read for read in found if read is not None]
        if not signs:
            self.map.require((*self.table.spawn_signs, "spawning")[0], "shows that a new pair has spawned")
        spawn_row = self.table.spawn.y
        row = self._optional("y", astray=-1) or (lambda: -1)
        if self.map.map.pair.denotes in ("partner", "box"):
            row = self._axis_row
        return lambda: int(row() == spawn_row and any(read() for read in signs))

    def _axis_row(self) -> int:
        state = self.pair_state()
        return -1 if state is None else state.y

    def _row_of(self, state: PairState) -> int:
        """The row by which a pair sinks: the axis's, or its box's lower one, which turns don't change."""
        return max(y for _, y in halves(state)) if self.rules.turns == "box" else state.y

    def update(self) -> bool:
        """Reads RAM after a frame. Returns whether a new pair has just been announced."""
        if self._offset:
            self._watch_points()
        if self._fell is None and self._pending is not None and (waiting := self._pending()) != self._waiting:
            self._watch_nuisance(waiting)
        if self._control is not None:
            before, self._in_control = self._in_control, self._control()
            self._falling = self._in_control or before
        elif self._phase is not None:
            before, self._in_control = self._in_control, self._phase() == self.table.phases.control
            self._falling = self._in_control or before
        if self._sent_in_all is not None and not self._in_control:
            # final once the pair has locked
            self.sent = self._sent_in_all()
        if self._watches_field:
            self._watch_field()
        # the game's count of rows is final once the pair has locked; the game resets it at the next spawn
        if self._soft is not None and not self._in_control and (rows := self._soft()):
            self._rows_told = rows
        sign = self._sign()
        self.spawned = bool(sign) and not self._last_sign
        self._last_sign = sign
        if self._soft is None and self._soft_rows is not None:
            # a new pair hasn't sunk from where the last one lay
            state = self.pair_state() if self._falling and not self.spawned else None
            self._soft_rows.saw(None if state is None else self._row_of(state))
        if self._has_signs:
            self._keep_signs(in_control=self._in_control)
        if self.spawned and self._unread is not None:
            self._unread.spawned()
        if self._watch is not None:
            self._watch.saw(spawned=self.spawned)
        return self.spawned

    def _watch_nuisance(self, waiting: int) -> None:
        """Adds to the received nuisance when the pending amount has grown. When it has shrunk, notes how much fell: not
        what the player's own points have cancelled, in rules with ``offset``.
        """
        less = self._waiting - waiting
        if less < 0:
            self.received = (self.received or 0) - less
        elif self.rules.nuisance.excess == "discard":
            self._fallen = min(self._waiting, self.fall_limit())
        elif not self._offset or self._frames_since_points > _POINTS_LATE:
            # it may shrink row by row as it falls; after a row that isn't full, it falls once more
            self._falls += self._fallen % COLUMNS > 0
            self._fallen = min(self._fallen + less, self.fall_limit())
        self._waiting = waiting

    def _watch_points(self) -> None:
        """Counts the frames since the score last changed."""
        before, self._scored = self._scored, self.score()
        self._frames_since_points = 0 if self._scored != before else self._frames_since_points + 1

    def _watch_field(self) -> None:
        """Counts for how many frames a puyo has lain in the spawn cell while nothing in the field has changed."""
        try:
            cells = self._cells()
        except PointerError:
            return
        seen, frames = self._still
        self._still = cells, frames + 1 if cells == seen and cells[self._spawn_cell] else 0

    def resync(self) -> None:
        """Forgets what earlier frames showed, after a savestate was loaded or RAM was written."""
        self._last_sign = self._sign()
        self.spawned = self._in_control = False
        self._falling = self._phase is None and self._control is None
        self._still = b"", 0
        self._waiting, self._fallen = self.pending(), 0
        self._falls = 1
        self._scored = self.score() if self._offset else 0
        self._rows_told = 0
        if self._soft_rows is not None:
            self._soft_rows.begin()
        self._forget_signs()
        for part in (self._owed, self._unread, self._watch):
            if part is not None:
                part.forget()

    def watched(self) -> Watch:
        """The ``Watch`` that follows this seat for the other side. The first call makes it."""
        self._watch = self._watch or Watch(self)
        return self._watch

    def face(self, other: PuyoSeat) -> None:
        """Makes all later snapshots show the other side of the match, and the nuisance that waits above this side."""
        self._facing = other.watched()

    def over(self) -> bool:
        """Whether the game is over for this seat.

        The map's sign ``over`` decides, or else ``phase``, or else ``state``. With a map that has none of them, the
        game counts as over when a puyo has lain in the spawn cell for STILL_FRAMES while nothing in the field has
        changed. (A puyo in that cell is documented as the end of a game.)
        """
        if self._over is not None:
            return self._over()
        if self._phase is not None:
            return self._phase() == self.table.phases.over
        if self._state is not None:
            return self._state() == self.table.over
        return self._still[1] >= STILL_FRAMES

    def fall_limit(self) -> int:
        """The most nuisance puyos that fall at a time."""
        most = self.rules.nuisance.most_per_fall
        chosen = self._limit() if self._limit is not None else 0
        return min(chosen, most) if chosen else most

    def in_hand(self) -> bool:
        """Whether a pair has spawned and not locked yet; False when the map has neither ``phase`` nor ``control``."""
        if self._control is not None:
            return self._in_hand_by_signs(self._control)
        return self._phase is not None and 0 < self._phase() <= self.table.phases.control

    def pair_state(self) -> PairState | None:
        """Where the falling pair is; None when the bytes are no position (for example, a half outside the columns)."""
        return self._states.get(self._where())

    def field(self) -> Field:
        """The field. Raises GameError when a cell's byte isn't among the map's codes.

        The map's grid may lack rows that hold puyos. Those rows are filled with what this seat's forecasts say came to
        rest in them (``ochibot.games.unread``).
        """
        cells = self._settled_cells()
        if cells == self._last_field.codes:
            field = self._last_field
        else:
            try:
                field = self._last_field = Field.from_codes(cells)
            except FieldError:
                raise self.unknown_cell("field", cells, NUISANCE) from None
        if self._unread is None:
            return field
        below = cells[self._unread.rows * COLUMNS :]
        return Field.from_codes(self._unread.filled(below, self.fallen()) + below)

    def _settled_cells(self) -> bytes:
        """The cells without the falling pair, which some games write into the field, too."""
        cells = self._cells()
        state = self.pair_state() if self._in_field else None
        return cells if state is None else without_pair(cells, state, self._pair())

    def fallen(self) -> int:
        """The nuisance that has fallen with the last lock, by the game's own count if the map has it."""
        return self._fallen if self._fell is None else self._fell()

    def snapshot(self) -> Snapshot:
        """What a player needs, read now: call it on the frame of a spawn. Raises GameError as ``field`` does."""
        seen, watch = self._seen(self.facts()), self._facing
        if watch is None:
            return seen
        return replace(seen, waiting=self.pending(), frame=watch.frames, rival=watch.rival())

    def facts(self) -> Facts:
        """What RAM and the rules say besides the snapshot."""
        announced = self._pending is not None and not self.rules.nuisance.unannounced
        owed: bool | None = None if self._owed is None else self._owed.owed
        if not self.rules.all_clear_later and not self.rules.nuisance.all_clear_points:
            owed = False
        return self._facts(
            self.number,
            self.pending() if announced else None,
            "after_lock" if announced else None,
            self.fall_limit() if announced else None,
            None if self._points is None else self._points(),
            owed if self._bonus is None else self._bonus() != 0,
        )

    def plain(self) -> Snapshot:
        """What a player needs, without facts and the other side of a match. Raises GameError as ``field`` does."""
        return self._seen(None)

    def _shown_later(self) -> tuple[Pair, ...]:
        """The pairs after the next one that the screen shows."""
        return ()

    def _seen(self, facts: Facts | None) -> Snapshot:
        pair = self._colors_of(self._pair)
        following = UNKNOWN if self._next is None else self._colors_of(self._next, "next_")
        state = self.pair_state()
        if state is None:
            raise self.no_position()
        if self._colors is not None:
            colors = self._colors()
        else:
            colors = max(4, *(color for color in (*pair, *following) if color < NUISANCE))
        later = self._shown_later()
        shown = self.field(), pair, following, self.score(), state, self.level(), colors, later
        return self._snapshots(*shown, None, 0, 0, None, facts)

    def starts_at(self, state: PairState) -> bool:
        """Whether ``state`` is where pairs appear."""
        return bool(state == self.table.spawn)

    def settled(self) -> Settled:
        """The settled field, the score, and what happened since ``fresh``: how much nuisance fell, and how many rows
        were soft-dropped.
        """
        rows, spare = self._rows_told, 0
        if self._soft is None and self._soft_rows is not None:
            rows, spare = self._soft_rows.rows, self._soft_rows.spare
        return Settled(self.field(), self.score(), self.fallen(), rows, spare, self._falls)

    def fresh(self) -> None:
        """Resets the counts of fallen nuisance and of soft-dropped rows, when a new pair has spawned."""
        if self._unread is not None:
            self._unread.fresh(self._settled_cells()[self._unread.rows * COLUMNS :], self.fallen())
        if self._owed is not None:
            self._owed.saw(self.field(), self._colors_of(self._pair), self.score(), self.fallen())
        if self._soft_rows is not None:
            self._soft_rows.begin()
        self._rows_told = 0
        self._fallen, self._falls = 0, 1

    def button(self, action: Action) -> Button:
        """The button of a press for the next frame. It also notes whether Down is held, to count soft-dropped rows."""
        if self._soft_rows is not None:
            self._soft_rows.pressed(action is Action.DOWN)
        return super().button(action)

    def forecast(self, snapshot: Snapshot, placement: Placement) -> Prediction | PartlySeen:
        """What must follow from a placement by the rules."""
        owed = False if self._owed is None else self._owed.owed

        def predict(before: Snapshot) -> Prediction:
            return Prediction.of(before, placement, self.rules, knows_score=self.knows_score, owed=owed)

        return predict(snapshot) if self._unread is None else self._unread.forecast(snapshot, predict)

    def course(self, snapshot: Snapshot, placement: Placement) -> PairCourse:
        """The route to a placement."""
        return PairCourse.to(snapshot, placement, self.rules, self.table.buttons.keys())

    def _colors_of(self, read: Callable[[], tuple[int, ...]], which: str = "") -> Pair:
        """The pair that ``read`` returns. ``which``: how its entries' names begin. Raises GameError if it is none."""
        pair = _PAIRS.get(read())
        if pair is None:
            raise self.unknown_pair((f"{which}axis", f"{which}partner"), lambda color: color not in _COLORS)
        return pair

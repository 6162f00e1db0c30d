"""A seat of Kakera, the way of a piece to its placement, and the forecast of what the lock leads to."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from ochibot.console import Ram
from ochibot.games.ramseat import RamSeat
from ochibot.games.table import Table
from ochibot.ram import RamMap

from kakera import rules as kakera
from kakera.family import FAMILY, Action, Decision, Field, Pair, Placement, Rules, Snapshot, State, dropped


@dataclass(frozen=True)
class Settled:
    """A settled field and the score. fallen: how many greys fell. column: the column of the first of them."""

    field: Field
    score: int
    fallen: int
    column: int


@dataclass(frozen=True)
class Forecast:
    """What the next settled field and the score should be."""

    before: Snapshot
    placement: Placement
    rules: Rules
    outcome: kakera.Outcome
    score: int | None

    @classmethod
    def of(cls, before: Snapshot, placement: Placement, rules: Rules, *, with_score: bool = True) -> Forecast:
        """The forecast for a placement. Raises FieldError when there is no room."""
        outcome = dropped(before, placement, rules)
        return cls(before, placement, rules, outcome, before.score + outcome.score if with_score else None)

    @property
    def chain(self) -> int:
        """How many steps the chain has."""
        return self.outcome.chain

    def misses(self, landed: State) -> bool:
        """Whether the piece landed in another column than planned, or with its stones the other way round."""
        upper, lower = self.before.pair if not self.placement.orientation else reversed(self.before.pair)
        return (landed.x, landed.pair) != (self.placement.x, Pair(upper, lower))

    def elsewhere(self, landed: State) -> Forecast:
        """The forecast for the actual landing, without a score."""
        way = int(landed.pair != self.before.pair)
        return Forecast.of(self.before, Placement(landed.x, landed.y, way), self.rules, with_score=False)

    def covers(self, seen: Settled) -> bool:
        """Whether the field is as forecast, with the greys that fell on it."""
        return kakera.fall_greys(self.outcome.field, seen.fallen, seen.column)[0] == seen.field.rows

    def holds(self, seen: Settled) -> bool:
        """Whether the field is as forecast, and the score too if it was forecast."""
        return self.covers(seen) and self.score in (None, seen.score)

    def describe(self, seen: Settled) -> str:
        """A report: the fields before the lock, as forecast and as seen, side by side, and the scores."""
        parts = [str(field).split("\n") for field in (self.before.field, Field(self.outcome.field), seen.field)]
        rows = "\n".join("  ".join(row) for row in zip(*parts, strict=True))
        return f"{rows}\npiece {self.before.pair} at {self.placement}; score {self.score}, seen {seen.score}"


@dataclass(frozen=True)
class Course:
    """The way of a piece to its placement."""

    snapshot: Snapshot
    target: Placement

    @property
    def _wanted(self) -> Pair:
        upper, lower = self.snapshot.pair if not self.target.orientation else reversed(self.snapshot.pair)
        return Pair(upper, lower)

    @property
    def down(self) -> Action:
        """The action that moves the piece down a row."""
        return Action.DOWN

    @property
    def presses(self) -> Sequence[Action]:
        """The presses from where the piece appeared."""
        return self.way(self.snapshot.state)

    def way(self, state: State) -> Sequence[Action]:
        """The presses from ``state``: sideways, then the swap."""
        side = Action.RIGHT if self.target.x > state.x else Action.LEFT
        return [side] * abs(self.target.x - state.x) + [Action.SWAP] * (state.pair != self._wanted)

    def after(self, state: State, action: Action) -> State:
        """Where one press brings the piece."""
        if action is Action.SWAP:
            return state._replace(pair=Pair(state.pair.lower, state.pair.upper))
        if action is Action.DOWN:
            return state._replace(y=state.y + 1) if self._free(state.x, state.y + 1) else state
        x = state.x + (1 if action is Action.RIGHT else -1)
        return state._replace(x=x) if self._free(x, state.y) and self._free(x, state.y - 1) else state

    def _free(self, x: int, y: int) -> bool:
        inside = 1 <= x <= kakera.COLUMNS and 0 <= y < kakera.ROWS
        return inside and self.snapshot.field.rows[y][x - 1] == kakera.EMPTY

    def there(self, state: State) -> bool:
        """Whether the piece is above its target, so that it needs only to fall."""
        return (state.x, state.pair) == (self.target.x, self._wanted)

    def brought(self, seen: State, expected: State) -> bool:
        """Whether the piece is where a press should have brought it, or has sunk further since."""
        return (seen.x, seen.pair) == (expected.x, expected.pair) and seen.y >= expected.y


class Look:
    """How a plan is shown."""

    def planned(self, snapshot: Snapshot, decision: Decision) -> frozenset[tuple[int, int, int]]:
        """The cells in which the decision puts both stones, as (x, y, code)."""
        where = decision.placement
        upper, lower = snapshot.pair if not where.orientation else reversed(snapshot.pair)
        return frozenset({(where.x, where.y, lower), (where.x, where.y - 1, upper)})

    def box(self, seat: int, x: int, y: int, picture: tuple[int, int]) -> tuple[int, int, int] | None:  # noqa: ARG002
        """Always None: nobody has measured where the screen shows the fields."""
        return None

    def color(self, code: int) -> tuple[int, int, int]:
        """Roughly a stone's colour on the screen."""
        return ((0, 0, 0), (230, 60, 60), (60, 200, 80), (70, 90, 240), (150, 150, 150))[code]

    def in_words(self, decision: Decision) -> list[tuple[str, str]]:
        """The planned column, in words."""
        return [("plan", f"column {decision.placement.x}")]


class Seat(RamSeat[Action, Rules]):
    """See ``ochibot.games.protocols.Seat``."""

    def __init__(self, table: Table, look: Look, ram_map: RamMap, ram: Ram, rules: Rules) -> None:
        super().__init__(table, FAMILY, ram_map, ram, rules, rows=kakera.ROWS, columns=kakera.COLUMNS, first_row=0)
        self.look = look
        self.best = "chain"
        read = self.map.reader
        self._announce, self._phase = read("announce"), read("phase")
        self._x, self._y, self._grey_column = read("x"), read("y"), read("grey_column")
        self._stones = read("upper"), read("lower")
        self._next = read("next_upper"), read("next_lower")
        self.received: int | None = 0
        self.sent: int | None = None
        self.resync()

    def update(self) -> bool:
        """Reads RAM after a frame. Returns whether a piece has spawned."""
        waiting, column, sign = self.pending(), self._grey_column(), self._announce()
        fell = column != self._last_column
        self._fallen += fell
        self.received = (self.received or 0) + max(waiting - self._waiting + fell, 0)
        self._waiting, self._last_column = waiting, column
        before, self._in_control = self._in_control, self._phase() == self.table.phases.control
        self._falling = before or self._in_control
        self.spawned = bool(sign) and not self._last_sign
        self._last_sign = sign
        return self.spawned

    def resync(self) -> None:
        """Starts anew from the present RAM. Call it after RAM has jumped (for example, by loading a savestate)."""
        self._waiting, self._last_column, self._last_sign = self.pending(), self._grey_column(), self._announce()
        self._first_column = self._last_column
        self._fallen = 0
        self._in_control = self._falling = self.spawned = False

    def fresh(self) -> None:
        """Counts fallen greys from 0 again, for a new piece."""
        self._fallen, self._first_column = 0, self._last_column

    def in_menus(self) -> bool:
        """Whether the title is shown."""
        return self._phase() == 0

    def ready(self) -> bool:
        """Whether the piece answers the pad."""
        return self._phase() == self.table.phases.control

    def falling(self) -> bool:
        """Whether the piece falls, or has just locked."""
        return self._falling

    def in_hand(self) -> bool:
        """Whether a piece has spawned and not locked yet."""
        return self._phase() in (self.table.phases.spawn, self.table.phases.control)

    def has_locked(self) -> bool:
        """Whether the field is settling."""
        return self._phase() == 3

    def over(self) -> bool:
        """Whether this seat has lost. At a round's end both seats are in the phase ``over``, so RAM's loser counts."""
        return self._phase() == self.table.phases.over and self.loser() in (0, self.number)

    def starts_at(self, state: State) -> bool:
        """Whether pieces appear at this state's cell."""
        return state[:2] == self.table.spawn

    def pair_state(self) -> State | None:
        """Where the piece is."""
        pair = self._pair(self._stones)
        return State(self._x() + 1, self._y(), pair) if 0 not in pair else None

    def _pair(self, readers: tuple[Callable[[], int], Callable[[], int]]) -> Pair:
        return Pair(readers[0](), readers[1]())

    def field(self) -> Field:
        """Reads the field from RAM."""
        cells = self._cells()
        if max(cells) > kakera.GREY:
            raise self.unknown_cell("field", cells, kakera.GREY)
        width = kakera.COLUMNS
        return Field(tuple(tuple(cells[row * width : (row + 1) * width]) for row in range(kakera.ROWS)))

    def snapshot(self) -> Snapshot:
        """What a player needs."""
        state, following = self.pair_state(), self._pair(self._next)
        if state is None:
            raise self.no_position()
        return Snapshot(self.field(), state.pair, following, state, self.score())

    def settled(self) -> Settled:
        """The settled field, the score, and the greys that have fallen since ``fresh``."""
        return Settled(self.field(), self.score(), self._fallen, self._first_column)

    def forecast(self, snapshot: Snapshot, placement: Placement) -> Forecast:
        """What the rules predict for this placement."""
        return Forecast.of(snapshot, placement, self.rules)

    def course(self, snapshot: Snapshot, placement: Placement) -> Course:
        """The way of the piece to this placement."""
        return Course(snapshot, placement)

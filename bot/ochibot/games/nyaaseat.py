"""What all seats of the nyaa family read in the same way: a pair that falls as blocks or as needles.

The other side of a match of the nyaa family, read from RAM through the own seat's map (entries ``opponent_…``).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

from ochibot.console import Ram
from ochibot.errors import FieldError
from ochibot.falling.orientation import Orientation
from ochibot.falling.player import Facts, Falls
from ochibot.games.piece import pair_source, place_entries
from ochibot.games.protocols import Look
from ochibot.games.ramseat import RamSeat, Unchanged
from ochibot.games.table import Phases, Table
from ochibot.keeping import Keeps
from ochibot.nyaa.family import FAMILY
from ochibot.nyaa.forecast import PairCourse, Prediction, Settled
from ochibot.nyaa.rules.grid import COLORS, COLUMNS, ROWS, SYMBOLS, Grid
from ochibot.nyaa.rules.lock import place
from ochibot.nyaa.rules.pair import ALL_ROWS, Action, NyaaState, Pair, Placement, halves
from ochibot.nyaa.rules.profile import Rules
from ochibot.nyaa.rules.snapshot import Burning, Opponent, Snapshot
from ochibot.ram import BoundMap, RamMap

PREFIX: Final = "opponent_"


class OtherSide(Keeps):
    """Readers of the other seat's values, and its last lock.

    cells, phase, pair, following, pending: the readers. ``following`` reads the pair after the present one.
    """

    _changing = ("_before", "_lock")

    def __init__(
        self,
        bound: BoundMap,
        cells: Callable[[], bytes],
        phases: Phases,
        rules: Rules,
        states: Mapping[tuple[int, ...], NyaaState],
    ) -> None:
        """``cells``: reads its playfield. ``states``: the states by the values of the entries that locate a pair."""
        self.cells = cells
        self.phase = bound.reader(PREFIX + "phase")
        self.pair = bound.several(PREFIX + "axis", PREFIX + "partner")
        self.following = bound.several(PREFIX + "next_axis", PREFIX + "next_partner")
        self.pending = bound.reader(PREFIX + "pending")
        where = tuple(PREFIX + name for name in (*place_entries(bound.map.pair.denotes), "needle"))
        self._where = bound.several(*where) if all(name in bound for name in where) else None
        self._states, self._rules = states, rules
        self._hand: Final = phases.spawn, phases.control
        self._over: Final = phases.over
        self._before = b""
        self._lock: tuple[bytes, NyaaState, tuple[int, ...]] | None = None
        """The grid's cells before the last lock, where its pair locked, and the pair's colours."""

    def in_hand(self) -> bool:
        """Whether a pair has spawned there and not locked yet."""
        return self.phase() in self._hand

    def saw(self) -> None:
        """Reads RAM after a frame."""
        if self._where is None:
            return
        if (phase := self.phase()) in self._hand:
            if self._lock is not None or not self._before:
                self._before, self._lock = self.cells(), None
        elif self._before and self._lock is None and phase != self._over:
            state = self._states.get(self._where())
            if state is not None:
                self._lock = self._before, state, self.pair()

    def forget(self) -> None:
        """Forgets what earlier frames showed."""
        self._before, self._lock = b"", None

    def burning(self, coming: Pair) -> Burning | None:
        """How the ignition of the last lock ends; None if it lit nothing, or has ended. ``coming``: the pair after."""
        if self._lock is None or self.in_hand():
            return None
        cells, state, colors = self._lock
        if not state.needle:
            return None
        try:
            outcome = place(Grid(cells), Pair(*colors), Placement(*state), self._rules)
        except FieldError:
            return None  # the pair wasn't where it was seen last
        return Burning(outcome.grid, coming, outcome.attack) if outcome.ignited else None


def _states() -> Iterator[NyaaState]:
    """Every place where a pair can be: both halves are in the field or the hidden row."""
    every = (
        NyaaState(x, y, orientation, needle)
        for x in range(1, COLUMNS + 1)
        for y in range(ALL_ROWS)
        for orientation in Orientation
        for needle in (False, True)
    )
    return (state for state in every if all(1 <= x <= COLUMNS and 0 <= y < ALL_ROWS for x, y in halves(state)))


_PAIRS: Final[dict[tuple[int, ...], Pair]] = {
    (axis, partner): Pair(axis, partner) for axis in COLORS for partner in COLORS
}


class NyaaSeat(RamSeat[Action, Rules]):
    """One player's side of the running game, read through its map; see ``ochibot.games.protocols.Seat``."""

    _changing = ("sent", "_in_control", "_falling", "_last_sign", "_last_rests", "_other")

    def __init__(self, table: Table, look: Look[Any, Any], ram_map: RamMap, ram: Ram, rules: Rules) -> None:
        super().__init__(table, FAMILY, ram_map, ram, rules, rows=ROWS, columns=COLUMNS, first_row=1)
        self.look = look
        self.best = "attack"
        read = self.map.reader
        self._sign = self._spawn or read("spawning", "shows that a new pair has spawned")
        # if the map has the sign "control", the phase is needed only to see a game over, and only if "over" is missing
        signs = self._control is not None
        self._phase = self._optional("phase") if signs else read("phase", "shows whether a pair is under control")
        self._where, self._states = pair_source(self.map, table.orientations, _states(), halves, ("needle",))
        self._pairs = self.map.several("axis", "partner", "next_axis", "next_partner", "next2_axis", "next2_partner")
        self._rests = self._optional("rests")
        self._sent = self._optional("sent")
        self._fallen, self._attack, self._tails = (self._optional(name) for name in ("fallen", "attack", "tails"))
        self._other = self._other_seat() if f"{PREFIX}field" in self.map else None
        self.received: int | None = None
        self.sent: int | None = 0 if self._rests is not None and self._sent is not None else None
        self._in_control = False
        self._falling = False
        self._grids, self._facts, self._snapshots = Unchanged(Grid), Unchanged(Facts), Unchanged(Snapshot)
        self._last_sign = self._sign()
        self._last_rests = self._rests() if self._rests is not None else 0

    def _other_seat(self) -> OtherSide:
        cells = self._field_reader(f"{PREFIX}field", "is the other side's playfield")
        return OtherSide(self.map, cells, self.table.phases, self.rules, self._states)

    def update(self) -> bool:
        """Reads RAM after a frame. Returns whether a new pair has just been announced."""
        if self._rests is not None and (rests := self._rests()) != self._last_rests:
            # ``rests`` counts the round's locks whose field has come to rest; a change to 0 is a new round, not a lock
            if self.sent is not None and self._sent is not None and rests:
                self.sent += self._sent()
            self._last_rests = rests
        if self._other is not None:
            self._other.saw()
        before, self._in_control = self._in_control, self._controlled()
        self._falling = self._in_control or before
        sign = self._sign()
        self.spawned = bool(sign) and not self._last_sign
        self._last_sign = sign
        if self._has_signs:
            self._keep_signs(in_control=self._in_control)
        return self.spawned

    def _controlled(self) -> bool:
        if self._control is not None:
            return self._control()
        return self._phase is not None and self._phase() == self.table.phases.control

    def resync(self) -> None:
        """Forgets what earlier frames showed, after a savestate was loaded or RAM was written."""
        self._last_sign = self._sign()
        self._last_rests = self._rests() if self._rests is not None else 0
        self._in_control = self._falling = False
        if self._other is not None:
            self._other.forget()
        self.spawned = False
        self._forget_signs()

    def fresh(self) -> None:
        """Does nothing when a new pair spawns: the game itself counts the nuisance that falls after each lock."""

    def over(self) -> bool:
        """Whether this seat has lost."""
        if self._over is not None:
            return self._over()
        return self._phase is not None and self._phase() == self.table.phases.over

    def in_hand(self) -> bool:
        """Whether a pair has spawned and not locked yet."""
        if self._control is not None:
            return self._in_hand_by_signs(self._control)
        return self._phase is not None and self._phase() in (self.table.phases.spawn, self.table.phases.control)

    def starts_at(self, state: NyaaState) -> bool:
        """Whether ``state`` is where pairs appear."""
        return bool(state == self.table.spawn)

    def pair_state(self) -> NyaaState | None:
        """Where the falling pair is; None when the bytes are no possible position."""
        return self._states.get(self._where())

    def field(self) -> Grid:
        """The field. Raises GameError when a cell's byte can't be in a field."""
        return self._grid("field", self._cells, self._grids)

    def _grid(self, name: str, read: Callable[[], bytes], made: Callable[[bytes], Grid] = Grid) -> Grid:
        cells = read()
        try:
            return made(cells)
        except FieldError:
            raise self.unknown_cell(name, cells, len(SYMBOLS) - 1) from None

    def _pair(self, colors: tuple[int, ...], which: str = "") -> Pair:
        """The pair of these colours. ``which``: how its entries' names begin. Raises GameError if there is none."""
        pair = _PAIRS.get(colors)
        if pair is None:
            raise self.unknown_pair((f"{which}axis", f"{which}partner"), lambda color: color not in COLORS)
        return pair

    def snapshot(self) -> Snapshot:
        """What a player needs, read now: call it on the frame of a spawn. Raises GameError as ``field`` does."""
        colors = self._pairs()
        pair, first, second = self._pair(colors[:2]), self._pair(colors[2:4], "next_"), self._pair(colors[4:], "next2_")
        state = self.pair_state()
        if state is None:
            raise self.no_position()
        pending = None if self._pending is None else self.pending()
        falls: Falls | None = None if pending is None else "after_idle_lock"
        facts = self._facts(self.number, pending, falls, self.rules.attack.most_per_fall)
        shown = self.field(), pair, (first, second), state, pending or 0, self._opponent(), self.score()
        return self._snapshots(*shown, None, facts)

    def _opponent(self) -> Opponent | None:
        other = self._other
        if other is None:
            return None
        coming = None if other.in_hand() else self._pair(other.following(), f"{PREFIX}next_")
        return Opponent(
            self._grid(f"{PREFIX}field", other.cells),
            coming or self._pair(other.pair(), PREFIX),
            other.pending(),
            None if coming is None else other.burning(coming),
        )

    def settled(self) -> Settled:
        """The settled field, the score, and the results of the last lock."""
        attack, tails = self._attack, self._tails
        return Settled(
            self.field(),
            self.score(),
            0 if self._fallen is None else self._fallen(),
            None if attack is None else attack(),
            None if tails is None else tails(),
        )

    def forecast(self, snapshot: Snapshot, placement: Placement) -> Prediction:
        """What must follow from a placement by the rules."""
        return Prediction.of(snapshot, placement, self.rules, knows_score=self.knows_score)

    def course(self, snapshot: Snapshot, placement: Placement) -> PairCourse:
        """The route to a placement."""
        return PairCourse.to(snapshot, placement)

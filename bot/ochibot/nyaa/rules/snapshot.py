"""The data that a player of Pochi & Nyaa sees when it has to decide."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from dataclasses import field as field_of

from ochibot.falling.player import Facts
from ochibot.nyaa.rules.grid import COLUMNS, SYMBOLS, Grid
from ochibot.nyaa.rules.pair import ALL_ROWS, HIDDEN_ROWS, SPAWN, NyaaState, Pair, Placement, halves
from ochibot.nyaa.rules.profile import Rules


@dataclass(frozen=True, slots=True)
class Burning:
    """How an ignition ends, by the rules, whose needles have locked.

    grid: at rest, without what burns. pair: the pair that falls then; None when unknown. attack: the ignition's.
    """

    grid: Grid
    pair: Pair | None
    attack: int


@dataclass(frozen=True, slots=True)
class Opponent:
    """The other side of a match, as the player sees it.

    pair: the pair that is falling or about to fall; None when unknown. pending: nuisance that waits to fall on this
    side. burning: how its ignition ends; None if nothing burns, or if that isn't known.
    """

    grid: Grid
    pair: Pair | None = None
    pending: int = 0
    burning: Burning | None = None

    def burnt_out(self, rules: Rules) -> tuple[Opponent, int]:
        """The side once its ignition has burnt out, and the nuisance that it sends then."""
        burning = self.burning
        if burning is None:
            return self, 0
        made = burning.attack * rules.attack.nuisance_each
        offset = min(made, self.pending) if rules.attack.offset else 0
        return Opponent(burning.grid, burning.pair, self.pending - offset), made - offset


@dataclass(frozen=True, slots=True, repr=False)
class Snapshot:
    """The grid at rest, the falling pair and where it is, the two next pairs, and the other side (None without an
    opponent).

    pending: nuisance that waits to fall on this grid. score: shown points. hands: a function that says whether a
    placement can be reached before the pair locks; None when the hands are the fastest, or the game's pace is unknown.
    facts: what else is known; None if nothing is.
    """

    grid: Grid
    pair: Pair
    nexts: tuple[Pair, Pair]
    state: NyaaState = SPAWN
    pending: int = 0
    opponent: Opponent | None = None
    score: int = 0
    hands: Callable[[Placement], bool] | None = field_of(default=None, compare=False)
    facts: Facts | None = field_of(default=None, compare=False)

    @property
    def field(self) -> Grid:
        """The grid, under the name that every game's snapshot has."""
        return self.grid

    @property
    def next_pair(self) -> Pair:
        """The pair that comes next."""
        return self.nexts[0]

    def __str__(self) -> str:
        """The player's own grid below its hidden row, with the falling pair drawn in. The opponent's grid, if known, is
        beside it. The letters are those of ``Grid``.
        """
        rows = [["."] * COLUMNS for _ in range(HIDDEN_ROWS)] + [list(row) for row in str(self.grid).split("\n")]
        for (x, y), color in zip(halves(self.state), self.pair, strict=True):
            if 1 <= x <= COLUMNS and 0 <= y < ALL_ROWS:
                rows[y][x - 1] = SYMBOLS[color].upper() if self.state.needle else SYMBOLS[color]
        beside = ["hidden row", f"pair {self.pair}", f"next {self.nexts[0]} {self.nexts[1]}", f"pending {self.pending}"]
        other = self.opponent
        theirs = str(other.grid).split("\n") if other is not None else []
        if other is not None:
            beside.append(f"opponent: pair {other.pair or '?'}, pending {other.pending}")
        lines = []
        for y, row in enumerate(rows):
            drawn = (
                f"  {theirs[y - HIDDEN_ROWS]}" if theirs and y >= HIDDEN_ROWS else "  " + " " * COLUMNS * bool(theirs)
            )
            lines.append(f"{''.join(row)}{drawn}  {beside[y] if y < len(beside) else ''}".rstrip())
        return "\n".join(lines)

    def __repr__(self) -> str:
        return f"<Snapshot\n{self}>"

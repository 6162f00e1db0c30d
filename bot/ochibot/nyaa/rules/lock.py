"""A lock and everything that follows: halves fall, needles ignite, blocks pop, the rest falls. Plain Python.

The search does the same with kernels. tests/nyaa/search compares both with a third, naive implementation.

Drops nuisance on a grid: first full rows of seven, then the rest, at most one block on a column.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ochibot.errors import ConfigError, FieldError
from ochibot.nyaa.rules.grid import CELLS, COLUMNS, EMPTY, NUISANCE, ROWS, Grid, cell_of
from ochibot.nyaa.rules.pair import ALL_ROWS, HIDDEN_ROWS, NyaaState, Pair, Placement, cells_of, fits, halves
from ochibot.nyaa.rules.profile import Rules, attack_of
from ochibot.nyaa.rules.resolve import burnt_out
from ochibot.nyaa.rules.ties import NOTHING, Sums, sums_of
from ochibot.nyaa.rules.wave import burn, groups_of
from ochibot.wording import counted


@dataclass(frozen=True, slots=True)
class Outcome:
    """The result of a lock.

    grid: the grid at rest, without needles. attack: the attack points. tails: the number of tails of all starts. t: the
    number of tails of the start that has the most. popped: how many coloured blocks popped. cleared: the same, plus the
    nuisance that vanished with them. steps: how many steps the longest wave took. ignited: whether a needle lit
    anything. tied: whether there was an open tie, which the tie rule decided. lost: halves that came to rest above the
    grid and were removed. drop: the most rows that a half fell without the other. over: whether the cell that ends the
    game is occupied.
    """

    grid: Grid
    attack: int = 0
    tails: int = 0
    t: int = 0
    popped: int = 0
    cleared: int = 0
    steps: int = 0
    ignited: bool = False
    tied: bool = False
    lost: int = 0
    drop: int = 0
    over: bool = False


def check_rules(rules: Rules) -> None:
    """Raises ConfigError for rules under which this module can't lock pairs.

    ``repeated_ignition`` doesn't matter here: if needles don't stay, none is left to ignite again.
    """
    if rules.hidden_rows != HIDDEN_ROWS:
        raise ConfigError(
            f"the rules {rules.name} have {counted(rules.hidden_rows, 'hidden row')}, but pairs lock with "
            f"{HIDDEN_ROWS} here: give hidden_rows: {HIDDEN_ROWS}"
        )
    if rules.idle_needle == "stay":
        raise ConfigError(
            f"the rules {rules.name} let a needle that lights nothing stay, but pairs lock on grids without needles "
            "here: give idle_needle: block or vanish (ignite and resolve take stay)"
        )


def check_match_rules(rules: Rules) -> None:
    """Raises ConfigError for rules under which no match can be played.

    Besides ``check_rules``, it checks that pairs appear in the column of ``over_cell``.
    """
    check_rules(rules)
    if rules.over_cell[0] != rules.spawn_column:
        raise ConfigError(
            f"by the rules {rules.name} pairs appear in column {rules.spawn_column}, which may be full before the "
            f"game is over, in column {rules.over_cell[0]}: give spawn_column and over_cell the same column"
        )


def place(grid: Grid, pair: Pair, placement: Placement, rules: Rules) -> Outcome:
    """Locks the pair at a placement, lets both halves fall, and ignites the grid if they are needles.

    Raises FieldError when the pair doesn't fit there, or the grid holds needles or floating cells; ConfigError as
    ``check_rules`` does. It doesn't check that the pair can get there.
    """
    check_rules(rules)
    landed, lost, drop = locked(grid, pair, placement)
    if not placement.needle:
        return Outcome(landed, lost=lost, drop=drop, over=is_over(landed, rules))
    groups = groups_of(landed)
    burns = [burn(group, rules.ruleset) for group in groups]
    sums = NOTHING
    for burnt in burns:
        s0, s1, t = sums_of(burnt)
        sums = Sums(sums.s0 + s0, sums.s1 + s1, max(sums.t, t))
    popped = {cell for group in groups for cell in group.cells}
    after = burnt_out(landed, popped, rules)
    return Outcome(
        grid=after,
        attack=attack_of(rules.ruleset, *sums),
        tails=sum(len(burnt.tails) for burnt in burns),
        t=sums.t,
        popped=len(popped),
        cleared=len(popped) + landed.codes.count(NUISANCE) - after.codes.count(NUISANCE),
        steps=max((step for burnt in burns for step in burnt.steps.values()), default=0),
        ignited=bool(groups),
        tied=any(burnt.ties for burnt in burns),
        lost=lost,
        drop=drop,
        over=is_over(after, rules),
    )


def locked(grid: Grid, pair: Pair, placement: Placement) -> tuple[Grid, int, int]:
    """Locks a pair: (the grid with both halves at rest, how many halves are lost, the most rows that a half fell
    without the other).

    Raises FieldError as ``place`` does.
    """
    state = NyaaState(placement.x, placement.y, placement.orientation)
    if not fits(cells_of(grid), state):
        raise FieldError(f"the pair {pair} can't lock at x={placement.x}, y={placement.y}: it doesn't fit there")
    tall = list(heights(grid))
    if grid.has_needle() or sum(tall) != grid.count():
        raise FieldError("a pair locks on a grid that is at rest and without needles; this one isn't")
    lost = drop = 0
    # the lower half falls first
    for (x, y), color in sorted(zip(halves(placement), pair, strict=True), key=lambda half: -half[0][1]):
        height = tall[x - 1]
        drop = max(drop, ALL_ROWS - 1 - height - y)
        if height + 1 == ALL_ROWS:
            lost += 1
        else:
            tall[x - 1] += 1
            cell = cell_of(x, height + 1)
            grid = grid.with_needle(cell, color) if placement.needle else grid.with_block(cell, color)
    return grid, lost, drop


def heights(grid: Grid) -> tuple[int, ...]:
    """For each column, the number of rows from the floor up to its highest occupied cell."""
    return tuple(len(grid.codes[x::COLUMNS].lstrip(b"\0")) for x in range(COLUMNS))


def is_settled(grid: Grid) -> bool:
    """Whether nothing floats."""
    return sum(heights(grid)) == CELLS - grid.codes.count(EMPTY)


def is_over(grid: Grid, rules: Rules) -> bool:
    """Whether the cell that ends the game is occupied."""
    return bool(grid.codes[cell_of(*rules.over_cell)])


def same_landing(grid: Grid, pair: Pair, landed: NyaaState, target: Placement) -> bool:
    """Whether two locks put the same blocks or needles on the same cells. False if ``landed`` is impossible."""
    try:
        there = locked(grid, pair, Placement(*landed))
    except FieldError:
        return False
    return there == locked(grid, pair, target)


def drop_nuisance(grid: Grid, count: int, order: Sequence[int]) -> Grid:
    """The grid after ``count`` nuisance blocks fell: full rows, then one block in each of the first columns of
    ``order``.

    ``order``: all columns 1..7, in any order. Nuisance that finds no room in the 12 rows is lost. The grid must be at
    rest. Raises FieldError when ``order`` isn't all columns or ``count`` is negative.
    """
    if sorted(order) != list(range(1, COLUMNS + 1)) or count < 0:
        raise FieldError(
            f"nuisance of {counted(count, 'block')} falls in the order {list(order)}: give every column 1 to "
            f"{COLUMNS} once"
        )
    codes = bytearray(grid.codes)
    rows, rest = divmod(count, COLUMNS)
    tops = heights(grid)
    for place, x in enumerate(order):
        top = tops[x - 1]
        for y in range(top + 1, min(top + rows + (place < rest), ROWS) + 1):
            codes[cell_of(x, y)] = NUISANCE
    return Grid(bytes(codes))

"""Drops nuisance on a grid: first full rows of seven, then the rest, at most one block on a column."""

from __future__ import annotations

from collections.abc import Sequence

from ochibot.errors import FieldError
from ochibot.nyaa.rules.grid import COLUMNS, NUISANCE, ROWS, Grid, cell_of
from ochibot.nyaa.rules.lock import heights
from ochibot.wording import counted


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

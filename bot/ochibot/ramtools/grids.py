"""Finds a grid of cells in RAM by what falls into it.

Pieces that are dropped into each column of an empty field change the same rows: the bytes that change in the next
column lie a column stride further on, and those that a second piece changes above the first lie row strides further on.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from ochibot.ramtools.image import Image

ROWS: Final = 14
"""Rows of Puyo Puyo's field, the hidden ones included."""

FLOOR: Final = ROWS - 1
"""The lowest row."""


@dataclass(frozen=True, order=True)
class Grid:
    """A grid of single bytes: the address of the first column's cell in its first row, and both strides.

    top: the row of the family's field in which its first row stands; 1 where the hidden row lies elsewhere.
    """

    address: int
    row_stride: int
    column_stride: int
    rows: int = ROWS
    columns: int = 6
    top: int = 0

    @property
    def floor(self) -> int:
        """The lowest row."""
        return self.top + self.rows - 1

    def cell(self, x: int, y: int) -> int:
        """The address of a cell: x from 1, y of the family's field (``top`` is the first row that the grid has)."""
        return self.address + (y - self.top) * self.row_stride + (x - 1) * self.column_stride

    def addresses(self) -> list[int]:
        """The addresses of all cells, row by row."""
        rows = range(self.top, self.top + self.rows)
        return [self.cell(x, y) for y in rows for x in range(1, self.columns + 1)]

    def below(self, top: int) -> Grid:
        """The same grid without the rows above ``top``, counted as the family's field counts them."""
        return replace(self, address=self.cell(1, top), rows=self.rows - (top - self.top), top=top)

    def inside(self, image: Image) -> bool:
        """Whether all cells lie in RAM, apart from each other."""
        cells = self.addresses()
        return min(cells) in image and max(cells) in image and len(set(cells)) == len(cells)

    def read(self, image: Image) -> np.ndarray[tuple[int, int], np.dtype[np.uint8]]:
        """The bytes, (rows, columns) uint8."""
        places = np.array(self.addresses(), np.intp) - image.base
        cells: np.ndarray[tuple[int, int], np.dtype[np.uint8]] = image.cells[places].reshape(self.rows, self.columns)
        return cells


def changed_alone(before: Image, after: Mapping[int, Image]) -> dict[int, set[int]]:
    """Finds for each column the addresses that only a piece in that column has changed.

    ``after``: RAM when a piece has come to rest, by the column it fell into. Such a byte is unchanged
    in the RAM of all other columns.
    """
    columns = sorted(after)
    whole = np.stack([after[column].cells for column in columns]) != before.cells
    alone = whole & (whole.sum(axis=0) == 1)
    return {
        column: {before.base + int(place) for place in np.flatnonzero(alone[number])}
        for number, column in enumerate(columns)
    }


def sequences(changed: Mapping[int, set[int]]) -> list[tuple[int, int]]:
    """(the address in the first column, the column stride) of each row of bytes that has changed in every column."""
    first, second, *others = sorted(changed)
    found = []
    for start in sorted(changed[first]):
        for other in sorted(changed[second]):
            stride = other - start
            if all(start + stride * (column - first) in changed[column] for column in others):
                found.append((start, stride))
    return found


def find_grids(
    changed: Mapping[int, set[int]],
    above: set[int],
    *,
    column: int,
    rows: int = ROWS,
    rests: tuple[int, int] = (13, 12),
) -> list[Grid]:
    """Grids that fit the bytes that changed.

    ``changed``: the addresses that upright pieces of two halves changed in each column (see ``changed_alone``).
    ``above``: those that a second piece changed, on the first one in ``column``. ``rests``: the rows in which the lower
    and the upper half of the first piece lie. The first column is 1. Copies of the field in RAM are found as well;
    poking shows from which of them the game plays.
    """
    known = sequences(changed)
    columns = max(changed)
    grids = set()
    for start, stride in known:
        for other, same in known:
            if same != stride or other == start:
                continue
            # start: the lower half's row; other: the upper half's
            row = (start - other) // (rests[0] - rests[1])
            here = other + stride * (column - 1)
            if here - row in above and here - 2 * row in above:
                grids.add(Grid(start - row * rests[0], row, stride, rows, columns))
    return sorted(grids)


def within(grid: Grid, image: Image, tops: Iterable[int]) -> Grid | None:
    """The grid with as many rows as RAM has room for; None when none fits. ``tops``: which rows may be its first."""
    shorter = (grid.below(top) if top else grid for top in tops)
    return next((each for each in shorter if each.inside(image)), None)


def nearest(grids: Sequence[Grid], wanted: Grid | None) -> list[Grid]:
    """The grids, those first that are most like the wanted one."""

    def unlike(grid: Grid) -> tuple[int, int]:
        if wanted is None:
            return 0, grid.address
        same = (grid.row_stride == wanted.row_stride) + (grid.column_stride == wanted.column_stride)
        return -same, abs(grid.address - wanted.address)

    return sorted(grids, key=unlike)

"""Finds a grid of cells in RAM, from the bytes that falling pieces change.

Pieces that are dropped into each column of an empty field change the same rows. So the bytes that change for the next
column lie a column stride further on, and those that change for a piece on top of another lie row strides further on.
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
    """A grid of single bytes. address: that of the first row's cell in the first column.

    top: the number of the grid's first row in the family's field; 1 if the hidden row lies elsewhere in RAM.
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
        """The address of a cell: x from 1, y as in the family's field (``top`` is the first row that the grid has)."""
        return self.address + (y - self.top) * self.row_stride + (x - 1) * self.column_stride

    def addresses(self) -> list[int]:
        """The addresses of all cells, row by row."""
        rows = range(self.top, self.top + self.rows)
        return [self.cell(x, y) for y in rows for x in range(1, self.columns + 1)]

    def below(self, top: int) -> Grid:
        """The same grid without the rows above row ``top`` of the family's field."""
        return replace(self, address=self.cell(1, top), rows=self.rows - (top - self.top), top=top)

    def inside(self, image: Image) -> bool:
        """Whether all cells lie in RAM, each at an address of its own."""
        cells = self.addresses()
        return min(cells) in image and max(cells) in image and len(set(cells)) == len(cells)

    def read(self, image: Image) -> np.ndarray[tuple[int, int], np.dtype[np.uint8]]:
        """The bytes of the cells in an image, (rows, columns) uint8."""
        places = np.array(self.addresses(), np.intp) - image.base
        cells: np.ndarray[tuple[int, int], np.dtype[np.uint8]] = image.cells[places].reshape(self.rows, self.columns)
        return cells


def changed_alone(before: Image, after: Mapping[int, Image]) -> dict[int, set[int]]:
    """Finds for each column the addresses whose bytes only a piece in that column has changed.

    ``after``: RAM when a piece has come to rest, by the column that it fell into.
    """
    columns = sorted(after)
    whole = np.stack([after[column].cells for column in columns]) != before.cells
    alone = whole & (whole.sum(axis=0) == 1)
    return {
        column: {before.base + int(place) for place in np.flatnonzero(alone[number])}
        for number, column in enumerate(columns)
    }


def sequences(changed: Mapping[int, set[int]]) -> list[tuple[int, int]]:
    """(address in the first column, stride) of each evenly spaced row of bytes with a changed byte in every column."""
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
    """The grids that fit the bytes that changed.

    ``changed``: the addresses that upright pieces of two halves changed in each column (see ``changed_alone``).
    ``above``: the addresses that a second piece changed, dropped on the first in ``column``. ``rests``: the rows in
    which the lower and the upper half of the first piece lie. The first column is 1. Copies of the field in RAM are
    found as well; poking shows which grid is the field.
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
    """The grid cut to begin at a row of ``tops``: the first with which it lies in RAM; None when no row does."""
    shorter = (grid.below(top) if top else grid for top in tops)
    return next((each for each in shorter if each.inside(image)), None)


def nearest(grids: Sequence[Grid], wanted: Grid | None) -> list[Grid]:
    """The grids, sorted by likeness to the wanted grid, the most similar first."""

    def unlike(grid: Grid) -> tuple[int, int]:
        if wanted is None:
            return 0, grid.address
        same = (grid.row_stride == wanted.row_stride) + (grid.column_stride == wanted.column_stride)
        return -same, abs(grid.address - wanted.address)

    return sorted(grids, key=unlike)

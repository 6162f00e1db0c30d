"""The bytes of a field: a cell for each column and row, and those in which a game draws the falling piece."""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import ceil, floor
from typing import Final

import numpy as np
import numpy.typing as npt

MOST_SUNK: Final = 3
"""So many rows may a piece have sunk before it is under control."""


@dataclass(frozen=True)
class Grid:
    """A field. floor: offset of the lowest row's first cell. across: what a column to the right adds; up: what a row
    upwards adds. empty: the byte of an empty cell. ring: (the first row that lies below the floor, how many rows the
    ring has), where the rows are a ring.
    """

    floor: int
    across: int
    up: int
    columns: int
    empty: int
    ring: tuple[int, int] | None = None

    def cell(self, column: int, row: int) -> int:
        """The offset of a cell: column from the left, row from the floor, both from 0."""
        if self.ring is not None and row >= self.ring[0]:
            row -= self.ring[1]
        return self.floor + column * self.across + row * self.up

    def lifted(self, rows: int) -> Grid:
        """The grid without so many of its lowest rows; a negative number: with more rows below."""
        ring = None if self.ring is None else (self.ring[0] - rows, self.ring[1])
        return replace(self, floor=self.floor + rows * self.up, ring=ring)


@dataclass(frozen=True)
class Drawn:
    """Where the game draws a piece that has just appeared into the field. rows: how many the field has. cells: (column,
    row from the floor), which may be above these. y: raw y of a piece that is drawn there; unit: what a row down adds
    to it.
    """

    grid: Grid
    rows: int
    cells: tuple[tuple[int, int], ...]
    y: int
    unit: int

    def taken_out(self, ram: npt.NDArray[np.uint8], y: int) -> npt.NDArray[np.uint8]:
        """``ram``, in which the cells of a piece whose raw y is ``y`` are emptied: it may have sunk. Between two rows,
        it may be in either.
        """
        sunk = ((y - self.y + 128 & 255) - 128) / self.unit
        for rows in {floor(sunk), ceil(sunk)} if 0 <= sunk <= MOST_SUNK else {0}:
            for column, row in self.cells:
                if 0 <= row - rows < self.rows:
                    ram[self.grid.cell(column, row - rows)] = self.grid.empty
        return ram

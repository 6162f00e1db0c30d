"""The bytes of a field: a cell for each column and row."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Grid:
    """A field. floor: offset of the lowest row's first cell. across: what a column to the right adds; up: what a row
    upwards adds. empty: the byte of an empty cell.
    """

    floor: int
    across: int
    up: int
    columns: int
    empty: int

    def cell(self, column: int, row: int) -> int:
        """The offset of a cell: column from the left, row from the floor, both from 0."""
        return self.floor + column * self.across + row * self.up

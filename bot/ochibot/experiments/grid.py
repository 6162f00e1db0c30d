"""The bytes of a field: a cell for each column and row."""

from __future__ import annotations

from dataclasses import dataclass, replace


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

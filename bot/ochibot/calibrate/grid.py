"""Where the field is: cells that change with the column a piece is dropped in, in equal steps of address.

A piece is dropped in every column from one savestate. A byte of the field differs from the rest only where its column
was chosen. Copies for the picture look the same; a cell poked into the field itself is landed on.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ochibot.calibrate.driver import Driver, Fallen
from ochibot.calibrate.lab import Bytes
from ochibot.errors import CalibrationError

MOST_STRIDE = 4096
MOST_PIECES = 4
"""How many pieces are tried, each after the one before was put away in the last column."""


@dataclass(frozen=True)
class Line:
    """One row of cells: the offset in the first column, what a column adds, the byte that came, the byte before."""

    first: int
    stride: int
    value: int
    empty: int


@dataclass(frozen=True)
class Grid:
    """A field: offset of the floor's first cell, what a column to the right adds, and what a row up adds."""

    floor: int
    across: int
    up: int
    columns: int
    empty: int

    def cell(self, column: int, row: int) -> int:
        """The offset of a cell: column from the left, row from the floor, both from 0."""
        return self.floor + column * self.across + row * self.up


def changed_alone(snaps: Sequence[Bytes]) -> list[dict[int, tuple[int, int]]]:
    """Of each column: offsets where it differs while all others agree, with (its byte, the others')."""
    stack = np.stack(snaps)
    found = []
    for number in range(len(snaps)):
        others = np.delete(stack, number, axis=0)
        alone = (others == others[0]).all(axis=0) & (stack[number] != others[0])
        places = np.flatnonzero(alone)
        found.append({int(p): (int(stack[number, p]), int(others[0, p])) for p in places})
    return found


def lines(changed: Sequence[dict[int, tuple[int, int]]]) -> list[Line]:
    """Arithmetic progressions of offsets, one in each column, with one byte in all of them and one before."""
    found = []
    for first, (value, empty) in changed[0].items():
        for second, seen in changed[1].items():
            stride = second - first
            if seen != (value, empty) or abs(stride) > MOST_STRIDE:
                continue
            if all(part.get(first + number * stride) == (value, empty) for number, part in enumerate(changed)):
                found.append(Line(first, stride, value, empty))
    return found


def drop_everywhere(driver: Driver, state: bytes, columns: Sequence[int]) -> list[Fallen]:
    """The piece of a savestate dropped in every column."""
    return [driver.fall(state, column=column) for column in columns]


def find_grids(driver: Driver, state: bytes, columns: Sequence[int]) -> list[Grid]:
    """Candidates for the field, from drops in all columns and drops on top of the first.

    Equal pairs vanish when they meet, so several pieces are tried. Raises CalibrationError when no byte follows the
    column in which a piece locks.
    """
    any_rows = False
    for pieces in range(MOST_PIECES):
        used = columns[:-1] if pieces else columns
        drops = drop_everywhere(driver, state, used)
        rows = lines(changed_alone([drop.ram for drop in drops]))
        any_rows = any_rows or bool(rows)
        again = drop_everywhere(driver, drops[0].state, used) if rows else []
        found = _grids(rows, changed_alone([drop.ram for drop in again])[0] if again else {}, len(columns))
        if found:
            return found
        state = driver.fall(state, column=columns[-1]).state
    if not any_rows:
        raise CalibrationError("no bytes were found that follow the column in which a piece locks")
    raise CalibrationError("bytes follow the column in which a piece locks, but nothing stacks up on them")


def _grids(rows: Sequence[Line], upper: dict[int, tuple[int, int]], columns: int) -> list[Grid]:
    found = []
    for bottom in rows:
        for top in rows:
            up = top.first - bottom.first
            if top.stride != bottom.stride or not up or bottom.empty != top.empty:
                continue
            third, fourth = bottom.first + 2 * up, bottom.first + 3 * up
            if third in upper and fourth in upper and upper[third][1] == bottom.empty:
                found.append(Grid(bottom.first, bottom.stride, up, columns, bottom.empty))
    return list(dict.fromkeys(found))


def landed_on(driver: Driver, state: bytes, grid: Grid, column: int, raw_x: int, value: int) -> int | None:
    """By how much raw y differs at rest when a cell is poked on a column's floor; None when the piece never rests."""
    try:
        free = driver.fall(state, column=raw_x).lowest
        blocked = driver.fall(state, column=raw_x, pokes={grid.cell(column, 0): value}).lowest
    except CalibrationError:
        return None
    return free - blocked

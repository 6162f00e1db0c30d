"""Finds the field: bytes at equal distances in RAM, each of which changes when a piece is dropped in its column.

The same piece is dropped in every column. A cell of the field changes in only one of these drops. Copies for the
picture do the same, but only in the field itself does a piece land on cells that are poked. Cells are poked row by row:
how much higher the piece then comes to rest shows the distance from row to row, and the floor. None of this depends on
the piece's shape.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ochibot.errors import CalibrationError
from ochibot.experiments.driver import Driver, Fallen
from ochibot.experiments.rig import Bytes, signed

MOST_STRIDE = 4096
MOST_PIECES = 4
"""How many pieces are tried at most. Each is dropped into the last column before the next one is tried."""
MOST_LINES = 60
"""How many of the rows found by ``lines`` are tried by poking."""
REACH = 3
"""Two cells of one piece are at most this many cells apart."""
TRIED_ROWS = (1, 3)
"""Cells are poked this many rows above a cell in which the piece came to rest."""


@dataclass(frozen=True)
class Line:
    """A row of cells, one in each column. first: offset in the first column. stride: what a column adds. value: the
    byte of a cell with the piece in it. empty: the byte of a cell without.
    """

    first: int
    stride: int
    value: int
    empty: int


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


@dataclass(frozen=True)
class Place:
    """A field that pieces land on. cell_y: what a row upwards adds to raw y. cells: (column, row) of the dropped
    piece's cells, counted from its leftmost and its lowest cell.
    """

    grid: Grid
    cell_y: int
    cells: tuple[tuple[int, int], ...]


@dataclass(frozen=True)
class Places:
    """All fields that pieces land on, and the first cells of copies that they don't land on."""

    found: tuple[Place, ...]
    decoys: tuple[int, ...]


def changed_in(snaps: Sequence[Bytes]) -> list[dict[int, tuple[int, int]]]:
    """For the drop in each column: the offsets that differ from most other drops, with (byte, usual byte)."""
    stack = np.stack(snaps)
    usual = np.sort(stack, axis=0)[len(snaps) // 2]
    common = (stack == usual).sum(axis=0) * 2 >= len(snaps)
    found = []
    for ram in stack:
        places = np.flatnonzero(common & (ram != usual))
        found.append({int(p): (int(ram[p]), int(usual[p])) for p in places})
    return found


def lines(changed: Sequence[dict[int, tuple[int, int]]]) -> list[Line]:
    """Rows of cells: offsets in equal steps from column to column. All have the same byte with the piece in them, and
    the same byte without.
    """
    found = []
    for first, (value, empty) in changed[0].items():
        for second, seen in changed[1].items():
            stride = second - first
            if seen != (value, empty) or not stride or abs(stride) > MOST_STRIDE:
                continue
            if all(part.get(first + number * stride) == (value, empty) for number, part in enumerate(changed)):
                found.append(Line(first, stride, value, empty))
    return found


def drop_everywhere(driver: Driver, state: bytes, columns: Sequence[int]) -> list[Fallen]:
    """Drops the piece of a savestate in every column."""
    return [driver.fall(state, column=column) for column in columns]


def find_places(driver: Driver, state: bytes, columns: Sequence[int], documented: Grid | None = None) -> Places:
    """Finds the fields by drops in all columns, and by drops on poked cells. Raises CalibrationError where there are
    none.

    ``documented``: a field to be tried before all others; its ``empty`` isn't used. Some pieces show nothing, because
    their halves are alike or vanish, so several are tried.
    """
    any_rows = False
    for _ in range(MOST_PIECES):
        driver.rig.check()
        try:
            drops = drop_everywhere(driver, state, columns)
        except CalibrationError:
            columns = driver.columns(state)
            drops = drop_everywhere(driver, state, columns)
        rows = lines(changed_in([drop.ram for drop in drops]))
        if documented is not None:
            rows.sort(key=lambda line: (line.stride, line.first) != (documented.across, documented.floor))
        any_rows = any_rows or bool(rows)
        places = _places(driver, state, columns, rows, drops[0].lowest, documented)
        if places.found:
            return places
        state = driver.fall(state, column=columns[-1]).state
    if not any_rows:
        raise CalibrationError("no bytes were found that follow the column in which a piece locks")
    raise CalibrationError("cells show where pieces lock, but pieces don't land on what is poked into them")


def _places(
    driver: Driver,
    state: bytes,
    columns: Sequence[int],
    rows: Sequence[Line],
    free: int,
    documented: Grid | None = None,
) -> Places:
    """Tries the first MOST_LINES rows of cells: returns the fields that pieces land on, and the copies."""
    found: list[Place] = []
    decoys: list[int] = []
    for line in rows[:MOST_LINES]:
        if any(_cells_of(place.grid, [line]) for place in found):
            continue
        rise = rises(driver, state, columns[0], free, {line.first: line.value})
        ups = _ups(line, rows, len(columns)) if rise else []
        if documented is not None and documented.up in ups:
            ups.insert(0, documented.up)
        for up in ups:
            cell_y = _cell_height(driver, state, columns[0], free, line, up, rise)
            if cell_y is None:
                continue
            place = _place(line, up, rows, len(columns), -cell_y)
            found.append(place)
            break
        else:
            decoys.append(line.first)
    return Places(tuple(found), tuple(decoys))


def rises(driver: Driver, state: bytes, raw_x: int, free: int, pokes: dict[int, int]) -> int:
    """``free`` minus the raw y at which the piece rests when cells are poked; 0 also if it never comes to rest."""
    try:
        blocked = driver.fall(state, column=raw_x, pokes=pokes).lowest
    except CalibrationError:
        return 0
    return int(signed(np.array(free - blocked & 255, np.uint8)))


def _ups(line: Line, rows: Sequence[Line], columns: int) -> list[int]:
    """What a row upwards may add to an address: steps that the piece's other cells suggest, then those of common
    layouts.
    """
    by_piece: set[int] = set()
    for other in rows:
        if other.stride == line.stride and other.empty == line.empty and other is not line:
            by_piece |= {other.first - line.first - number * line.stride for number in range(-REACH, REACH + 1)}
    wide = abs(line.stride)
    steps = {columns + extra for extra in range(9)} | {16, 32, 2 * columns} if wide < columns else {1, 2}
    common = [sign * wide * step if wide < columns else sign * step for step in sorted(steps) for sign in (-1, 1)]
    likely = sorted({up for up in by_piece if 0 < abs(up) <= MOST_STRIDE}, key=lambda up: (abs(up), up))
    return list(dict.fromkeys([*(up for up in likely if up in common), *likely, *common]))


def _cell_height(driver: Driver, state: bytes, raw_x: int, free: int, line: Line, up: int, rise: int) -> int | None:
    """The amount by which a piece's raw y at rest is smaller for each row upwards.

    It is measured by landings on cells poked above ``line``. None if pieces don't land there.
    """
    near, far = TRIED_ROWS
    size = len(driver.rig.snap())
    if not 0 <= line.first + far * up < size:
        return None
    second = rises(driver, state, raw_x, free, {line.first + near * up: line.value})
    cell = second - rise
    if not cell or rise % cell or not 1 <= rise // cell <= REACH + 1:
        return None
    third = rises(driver, state, raw_x, free, {line.first + far * up: line.value})
    return cell if third - second == (far - near) * cell else None


def _cells_of(grid: Grid, rows: Sequence[Line]) -> dict[tuple[int, int], Line]:
    """Those of ``rows`` that are cells of the piece in this field, by (column, row) from the grid's first cell."""
    found: dict[tuple[int, int], Line] = {}
    for line in rows:
        if line.stride != grid.across or line.empty != grid.empty:
            continue
        for column in range(-REACH, REACH + 1):
            rest = line.first - grid.floor - column * grid.across
            if rest % grid.up == 0 and abs(rest // grid.up) <= REACH:
                found.setdefault((column, rest // grid.up), line)
                break
    return found


def _place(line: Line, up: int, rows: Sequence[Line], columns: int, cell_y: int) -> Place:
    """The field in which ``line`` is one of the piece's cells. Its first cell is the piece's lower left corner."""
    here = Grid(line.first, line.stride, up, columns, line.empty)
    cells = _cells_of(here, rows)
    left, low = min(column for column, _ in cells), min(row for _, row in cells)
    width = max(column for column, _ in cells) - left
    moved = tuple(sorted((column - left, row - low) for column, row in cells))
    return Place(Grid(here.cell(left, low), line.stride, up, columns + width, line.empty), cell_y, moved)

"""Fields whose cells are no bytes of their own at equal distances, as bytes that experiments can read and write.

A view is a list of cells. Each is some bits of a byte, or a bit in each of several planes. The rig appends the cells to
RAM, one byte each, row by row from the floor. So all experiments work with them as with any other field.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise
from typing import Any, Final

import numpy as np
import numpy.typing as npt

Bytes = npt.NDArray[np.uint8]

WHOLE: Final = 8
"""The bits of a cell that is a whole byte."""


SEVERAL: Final = 0.05
"""Where each plane is a kind of cell, a smaller share of them seems to be of several kinds."""


@dataclass(frozen=True)
class View:
    """Cells, row by row from the floor up. columns: how many a row has.

    places: for each cell the offset of its byte, and with several planes of its byte in each plane. shifts: where in
    its byte a cell's lowest bit is. bits: how many bits a cell has. high_first: whether the first of the cells that
    share a byte is in the high bits. A cell of several planes is 1 + the index of the first whose bit is set, or 0;
    with ``binary`` the planes are its digits, the lowest first.
    """

    columns: int
    places: tuple[tuple[int, ...], ...]
    shifts: tuple[int, ...]
    bits: int = WHOLE
    high_first: bool = False
    binary: bool = False

    @property
    def size(self) -> int:
        """How many cells there are."""
        return len(self.places)

    @cached_property
    def bytes(self) -> frozenset[int]:
        """The offsets of the bytes that hold cells."""
        return frozenset(place for cell in self.places for place in cell)

    @property
    def numbers(self) -> tuple[int, ...]:
        """For each plane the number of a cell whose bit is set there alone."""
        return tuple(1 << at if self.binary else at + 1 for at in range(len(self.places[0])))

    @property
    def regular(self) -> bool:
        """Whether all rows are equally far from each other."""
        starts = [self.number(row) for row in range(0, self.size, self.columns)]
        return len({after - before for before, after in pairwise(starts)}) <= 1

    @cached_property
    def _where(self) -> npt.NDArray[np.intp]:
        return np.array(self.places, np.intp).T

    @cached_property
    def _up(self) -> Bytes:
        return np.array(self.shifts, np.uint8)

    def cells(self, ram: Bytes) -> Bytes:
        """The cells of one RAM or of several: the last axis of ``ram`` are its bytes."""
        mask = np.uint8((1 << self.bits) - 1)
        planes = [ram[..., places] >> self._up & mask for places in self._where]
        if len(planes) == 1:
            return planes[0]
        found = np.zeros_like(planes[0])
        for number, plane in zip(self.numbers[::-1], planes[::-1], strict=True):
            found = np.where(plane != 0, np.uint8(number) | found * np.uint8(self.binary), found)
        return found

    def cell(self, number: int, peek: Callable[[int], int]) -> int:
        """One cell, its bytes read by ``peek``."""
        places, shift = self.places[number], self.shifts[number]
        if len(places) == 1:
            return peek(places[0]) >> shift & (1 << self.bits) - 1
        here = [number for number, place in zip(self.numbers, places, strict=True) if peek(place) >> shift & 1]
        return sum(here if self.binary else here[:1])

    def pokes(self, number: int, value: int, peek: Callable[[int], int]) -> dict[int, int]:
        """The bytes to write, so that a cell has a value."""
        places, shift = self.places[number], self.shifts[number]
        if len(places) == 1:
            mask = (1 << self.bits) - 1 << shift
            return {places[0]: peek(places[0]) & ~mask & 0xFF | value << shift & mask}
        return {
            place: peek(place) & ~(1 << shift) & 0xFF
            | (number & value == number if self.binary else number == value) << shift
            for number, place in zip(self.numbers, places, strict=True)
        }

    def entry(self, rows: int, columns: int, at: Callable[[int], int]) -> dict[str, Any]:
        """Where a grid of these cells is, in the map language. rows, columns: how many from the floor and from the
        left. at: the address of an offset.
        """
        top = self.columns * (rows - 1)
        corner = self.places[top]
        if self.bits == WHOLE:
            return self._apart(rows, columns, at)
        several = WHOLE // self.bits
        counted = [self.number(number) for number in (0, 1, self.columns, top)]
        entry: dict[str, Any] = (
            {"planes": [at(place) for place in corner]} if len(corner) > 1 else {"address": at(*corner)}
        )
        first = counted[3] % several
        entry |= {
            "rows": rows,
            "columns": columns,
            "row_stride": counted[0] - counted[2],
            "column_stride": counted[1] - counted[0],
            "cells_per_byte": several,
        }
        entry |= {"binary": True} if self.binary else {}
        return entry | ({"order": "high_first"} if self.high_first else {}) | ({"skip": first} if first else {})

    def number(self, number: int) -> int:
        """The number of a cell among all cells that RAM could hold, in the order of a byte's cells."""
        several = WHOLE // self.bits
        inside = self.shifts[number] // self.bits
        return self.places[number][0] * several + (several - 1 - inside if self.high_first else inside)

    def _apart(self, rows: int, columns: int, at: Callable[[int], int]) -> dict[str, Any]:
        """Rows apart, or columns apart, or else all cells."""
        grid = np.array([[self.places[row * self.columns + column][0] for column in range(columns)]
                         for row in range(rows - 1, -1, -1)])  # fmt: skip
        across, down = np.unique(np.diff(grid, axis=1)), np.unique(np.diff(grid, axis=0))
        size = {"rows": rows, "columns": columns}
        if len(across) == 1:
            return {"addresses": [at(int(one)) for one in grid[:, 0]], **size, "column_stride": int(across[0])}
        if len(down) == 1:
            return {"addresses": [at(int(one)) for one in grid[0]], **size, "row_stride": int(down[0])}
        return {"addresses": [at(int(one)) for one in grid.ravel()], **size}


def view_of(rows: Sequence[Sequence[Sequence[int]]], bits: int, size: int, *, high_first: bool = False) -> View | None:
    """The view of rows of cells, each given by its first bits, up to the first row that isn't in RAM (``size`` bytes)
    or shares bits with a lower one. None if the first row is such a row.
    """
    inside: list[Sequence[int]] = []
    taken: set[int] = set()
    for row in rows:
        every = {bit for cell in row for bit in cell}
        # two cells of a row that are in one byte aren't bytes of their own
        once = len(every) == sum(map(len, row))
        if not once or min(every) < 0 or max(every) >= WHOLE * size or taken & every:
            break
        taken |= every
        inside += row
    if not inside:
        return None
    last = WHOLE - bits
    shifts = tuple(last - cell[0] % WHOLE if high_first else cell[0] % WHOLE for cell in inside)
    return View(len(rows[0]), tuple(tuple(bit // WHOLE for bit in cell) for cell in inside), shifts, bits, high_first)


def cropped(view: View, columns: tuple[int, int], rows: tuple[int, int]) -> View:
    """The part of a view in these columns and rows (the first, and the one after the last)."""
    kept = [row * view.columns + column for row in range(*rows) for column in range(*columns)]
    return replace(
        view,
        columns=columns[1] - columns[0],
        places=tuple(view.places[number] for number in kept),
        shifts=tuple(view.shifts[number] for number in kept),
    )


def deepened(view: View, rows: int, size: int, keep: int) -> View:
    """The view with up to so many rows below its lowest one, at the distance at which its rows lie, as far as these are
    in RAM (``size`` bytes) and none of its own cells in the lowest ``keep`` rows; what is above gives way. Unchanged
    where its lowest rows aren't at equal distances.
    """
    columns, several = view.columns, WHOLE // view.bits

    def numbers(first: int) -> npt.NDArray[np.intp]:
        """For cells from one on that are a row, in each plane, the numbers as those of ``View.number``."""
        inside = np.array(view.shifts[first : first + columns], np.intp)[:, None] // view.bits
        return np.array(view.places[first : first + columns]) * several + (
            several - 1 - inside if view.high_first else inside
        )

    if view.size < 3 * columns:
        return view
    every = [numbers(first) for first in range(0, view.size, columns)]
    step = every[0] - every[1]
    if (step != every[1] - every[2]).any():
        return view
    for number in range(rows):
        below = every[0] + step
        first = next((at for at, row in enumerate(every) if np.isin(row, below).any()), len(every))
        if first < keep + number or below.min() < 0 or below.max() >= size * several:
            break
        every = [below, *every[:first]]
        inside = below[:, 0] % several
        shifts = view.bits * (several - 1 - inside if view.high_first else inside)
        view = replace(view, places=view.places[: first * columns], shifts=view.shifts[: first * columns])
        places = tuple(map(tuple, (below // several).tolist()))
        view = replace(view, places=places + view.places, shifts=tuple(shifts.tolist()) + view.shifts)
    return view


def as_read(view: View, several: float) -> View:
    """The view with planes that are binary digits if so large a share of the filled cells has bits in several."""
    return replace(view, binary=several >= SEVERAL)


def with_plane(view: View, away: int) -> View:
    """The view with one more plane, so many bytes from the first one."""
    return replace(view, places=tuple((*places, places[0] + away) for places in view.places))


def with_row(view: View, rows: int, first: int, across: int) -> View | None:
    """The lowest ``rows`` rows of a view, and above them a row of bytes that lies elsewhere: first: its first offset;
    across: what a column adds. None where the other rows' cells aren't bytes so far from each other.
    """
    if view.bits != WHOLE or len(view.places[0]) > 1 or view.places[1][0] - view.places[0][0] != across:
        return None
    kept = cropped(view, (0, view.columns), (0, rows))
    row = tuple((first + column * across,) for column in range(view.columns))
    return replace(kept, places=kept.places + row, shifts=kept.shifts + (0,) * view.columns)


def without_repeats(view: View, floor: int) -> View:
    """The view up to the first row with a cell of a row between it and the row ``floor``: column after column, what
    lies above a column is the foot of another one.
    """
    seen: set[tuple[tuple[int, ...], int]] = set()
    for row in range(floor, view.size // view.columns):
        cells = range(row * view.columns, (row + 1) * view.columns)
        there = {(view.places[number], view.shifts[number]) for number in cells}
        if there & seen:
            return cropped(view, (0, view.columns), (0, row))
        seen |= there
    return view


def written(view: View, first: int, pokes: Mapping[int, int], peek: Callable[[int], int]) -> dict[int, int]:
    """Pokes in which cells from the offset ``first`` on are replaced by the bytes that hold them."""
    found: dict[int, int] = {}

    def now(place: int) -> int:
        return found[place] if place in found else peek(place)

    for offset, value in pokes.items():
        found |= {offset: value} if offset < first else view.pokes(offset - first, value, now)
    return found

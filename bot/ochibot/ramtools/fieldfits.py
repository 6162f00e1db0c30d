"""Finds the field: the bytes of RAM in which the game keeps it, and whether its hidden row is among them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final

import numpy as np

from ochibot.puyo.rules.pair import PairState
from ochibot.ram import RamMap
from ochibot.ramtools.bench import live
from ochibot.ramtools.drops import DropLab
from ochibot.ramtools.evidence import Evidence
from ochibot.ramtools.findings import Finding, Report
from ochibot.ramtools.grids import FLOOR, Grid
from ochibot.ramtools.image import Image
from ochibot.ramtools.shapes import Shape

_GEOMETRY: Final = ("address", "rows", "columns", "row_stride", "column_stride")

SIDE: Final = 6
"""The last column, which is filled to find the hidden row."""


def said_grid(ram_map: RamMap, shape: Shape) -> Grid | None:
    """The field as the map has it, from row 0 on; None when its cells aren't single bytes at an address."""
    entry: Any = ram_map.entries.get("field")
    if entry is None or not entry.is_grid or entry.address is None or entry.type != "u8" or entry.cells_per_byte != 1:
        return None
    first = entry.address - (int(entry.top or 0) + shape.base) * entry.row_stride
    return Grid(first, entry.row_stride, entry.column_stride, shape.rows, shape.columns)


class FieldFits:
    """Finds the field. Findings go into the report."""

    def __init__(self, ram_map: RamMap, shape: Shape, report: Report) -> None:
        self.map = ram_map
        self.shape = shape
        self.report = report
        self._first = shape.first

    def fit(self, drops: DropLab, evidence: Evidence, spawn: PairState) -> Grid | None:
        """The grid that fits the drops, preferably one that takes pokes; None when no grid fits."""
        copies: list[Grid] = []
        for grid in evidence.grids:
            byte = evidence.drops[0].end[grid.cell(1, grid.floor)]
            if live(drops, grid, evidence.first, byte, spawn):
                whole = self._with_its_rows(drops, evidence, grid, spawn)
                lacks = whole.top > self.shape.base and whole.top == self._first
                above = hidden_row(drops, whole, evidence, spawn) if lacks else None
                self._tell(whole, copies, above)
                return whole
            copies.append(grid)
        if copies:
            self.report.notes.append("no grid takes pokes: the first that fits the drops is taken for the field")
            self._tell(copies[0], [])
            return copies[0]
        said = said_grid(self.map, self.shape)
        self.report.findings.append(
            Finding(
                "field",
                () if said is None else (said.address,),
                "no bytes of RAM change as a field of single bytes a cell does",
                "pairs were dropped into each column, and one on another",
                None,
            )
        )
        return None

    def _with_its_rows(self, drops: DropLab, evidence: Evidence, grid: Grid, spawn: PairState) -> Grid:
        """The grid, without the hidden rows if it doesn't show a half that lands there."""
        if grid.top:
            return grid
        if not self.shape.hidden or reaches_up(drops, grid, evidence, spawn, self._first) is not False:
            return grid
        shorter = grid.below(self._first)
        return shorter if shorter.inside(evidence.empty) else grid

    def _tell(self, grid: Grid, copies: Sequence[Grid], above: tuple[int, int] | None = None) -> None:
        entry: Any = self.map.entries.get("field")
        said = said_grid(self.map, self.shape)
        top = grid.top - self.shape.base
        if top and entry is not None and entry.above is not None:
            # the map's ``above`` gives the row that the grid lacks; only the game played at the end checks it
            return
        if top and above is None:
            self.report.notes.append(
                f"the field's row {grid.top - 1} is in no byte beside the others: what lies there is forecast, not read"
            )
        # a map without the hidden rows is also right, if the bytes above its first row are the hidden rows
        if said is not None and (said == grid or (said.below(grid.top) == grid and (entry.top or 0) == top)):
            return
        patch: dict[str, Any] = dict(
            zip(_GEOMETRY, (grid.address, grid.rows, grid.columns, grid.row_stride, grid.column_stride), strict=True)
        )
        if top or (entry is not None and entry.top):
            patch["top"] = top
        if above is not None:
            row = {"address": above[0], "column_stride": above[1]}
            patch |= {"rows": grid.rows + 1, "top": top - 1, "above": row}
        told = [
            f"{name}: {value:#06x}" if name == "address" else f"{name}: {value}"
            for name, value in patch.items()
            if name != "above" and (entry is None or (getattr(entry, name) or 0) != value)
        ]
        if above is not None:
            told.append(f"above: {{address: {above[0]:#06x}, column_stride: {above[1]}}}")
        if said in copies:
            says = "its cells are a copy: what is written there is gone a frame later, and holds nothing up"
        elif said is not None and said.below(grid.top) == grid:
            says = "its first row isn't the field's: a half that comes to lie in the hidden row isn't seen there"
        else:
            says = "pairs that fell into each column aren't in the cells that the map says"
        self.report.findings.append(
            Finding(
                "field",
                (grid.address,) if said is None else (said.address, grid.address),
                says,
                f"the floor of column 1 is at {grid.cell(1, grid.floor):04X}, that of column 2 at "
                f"{grid.cell(2, grid.floor):04X}, the cell above the first at {grid.cell(1, grid.floor - 1):04X}",
                ", ".join(told),
                entries={"field": {**patch, "source": "calibrated"}},
            )
        )


def reaches_up(drops: DropLab, grid: Grid, evidence: Evidence, spawn: PairState, first: int) -> bool | None:
    """Whether the grid shows a half that lands above the visible rows; None: unknown.

    The last column is filled by poking up to just below ``first``, the highest visible row. A pair is dropped on it:
    the axis lands in row ``first``, the partner above it.
    """
    lock = _lock_at_the_top(drops, grid, evidence, spawn, first, SIDE, evidence.first) if spawn.y == first else None
    if lock is None:
        return None
    above = [grid.cell(x, first - 1) for x in range(1, grid.columns + 1)]
    return [lock[0][cell] != lock[1][cell] for cell in above] == [x == SIDE for x in range(1, grid.columns + 1)]


def hidden_row(drops: DropLab, grid: Grid, evidence: Evidence, spawn: PairState) -> tuple[int, int] | None:
    """Where the hidden row above the grid lies: (its address in column 1, its column stride); None when not found.

    In three columns, a pair is locked with its upper half in that row. Three evenly spaced bytes must then change from
    an empty cell's value to that half's colour. If several rows of bytes do, the hidden row counts as not found.
    """
    if spawn.y != grid.top:
        return None
    written = [
        _upper_halves(drops, grid, evidence, spawn, evidence.first, column) for column in (SIDE - 2, SIDE - 1, SIDE)
    ]
    found = [
        (first, second - first)
        for first in sorted(written[0])
        for second in sorted(written[1])
        if second != first and 2 * second - first in written[2]
    ]
    # a byte that marks joined cells may equal the colour's number by chance: a pair of another colour excludes it
    for state in _states_of_other_colors(drops, grid, evidence, spawn):
        again = _upper_halves(drops, grid, evidence, spawn, state, SIDE)
        found = [(start, stride) for start, stride in found if start + 2 * stride in again]
    if len(found) != 1:
        return None
    start, stride = found[0]
    return start - (SIDE - 3) * stride, stride


def _upper_halves(
    drops: DropLab, grid: Grid, evidence: Evidence, spawn: PairState, state: bytes, column: int
) -> set[int]:
    """The addresses outside the grid that may hold the upper half of a pair that locks at the top of a column."""
    lock = _lock_at_the_top(drops, grid, evidence, spawn, grid.top, column, state)
    if lock is None:
        return set()
    before, after = lock
    empty = set(grid.read(evidence.empty).reshape(-1).tolist())
    color = _upper_color(drops, grid, spawn, state)
    inside = set(grid.addresses())
    changed = (np.flatnonzero(before.cells != after.cells) + before.base).tolist()
    return {at for at in changed if at not in inside and before[at] in empty and after[at] & 15 == color & 15}


def _upper_color(drops: DropLab, grid: Grid, spawn: PairState, state: bytes) -> int:
    """Drops a state's pair into the last column but one. Returns the byte of the cell where its upper half lands."""
    return drops.drop(state, SIDE - 1 - spawn.x).end[grid.cell(SIDE - 1, FLOOR - 1)]


def _states_of_other_colors(drops: DropLab, grid: Grid, evidence: Evidence, spawn: PairState) -> Iterator[bytes]:
    """Yields at most one state, with a pair whose upper half has another colour than that of the first pair. The pairs
    before it are dropped into the first column.
    """
    first, state = _upper_color(drops, grid, spawn, evidence.first), evidence.first
    for _ in range(4):
        state = drops.after(state, 1 - spawn.x)
        if _upper_color(drops, grid, spawn, state) & 15 != first & 15:
            yield state
            return


def _lock_at_the_top(
    drops: DropLab, grid: Grid, evidence: Evidence, spawn: PairState, first: int, column: int, state: bytes
) -> tuple[Image, Image] | None:
    """RAM before and after an upright pair locks in ``column`` with its axis in row ``first``; None when it doesn't
    land there.
    """
    drops.load(state)
    ends = list(enumerate((drop.end for drop in evidence.drops), 1))
    bytes_ = list(dict.fromkeys(end[grid.cell(column, y)] for column, end in ends for y in (FLOOR, FLOOR - 1)))
    for y in range(FLOOR, first, -1):
        drops.lab.poke(grid.cell(column, y), bytes_[(FLOOR - y) // 2 % len(bytes_)])
    drop = drops.drop(None, column - spawn.x)
    lower = drop.trace.first_change([grid.cell(column, first)])
    if lower is None:
        return None
    before, after = drop.trace.at(max(lower - 1, 0)), drop.trace.at(min(lower + 1, len(drop.trace) - 1))
    return before, after

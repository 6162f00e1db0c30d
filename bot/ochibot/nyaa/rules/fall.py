"""Computes the grid after an ignition: blocks pop, needles and nuisance change by the rules, and the rest falls."""

from __future__ import annotations

from collections.abc import Collection

from ochibot.nyaa.rules.grid import CELLS, COLUMNS, EMPTY, NUISANCE, Grid
from ochibot.nyaa.rules.profile import Rules
from ochibot.nyaa.rules.wave import NEIGHBOURS


def burnt_out(grid: Grid, popped: Collection[int], rules: Rules) -> Grid:
    """The settled grid after the blocks at these cells have popped.

    Needles that lit a block vanish. The rules profile decides what happens to other needles, and to nuisance beside
    blocks that popped.
    """
    codes = bytearray(grid.codes)
    for cell in range(CELLS):
        color = grid.needle(cell)
        near = [at for at, _ in NEIGHBOURS[cell]]
        if cell in popped or (rules.nuisance_pops and codes[cell] == NUISANCE and any(at in popped for at in near)):
            codes[cell] = EMPTY
        elif color:
            idle = all(grid.block(at) != color for at in near)
            if not idle or rules.idle_needle == "vanish":
                codes[cell] = EMPTY
            elif rules.idle_needle == "block":
                codes[cell] = color
    return settled(Grid(bytes(codes)))


def settled(grid: Grid) -> Grid:
    """The same grid after everything that floats has fallen."""
    codes = bytearray(CELLS)
    for x in range(COLUMNS):
        column = grid.codes[x::COLUMNS]
        kept = bytes(code for code in column if code != EMPTY)
        codes[x::COLUMNS] = bytes(len(column) - len(kept)) + kept
    return Grid(bytes(codes))

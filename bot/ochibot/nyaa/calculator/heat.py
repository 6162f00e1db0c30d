"""Finds where to ignite and where to build: the value of every ignition, the best ones, and the best blocks to add.

Needles that already lie on the grid are counted as what they are: they ignite together with the new one.

A value is a pair (low, high). The two differ if the value depends on an open tie. The best ignition has the highest
``low``; ties go to the highest ``high``. If there are too many ties to try them all, ``complete`` is false: the values
are then those of the ways that were tried, and the real range may be wider.

The functions take rules, or a version, which stands for the rules of its shipped file. They use the plain engine,
because some hundred ignitions take less time than importing numba.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations_with_replacement
from typing import Final

import numpy as np
import numpy.typing as npt

from ochibot.nyaa.rules.grid import CELLS, COLORS, COLUMNS, EMPTY, ROWS, Grid, place_of
from ochibot.nyaa.rules.profile import Rules, Ruleset, rules_of
from ochibot.nyaa.rules.ties import AttackRange, attack_range
from ochibot.nyaa.rules.wave import NEIGHBOURS

NOWHERE: Final = -1
"""The value in a heat map of cells where no needle can be."""


@dataclass(frozen=True, slots=True)
class Needle:
    """A needle of a colour 1..4 at (x, y), and the range of its attack, ``low`` to ``high``."""

    x: int
    y: int
    color: int
    low: int
    high: int
    complete: bool = True


@dataclass(frozen=True, slots=True)
class PairIgnition:
    """A pair dropped as two needles. halves: (x, y, colour) of both halves at rest. low, high: the range of the pair's
    attack.
    """

    halves: tuple[tuple[int, int, int], tuple[int, int, int]]
    low: int
    high: int
    complete: bool = True


@dataclass(frozen=True, slots=True)
class Addition:
    """A block of a colour added at (x, y).

    best: the best ignition by a single needle after the block is added. gain: by how much this raises the best ``low``.
    """

    x: int
    y: int
    color: int
    best: Needle
    gain: int


@dataclass(frozen=True, slots=True, eq=False)
class HeatMap:
    """The attack of a single needle of each colour on each cell.

    low, high: (4, 12, 7) int16, colour 1 first, top row first; ``NOWHERE`` where no needle can be. complete: (4, 12, 7)
    bool. resting: (12, 7) bool, the cells where something dropped into that column comes to rest.
    """

    low: npt.NDArray[np.int16]
    high: npt.NDArray[np.int16]
    complete: npt.NDArray[np.bool_]
    resting: npt.NDArray[np.bool_]


def open_columns(grid: Grid, rules: Ruleset | Rules) -> list[int]:
    """The columns (from 0) that a pair can reach along the top row from where pairs appear."""
    columns: list[int] = []
    spawn = rules_of(rules).spawn_column - 1
    for way in (range(spawn, -1, -1), range(spawn, COLUMNS)):
        for column in way:
            if grid.codes[column] != EMPTY:
                break
            columns.append(column)
    return sorted(set(columns))


def open_cells(grid: Grid, rules: Ruleset | Rules, *, anywhere: bool = False) -> list[int]:
    """The empty cells that can be reached from above; ``anywhere``: all empty cells."""
    if anywhere:
        return [cell for cell in range(CELLS) if grid.codes[cell] == EMPTY]
    cells: list[int] = []
    for column in open_columns(grid, rules):
        for cell in range(column, CELLS, COLUMNS):
            if grid.codes[cell] != EMPTY:
                break
            cells.append(cell)
    return sorted(cells)


def resting_cells(grid: Grid, rules: Ruleset | Rules, *, anywhere: bool = False) -> list[int]:
    """The cells where something dropped comes to rest; ``anywhere``: all empty cells that lie on the floor or on an
    occupied cell.
    """
    empty = open_cells(grid, rules, anywhere=anywhere)
    return [cell for cell in empty if cell + COLUMNS >= CELLS or grid.codes[cell + COLUMNS] != EMPTY]


def heat_map(grid: Grid, rules: Ruleset | Rules, *, anywhere: bool = False) -> HeatMap:
    """The value of every possible ignition by a single needle (0: it would light nothing)."""
    rules = rules_of(rules)
    low = np.full((len(COLORS), CELLS), NOWHERE, np.int16)
    high = low.copy()
    complete = np.ones((len(COLORS), CELLS), np.bool_)
    resting = np.zeros(CELLS, np.bool_)
    resting[resting_cells(grid, rules, anywhere=anywhere)] = True
    for cell in open_cells(grid, rules, anywhere=anywhere):
        for color in COLORS:
            at = color - 1, cell
            low[at], high[at], complete[at] = _needle_range(grid, cell, color, rules)
    shape = (len(COLORS), ROWS, COLUMNS)
    return HeatMap(low.reshape(shape), high.reshape(shape), complete.reshape(shape), resting.reshape(ROWS, COLUMNS))


def best_ignition(
    grid: Grid, rules: Ruleset | Rules, colors: Sequence[int] = COLORS, *, anywhere: bool = False
) -> Needle | None:
    """The best single needle of one of these colours that can come to rest; None when none attacks.

    ``anywhere``: includes columns that a full column cuts off. Ties go to the first cell in reading order, then to the
    first of ``colors``.
    """
    return _best(grid, rules_of(rules), colors, anywhere)


def best_pair(
    grid: Grid, pair: tuple[int, int], rules: Ruleset | Rules, *, anywhere: bool = False
) -> PairIgnition | None:
    """The best way to drop a pair as two needles; None when none attacks.

    Both halves fall to the bottom of their columns. ``anywhere``: includes columns that a full column cuts off.
    """
    return _best_pair(grid, pair, rules_of(rules), anywhere, {})


def _best_pair(
    grid: Grid,
    pair: tuple[int, int],
    rules: Rules,
    anywhere: bool,
    known: dict[tuple[tuple[int, int], ...], AttackRange],
) -> PairIgnition | None:
    """``known``: the values found so far, by the needles that light something; others change nothing."""
    columns = range(COLUMNS) if anywhere else open_columns(grid, rules)
    best: PairIgnition | None = None
    orders = sorted({pair, (pair[1], pair[0])})
    for column in columns:
        free = _free_above(grid, column)
        spots = [(free[-1], free[-2])] if len(free) > 1 else []
        if column + 1 in columns and free and (beside := _free_above(grid, column + 1)):
            spots.append((free[-1], beside[-1]))
        for first, second in spots:
            for colors in orders:
                lit = tuple([one for one in zip((first, second), colors, strict=True) if _lights(grid, *one)])
                if not lit:
                    continue
                if lit not in known:
                    loaded = grid
                    for cell, color in lit:
                        loaded = loaded.with_needle(cell, color)
                    known[lit] = attack_range(loaded, rules.ruleset)
                found = known[lit]
                if found.high > 0 and (best is None or found[:2] > (best.low, best.high)):
                    halves = (*place_of(first), colors[0]), (*place_of(second), colors[1])
                    best = PairIgnition(halves, *found)
    return best


def best_of_pairs(
    grid: Grid, rules: Ruleset | Rules, *, anywhere: bool = False
) -> tuple[tuple[int, int], PairIgnition] | None:
    """The best way to drop any pair as two needles, with the pair; None when none attacks.

    Ties go to the pair that comes first: (1, 1), (1, 2), … (4, 4).
    """
    best: tuple[tuple[int, int], PairIgnition] | None = None
    known: dict[tuple[tuple[int, int], ...], AttackRange] = {}
    for pair in combinations_with_replacement(COLORS, 2):
        found = _best_pair(grid, pair, rules_of(rules), anywhere, known)
        if found is not None and (best is None or (found.low, found.high) > (best[1].low, best[1].high)):
            best = pair, found
    return best


def best_additions(
    grid: Grid, rules: Ruleset | Rules, colors: Sequence[int] = COLORS, *, anywhere: bool = False, count: int = 5
) -> list[Addition]:
    """The (at most ``count``) single blocks that would raise the best ignition the most. Only cells where a block is at
    rest are tried. ``anywhere``: includes columns that a full column cuts off.

    The highest gain comes first; ties go to the first cell in reading order, then to the first of ``colors``.
    """
    rules = rules_of(rules)
    now = best_ignition(grid, rules, anywhere=anywhere)
    # needles that lie on the grid attack without another
    least = max(now.low if now else 0, attack_range(grid, rules.ruleset).low)
    found: list[Addition] = []
    for cell in resting_cells(grid, rules, anywhere=anywhere):
        for color in colors:
            best = _best(grid.with_block(cell, color), rules, COLORS, anywhere)
            if best is not None and best.low > least:
                found.append(Addition(*place_of(cell), color, best, best.low - least))
    found.sort(key=lambda one: -one.gain)
    return found[:count]


def _lights(grid: Grid, cell: int, color: int) -> bool:
    """Whether a needle in a cell would light a block."""
    return any(grid.codes[near] == color for near, _ in NEIGHBOURS[cell])


def _free_above(grid: Grid, column: int) -> list[int]:
    """The empty cells at the top of a column, above its highest occupied cell, from the top down."""
    cells: list[int] = []
    for cell in range(column, CELLS, COLUMNS):
        if grid.codes[cell] != EMPTY:
            break
        cells.append(cell)
    return cells


def _needle_range(grid: Grid, cell: int, color: int, rules: Rules) -> AttackRange:
    if not _lights(grid, cell, color):
        return AttackRange(0, 0)
    return attack_range(grid.with_needle(cell, color), rules.ruleset)


def _best(grid: Grid, rules: Rules, colors: Sequence[int], anywhere: bool) -> Needle | None:
    best: Needle | None = None
    for cell in resting_cells(grid, rules, anywhere=anywhere):
        for color in colors:
            found = _needle_range(grid, cell, color, rules)
            if found.high > 0 and (best is None or found[:2] > (best.low, best.high)):
                best = Needle(*place_of(cell), color, found.low, found.high, found.complete)
    return best

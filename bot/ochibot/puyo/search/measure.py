"""The kernel of the seven metrics (imports numba). ``ochibot.puyo.search.metrics`` defines them."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from ochibot.jit.lanes import inlined, popcount, quotient
from ochibot.jit.planes import rightward, rightward_2, words
from ochibot.puyo.kernels.bits import LANE, ZERO, U
from ochibot.puyo.kernels.codes import alike, color_plane, linked, may_clear
from ochibot.puyo.kernels.special import (
    SUM_COUNT,
    SUM_EDGE,
    SUM_SPAWN,
    kept_rows,
    loses_rows,
    spawn_reach,
    spawn_row,
    stack,
)
from ochibot.puyo.rules.field import COLORS, COLUMNS, ROWS
from ochibot.puyo.rules.profile import SPAWN_COLUMN
from ochibot.puyo.search.metrics import VARIANCE_UNIT


def _rows(bit: int) -> np.uint64:
    """The west word of a mask of rows: those whose number (0 is the floor) has this bit set. East is the same."""
    return U(sum(1 << 16 * x + row for x in range(4) for row in range(ROWS) if row & bit))


# Sums of row numbers are made of popcounts: _ROW_k holds the cells whose row number has bit k set.
_ROW_0: Final = _rows(1)
_ROW_1: Final = _rows(2)
_ROW_2: Final = _rows(4)
_ROW_3: Final = _rows(8)
NOTE_WORDS: Final = 5
"""How many words ``note_colors`` writes for each colour."""
NOTES: Final = NOTE_WORDS * len(COLORS)
_SPAWN_COLUMN: Final = SPAWN_COLUMN - 1
_LAST_COLUMN: Final = COLUMNS - 1
_COLUMN_1: Final = U(LANE << U(16))
_COLUMN_2: Final = U(LANE << U(32))
_COLUMN_3: Final = U(LANE << U(48))


@inlined
def _count(west: Any, east: Any, of: Any) -> Any:
    return popcount(west & of) + popcount(east & of)


@inlined
def moments(west: Any, east: Any) -> Any:
    """The moments of a plane: (n cells, the sum of their columns, of their rows, and of the squares of both).

    The sum of the rows takes one popcount per bit of the row numbers; the sum of their squares takes one per pair of
    bits.
    """
    x1, x2, x3 = popcount(west & _COLUMN_1), popcount(west & _COLUMN_2), popcount(west & _COLUMN_3)
    x4, x5 = popcount(east & LANE), popcount(east & _COLUMN_1)
    x = x1 + x2 * U(2) + x3 * U(3) + x4 * U(4) + x5 * U(5)
    xx = x1 + x2 * U(4) + x3 * U(9) + x4 * U(16) + x5 * U(25)
    y0, y1 = _count(west, east, _ROW_0), _count(west, east, _ROW_1)
    y2, y3 = _count(west, east, _ROW_2), _count(west, east, _ROW_3)
    y01, y02 = _count(west, east, _ROW_0 & _ROW_1), _count(west, east, _ROW_0 & _ROW_2)
    y03, y12 = _count(west, east, _ROW_0 & _ROW_3), _count(west, east, _ROW_1 & _ROW_2)
    y13, y23 = _count(west, east, _ROW_1 & _ROW_3), _count(west, east, _ROW_2 & _ROW_3)
    y = y0 + U(2) * y1 + U(4) * y2 + U(8) * y3
    yy = y0 + U(4) * (y1 + y01) + U(8) * y02 + U(16) * (y2 + y03 + y12) + U(32) * y13 + U(64) * (y3 + y23)
    n = popcount(west) + popcount(east)
    return np.int64(n), np.int64(x), np.int64(y), np.int64(xx + yy)


@inlined
def spread(n: Any, x: Any, y: Any, squares: Any) -> Any:
    """The variance metric of one colour from its ``moments``."""
    # ``quotient`` divides doubles, but its result is exact here: n is at most 84 (14 rows of 6 columns), so the true
    # quotient is a whole number or at least 1/84 away from one. (Without puyos, 0 / 1 is computed.)
    return quotient(VARIANCE_UNIT * (n * squares - x * x - y * y), max(n, 1))


@inlined
def moments_with(g: Any, sums: Any, column: Any, row: Any) -> Any:
    """``moments`` with one more cell, at a column and row from 0 (unless the cell is lost above the field)."""
    n, x, y, squares = sums
    if loses_rows(g) and row >= np.int64(kept_rows(g)):
        return n, x, y, squares
    return n + 1, x + column, y + row, squares + column * column + row * row


@inlined
def spreads(codes: Any) -> Any:
    """The variance metric of all colours."""
    total = 0
    for k in range(len(COLORS)):
        west, east = color_plane(codes, k)
        if (west | east) != ZERO:
            n, x, y, squares = moments(west, east)
            total += spread(n, x, y, squares)
    return total


@inlined
def note_colors(codes: Any, notes: Any) -> Any:
    """Stores every colour's ``moments`` and ``spread`` in ``notes``; returns the variance metric of all colours."""
    total = 0
    for k in range(len(COLORS)):
        total += _note(k, *color_plane(codes, k), notes)
    return total


@inlined
def note_changes(codes: Any, before: Any, known: Any, notes: Any) -> Any:
    """Does the same as ``note_colors``, but measures only the colours whose cells differ from those of ``before``.

    ``known``: the notes on the board ``before``.
    """
    total: Any = 0
    for k in range(len(COLORS)):
        (west, east), (old_west, old_east) = color_plane(codes, k), color_plane(before, k)
        if (west ^ old_west) | (east ^ old_east) == ZERO:
            for i in range(NOTE_WORDS * k, NOTE_WORDS * (k + 1)):
                notes[i] = known[i]
            total += np.int64(known[NOTE_WORDS * k + 4])
        else:
            total += _note(k, west, east, notes)
    return total


@inlined
def changed_spreads(codes: Any, before: Any, known: Any) -> Any:
    """Does the same as ``spreads``, but measures only the colours whose cells differ from those of ``before``.

    ``known``: the notes on the board ``before``.
    """
    total: Any = 0
    for k in range(len(COLORS)):
        (west, east), (old_west, old_east) = color_plane(codes, k), color_plane(before, k)
        if (west ^ old_west) | (east ^ old_east) == ZERO:
            total += np.int64(known[NOTE_WORDS * k + 4])
        elif (west | east) != ZERO:
            total += spread(*moments(west, east))
    return total


@inlined
def _note(k: Any, west: Any, east: Any, notes: Any) -> Any:
    n, x, y, squares = moments(west, east)
    value = spread(n, x, y, squares)
    at = NOTE_WORDS * k
    notes[at], notes[at + 1], notes[at + 2], notes[at + 3], notes[at + 4] = U(n), U(x), U(y), U(squares), U(value)
    return value


@inlined
def noted_moments(notes: Any, k: Any) -> Any:
    """``moments`` of a colour, from its notes."""
    at = NOTE_WORDS * k
    return np.int64(notes[at]), np.int64(notes[at + 1]), np.int64(notes[at + 2]), np.int64(notes[at + 3])


@inlined
def noted_spread(notes: Any, k: Any) -> Any:
    """``spread`` of a colour, from its notes."""
    return np.int64(notes[NOTE_WORDS * k + 4])


@inlined
def totals(g: Any, west: Any, east: Any, nuisance_west: Any, nuisance_east: Any) -> Any:
    """The metrics colored, nuisance, edge and spawn of a settled board, as int64, given all puyos and the nuisance."""
    nuisance = np.int64(popcount(nuisance_west) + popcount(nuisance_east))
    stacks = ZERO
    for x in range(4):
        stacks += stack(g, x, np.int64(popcount((west >> U(16 * x)) & LANE)))
    for x in range(4, COLUMNS):
        stacks += stack(g, x, np.int64(popcount((east >> U(16 * (x - 4))) & LANE)))
    count = np.int64((stacks >> U(SUM_COUNT)) & U(0xFF)) - nuisance
    return count, nuisance, np.int64((stacks >> U(SUM_EDGE)) & U(0xFF)), np.int64(stacks >> U(SUM_SPAWN))


@inlined
def with_puyo(g: Any, sums: Any, column: Any, row: Any) -> Any:
    """``totals`` with one more coloured puyo, at a column and row from 0 (unless it is lost above the field)."""
    count, nuisance, edge, spawn = sums
    if loses_rows(g) and row >= np.int64(kept_rows(g)):
        return sums
    steps = abs(column - _SPAWN_COLUMN) + abs(row - np.int64(spawn_row(g)))
    near = np.int64(spawn_reach(g)) - steps
    sides = (column == 0) + (column == _LAST_COLUMN) + (row == 0)
    return count + 1, nuisance, edge + sides, spawn + near * near


@inlined
def measure(g: Any, planes: Any) -> Any:
    """Measures a settled board, given the vectors of its codes: (clears, consecutive, links).

    clears: whether something may clear. Strips in a row are found by letting every puyo spread to the right over empty
    cells, up to four of them::

        R..R.B      RRRRRB      then only the second R has its own colour to its left

    (Puyos that spread into the spare columns meet nothing there.)
    """
    a, b, c = planes
    empty = ~(a | b | c)
    two = rightward(empty) & empty
    right, up, colored = alike(planes)
    from_a, from_b, from_c = from_left(a, empty, two), from_left(b, empty, two), from_left(c, empty, two)
    strips = ~((from_a ^ a) | (from_b ^ b) | (from_c ^ c)) & colored
    consecutive = _size(strips) + _size(up)
    right, up = linked(g, right, up)
    return may_clear(g, right, up), np.int64(consecutive), np.int64(_size(right) + _size(up))


@inlined
def from_left(bit: Any, empty: Any, two: Any) -> Any:
    """For every cell, one bit of the code of the next puyo to its left.

    ``bit``: the plane of this bit. ``two``: the empty cells with an empty cell to their left.
    """
    bit |= rightward(bit) & empty
    bit |= rightward_2(bit) & two
    bit |= rightward(bit) & empty
    return rightward(bit)


@inlined
def _size(one: Any) -> Any:
    west, east = words(one)
    return popcount(west) + popcount(east)


@inlined
def weigh(sums: Any, consecutive: Any, variance: Any, links: Any, factors: Any) -> Any:
    """The value of the measured metrics; terms are added in the order of METRICS."""
    return (
        sums[0] * factors[0]
        + sums[1] * factors[1]
        + sums[2] * factors[2]
        + sums[3] * factors[3]
        + consecutive * factors[4]
        + variance * factors[5]
        + links * factors[6]
    )

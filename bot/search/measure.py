"""The kernel of the seven metrics (imports numba). What they mean is said in ``bot.search.metrics``."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import numpy as np

from bot.jit.lanes import any_of, inlined, load, only, popcount, quotients, sum_of
from bot.puyo.bits import (
    COLUMN,
    FLOOR,
    LANE,
    LANES,
    NUISANCE_HIGH,
    NUISANCE_LOW,
    ONE,
    TO_LAST,
    U,
    from_left,
    from_right,
    seeds,
)
from bot.puyo.field import COLUMNS, ROWS
from bot.puyo.rules import SPAWN_COLUMN
from bot.puyo.special import grouping, kept, kept_rows, loses_rows, nearness_sum, spawn_reach, spawn_row
from bot.search.metrics import VARIANCE_UNIT


def _plane(bit: int, number: Callable[[int, int], int]) -> tuple[np.uint64, np.uint64]:
    """The words of the plane of all cells whose number (of x from 1, row from 0 at the floor) has a bit set."""
    words = [0, 0]
    for x in range(1, COLUMNS + 1):
        for row in range(ROWS):
            if number(x, row) & bit:
                words[(x - 1) // 3] |= 1 << (16 * ((x - 1) % 3) + row)
    return U(words[0]), U(words[1])


def _rows(bit: int) -> np.uint64:
    """A word (low and high are alike) of all rows whose number has a bit set."""
    return _plane(bit, lambda _, row: row)[0]


# Sums over cells are made of popcounts: bit k of a cell's number says whether it is in the k-th mask.
_ROW_0: Final = _rows(1)
_ROW_1: Final = _rows(2)
_ROW_2: Final = _rows(4)
_ROW_3: Final = _rows(8)
_SPAWN_COLUMN: Final = SPAWN_COLUMN - 1
_LAST_COLUMN: Final = COLUMNS - 1
_FIRST: Final = LANE
_SECOND: Final = U(LANE << COLUMN)
_THIRD: Final = U(LANE << TO_LAST)
_SIGN: Final = U(63)
_SHIFT: Final = U(VARIANCE_UNIT.bit_length() - 1)


@inlined
def _count(low: Any, high: Any, mask: Any) -> Any:
    return popcount(low & mask) + popcount(high & mask)


@inlined
def _spread(low: Any, high: Any) -> Any:
    """The variance metric of each colour's plane, all in lanes.

    n * sum of squares - square of sum, for columns and for rows, divided by n. The sum of the row numbers is made of
    one popcount per bit of the number, the sum of their squares of one per pair of bits.
    """
    x0, x1, x2 = popcount(low & _FIRST), popcount(low & _SECOND), popcount(low & _THIRD)
    x3, x4, x5 = popcount(high & _FIRST), popcount(high & _SECOND), popcount(high & _THIRD)
    n = x0 + x1 + x2 + x3 + x4 + x5
    x = x1 + x2 * U(2) + x3 * U(3) + x4 * U(4) + x5 * U(5)
    xx = x1 + x2 * U(4) + x3 * U(9) + x4 * U(16) + x5 * U(25)
    y0, y1 = _count(low, high, _ROW_0), _count(low, high, _ROW_1)
    y2, y3 = _count(low, high, _ROW_2), _count(low, high, _ROW_3)
    y01, y02 = _count(low, high, _ROW_0 & _ROW_1), _count(low, high, _ROW_0 & _ROW_2)
    y03, y12 = _count(low, high, _ROW_0 & _ROW_3), _count(low, high, _ROW_1 & _ROW_2)
    y13, y23 = _count(low, high, _ROW_1 & _ROW_3), _count(low, high, _ROW_2 & _ROW_3)
    y = y0 + U(2) * y1 + U(4) * y2 + U(8) * y3
    yy = y0 + U(4) * (y1 + y01) + U(8) * y02 + U(16) * (y2 + y03 + y12) + U(32) * y13 + U(64) * (y3 + y23)
    scaled = (n * (xx + yy) - x * x - y * y) << _SHIFT
    # Exact: the quotient is at least 1/84 from the next whole number, or is one. (Without puyos: 0 by 1.)
    return quotients(scaled, n + ((popcount(n) - ONE) >> _SIGN))


@inlined
def totals(g: Any, board: Any, low: Any, high: Any) -> Any:
    """count, nuisance, edge and spawn of a settled board whose puyos are ``low``, ``high``, as int64."""
    nuisance = np.int64(popcount(board[NUISANCE_LOW]) + popcount(board[NUISANCE_HIGH]))
    count = np.int64(popcount(low) + popcount(high)) - nuisance
    edge = _count(low, high, FLOOR) + popcount(low & _FIRST) + popcount(high & _THIRD)
    return count, nuisance, np.int64(edge), np.int64(nearness_sum(g, low, high))


@inlined
def with_puyo(g: Any, sums: Any, column: Any, row: Any) -> Any:
    """``totals`` with a coloured puyo more, at a column and row from 0 (unless it is lost above the field)."""
    count, nuisance, edge, spawn = sums
    row_64 = np.int64(row)
    steps = abs(column - _SPAWN_COLUMN) + abs(row_64 - np.int64(spawn_row(g)))
    near = np.int64(spawn_reach(g)) - steps
    if loses_rows(g) and row >= kept_rows(g):
        return sums
    sides = (column == 0) + (column == _LAST_COLUMN) + (row_64 == 0)
    return count + 1, nuisance, edge + sides, spawn + near * near


@inlined
def measure(
    g: Any, board: Any, a: Any, a_low: Any, a_high: Any, b: Any, b_low: Any, b_high: Any, low: Any, high: Any
) -> Any:
    """What depends on colours, of a settled board with two more puyos: (clears, consecutive, variance, links).

    clears: nonzero when something may clear. The puyos are the cells ``a_low``, ``a_high`` in colour ``a`` (0..5),
    ``b`` likewise; ``low``, ``high`` are all puyos with these two. The colour loop has no branch and stores nothing,
    so that LLVM runs it in vector lanes.

    A row's strips are found by letting every puyo spread to the right over empty cells, up to four of them::

        R..R.B      RRRR.B      the spread of R (and R itself), moved one column right, meets the second R
    """
    empty_low, empty_high = kept(g) & ~low, kept(g) & ~high
    two_low, two_high = from_left(empty_low, empty_high)
    two_low &= empty_low
    two_high &= empty_high
    own_low = load(board, 0) | only(a, a_low) | only(b, b_low)
    own_high = load(board, LANES) | only(a, a_high) | only(b, b_high)
    seen_low, seen_high = own_low & grouping(g), own_high & grouping(g)
    seed_low, seed_high = seeds(g, seen_low, seen_high)
    near_low, near_high = from_right(seen_low, seen_high)
    links = popcount(near_low & seen_low) + popcount(near_high & seen_high)
    links += popcount(seen_low & (seen_low >> ONE)) + popcount(seen_high & (seen_high >> ONE))
    near_low, near_high = from_left(own_low, own_high)
    wide_low, wide_high = own_low | (near_low & empty_low), own_high | (near_high & empty_high)
    near_low, near_high = from_left(wide_low, wide_high)
    near_low, near_high = from_left(near_low, near_high)
    wide_low, wide_high = wide_low | (near_low & two_low), wide_high | (near_high & two_high)
    near_low, near_high = from_left(wide_low, wide_high)
    wide_low, wide_high = wide_low | (near_low & empty_low), wide_high | (near_high & empty_high)
    near_low, near_high = from_left(wide_low, wide_high)
    consecutive = popcount(near_low & own_low) + popcount(near_high & own_high)
    consecutive += popcount(own_low & (own_low >> ONE)) + popcount(own_high & (own_high >> ONE))
    variance = _spread(own_low, own_high)
    return (
        any_of(seed_low | seed_high),
        np.int64(sum_of(consecutive)),
        np.int64(sum_of(variance)),
        np.int64(sum_of(links)),
    )


@inlined
def weigh(sums: Any, colored: Any, factors: Any) -> Any:
    """The value of what ``totals`` and ``measure`` returned; terms are added in the order of METRICS."""
    return (
        sums[0] * factors[0]
        + sums[1] * factors[1]
        + sums[2] * factors[2]
        + sums[3] * factors[3]
        + colored[1] * factors[4]
        + colored[2] * factors[5]
        + colored[3] * factors[6]
    )

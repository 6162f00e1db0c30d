"""The ignition of a board on bit planes (imports numba): its attack by MVS values, and what pops.

A *board* and its planes are described in ``ochibot.nyaa.kernels.packed``. Ties are settled by the rules' tie rule: the
first start in reading order wins. All cells of one step move at once, so the work grows with the number of steps.

A start's *name* is a number of seven bits: its row from the top, then its column. So names are in reading order. Every
burnt cell gets the name of the start whose wave burnt it. The names of all cells are planes, one for each bit: four for
the rows and three for the columns.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from ochibot.jit.lanes import LANES, any_of, compiled, inlined, only, popcount, sum_of
from ochibot.jit.planes import (
    FIRST,
    FOURTH,
    SECOND,
    THIRD,
    any_cell,
    around,
    east_words,
    four,
    leftward,
    load_four,
    plane,
    rightward,
    united,
    west_words,
    which,
    words,
)
from ochibot.nyaa.kernels.bits import ONE, ZERO, U, from_left, from_right, lowest
from ochibot.nyaa.kernels.packed import NEEDLES, WORK_WORDS

_EACH_COLUMN: Final = 0x0001_0001_0001_0001
_ROWS: Final = tuple(U(_EACH_COLUMN * sum((15 - bit >> k & 1) << bit for bit in range(16))) for k in range(4))
"""For each bit of a row's number: a word with all cells of the rows that have it."""
_COLUMNS: Final = tuple(
    U(sum(0xFFFF << 16 * (x & 3) for x in range(word, word + 4) if x >> k & 1)) for k in range(3) for word in (0, 4)
)
"""For each bit of a column's number: a plane (two words) with all cells of the columns that have it."""
COLUMN_PLANES: Final = U(4)
"""How many planes the columns of the names take, the empty one included."""
COLUMN_MASK: Final = U(7)
BYTE_BITS: Final = U(3)
BYTE: Final = U(255)


@inlined
def _eight(a: Any, b: Any, c: Any, d: Any, e: Any, f: Any, g: Any, h: Any) -> Any:
    """The vector of eight words."""
    first = only(0, a) | only(1, b) | only(2, c) | only(3, d)
    return first | only(4, e) | only(5, f) | only(6, g) | only(7, h)


@inlined
def _one_if(mask: Any, a: Any, b: Any) -> Any:
    """The bits of ``a`` where the mask is set, the bits of ``b`` elsewhere."""
    return (a & mask) | (b & ~mask)


@inlined
def _borrowed(a: Any, b: Any, lower: Any) -> Any:
    """The cells in which b is lower than a, from one bit of each. ``lower``: the answer for the bits below that one."""
    return (a & ~b) | ((a | ~b) & lower)


@inlined
def _is_lower(a_rows: Any, a_columns: Any, b_rows: Any, b_columns: Any) -> Any:
    """The cells in which the name b is lower than the name a."""
    lower = FIRST(a_columns) & ~FIRST(b_columns)
    lower = _borrowed(SECOND(a_columns), SECOND(b_columns), lower)
    lower = _borrowed(THIRD(a_columns), THIRD(b_columns), lower)
    lower = _borrowed(FIRST(a_rows), FIRST(b_rows), lower)
    lower = _borrowed(SECOND(a_rows), SECOND(b_rows), lower)
    lower = _borrowed(THIRD(a_rows), THIRD(b_rows), lower)
    return _borrowed(FOURTH(a_rows), FOURTH(b_rows), lower)


@compiled
def _passed(
    ends_low: Any,
    ends_high: Any,
    above_low: Any,
    above_high: Any,
    below_low: Any,
    below_high: Any,
    left_low: Any,
    left_high: Any,
    right_low: Any,
    right_high: Any,
) -> Any:
    """For each end (tail), counts the cells that its wave has passed, the end included. Returns the sum of these
    numbers.

    The other planes hold the cells with a parent above, below, to the left and to the right. Eight ends are followed
    back at the same time.
    """
    total = ZERO
    while (ends_low | ends_high) != ZERO:
        new_low = new_high = only(0, ZERO)
        for k in range(LANES):
            one_low, one_high = lowest(ends_low, ends_high)
            ends_low &= ~one_low
            ends_high &= ~one_high
            new_low |= only(k, one_low)
            new_high |= only(k, one_high)
        low, high = new_low, new_high
        while any_of(new_low | new_high) != ZERO:
            west_low, west_high = from_right(new_low & left_low, new_high & left_high)
            east_low, east_high = from_left(new_low & right_low, new_high & right_high)
            new_low = ((new_low & above_low) << ONE) | ((new_low & below_low) >> ONE) | west_low | east_low
            new_high = ((new_high & above_high) << ONE) | ((new_high & below_high) >> ONE) | west_high | east_high
            low |= new_low
            high |= new_high
        total += sum_of(popcount(low) + popcount(high))
    return np.int64(total)


@inlined
def _count_tails(cells: Any, names: Any, most: Any, work: Any) -> Any:
    """Counts each start's tails among the cells of one word, in ``work``. Returns the most of any start, or ``most``.

    names: that word of each plane of the names.
    """
    while cells != ZERO:
        name = which(names, cells & (~cells + ONE))
        cells &= cells - ONE
        row, column = np.int64(name >> COLUMN_PLANES), (name & COLUMN_MASK) << BYTE_BITS
        found = work[row] + (ONE << column)
        work[row] = found
        most = max(most, (found >> column) & BYTE)
    return most


@inlined
def _most_tails(ends: Any, rows: Any, columns: Any, work: Any) -> Any:
    """The most tails of one start. ``work`` gets a word for each row, with a byte for each column."""
    for k in range(WORK_WORDS):
        work[k] = ZERO
    low, high = words(ends)
    most = _count_tails(low, west_words(columns, rows), ZERO, work)
    return np.int64(_count_tails(high, east_words(columns, rows), most, work))


@inlined
def _total(counts: Any) -> Any:
    """The sum of a vector of two numbers."""
    return np.int64(sum_of(counts))


@compiled
def ignite(board: Any, work: Any) -> Any:
    """Ignites a board, which isn't changed: (attack, most tails of one start, plane of cells that pop: low, high)."""
    colors, needles = load_four(board, 0), load_four(board, NEEDLES)
    front = united(around(needles) & colors)
    if not any_cell(front):
        return 0, 0, ZERO, ZERO
    up, side = united(colors & (colors >> ONE)), united(colors & leftward(colors))
    free = united(colors)
    starts, wide = front, four(front)
    rows = wide & _eight(_ROWS[0], _ROWS[0], _ROWS[1], _ROWS[1], _ROWS[2], _ROWS[2], _ROWS[3], _ROWS[3])
    columns = wide & _eight(_COLUMNS[0], _COLUMNS[1], _COLUMNS[2], _COLUMNS[3], _COLUMNS[4], _COLUMNS[5], ZERO, ZERO)
    nothing = plane(ZERO, ZERO)
    above, below, left, right = nothing, nothing, nothing, nothing  # the cells with a parent there
    ends, seen = nothing, nothing
    mixed = nothing  # the cells whose wave has merged on its way
    tails, sums = nothing, nothing  # the tails of the other waves, counted in each word, and their sums over the steps
    step = 0
    while any_cell(front):
        step += 1
        seen |= front
        free &= ~front
        # claims, named by the direction in which the wave moves
        down = (front >> ONE) & up & free
        rise = ((front & up) << ONE) & free
        east = rightward(front & side) & free
        west = leftward(front) & side & free
        upright, flat = down | rise, east | west
        follow = upright | flat
        several = (down & rise) | (east & west) | (upright & flat)
        rows_down, rows_rise, rows_east, rows_west = rows >> ONE, rows << ONE, rightward(rows), leftward(rows)
        columns_down, columns_rise, columns_east, columns_west = (
            columns >> ONE,
            columns << ONE,
            rightward(columns),
            leftward(columns),
        )
        if any_cell(several):
            # a vertical claim beats horizontal ones; of two others, the one with the lower name wins
            vertical = four(upright)
            a_rows, b_rows = _one_if(vertical, rows_down, rows_east), _one_if(vertical, rows_rise, rows_west)
            a_columns = _one_if(vertical, columns_down, columns_east)
            b_columns = _one_if(vertical, columns_rise, columns_west)
            has_a, has_b = _one_if(upright, down, east), _one_if(upright, rise, west)
            wins_a = four(has_a & ~(has_b & _is_lower(a_rows, a_columns, b_rows, b_columns)))
            won_rows, won_columns = _one_if(wins_a, a_rows, b_rows), _one_if(wins_a, a_columns, b_columns)
            # all claims of the winner merge
            down &= ~united((rows_down ^ won_rows) | (columns_down ^ won_columns))
            rise &= ~united((rows_rise ^ won_rows) | (columns_rise ^ won_columns))
            east &= ~united((rows_east ^ won_rows) | (columns_east ^ won_columns))
            west &= ~united((rows_west ^ won_rows) | (columns_west ^ won_columns))
            here = four(follow)
            rows |= won_rows & here
            columns |= won_columns & here
            upright, flat = down | rise, east | west
            mixed |= (down & rise) | (east & west) | (upright & flat)
        else:
            goes_down, goes_up, goes_east, goes_west = four(down), four(rise), four(east), four(west)
            rows |= (rows_down & goes_down) | (rows_rise & goes_up) | (rows_east & goes_east) | (rows_west & goes_west)
            columns |= (columns_down & goes_down) | (columns_rise & goes_up)
            columns |= (columns_east & goes_east) | (columns_west & goes_west)
        over = front & ~((down << ONE) | (rise >> ONE) | leftward(east) | rightward(west))
        ends |= over
        tails = tails + popcount(over & ~mixed)
        sums = sums + tails
        mixed |= ((mixed >> ONE) & down) | ((mixed << ONE) & rise)
        mixed |= (rightward(mixed) & east) | (leftward(mixed) & west)
        above |= down
        below |= rise
        left |= east
        right |= west
        front = follow
    s1 = (step + 1) * _total(tails) - _total(sums)  # a tail in step k was counted in all steps but k - 1
    if any_cell(ends & mixed):  # after a merge, values differ from steps, so these tails are followed back
        s1 += _passed(*words(ends & mixed), *words(above), *words(below), *words(left), *words(right))
    s0 = s1 - _total(popcount(ends & starts))  # tails of value 1; only starts have it
    t = _most_tails(ends, rows, columns, work)
    return (100 * s0 + 4 * t * s1) // 100, t, *words(seen)

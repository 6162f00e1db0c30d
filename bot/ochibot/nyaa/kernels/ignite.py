"""The ignition of a board on bit planes (imports numba): its attack by MVS values, and what pops.

A *board* and its planes are described in ``ochibot.nyaa.kernels.packed``. Ties are settled by the rules' tie rule: the
first start in reading order wins. All cells of one step move at once, so the work grows with the number of steps and
starts.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from ochibot.jit.lanes import LANES, any_of, compiled, inlined, only, popcount, sum_of
from ochibot.nyaa.kernels.bits import (
    ONE,
    ZERO,
    U,
    blocks,
    count,
    from_left,
    from_right,
    links,
    lit,
    lowest,
    trailing_zeros,
)
from ochibot.nyaa.kernels.packed import START_WORDS

# The words of a start in scratch memory: the cells of its wave, its number of tails, its index in reading order.
FRONT_LOW, FRONT_HIGH, START_TAILS, START_KEY = range(4)
MANY_STARTS: Final = 9
"""From this many starts on, ``_burn_many`` is used, whose time grows with the cells instead of the starts. (The two
needles of a pair light at most 8 blocks.)
"""
HIGH_WORD: Final = 64
LANE: Final = 16
COUNTS: Final = 2 * HIGH_WORD
NOBODY: Final = U(255)


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
def _order(low: Any, high: Any, work: Any) -> Any:
    """Writes each cell of a plane to ``work`` as a start, in reading order. Returns the number of starts."""
    many = 0
    while (low | high) != ZERO:
        one_low, one_high = lowest(low, high)
        bit = trailing_zeros(low) if low != ZERO else trailing_zeros(high) + U(64)
        low &= ~one_low
        high &= ~one_high
        key = (U(15) - (bit & U(15))) * U(8) + (bit >> U(4))  # sort key: the row from the top, then the column
        at = START_WORDS * many
        while at > 0 and work[at - START_WORDS + START_KEY] > key:
            for k in range(START_WORDS):
                work[at + k] = work[at - START_WORDS + k]
            at -= START_WORDS
        work[at + FRONT_LOW] = one_low
        work[at + FRONT_HIGH] = one_high
        work[at + START_TAILS] = ZERO
        work[at + START_KEY] = key
        many += 1
    return many


@compiled
def _burn(board: Any, all_low: Any, all_high: Any, work: Any) -> Any:
    """Burns a board, merging the waves of one start. Returns (s0, s1, t, cells that pop: low, high)."""
    up_low, up_high, side_low, side_high = links(board)
    free_low, free_high = blocks(board)
    owners = _order(all_low, all_high, work)
    above_low = above_high = below_low = below_high = ZERO
    left_low = left_high = right_low = right_high = ZERO
    ends_low = ends_high = seen_low = seen_high = merged = ZERO
    s0 = s1 = step = 0
    while (all_low | all_high) != ZERO:
        step += 1
        seen_low |= all_low
        seen_high |= all_high
        free_low &= ~all_low
        free_high &= ~all_high
        # if any start makes a vertical claim on a cell, other starts' horizontal claims on it don't count
        plain_low = free_low & ~(((all_low >> ONE) & up_low) | ((all_low & up_low) << ONE))
        plain_high = free_high & ~(((all_high >> ONE) & up_high) | ((all_high & up_high) << ONE))
        all_low = all_high = ZERO
        for o in range(owners):
            front_low, front_high = work[START_WORDS * o + FRONT_LOW], work[START_WORDS * o + FRONT_HIGH]
            if (front_low | front_high) == ZERO:
                continue
            # claims, named by the direction in which the wave moves
            down_low = (front_low >> ONE) & up_low & free_low
            down_high = (front_high >> ONE) & up_high & free_high
            rise_low = ((front_low & up_low) << ONE) & free_low
            rise_high = ((front_high & up_high) << ONE) & free_high
            east_low, east_high = from_left(front_low & side_low, front_high & side_high)
            west_low, west_high = from_right(front_low, front_high)
            west_low &= side_low
            west_high &= side_high
            strong_low = down_low | rise_low | ((east_low | west_low) & plain_low)
            strong_high = down_high | rise_high | ((east_high | west_high) & plain_high)
            won_low = strong_low & ~all_low
            won_high = strong_high & ~all_high
            # all claims of the winner merge
            down_low &= won_low
            down_high &= won_high
            rise_low &= won_low
            rise_high &= won_high
            east_low &= won_low
            east_high &= won_high
            west_low &= won_low
            west_high &= won_high
            upright_low, upright_high = down_low | rise_low, down_high | rise_high
            merged |= (down_low & rise_low) | (east_low & west_low) | (upright_low & (east_low | west_low))
            merged |= (down_high & rise_high) | (east_high & west_high) | (upright_high & (east_high | west_high))
            above_low |= down_low
            above_high |= down_high
            below_low |= rise_low
            below_high |= rise_high
            left_low |= east_low
            left_high |= east_high
            right_low |= west_low
            right_high |= west_high
            back_low, back_high = from_right(east_low, east_high)
            forth_low, forth_high = from_left(west_low, west_high)
            over_low = front_low & ~((down_low << ONE) | (rise_low >> ONE) | back_low | forth_low)
            over_high = front_high & ~((down_high << ONE) | (rise_high >> ONE) | back_high | forth_high)
            tails = count(over_low, over_high)
            work[START_WORDS * o + START_TAILS] += U(tails)
            s1 += step * tails
            s0 += step * tails if step > 1 else 0
            ends_low |= over_low
            ends_high |= over_high
            work[START_WORDS * o + FRONT_LOW] = won_low
            work[START_WORDS * o + FRONT_HIGH] = won_high
            all_low |= won_low
            all_high |= won_high
    most = ZERO
    for o in range(owners):
        most = max(most, work[START_WORDS * o + START_TAILS])
    if merged != ZERO:  # after a merge, values differ from steps, so every tail is followed back
        ones = s1 - s0  # tails of value 1; only starts have it
        s1 = _passed(
            ends_low,
            ends_high,
            above_low,
            above_high,
            below_low,
            below_high,
            left_low,
            left_high,
            right_low,
            right_high,
        )
        s0 = s1 - ones
    return s0, s1, np.int64(most), seen_low, seen_high


@inlined
def _inherit(low: Any, high: Any, apart: Any, work: Any) -> None:
    """Gives each cell of the plane the same start as the cell ``apart`` bits after it (before it, if negative)."""
    while low != ZERO:
        at: Any = np.int64(trailing_zeros(low))
        low &= low - ONE
        work[at] = work[at + apart]
    while high != ZERO:
        at = np.int64(trailing_zeros(high)) + HIGH_WORD
        high &= high - ONE
        work[at] = work[at + apart]


@compiled
def _settled(cells: Any, first: Any, down: Any, rise: Any, east: Any, west: Any, work: Any) -> Any:
    """Settles the cells of one word that have several claims. Returns the winning claims (down, rise, east, west).

    ``first``: the index in ``work`` of the word's first bit.
    """
    while cells != ZERO:
        one = cells & (~cells + ONE)
        at = np.int64(trailing_zeros(cells)) + first
        cells ^= one
        winner = NOBODY
        if (down & one) != ZERO:
            winner = min(winner, work[at + 1])
        if (rise & one) != ZERO:
            winner = min(winner, work[at - 1])
        if winner == NOBODY:
            winner = min(work[at - LANE], work[at + LANE])
        work[at] = winner
        if (down & one) != ZERO and work[at + 1] != winner:
            down ^= one
        if (rise & one) != ZERO and work[at - 1] != winner:
            rise ^= one
        if (east & one) != ZERO and work[at - LANE] != winner:
            east ^= one
        if (west & one) != ZERO and work[at + LANE] != winner:
            west ^= one
    return down, rise, east, west


@compiled
def _burn_many(board: Any, all_low: Any, all_high: Any, work: Any) -> Any:
    """Does the same as ``_burn``, for many starts: each cell keeps its start, and all waves move at once.

    Starts are numbered in reading order, so the lowest number wins a tie. ``work`` holds the number of the start for
    each bit of a plane, and from COUNTS on the number of tails of each start.
    """
    up_low, up_high, side_low, side_high = links(board)
    free_low, free_high = blocks(board)
    for k in range(COUNTS, 2 * COUNTS):
        work[k] = ZERO
    low, high = all_low, all_high
    while (low | high) != ZERO:
        one_low, one_high = lowest(low, high)
        bit = trailing_zeros(low) if low != ZERO else trailing_zeros(high) + U(HIGH_WORD)
        low &= ~one_low
        high &= ~one_high
        work[np.int64(bit)] = (U(15) - (bit & U(15))) * U(8) + (bit >> U(4))
    above_low = above_high = below_low = below_high = ZERO
    left_low = left_high = right_low = right_high = ZERO
    ends_low = ends_high = seen_low = seen_high = merged = ZERO
    s0 = s1 = step = 0
    most = ZERO
    while (all_low | all_high) != ZERO:
        step += 1
        seen_low |= all_low
        seen_high |= all_high
        free_low &= ~all_low
        free_high &= ~all_high
        # claims, named by the direction in which the wave moves
        down_low = (all_low >> ONE) & up_low & free_low
        down_high = (all_high >> ONE) & up_high & free_high
        rise_low = ((all_low & up_low) << ONE) & free_low
        rise_high = ((all_high & up_high) << ONE) & free_high
        east_low, east_high = from_left(all_low & side_low, all_high & side_high)
        east_low &= free_low
        east_high &= free_high
        west_low, west_high = from_right(all_low, all_high)
        west_low &= side_low & free_low
        west_high &= side_high & free_high
        upright_low, upright_high = down_low | rise_low, down_high | rise_high
        flat_low, flat_high = east_low | west_low, east_high | west_high
        next_low, next_high = upright_low | flat_low, upright_high | flat_high
        several_low = (down_low & rise_low) | (east_low & west_low) | (upright_low & flat_low)
        several_high = (down_high & rise_high) | (east_high & west_high) | (upright_high & flat_high)
        _inherit(down_low & ~several_low, down_high & ~several_high, 1, work)
        _inherit(rise_low & ~several_low, rise_high & ~several_high, -1, work)
        _inherit(east_low & ~several_low, east_high & ~several_high, -LANE, work)
        _inherit(west_low & ~several_low, west_high & ~several_high, LANE, work)
        if (several_low | several_high) != ZERO:
            down_low, rise_low, east_low, west_low = _settled(
                several_low, 0, down_low, rise_low, east_low, west_low, work
            )
            down_high, rise_high, east_high, west_high = _settled(
                several_high, HIGH_WORD, down_high, rise_high, east_high, west_high, work
            )
            upright_low, upright_high = down_low | rise_low, down_high | rise_high
            merged |= (down_low & rise_low) | (east_low & west_low) | (upright_low & (east_low | west_low))
            merged |= (down_high & rise_high) | (east_high & west_high) | (upright_high & (east_high | west_high))
        above_low |= down_low
        above_high |= down_high
        below_low |= rise_low
        below_high |= rise_high
        left_low |= east_low
        left_high |= east_high
        right_low |= west_low
        right_high |= west_high
        back_low, back_high = from_right(east_low, east_high)
        forth_low, forth_high = from_left(west_low, west_high)
        over_low = all_low & ~((down_low << ONE) | (rise_low >> ONE) | back_low | forth_low)
        over_high = all_high & ~((down_high << ONE) | (rise_high >> ONE) | back_high | forth_high)
        tails = count(over_low, over_high)
        s1 += step * tails
        s0 += step * tails if step > 1 else 0
        ends_low |= over_low
        ends_high |= over_high
        while over_low != ZERO:
            name = np.int64(work[np.int64(trailing_zeros(over_low))]) + COUNTS
            over_low &= over_low - ONE
            work[name] += ONE
            most = max(most, work[name])
        while over_high != ZERO:
            name = np.int64(work[np.int64(trailing_zeros(over_high)) + HIGH_WORD]) + COUNTS
            over_high &= over_high - ONE
            work[name] += ONE
            most = max(most, work[name])
        all_low, all_high = next_low, next_high
    if merged != ZERO:  # after a merge, values differ from steps, so every tail is followed back, too
        ones = s1 - s0  # tails of value 1; only starts have it
        s1 = _passed(
            ends_low,
            ends_high,
            above_low,
            above_high,
            below_low,
            below_high,
            left_low,
            left_high,
            right_low,
            right_high,
        )
        s0 = s1 - ones
    return s0, s1, np.int64(most), seen_low, seen_high


@compiled
def ignite(board: Any, work: Any) -> Any:
    """Ignites a board, which isn't changed: (attack, most tails of one start, plane of cells that pop: low, high)."""
    low, high = lit(board)
    if count(low, high) < MANY_STARTS:
        s0, s1, t, pop_low, pop_high = _burn(board, low, high, work)
    else:
        s0, s1, t, pop_low, pop_high = _burn_many(board, low, high, work)
    return (100 * s0 + 4 * t * s1) // 100, t, pop_low, pop_high

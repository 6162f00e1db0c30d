"""Ignitions on bit planes (imports numba): sums, attack, whether a tie was met, and what is left.

A *board* and its planes are described in ``ochibot.nyaa.kernels.packed``. Ties are settled by the profile's rule: the
first in reading order wins, of the starts on MVS and of the cells claiming on the PS2. All cells of one step are moved
at once, so a board costs some operations for each step and, on MVS, for each start.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from ochibot.jit.lanes import LANES, any_of, compiled, inlined, only, popcount, sum_of
from ochibot.nyaa.kernels.bits import (
    ONE,
    ZERO,
    U,
    beside,
    blocks,
    burn_out,
    copy,
    count,
    from_left,
    from_right,
    links,
    lit,
    lowest,
    trailing_zeros,
)

__all__ = [  # the search's kernels take these from here, so that they depend on one module
    "ONE",
    "WORK_WORDS",
    "ZERO",
    "U",
    "beside",
    "blocks",
    "burn_out",
    "ignite",
]

MOST_STARTS: Final = 84
# The words of a start in scratch memory: where its wave is, how many tails it has, its place in reading order.
FRONT_LOW, FRONT_HIGH, START_TAILS, START_KEY = range(4)
START_WORDS: Final = 4
WORK_WORDS: Final = START_WORDS * MOST_STARTS
"""Words of scratch memory that a board needs."""

ATTACK, S0, S1, T, POPPED, TIED = range(6)
"""Columns of the results. T is 0 on the PS2, where it doesn't count. POPPED: blocks, nuisance not included. TIED: 1
when the sources leave open who gets some cell."""
RESULTS: Final = 6


@compiled
def _burn_ps2(board: Any, front_low: Any, front_high: Any) -> Any:
    """(s0, s1, cells that pop: low, high, tie) on the PS2: every cell has one parent."""
    up_low, up_high, side_low, side_high = links(board)
    free_low, free_high = blocks(board)
    ties = seen_low = seen_high = ZERO
    s0 = s1 = step = 0
    while (front_low | front_high) != ZERO:
        step += 1
        seen_low |= front_low
        seen_high |= front_high
        free_low &= ~front_low
        free_high &= ~front_high
        # claims, named by the way the wave goes
        down_low = (front_low >> ONE) & up_low & free_low
        down_high = (front_high >> ONE) & up_high & free_high
        rise_low = ((front_low & up_low) << ONE) & free_low
        rise_high = ((front_high & up_high) << ONE) & free_high
        right_low, right_high = from_left(front_low & side_low, front_high & side_high)
        left_low, left_high = from_right(front_low, front_high)
        plain_low = free_low & ~(down_low | rise_low)
        plain_high = free_high & ~(down_high | rise_high)
        right_low &= plain_low
        right_high &= plain_high
        left_low &= side_low & plain_low
        left_high &= side_high & plain_high
        ties |= (down_low & rise_low) | (down_high & rise_high) | (right_low & left_low) | (right_high & left_high)
        # the upper one of two parents wins, and the left one
        rise_low &= ~down_low
        rise_high &= ~down_high
        left_low &= ~right_low
        left_high &= ~right_high
        back_low, back_high = from_right(right_low, right_high)
        forth_low, forth_high = from_left(left_low, left_high)
        ends_low = front_low & ~((down_low << ONE) | (rise_low >> ONE) | back_low | forth_low)
        ends_high = front_high & ~((down_high << ONE) | (rise_high >> ONE) | back_high | forth_high)
        values = step * count(ends_low, ends_high)
        s1 += values
        s0 += values if step > 1 else 0
        front_low = down_low | rise_low | right_low | left_low
        front_high = down_high | rise_high | right_high | left_high
    return s0, s1, seen_low, seen_high, ties != ZERO


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
    """How many cells the waves have passed that end at the cells ``ends``, those cells included; summed over them.

    The other planes hold the cells that have a parent above them, below, to the left and to the right. Eight ends are
    followed back together.
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
    """Lists the single cells of a plane as starts in ``work``, in reading order. Returns how many there are."""
    many = 0
    while (low | high) != ZERO:
        one_low, one_high = lowest(low, high)
        bit = trailing_zeros(low) if low != ZERO else trailing_zeros(high) + U(64)
        low &= ~one_low
        high &= ~one_high
        key = (U(15) - (bit & U(15))) * U(8) + (bit >> U(4))  # by row from the top, then by column
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
def _burn_mvs(board: Any, all_low: Any, all_high: Any, work: Any) -> Any:
    """(s0, s1, t, cells that pop: low, high, tie) on MVS: waves of one start merge."""
    up_low, up_high, side_low, side_high = links(board)
    free_low, free_high = blocks(board)
    owners = _order(all_low, all_high, work)
    above_low = above_high = below_low = below_high = ZERO
    left_low = left_high = right_low = right_high = ZERO
    ends_low = ends_high = seen_low = seen_high = ties = merged = ZERO
    s0 = s1 = step = 0
    while (all_low | all_high) != ZERO:
        step += 1
        seen_low |= all_low
        seen_high |= all_high
        free_low &= ~all_low
        free_high &= ~all_high
        # where a vertical claim is made, no horizontal one of another start counts
        plain_low = free_low & ~(((all_low >> ONE) & up_low) | ((all_low & up_low) << ONE))
        plain_high = free_high & ~(((all_high >> ONE) & up_high) | ((all_high & up_high) << ONE))
        all_low = all_high = ZERO
        for o in range(owners):
            front_low, front_high = work[START_WORDS * o + FRONT_LOW], work[START_WORDS * o + FRONT_HIGH]
            if (front_low | front_high) == ZERO:
                continue
            # claims, named by the way the wave goes
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
            ties |= (strong_low & all_low) | (strong_high & all_high)
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
    if merged != ZERO:  # values are no longer steps: follow every tail back
        ones = s1 - s0  # tails of value 1, which only starts are
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
    return s0, s1, np.int64(most), seen_low, seen_high, ties != ZERO


@compiled
def ignite(board: Any, mvs: Any, work: Any) -> Any:
    """(attack, s0, s1, t, cells that pop: low, high, tie) of a board, which stays as it is."""
    low, high = lit(board)
    if mvs:
        s0, s1, t, pop_low, pop_high, tie = _burn_mvs(board, low, high, work)
        return (100 * s0 + 4 * t * s1) // 100, s0, s1, t, pop_low, pop_high, tie
    s0, s1, pop_low, pop_high, tie = _burn_ps2(board, low, high)
    return (s1 if s1 != 1 else 0), s0, s1, 0, pop_low, pop_high, tie


@compiled
def resolve(board: Any, mvs: Any, work: Any, result: Any) -> None:
    """Ignites a board and leaves in it what is left after the fall. ``result``: see ``ATTACK`` and the others."""
    attack, s0, s1, t, pop_low, pop_high, tie = ignite(board, mvs, work)
    burn_out(board, pop_low, pop_high, 0, 1)
    result[ATTACK] = attack
    result[S0] = s0
    result[S1] = s1
    result[T] = t
    result[POPPED] = count(pop_low, pop_high)
    result[TIED] = 1 if tie else 0


@compiled
def resolve_boards(boards: Any, mvs: Any, work: Any, results: Any) -> None:
    """Resolves every row of ``boards``, (n, 18) uint64, in place. ``results``: (n, 6) int64."""
    for i in range(boards.shape[0]):
        resolve(boards[i], mvs, work, results[i])


@compiled
def value_boards(boards: Any, mvs: Any, work: Any, results: Any) -> None:
    """The same without the fall: ``boards`` stay as they are."""
    for i in range(boards.shape[0]):
        attack, s0, s1, t, pop_low, pop_high, tie = ignite(boards[i], mvs, work)
        results[i, ATTACK] = attack
        results[i, S0] = s0
        results[i, S1] = s1
        results[i, T] = t
        results[i, POPPED] = count(pop_low, pop_high)
        results[i, TIED] = 1 if tie else 0


@compiled
def repeat_resolve(boards: Any, mvs: Any, times: Any, fall: Any, board: Any, work: Any, sums: Any) -> None:
    """Ignites copies of many boards, ``times`` times over, for the benchmark; ``fall``: and lets them fall.

    ``board``: scratch for one. ``sums``, 2 int64, is added all attacks and all blocks popped.
    """
    attacks = popped = 0
    for _ in range(times):
        for i in range(boards.shape[0]):
            copy(boards, i, board)
            attack, _, _, _, pop_low, pop_high, _ = ignite(board, mvs, work)
            if fall:
                burn_out(board, pop_low, pop_high, 0, 1)
            attacks += attack
            popped += count(pop_low, pop_high)
    sums[0] += attacks
    sums[1] += popped

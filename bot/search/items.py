"""Items on bit planes (imports numba): where they can come to rest, and what they do there.

An item is a "colour" from ``BIG_ITEM``; it has no orientation, and its locks are written as those of an upright pair.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from bot.jit.lanes import compiled, popcount
from bot.puyo import BIG, CARBUNCLE
from bot.puyo.bits import (
    COLUMN,
    LANE,
    LANES,
    NUISANCE_HIGH,
    NUISANCE_LOW,
    ONE,
    ZERO,
    U,
    from_left,
    from_right,
    occupied,
)
from bot.puyo.special import kept, moving

BIG_ITEM: Final = BIG - 1
CARBUNCLE_ITEM: Final = CARBUNCLE - 1
_UP: Final = 2


@compiled
def find_item_locks(g: Any, spots: Any, low: Any, high: Any, item: Any, column: Any, row: Any) -> None:
    """Writes all locks of an item to ``spots`` [2] and [6] (the other words become 0), for the puyos ``low``, ``high``.

    The big puyo may start on puyos, but moves only to where its four cells are empty.
    """
    fit_low, fit_high = moving(g) & ~low, moving(g) & ~high
    start_low = start_high = ZERO
    if column < 3:
        start_low = ONE << U(16 * column + row)
    else:
        start_high = ONE << U(16 * (column - 3) + row)
    if item == BIG_ITEM:
        fit_low, fit_high = fit_low & (fit_low >> ONE), fit_high & (fit_high >> ONE)
        right_low, right_high = from_right(fit_low, fit_high)
        fit_low, fit_high = fit_low & right_low, fit_high & right_high
        inside_low = kept(g) & (moving(g) >> ONE)
        inside_high = inside_low & (moving(g) >> COLUMN)
        start_low, start_high = start_low & inside_low, start_high & inside_high
    else:
        start_low, start_high = start_low & fit_low, start_high & fit_high
    fit_low &= kept(g)
    fit_high &= kept(g)
    growing = True
    while growing:
        left_low, left_high = from_right(start_low, start_high)
        right_low, right_high = from_left(start_low, start_high)
        more_low = start_low | ((left_low | right_low | (start_low >> ONE)) & fit_low)
        more_high = start_high | ((left_high | right_high | (start_high >> ONE)) & fit_high)
        growing = more_low != start_low or more_high != start_high
        start_low, start_high = more_low, more_high
    for i in range(8):
        spots[i] = ZERO
    spots[_UP] = start_low & ~(fit_low << ONE)
    spots[_UP + 4] = start_high & ~(fit_high << ONE)


@compiled
def _lanes(word: Any) -> Any:
    """The whole columns of the cells of a word."""
    lanes = ZERO
    for k in range(3):
        lane = LANE << U(16 * k)
        if word & lane != ZERO:
            lanes |= lane
    return lanes


@compiled
def lock_item(g: Any, board: Any, item: Any, low: Any, high: Any) -> Any:
    """What an item at rest with its cell at ``low``, ``high`` does. Returns the puyos that it clears.

    ::

        big:        .**...      ......      carbuncle:    .R&B..      .G.G..
                    .**...      ......                    .YGR..  ->  .YGR..
                    GRBo..  ->  G..o..
    """
    if item == BIG_ITEM:
        # The columns of the lower left cell and of its right neighbour.
        lane_low, lane_high = _lanes(low), _lanes(high)
        right_low, right_high = from_left(lane_low, lane_high)
        lane_low |= right_low
        lane_high |= right_high
        all_low, all_high = occupied(g, board)
        for c in range(LANES):
            board[c] &= ~lane_low
            board[c + LANES] &= ~lane_high
        board[NUISANCE_LOW] &= ~lane_low
        board[NUISANCE_HIGH] &= ~lane_high
        return np.int64(popcount(all_low & lane_low) + popcount(all_high & lane_high))
    left_low, left_high = from_left(low, high)
    right_low, right_high = from_right(low, high)
    near_low, near_high = left_low | right_low, left_high | right_high
    below = -1
    for c in range(LANES):
        if (board[c] & (low >> ONE)) | (board[c + LANES] & (high >> ONE)) != ZERO:
            below = c
    if below >= 0:
        all_low, all_high = occupied(g, board)
        near_low &= all_low & ~board[NUISANCE_LOW]
        near_high &= all_high & ~board[NUISANCE_HIGH]
        for c in range(LANES):
            board[c] &= ~near_low
            board[c + LANES] &= ~near_high
        board[below] |= near_low
        board[below + LANES] |= near_high
    return 0

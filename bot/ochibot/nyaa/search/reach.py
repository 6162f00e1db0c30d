"""The kernel of reachable locks (imports numba): a search through all places of the falling pair on a grid at rest."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from ochibot.jit.lanes import compiled, inlined
from ochibot.nyaa.kernels.bits import ONE, ZERO, U
from ochibot.nyaa.rules.grid import COLUMNS
from ochibot.nyaa.rules.pair import ALL_ROWS, SPAWN
from ochibot.nyaa.search.locks import OPEN_HEIGHT, lock_order
from ochibot.nyaa.search.question import PLACES

_ORDER: Final = lock_order()
LOCKS: Final = len(_ORDER)
LOCK_COLUMN: Final = np.array([x - 1 for x, _, _ in _ORDER], np.int64)
LOCK_ORIENTATION: Final = np.array([orientation for _, orientation, _ in _ORDER], np.int64)
LOCK_NEEDLE: Final = np.array([needle for _, _, needle in _ORDER], np.bool_)
LOCK_BIT: Final = np.array([4 * (x - 1) + orientation for x, orientation, _ in _ORDER], np.uint64)
"""The bit of each lock in a set of locks. A lock as needles has the same bit as blocks: both reach the same places."""
ALL_LOCKS: Final = U(sum(1 << int(bit) for bit in set(LOCK_BIT.tolist())))
STEP_X: Final = np.array([0, -1, 0, 1], np.int64)
_STEP_Y: Final = np.array([1, 0, -1, 0], np.int64)

SPAWN_Y: Final = SPAWN.y
UP: Final = int(SPAWN.orientation)


@inlined
def _fits(heights: Any, x: Any, y: Any, o: Any) -> Any:
    u, v = x + STEP_X[o], y + _STEP_Y[o]
    inside = 0 <= x < COLUMNS and 0 <= u < COLUMNS and y >= 0 and v >= 0
    return inside and y + heights[x] < ALL_ROWS and v + heights[u] < ALL_ROWS


@compiled
def reachable(heights: Any, x: Any, y: Any, o: Any, spots: Any) -> Any:
    """The set of locks that a pair at column x (from 0), row y (from the top, 0 hidden) can reach; 0 if it doesn't fit.

    A place in the air counts as the lock below it, because the pair can drop there.
    """
    highest = 0
    for column in range(COLUMNS):
        highest = max(highest, heights[column])
    if 0 <= x < COLUMNS and y == SPAWN_Y and o == UP and highest <= OPEN_HEIGHT:
        return ALL_LOCKS
    found = ZERO
    if not (0 <= x < COLUMNS and 0 <= y < ALL_ROWS and _fits(heights, x, y, o)):
        return found
    for i in range(PLACES):
        spots[PLACES + i] = 0
    first = (y * COLUMNS + x) * 4 + o
    spots[0] = first
    spots[PLACES + first] = 1
    waiting = 1
    while waiting:
        waiting -= 1
        place = spots[waiting]
        o = place & 3
        x = (place >> 2) % COLUMNS
        y = (place >> 2) // COLUMNS
        found |= ONE << U(4 * x + o)
        for action in range(5):
            to_x, to_y, to_o = x, y, o
            if action < 2:
                to_x += 2 * action - 1
            elif action == 4:
                to_y += 1
            else:
                to_o = (o + (1 if action == 2 else 3)) & 3
                if not _fits(heights, to_x, to_y, to_o):
                    to_x -= STEP_X[to_o]
                    to_y -= _STEP_Y[to_o]
            if _fits(heights, to_x, to_y, to_o):
                after = (to_y * COLUMNS + to_x) * 4 + to_o
                if spots[PLACES + after] == 0:
                    spots[PLACES + after] = 1
                    spots[waiting] = after
                    waiting += 1
    return found

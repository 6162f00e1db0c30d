"""The kernel of reachable locks (imports numba): breadth-first search as a flood over planes of positions.

Four planes say where the axis can be, one for each orientation (0 down, 1 left, 2 up, 3 right: where the partner
lies); *spots* is an array of 16 words: [0:4] and [4:8] the low and high words of positions where the pair fits, later
of locks, [8:12] and [12:16] those of the positions reached.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from bot.jit.lanes import compiled, inlined
from bot.puyo import Orientation, rules
from bot.puyo.bits import COLUMN, LANE, ONE, ZERO, U, from_left, from_right
from bot.puyo.special import has_kicks, has_quick_turn, kept, moving, obstacles, spawn_row
from bot.search.locks import lock_order

_ORDER: Final = lock_order()
LOCKS: Final = len(_ORDER)
"""Locks of an open field."""

LOCK_ORIENTATION: Final = np.array([orientation for _, orientation in _ORDER], np.int64)
LOCK_COLUMN: Final = np.array([x - 1 for x, _ in _ORDER], np.int64)
LOCK_LOW: Final = np.array([0xFFFF << 16 * (x - 1) if x <= 3 else 0 for x, _ in _ORDER], np.uint64)
"""The axis's column of each lock, as a plane, low word; LOCK_HIGH its high word."""
LOCK_HIGH: Final = np.array([0xFFFF << 16 * (x - 4) if x > 3 else 0 for x, _ in _ORDER], np.uint64)


def _single(x: int, orientation: Orientation) -> bool:
    """Whether a pair of one colour uses this lock rather than its twin, which comes later in the order."""
    twins = {
        Orientation.UP: True,
        Orientation.DOWN: False,
        Orientation.LEFT: x <= rules.SPAWN_COLUMN,
        Orientation.RIGHT: x >= rules.SPAWN_COLUMN,
    }
    return twins[orientation]


ALL_LOCKS: Final = U((1 << LOCKS) - 1)
"""Bit i: the i-th lock of the order, on an open field, for a pair of two colours; then of one."""
SINGLE_LOCKS: Final = U(sum(1 << i for i, lock in enumerate(_ORDER) if _single(*lock)))
SPAWN_COLUMN: Final = rules.SPAWN_COLUMN - 1
_UP: Final = int(Orientation.UP)
_WEST: Final = U(LANE | LANE << COLUMN)  # x = 1, 2 of the low word


@inlined
def towards(low: Any, high: Any, orientation: Any) -> Any:
    """A plane moved one cell in the direction of an orientation."""
    if orientation == 0:
        return low >> ONE, high >> ONE
    if orientation == 1:
        return from_right(low, high)
    if orientation == 2:
        return low << ONE, high << ONE
    return from_left(low, high)


@inlined
def _fit(g: Any, spots: Any, low: Any, high: Any) -> None:
    """Writes where the pair fits, for the puyos ``low``, ``high``: the axis's cell and the partner's are empty."""
    empty_low, empty_high = moving(g) & ~low, moving(g) & ~high
    for o in range(4):
        # The cell towards o is empty where the empty cells, moved the other way, are.
        there_low, there_high = towards(empty_low, empty_high, (o + 2) & 3)
        spots[o] = kept(g) & empty_low & there_low
        spots[o + 4] = kept(g) & empty_high & there_high


@compiled
def _flood(g: Any, spots: Any, column: Any, row: Any, orientation: Any) -> None:
    """Writes the positions reached from one, given where the pair fits: shifts, sinking, turns and kicks."""
    for i in range(8, 16):
        spots[i] = ZERO
    start = ONE << U(16 * (column % 3) + row)
    if column < 3:
        spots[8 + orientation] = start & spots[orientation]
    else:
        spots[12 + orientation] = start & spots[4 + orientation]
    growing = True
    while growing:
        growing = False
        for o in range(4):
            low, high = spots[8 + o], spots[12 + o]
            left_low, left_high = from_right(low, high)
            right_low, right_high = from_left(low, high)
            more_low = (low | left_low | right_low | (low >> ONE)) & spots[o]
            more_high = (high | left_high | right_high | (high >> ONE)) & spots[4 + o]
            growing |= more_low != low or more_high != high
            spots[8 + o] = more_low
            spots[12 + o] = more_high
            for turn in (1, 3):
                to = (o + turn) & 3
                fit_low, fit_high = spots[to], spots[4 + to]
                turned_low, turned_high = spots[8 + to] | (more_low & fit_low), spots[12 + to] | (more_high & fit_high)
                stuck_low, stuck_high = more_low & ~fit_low, more_high & ~fit_high
                if has_kicks(g):
                    # Where the partner's new cell isn't free, the axis is kicked away from it.
                    kick_low, kick_high = towards(stuck_low, stuck_high, (to + 2) & 3)
                    kick_low &= fit_low
                    kick_high &= fit_high
                    turned_low |= kick_low
                    turned_high |= kick_high
                    if has_quick_turn(g):
                        kick_low, kick_high = towards(kick_low, kick_high, to)
                        stuck_low &= ~kick_low
                        stuck_high &= ~kick_high
                if has_quick_turn(g) and o & 1 == 0:
                    growing |= _turn_over(spots, o ^ 2, stuck_low, stuck_high)
                growing |= turned_low != spots[8 + to] or turned_high != spots[12 + to]
                spots[8 + to] = turned_low
                spots[12 + to] = turned_high


@compiled
def _turn_over(spots: Any, to: Any, low: Any, high: Any) -> Any:
    """Adds what upright pairs at ``low``, ``high`` become when they turn over; whether that is anything new."""
    fit_low, fit_high = spots[to], spots[4 + to]
    kick_low, kick_high = towards(low & ~fit_low, high & ~fit_high, to ^ 2)
    turned_low = spots[8 + to] | ((low | kick_low) & fit_low)
    turned_high = spots[12 + to] | ((high | kick_high) & fit_high)
    new = turned_low != spots[8 + to] or turned_high != spots[12 + to]
    spots[8 + to] = turned_low
    spots[12 + to] = turned_high
    return new


@compiled
def find_locks(
    g: Any, spots: Any, low: Any, high: Any, settled: Any, column: Any, row: Any, orientation: Any, single: Any
) -> None:
    """Writes all locks to ``spots`` [0:8], for the puyos ``low``, ``high`` and a pair that starts at an axis cell.

    ``settled``: no puyo floats. ``single``: the pair is of one colour; of two locks on the same cells the later one
    in the order is left out. The flood runs only when something is high enough to be in the way.
    """
    _fit(g, spots, low, high)
    at_spawn = column == SPAWN_COLUMN and row == np.int64(spawn_row(g)) and orientation == _UP
    if settled and at_spawn and ((low | high) & obstacles(g)) == ZERO:
        for i in range(8):
            spots[8 + i] = spots[i]
    else:
        _flood(g, spots, column, row, orientation)
    for i in range(8):
        spots[i] = spots[8 + i] & ~(spots[i] << ONE)  # what can't sink
    if single:
        spots[0] &= ~(spots[2] << ONE)
        spots[4] &= ~(spots[6] << ONE)
        right_twins, _ = from_right(spots[1], spots[5])  # lying to the right from here is what lies left from there
        _, left_twins = from_left(spots[3], spots[7])
        spots[3] &= ~(right_twins & _WEST)
        spots[5] &= ~left_twins


@inlined
def reply_locks(g: Any, spots: Any, low: Any, high: Any, single: Any) -> Any:
    """Which of the 22 locks a new pair can reach on a settled field, as bits in the order of locks."""
    if ((low | high) & obstacles(g)) == ZERO:
        return SINGLE_LOCKS if single else ALL_LOCKS
    find_locks(g, spots, low, high, True, SPAWN_COLUMN, np.int64(spawn_row(g)), _UP, single)
    bits = ZERO
    for i in range(LOCKS):
        o = LOCK_ORIENTATION[i]
        if (spots[o] & LOCK_LOW[i]) | (spots[o + 4] & LOCK_HIGH[i]):
            bits |= ONE << U(i)
    return bits

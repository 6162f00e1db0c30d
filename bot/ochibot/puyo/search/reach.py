"""The kernel of reachable locks (imports numba): breadth-first search as a flood over planes of positions.

Four planes say where the axis can be, one for each orientation (0 down, 1 left, 2 up, 3 right: where the partner lies).
*spots* is an array of 16 words. [0:4] and [4:8] are the west and east words of the positions where the pair fits, and
later of the locks. [8:12] and [12:16] are those of the positions reached.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from ochibot.falling.orientation import Orientation
from ochibot.jit.lanes import compiled, inlined
from ochibot.puyo.kernels.bits import ONE, ZERO, U, from_left, from_right
from ochibot.puyo.kernels.special import (
    has_kicks,
    has_quick_turn,
    kept_east,
    kept_west,
    moving_east,
    moving_west,
    obstacles,
    spawn_row,
    turns_in_box,
)
from ochibot.puyo.rules import profile as rules
from ochibot.puyo.search.locks import lock_order

_ORDER: Final = lock_order()
LOCKS: Final = len(_ORDER)
"""The number of locks on an open field."""

LOCK_ORIENTATION: Final = np.array([orientation for _, orientation in _ORDER], np.int64)
LOCK_COLUMN: Final = np.array([x - 1 for x, _ in _ORDER], np.int64)
LOCK_WEST: Final = np.array([0xFFFF << 16 * (x - 1) if x <= 4 else 0 for x, _ in _ORDER], np.uint64)
"""For each lock, the west word of a plane with the axis's whole column. LOCK_EAST has the east words."""
LOCK_EAST: Final = np.array([0xFFFF << 16 * (x - 5) if x > 4 else 0 for x, _ in _ORDER], np.uint64)


def _single(x: int, orientation: Orientation) -> bool:
    """Whether this lock is the earlier of the two that put a pair of one colour on the same two cells."""
    twins = {
        Orientation.UP: True,
        Orientation.DOWN: False,
        Orientation.LEFT: x <= rules.SPAWN_COLUMN,
        Orientation.RIGHT: x >= rules.SPAWN_COLUMN,
    }
    return twins[orientation]


ALL_LOCKS: Final = U((1 << LOCKS) - 1)
"""All locks as bits: bit i stands for the i-th lock of an open field. SINGLE_LOCKS has those of a pair of one colour.
"""
SINGLE_LOCKS: Final = U(sum(1 << i for i, lock in enumerate(_ORDER) if _single(*lock)))
SPAWN_COLUMN: Final = rules.SPAWN_COLUMN - 1
_UP: Final = int(Orientation.UP)
# the columns left and right of the spawn column, in the west word
_COLUMNS_LEFT: Final = U((1 << 16 * SPAWN_COLUMN) - 1)
_COLUMNS_RIGHT: Final = U(0xFFFF << 16 * (SPAWN_COLUMN + 1))


@inlined
def towards(west: Any, east: Any, orientation: Any) -> Any:
    """A plane moved one cell in the direction of an orientation."""
    if orientation == 0:
        return west >> ONE, east >> ONE
    if orientation == 1:
        return from_right(west, east)
    if orientation == 2:
        return west << ONE, east << ONE
    return from_left(west, east)


@inlined
def fit(g: Any, spots: Any, west: Any, east: Any) -> None:
    """Writes to ``spots`` [0:8] the positions where both halves lie on empty cells. west, east: all puyos."""
    empty_west, empty_east = moving_west(g) & ~west, moving_east(g) & ~east
    for o in range(4):
        # the empty cells, moved against direction o, are the cells whose neighbour towards o is empty
        there_west, there_east = towards(empty_west, empty_east, (o + 2) & 3)
        spots[o] = kept_west(g) & empty_west & there_west
        spots[o + 4] = kept_east(g) & empty_east & there_east


@inlined
def _to_boxes(spots: Any) -> None:
    """Puts the lower left cells of the boxes that pairs turn in where the axes were. So turns leave positions alone."""
    for first in (0, 8):
        spots[first] >>= ONE
        spots[first + 4] >>= ONE
        spots[first + 1], spots[first + 5] = from_right(spots[first + 1], spots[first + 5])


@inlined
def _to_axes(spots: Any) -> None:
    """The reverse of ``_to_boxes``."""
    for first in (0, 8):
        spots[first] <<= ONE
        spots[first + 4] <<= ONE
        spots[first + 1], spots[first + 5] = from_left(spots[first + 1], spots[first + 5])


@compiled
def _flood(g: Any, spots: Any, column: Any, row: Any, orientation: Any) -> None:
    """Writes to ``spots`` [8:16] the positions that a pair reaches from one position by shifts, sinking, turns and
    kicks. ``spots`` [0:8] must hold the positions where the pair fits.
    """
    for i in range(8, 16):
        spots[i] = ZERO
    start = ONE << U(16 * (column % 4) + row)
    if column < 4:
        spots[8 + orientation] = start & spots[orientation]
    else:
        spots[12 + orientation] = start & spots[4 + orientation]
    boxed = ZERO - turns_in_box(g)  # all bits or none: a mask takes less code than a branch in the browser's engine
    if turns_in_box(g):
        _to_boxes(spots)
    growing = True
    while growing:
        growing = False
        for o in range(4):
            west, east = spots[8 + o], spots[12 + o]
            left_west, left_east = from_right(west, east)
            right_west, right_east = from_left(west, east)
            more_west = (west | left_west | right_west | (west >> ONE)) & spots[o]
            more_east = (east | left_east | right_east | (east >> ONE)) & spots[4 + o]
            growing |= more_west != west or more_east != east
            spots[8 + o] = more_west
            spots[12 + o] = more_east
            for turn in (1, 3):
                to = (o + turn) & 3
                fit_west, fit_east = spots[to], spots[4 + to]
                turned_west, turned_east = (
                    spots[8 + to] | (more_west & fit_west),
                    spots[12 + to] | (more_east & fit_east),
                )
                stuck_west, stuck_east = more_west & ~fit_west, more_east & ~fit_east
                if has_kicks(g):
                    # Where the partner's new cell isn't free, the axis is kicked away from it, a box to the left.
                    kick_west, kick_east = towards(stuck_west, stuck_east, (to + 2) & 3)
                    left_west, left_east = from_right(stuck_west, stuck_east)
                    kick_west = (kick_west & ~boxed) | (left_west & boxed)
                    kick_east = (kick_east & ~boxed) | (left_east & boxed)
                    kick_west &= fit_west
                    kick_east &= fit_east
                    turned_west |= kick_west
                    turned_east |= kick_east
                    if has_quick_turn(g):
                        kick_west, kick_east = towards(kick_west, kick_east, to)
                        stuck_west &= ~kick_west
                        stuck_east &= ~kick_east
                if has_quick_turn(g) and o & 1 == 0:
                    growing |= _turn_over(spots, o ^ 2, stuck_west, stuck_east)
                growing |= turned_west != spots[8 + to] or turned_east != spots[12 + to]
                spots[8 + to] = turned_west
                spots[12 + to] = turned_east
    if turns_in_box(g):
        _to_axes(spots)


@compiled
def _turn_over(spots: Any, to: Any, west: Any, east: Any) -> Any:
    """Turns over the upright pairs at ``west``, ``east``, and adds their new positions to ``spots``.

    ``to``: their orientation after that. Returns whether any position is new.
    """
    fit_west, fit_east = spots[to], spots[4 + to]
    kick_west, kick_east = towards(west & ~fit_west, east & ~fit_east, to ^ 2)
    turned_west = spots[8 + to] | ((west | kick_west) & fit_west)
    turned_east = spots[12 + to] | ((east | kick_east) & fit_east)
    new = turned_west != spots[8 + to] or turned_east != spots[12 + to]
    spots[8 + to] = turned_west
    spots[12 + to] = turned_east
    return new


@compiled
def find_locks(
    g: Any, spots: Any, west: Any, east: Any, settled: Any, column: Any, row: Any, orientation: Any, single: Any
) -> None:
    """Writes to ``spots`` [0:8] all locks of a pair whose axis starts at ``column``, ``row``. west, east: all puyos.

    ``settled``: no puyo floats. ``single``: the pair has one colour; of two locks on the same cells, the later one in
    the order is left out. The flood isn't needed for a pair at the spawn of a settled field where no puyo is in its
    way.
    """
    fit(g, spots, west, east)
    at_spawn = column == SPAWN_COLUMN and row == np.int64(spawn_row(g)) and orientation == _UP
    if settled and at_spawn and ((west | east) & obstacles(g)) == ZERO:
        for i in range(8):
            spots[8 + i] = spots[i]
    else:
        _flood(g, spots, column, row, orientation)
    for i in range(8):
        spots[i] = spots[8 + i] & ~(spots[i] << ONE)  # positions that can't sink
    if single:
        spots[0] &= ~(spots[2] << ONE)
        spots[4] &= ~(spots[6] << ONE)
        # (x, RIGHT) and (x + 1, LEFT) cover the same cells: only the earlier in the order is kept
        right_twins, _ = from_right(spots[1], spots[5])
        left_twins, left_twins_east = from_left(spots[3], spots[7])
        spots[3] &= ~(right_twins & _COLUMNS_LEFT)
        spots[1] &= ~(left_twins & _COLUMNS_RIGHT)
        spots[5] &= ~left_twins_east


@inlined
def lock_bits(spots: Any) -> Any:
    """The locks that ``find_locks`` has found, as bits in the order of locks."""
    bits = ZERO
    for i in range(LOCKS):
        o = LOCK_ORIENTATION[i]
        if (spots[o] & LOCK_WEST[i]) | (spots[o + 4] & LOCK_EAST[i]):
            bits |= ONE << U(i)
    return bits


@inlined
def reply_locks(g: Any, spots: Any, west: Any, east: Any, single: Any) -> Any:
    """Which of the 22 locks a new pair can reach on a settled field, as bits in the order of locks."""
    if ((west | east) & obstacles(g)) == ZERO:
        return SINGLE_LOCKS if single else ALL_LOCKS
    find_locks(g, spots, west, east, True, SPAWN_COLUMN, np.int64(spawn_row(g)), _UP, single)
    return lock_bits(spots)

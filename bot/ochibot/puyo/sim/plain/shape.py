"""A game's rules as numbers, and the sizes and constants that the functions of this package share.

Its functions move planes of cells and read column heights.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from ochibot.puyo.rules.field import COLORS, COLUMNS, ROWS
from ochibot.puyo.rules.profile import SPAWN_COLUMN, Rules
from ochibot.puyo.search.locks import lock_order

U: Final = np.uint64
ZERO, ONE, LANE, EAST = U(0), U(1), U(0xFFFF), U(0xFFFF_FFFF)
FLOOR: Final = U(0x0001_0001_0001_0001)
"""The lowest row of a word."""
COLORS_OF_ALL: Final = len(COLORS)
BOARD: Final = 2 * COLORS_OF_ALL
"""Words (uint64) that a board takes: two for each colour."""
FLOOD: Final = 16
"""Words of memory for the search for reachable positions, a flood fill as in ``ochibot.puyo.search.reach``."""
WORK: Final = 2 * BOARD + FLOOD
"""Words of scratch memory that a game needs: the boards after the first and the second pair, and the flood fill."""
HEIGHTS: Final = ROWS + 1
"""How many heights a column can have, 0 included."""
SPAWN: Final = SPAWN_COLUMN - 1

_ORDER: Final = lock_order()
LOCKS: Final = len(_ORDER)
LOCK_COLUMN: Final = np.array([x - 1 for x, _ in _ORDER], np.int64)
LOCK_TURN: Final = np.array([int(orientation) for _, orientation in _ORDER], np.int64)
PARTNER_COLUMN: Final = LOCK_COLUMN + np.array([(0, -1, 0, 1)[turn] for turn in LOCK_TURN])
AXIS_UP: Final = np.array([turn == 0 for turn in LOCK_TURN], np.int64)
"""For each lock, how many rows above the lowest free cell of its column the axis comes to rest: 0 or 1. PARTNER_UP:
the same for the partner.
"""
PARTNER_UP: Final = np.array([turn == 2 for turn in LOCK_TURN], np.int64)

VISIBLE, KEPT, CLEAR_SIZE, KICKS, QUICK_TURN, BOX = range(6)
GROUPING_WEST, GROUPING_EAST, KEPT_WEST, KEPT_EAST, MOVING_WEST, MOVING_EAST = range(6)


class Target(NamedTuple):
    """What numba compiles for, such as the processor or a GPU.

    jit: compiles a function for it. popcount: the number of bits set in a uint64, as int64. times, plus: the product
    and the sum of two float64, each rounded separately. (A GPU would otherwise fuse them, round only once, and value
    some boards differently.)
    """

    jit: Callable[[Any], Any]
    popcount: Callable[[Any], Any]
    times: Callable[..., Any]
    plus: Callable[..., Any]


class Shape(NamedTuple):
    """A game's rules as arrays. numbers: int64, indexed by ``VISIBLE`` and so on. masks: uint64, indexed by
    ``GROUPING_WEST`` and so on. stacks: int64 (COLUMNS, HEIGHTS, 2), what a column filled to each height adds to the
    metrics ``edge`` and ``spawn``.
    """

    numbers: npt.NDArray[np.int64]
    masks: npt.NDArray[np.uint64]
    stacks: npt.NDArray[np.int64]


def shape_of(rules: Rules) -> Shape:
    """Puts a game's rules into arrays."""
    g = rules.geometry()

    def lanes(rows: int, columns: int) -> int:
        return sum(((1 << rows) - 1) << 16 * x for x in range(columns))

    masks = [lanes(rows, columns) for rows in (g.grouping, g.kept, g.moving) for columns in (4, COLUMNS - 4)]
    stacks = np.zeros((COLUMNS, HEIGHTS, 2), np.int64)
    far = COLUMNS - SPAWN_COLUMN + g.visible - 1
    for x in range(COLUMNS):
        for row in range(ROWS):
            near = far - abs(x - SPAWN) - abs(row - (g.visible - 1))
            sides = (x == 0) + (x == COLUMNS - 1) + (row == 0)
            stacks[x, row + 1] = stacks[x, row] + ((sides, near * near) if row < g.kept else (0, 0))
    numbers = np.array([g.visible, g.kept, g.clear_size, g.kicks, g.quick_turn, g.box], np.int64)
    return Shape(numbers, np.array(masks, np.uint64), stacks)


_C1, _C3 = U(16), U(48)


class Planes(NamedTuple):
    """The functions on planes, compiled for one target."""

    rightward: Any
    leftward: Any
    towards: Any
    puyos: Any
    height: Any


def planes_of(target: Target) -> Planes:
    """Makes the functions for a target."""
    jit, popcount = target.jit, target.popcount

    @jit
    def rightward(west: Any, east: Any) -> Any:
        return west << _C1, ((east << _C1) & EAST) | (west >> _C3)

    @jit
    def leftward(west: Any, east: Any) -> Any:
        return (west >> _C1) | (east << _C3), east >> _C1

    @jit
    def towards(west: Any, east: Any, turn: Any) -> Any:
        """A plane moved one cell in the direction of an orientation: 0 down, 1 left, 2 up, 3 right."""
        if turn == 0:
            return west >> ONE, east >> ONE
        if turn == 1:
            return leftward(west, east)
        if turn == 2:
            return west << ONE, east << ONE
        return rightward(west, east)

    @jit
    def puyos(board: Any) -> Any:
        west, east = ZERO, ZERO
        for k in range(COLORS_OF_ALL):
            west |= board[2 * k]
            east |= board[2 * k + 1]
        return west, east

    @jit
    def height(west: Any, east: Any, x: Any) -> Any:
        word = west if x < 4 else east
        return popcount((word >> U(16 * (x & 3))) & LANE)

    return Planes(rightward, leftward, towards, puyos, height)

"""Kernels of lock positions (imports numba): every lock of a board in order, and the shortest way to each.

The locks come from the search's own flood (``ochibot.puyo.search.reach``). The flood has no order of presses, so a
breadth-first search finds the ways. ``ochibot.puyo.search.placements`` calls both.

A *state* encodes where the piece is as one number: 96 * orientation + 16 * column + row, columns from 0 and rows from
the floor. Items are upright here.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from ochibot.falling.orientation import STEP
from ochibot.jit.lanes import compiled, inlined
from ochibot.puyo.kernels.bits import ONE, ZERO, U, floats
from ochibot.puyo.kernels.codes import load, puyos
from ochibot.puyo.kernels.special import has_kicks, has_quick_turn, turns_in_box
from ochibot.puyo.rules.field import COLUMNS, ROWS
from ochibot.puyo.rules.motion import IN_BOX
from ochibot.puyo.rules.pair import Action
from ochibot.puyo.search.engine import STATES
from ochibot.puyo.search.items import BIG_ITEM, find_item_locks, item_fit
from ochibot.puyo.search.reach import (
    LOCK_COLUMN,
    LOCK_EAST,
    LOCK_ORIENTATION,
    LOCK_WEST,
    LOCKS,
    find_locks,
    fit,
)

_UP: Final = 2
_STEP_X: Final = np.array([dx for dx, _ in STEP], np.int64)
_STEP_UP: Final = np.array([-dy for _, dy in STEP], np.int64)
_BOX_X: Final = np.array([dx for dx, _ in IN_BOX], np.int64)
_BOX_UP: Final = np.array([-dy for _, dy in IN_BOX], np.int64)
_RIGHT: Final = int(Action.RIGHT)
_CLOCKWISE: Final = int(Action.ROTATE_CW)
_DOWN: Final = int(Action.DOWN)
_ACTIONS: Final = len(Action)


@compiled
def lock_boards(g: Any, boards: Any, start: Any, piece: Any, spots: Any, results: Any) -> None:
    """Writes all locks of a piece on every row of ``boards``, in the order of lock positions.

    start: column, row, orientation. piece: 0 a pair of two colours, 1 a pair of one colour, or an item's colour. spots:
    SPOT_WORDS words of scratch memory. results, (n, 1 + MOST_LOCKS) int64, receives for each board the number of locks,
    then each lock as 16 * index in the order + row of its cell.
    """
    for i in range(boards.shape[0]):
        west, east = puyos(load(boards[i], 0))
        if piece >= BIG_ITEM:
            find_item_locks(g, spots, west, east, piece, start[0], start[1])
        else:
            still = (floats(west) | floats(east)) == ZERO
            find_locks(g, spots, west, east, still, start[0], start[1], start[2], piece == 1)
        count = 0
        for k in range(LOCKS):
            o = LOCK_ORIENTATION[k]
            rows = ((spots[o] & LOCK_WEST[k]) | (spots[o + 4] & LOCK_EAST[k])) >> U(16 * (LOCK_COLUMN[k] % 4))
            row = 0
            while rows != ZERO:
                if rows & ONE != ZERO:
                    count += 1
                    results[i, count] = 16 * k + row
                rows >>= ONE
                row += 1
        results[i, 0] = count


@inlined
def _is_free(spots: Any, o: Any, column: Any, row: Any) -> Any:
    """Whether the piece fits at ``column`` and ``row`` with orientation ``o``. ``spots``: see ``fit``."""
    if column < 0 or column >= COLUMNS or row < 0 or row >= ROWS:
        return False
    word = spots[o] if column < 4 else spots[o + 4]
    return (word >> U(16 * (column % 4) + row)) & ONE != ZERO


@compiled
def _turned(g: Any, spots: Any, o: Any, to: Any, column: Any, row: Any) -> Any:
    """The state after a pair turned from orientation ``o`` to ``to``; -1 when it can't."""
    if turns_in_box(g):
        column += _BOX_X[to] - _BOX_X[o]
        row += _BOX_UP[to] - _BOX_UP[o]
        if not _is_free(spots, to, column, row):
            column -= 1
            if not (has_kicks(g) and _is_free(spots, to, column, row)):
                return -1
        return 96 * to + 16 * column + row
    if _is_free(spots, to, column, row):
        return 96 * to + 16 * column + row
    if has_kicks(g) and _is_free(spots, to, column - _STEP_X[to], row - _STEP_UP[to]):
        return 96 * to + 16 * (column - _STEP_X[to]) + row - _STEP_UP[to]
    if has_quick_turn(g) and o % 2 == 0:
        over = o ^ 2
        if _is_free(spots, over, column, row):
            return 96 * over + 16 * column + row
        # A pair that turns over may move its axis to where the partner was, even in rules without kicks.
        if _is_free(spots, over, column, row - _STEP_UP[over]):
            return 96 * over + 16 * column + row - _STEP_UP[over]
    return -1


@compiled
def _moved(g: Any, spots: Any, state: Any, action: Any, item: Any) -> Any:
    """The state after a press, as ``ochibot.puyo.rules.motion.move`` has it; -1 when the press does nothing."""
    o, column, row = state // 96, state % 96 // 16, state % 16
    if action <= _RIGHT:  # a step to the left or right
        beside = column + (1 if action == _RIGHT else -1)
        return 96 * o + 16 * beside + row if _is_free(spots, o, beside, row) else -1
    if action == _DOWN:
        return state - 1 if _is_free(spots, o, column, row - 1) else -1
    if item:
        return -1
    return _turned(g, spots, o, (o + (1 if action == _CLOCKWISE else 3)) % 4, column, row)


@compiled
def find_ways(g: Any, board: Any, start: Any, piece: Any, spots: Any, queue: Any, came: Any, above: Any) -> None:
    """Searches breadth first from a start where the piece can be. Equally short ways are tried in the order of
    ``Action``.

    start, piece, spots: as in ``lock_boards``. The other arrays hold STATES int64. queue: scratch memory. came
    receives, for each state reached, 8 * the state before it + the press that led there (7 at the start). above
    receives, for each lock, the first state found from which a straight drop ends there. Both are -1 elsewhere.
    """
    west, east = puyos(load(board, 0))
    first = 96 * start[2] + 16 * start[0] + start[1]
    if piece >= BIG_ITEM:
        spots[_UP], spots[_UP + 4] = item_fit(g, west, east, piece)
        first += 96 * (_UP - start[2])
    else:
        fit(g, spots, west, east)
    for state in range(STATES):
        came[state] = above[state] = -1
    came[first] = 8 * first + 7
    queue[0] = first
    seen, done = 1, 0
    while done < seen:
        state = queue[done]
        done += 1
        o, column, row = state // 96, state % 96 // 16, state % 16
        while _is_free(spots, o, column, row - 1):
            row -= 1
        end = 96 * o + 16 * column + row
        if above[end] < 0:
            above[end] = state
        for action in range(_ACTIONS):
            after = _moved(g, spots, state, action, piece >= BIG_ITEM)
            if after >= 0 and came[after] < 0:
                came[after] = 8 * state + action
                queue[seen] = after
                seen += 1

"""The two-ply search on bit planes (imports numba). ``bot.search.engine`` loads and calls it.

Boards are those of ``bot.puyo.kernels``. Colours are counted from 0 here, columns from 0, and rows from the floor;
``g`` is the geometry; the colours of an item are those of ``bot.search.items``.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from bot.jit.lanes import compiled, inlined, popcount
from bot.puyo.bits import FLOOR, LANE, LANES, ONE, ZERO, U, copy, floats, occupied
from bot.puyo.codes import add, decode, encode, resolve_codes
from bot.puyo.field import BOARD_WORDS
from bot.puyo.kernels import any_clears, resolve, settle
from bot.puyo.rules import TABLE_UNIT
from bot.puyo.special import kept, loses_rows, spawn_cell, spawn_row
from bot.search.engine import CODE_WORDS, MEMORY, SPOT_WORDS
from bot.search.items import BIG_ITEM, find_item_locks, lock_item
from bot.search.measure import measure, totals, weigh, with_puyo
from bot.search.reach import (
    LOCK_COLUMN,
    LOCK_HIGH,
    LOCK_LOW,
    LOCK_ORIENTATION,
    LOCKS,
    SPAWN_COLUMN,
    find_locks,
    reply_locks,
    towards,
)
from bot.search.twoply import OVER_NEXT, OVER_NOW

# How many rows above the lowest free cell of its column each half of a vertical lock comes to rest.
_AXIS_UP: Final = np.array([o == 0 for o in LOCK_ORIENTATION], np.uint64)
_PARTNER_UP: Final = np.array([o == 2 for o in LOCK_ORIENTATION], np.uint64)
_PARTNER_COLUMN: Final = LOCK_COLUMN + np.array([(0, -1, 0, 1)[o] for o in LOCK_ORIENTATION])
_PARTNER_LOW: Final = np.array([0xFFFF << 16 * int(x) if x < 3 else 0 for x in _PARTNER_COLUMN], np.uint64)
_PARTNER_HIGH: Final = np.array([0xFFFF << 16 * int(x - 3) if x >= 3 else 0 for x in _PARTNER_COLUMN], np.uint64)


@inlined
def put(board: Any, color: Any, low: Any, high: Any) -> None:
    """Adds the cells ``low``, ``high`` in one colour."""
    board[color] |= low
    board[color + LANES] |= high


@compiled
def best_reply(g: Any, board: Any, c: Any, d: Any, factors: Any, leaf: Any, spots: Any) -> Any:
    """(value, leaves) of the best lock of the pair ``c``, ``d`` on a resolved board that isn't over."""
    low, high = occupied(board)
    free_low, free_high = low + FLOOR, high + FLOOR  # settled columns: the carry lands on the lowest free cell
    locks = reply_locks(g, spots, low, high, c == d)
    sums = totals(g, board, low, high)
    codes = encode(board)
    for x in range(3):
        spots[x] = popcount((low >> U(16 * x)) & LANE)
        spots[x + 3] = popcount((high >> U(16 * x)) & LANE)
    best = OVER_NEXT
    leaves = 0
    for i in range(LOCKS):
        if (locks >> U(i)) & ONE == ZERO:
            continue
        leaves += 1
        c_low = (free_low & ~low & LOCK_LOW[i]) << _AXIS_UP[i]
        c_high = (free_high & ~high & LOCK_HIGH[i]) << _AXIS_UP[i]
        d_low = (free_low & ~low & _PARTNER_LOW[i]) << _PARTNER_UP[i]
        d_high = (free_high & ~high & _PARTNER_HIGH[i]) << _PARTNER_UP[i]
        if loses_rows(g):
            c_low, c_high, d_low, d_high = c_low & kept(g), c_high & kept(g), d_low & kept(g), d_high & kept(g)
        all_low, all_high = low | c_low | d_low, high | c_high | d_high
        colored = measure(g, board, c, c_low, c_high, d, d_low, d_high, all_low, all_high)
        if colored[0] != ZERO:
            after = resolve_codes(g, add(add(codes, c, c_low, c_high), d, d_low, d_high))
            decode(after, leaf)
            all_low, all_high = occupied(leaf)
            value = evaluate(g, leaf, all_low, all_high, factors)
        else:
            more = with_puyo(g, sums, LOCK_COLUMN[i], spots[LOCK_COLUMN[i]] + _AXIS_UP[i])
            more = with_puyo(g, more, _PARTNER_COLUMN[i], spots[_PARTNER_COLUMN[i]] + _PARTNER_UP[i])
            value = weigh(more, colored, factors)
        if all_low & spawn_cell(g) == ZERO:
            best = max(best, value)
    return best, leaves


@compiled
def best_item_reply(g: Any, board: Any, item: Any, factors: Any, leaf: Any, spots: Any) -> Any:
    """(value, leaves) of the best lock of an item on a resolved board that isn't over."""
    low, high = occupied(board)
    find_item_locks(g, spots, low, high, item, SPAWN_COLUMN, np.int64(spawn_row(g)))
    rest_low, rest_high = spots[2], spots[6]
    best = OVER_NEXT
    leaves = 0
    while (rest_low | rest_high) != ZERO:
        axis_low = rest_low & (~rest_low + ONE)
        axis_high = rest_high & (~rest_high + ONE) if axis_low == ZERO else ZERO
        rest_low ^= axis_low
        rest_high ^= axis_high
        leaves += 1
        copy(board, 0, leaf)
        lock_item(leaf, item, axis_low, axis_high)
        settle_and_clear(g, leaf)
        low, high = occupied(leaf)
        if low & spawn_cell(g) == ZERO:
            best = max(best, evaluate(g, leaf, low, high, factors))
    return best, leaves


@compiled
def settle_and_clear(g: Any, board: Any) -> Any:
    """Drops what floats and resolves, without a score. Returns whether anything may have been cleared."""
    settle(g, board)
    if any_clears(g, board):
        decode(resolve_codes(g, encode(board)), board)
        return True
    return False


@compiled
def evaluate(g: Any, board: Any, low: Any, high: Any, factors: Any) -> Any:
    """The value of a resolved board whose puyos are ``low``, ``high``."""
    colored = measure(g, board, 0, ZERO, ZERO, 0, ZERO, ZERO, low, high)
    return weigh(totals(g, board, low, high), colored, factors)


@compiled
def search(
    g: Any,
    root: Any,
    a: Any,
    b: Any,
    c: Any,
    d: Any,
    column: Any,
    row: Any,
    turned: Any,
    plies: Any,
    factors: Any,
    work: Any,
    ranks: Any,
) -> Any:
    """The best first lock: (value, lock index or -1, axis cell low, high, leaves, leaves looked at).

    ``root``: the board, resolved or at least not to be cleared; ``a``, ``b`` the falling pair's axis and partner,
    at ``column``, ``row``, ``turned``; ``c``, ``d`` the next pair's. ``plies``: 1 or 2. ``work``: WORK_WORDS words.
    ``ranks``: an int64 for each lock; of equal values the lock with the lowest wins. Of locks that lead to the same
    field only the first is looked into; that can happen only where something was cleared, or an item acted.
    """
    first, leaf = work[:BOARD_WORDS], work[BOARD_WORDS : 2 * BOARD_WORDS]
    spots = work[2 * BOARD_WORDS : 2 * BOARD_WORDS + SPOT_WORDS]
    memory = work[2 * BOARD_WORDS + SPOT_WORDS :]
    remembered = 0
    low, high = occupied(root)
    settled = (floats(low) | floats(high)) == ZERO
    if a >= BIG_ITEM:
        find_item_locks(g, spots, low, high, a, column, row)
    else:
        find_locks(g, spots, low, high, settled, column, row, turned, a == b)
    # The flood of replies uses the same words, so the locks are kept apart.
    lock0, lock1, lock2, lock3 = spots[0], spots[1], spots[2], spots[3]
    lock4, lock5, lock6, lock7 = spots[4], spots[5], spots[6], spots[7]
    best, best_lock, best_low, best_high = -np.inf, -1, ZERO, ZERO
    leaves: Any = 0
    looked_at: Any = 0
    for i in range(LOCKS):
        o = LOCK_ORIENTATION[i]
        rest_low = (lock0, lock1, lock2, lock3)[o] & LOCK_LOW[i]
        rest_high = (lock4, lock5, lock6, lock7)[o] & LOCK_HIGH[i]
        while (rest_low | rest_high) != ZERO:
            axis_low, axis_high = rest_low & (~rest_low + ONE), rest_high & (~rest_high + ONE)
            rest_low ^= axis_low
            rest_high ^= axis_high
            copy(root, 0, first)
            lock_piece(first, a, b, axis_low, axis_high, o)
            changed = settle_and_clear(g, first) or a >= BIG_ITEM
            low, high = occupied(first)
            tried: Any = 1
            known = -1
            if changed:
                known = recall(first, memory, remembered)
            if known >= 0:
                leaves += np.int64(memory[CODE_WORDS * MEMORY + known])
                continue  # not better than the same field was before
            if low & spawn_cell(g) != ZERO:
                value = OVER_NOW
            elif plies == 1:
                value = evaluate(g, first, low, high, factors)
            elif c >= BIG_ITEM:
                value, tried = best_item_reply(g, first, c, factors, leaf, spots)
            else:
                value, tried = best_reply(g, first, c, d, factors, leaf, spots)
            leaves += tried
            looked_at += tried
            if changed and remembered < MEMORY:
                memory[CODE_WORDS * MEMORY + remembered] = U(tried)
                remembered += 1
            if value > best or (value == best and ranks[i] < ranks[best_lock]):
                best, best_lock, best_low, best_high = value, i, axis_low, axis_high
    return best, best_lock, best_low, best_high, leaves, looked_at


@compiled
def recall(board: Any, memory: Any, remembered: Any) -> Any:
    """The number of the equal board among those remembered, or -1: it is then written behind them, if there is room."""
    words = encode(board)
    for n in range(remembered):
        differ = ZERO
        for k in range(CODE_WORDS):
            differ |= memory[CODE_WORDS * n + k] ^ words[k]
        if differ == ZERO:
            return n
    if remembered < MEMORY:
        for k in range(CODE_WORDS):
            memory[CODE_WORDS * remembered + k] = words[k]
    return -1


@inlined
def lock_piece(board: Any, a: Any, b: Any, axis_low: Any, axis_high: Any, orientation: Any) -> Any:
    """Adds a pair's two cells, the axis's given as a plane; or an item acts. Returns the puyos an item clears."""
    if a >= BIG_ITEM:
        return lock_item(board, a, axis_low, axis_high)
    put(board, a, axis_low, axis_high)
    low, high = towards(axis_low, axis_high, orientation)
    put(board, b, low, high)
    return 0


@compiled
def two_ply(g: Any, root: Any, question: Any, factors: Any, table: Any, work: Any, answer: Any, board: Any) -> Any:
    """Decides, and works out what the decision leads to. Returns the value.

    question, int64: the colours a, b, c, d from 0, the axis's column and row, the orientation, plies, ranks of locks.
    answer, int64, receives: lock index (-1: there is none), the axis's row, leaves, shown points, chain, puyos
    cleared, whether the game is over, leaves looked at. table: the score table. board: BOARD_WORDS words, receives
    the resolved field after the current piece.
    """
    value, lock, low, high, leaves, looked_at = search(
        g,
        root,
        question[0],
        question[1],
        question[2],
        question[3],
        question[4],
        question[5],
        question[6],
        question[7],
        factors,
        work,
        question[8:],
    )
    answer[0] = lock
    answer[2] = leaves
    answer[7] = looked_at
    if lock < 0:
        return value
    cell = (low | high) >> U(16 * (LOCK_COLUMN[lock] % 3))
    row = 0
    while cell > ONE:
        cell >>= ONE
        row += 1
    answer[1] = row
    copy(root, 0, board)
    sunk = lock_piece(board, question[0], question[1], low, high, LOCK_ORIENTATION[lock])
    score, chain, cleared = resolve(g, board, table)
    answer[3] = score + table[TABLE_UNIT] * sunk
    answer[4] = chain
    answer[5] = cleared + sunk
    answer[6] = board_is_over(g, board)
    return value


@inlined
def board_is_over(g: Any, board: Any) -> Any:
    """Whether the spawn cell of a settled board is occupied."""
    low, _ = occupied(board)
    return (low & spawn_cell(g)) != ZERO


@compiled
def measure_boards(g: Any, boards: Any, results: Any) -> None:
    """The seven metrics of every row of ``boards`` (settled; (n, BOARD_WORDS)) into ``results`` ((n, 7) int64)."""
    for i in range(boards.shape[0]):
        low, high = occupied(boards[i])
        count, nuisance, edge, spawn = totals(g, boards[i], low, high)
        _, consecutive, variance, links = measure(g, boards[i], 0, ZERO, ZERO, 0, ZERO, ZERO, low, high)
        results[i, 0] = count
        results[i, 1] = nuisance
        results[i, 2] = edge
        results[i, 3] = spawn
        results[i, 4] = consecutive
        results[i, 5] = variance
        results[i, 6] = links


@compiled
def lock_boards(g: Any, boards: Any, start: Any, single: Any, results: Any) -> None:
    """The locks of every row of ``boards`` from one start (column, row, orientation) into ``results``: ``spots``."""
    for i in range(boards.shape[0]):
        low, high = occupied(boards[i])
        settled = (floats(low) | floats(high)) == ZERO
        find_locks(g, results[i], low, high, settled, start[0], start[1], start[2], single)

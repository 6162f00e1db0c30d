"""The two-ply search on bit planes (imports numba). ``bot.search.engine`` loads and calls it.

Boards are those of ``bot.puyo.kernels``. Colours are counted from 0 here, columns from 0, and rows from the floor;
``g`` is the geometry; the colours of an item are those of ``bot.search.items``.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np
import numpy.typing as npt

from bot.jit.lanes import compiled, inlined, popcount
from bot.puyo.bits import FLOOR, LANE, LANES, ONE, ZERO, U, copy, floats, occupied
from bot.puyo.codes import add, color_plane, decode, encode, nuisance, planes_of, puyos, resolve_codes
from bot.puyo.field import BOARD_WORDS, COLUMNS
from bot.puyo.kernels import any_clears, resolve, settle
from bot.puyo.planes import gather, only, packed
from bot.puyo.rules import TABLE_UNIT
from bot.puyo.special import kept_east, kept_west, loses_rows, spawn_cell, spawn_row
from bot.search.engine import CODE_WORDS, MEMORY, SPOT_WORDS
from bot.search.items import BIG_ITEM, find_item_locks, lock_item
from bot.search.measure import measure, moments, moments_with, spread, spreads, totals, weigh, with_puyo
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


def _columns(columns: npt.NDArray[np.int64], first: int, number: int) -> npt.NDArray[np.uint64]:
    """For each lock the word of its column, when it is one of so many columns from the first; otherwise 0."""
    return np.array([0xFFFF << 16 * (x - first) if first <= x < first + number else 0 for x in columns.tolist()], U)


# The columns of both halves as planes: the words west and east.
_AXIS_WEST: Final = _columns(LOCK_COLUMN, 0, 4)
_AXIS_EAST: Final = _columns(LOCK_COLUMN, 4, 2)
_PARTNER_WEST: Final = _columns(_PARTNER_COLUMN, 0, 4)
_PARTNER_EAST: Final = _columns(_PARTNER_COLUMN, 4, 2)
_FLOOR: Final = U(0x0001_0001_0001_0001)


@inlined
def put(board: Any, color: Any, low: Any, high: Any) -> None:
    """Adds the cells ``low``, ``high`` in one colour."""
    board[color] |= low
    board[color + LANES] |= high


@compiled
def best_reply(g: Any, board: Any, c: Any, d: Any, factors: Any, spots: Any) -> Any:
    """(value, leaves) of the best lock of the pair ``c``, ``d`` on a resolved board that isn't over."""
    low, high = occupied(g, board)
    locks = reply_locks(g, spots, low, high, c == d)
    codes = encode(g, board)
    own = gather(g, board)
    west, east = packed(low, high)
    free_west, free_east = (west + _FLOOR) & ~west, (east + FLOOR) & ~east  # the carry lands on the lowest free cell
    for x in range(COLUMNS):
        spots[x] = popcount((west >> U(16 * x)) & LANE) if x < 4 else popcount((east >> U(16 * (x - 4))) & LANE)
    # What doesn't change with the lock: sums over all puyos, and the variance of the colours that aren't the pair's.
    sums = totals(g, west, east, *nuisance(codes))
    of_c, of_d = moments(*color_plane(codes, c)), moments(*color_plane(codes, d))
    rest = spreads(g, codes) - spread(*of_c)
    if c != d:
        rest -= spread(*of_d)
    best = OVER_NEXT
    leaves = 0
    for i in range(LOCKS):
        if (locks >> U(i)) & ONE == ZERO:
            continue
        leaves += 1
        c_west, c_east = (free_west & _AXIS_WEST[i]) << _AXIS_UP[i], (free_east & _AXIS_EAST[i]) << _AXIS_UP[i]
        d_west = (free_west & _PARTNER_WEST[i]) << _PARTNER_UP[i]
        d_east = (free_east & _PARTNER_EAST[i]) << _PARTNER_UP[i]
        if loses_rows(g):
            c_west, c_east = c_west & kept_west(g), c_east & kept_east(g)
            d_west, d_east = d_west & kept_west(g), d_east & kept_east(g)
        all_west, all_east = west | c_west | d_west, east | c_east | d_east
        leaf = own | only(g, c, c_west, c_east) | only(g, d, d_west, d_east)
        clears, consecutive, links = measure(g, leaf, all_west, all_east)
        if clears:
            after = resolve_codes(g, add(add(codes, c, c_west, c_east), d, d_west, d_east), leaf)
            all_west, _ = puyos(after)
            value = evaluate(g, after, factors)
        else:
            x, u = LOCK_COLUMN[i], _PARTNER_COLUMN[i]
            y, v = np.int64(spots[x] + _AXIS_UP[i]), np.int64(spots[u] + _PARTNER_UP[i])
            more = with_puyo(g, with_puyo(g, sums, x, y), u, v)
            if c == d:
                variance = rest + spread(*moments_with(g, moments_with(g, of_c, x, y), u, v))
            else:
                variance = rest + spread(*moments_with(g, of_c, x, y)) + spread(*moments_with(g, of_d, u, v))
            value = weigh(more, consecutive, variance, links, factors)
        if all_west & spawn_cell(g) == ZERO:
            best = max(best, value)
    return best, leaves


@compiled
def best_item_reply(g: Any, board: Any, item: Any, factors: Any, leaf: Any, spots: Any) -> Any:
    """(value, leaves) of the best lock of an item on a resolved board that isn't over."""
    low, high = occupied(g, board)
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
        lock_item(g, leaf, item, axis_low, axis_high)
        settle_and_clear(g, leaf)
        if not board_is_over(g, leaf):
            best = max(best, evaluate(g, encode(g, leaf), factors))
    return best, leaves


@inlined
def board_is_over(g: Any, board: Any) -> Any:
    """Whether the spawn cell of a settled board is occupied."""
    low, _ = occupied(g, board)
    return (low & spawn_cell(g)) != ZERO


@compiled
def settle_and_clear(g: Any, board: Any) -> Any:
    """Drops what floats and resolves, without a score. Returns whether anything may have been cleared."""
    settle(g, board)
    planes = gather(g, board)
    if any_clears(g, planes):
        decode(g, resolve_codes(g, encode(g, board), planes), board)
        return True
    return False


@compiled
def evaluate(g: Any, codes: Any, factors: Any) -> Any:
    """The value of a resolved board."""
    west, east = puyos(codes)
    _, consecutive, links = measure(g, planes_of(g, codes), west, east)
    return weigh(totals(g, west, east, *nuisance(codes)), consecutive, spreads(g, codes), links, factors)


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
    low, high = occupied(g, root)
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
            lock_piece(g, first, a, b, axis_low, axis_high, o)
            changed = settle_and_clear(g, first) or a >= BIG_ITEM
            tried: Any = 1
            known = -1
            if changed:
                known = recall(g, first, memory, remembered)
            if known >= 0:
                leaves += np.int64(memory[CODE_WORDS * MEMORY + known])
                continue  # not better than the same field was before
            if board_is_over(g, first):
                value = OVER_NOW
            elif plies == 1:
                value = evaluate(g, encode(g, first), factors)
            elif c >= BIG_ITEM:
                value, tried = best_item_reply(g, first, c, factors, leaf, spots)
            else:
                value, tried = best_reply(g, first, c, d, factors, spots)
            leaves += tried
            looked_at += tried
            if changed and remembered < MEMORY:
                memory[CODE_WORDS * MEMORY + remembered] = U(tried)
                remembered += 1
            if value > best or (value == best and ranks[i] < ranks[best_lock]):
                best, best_lock, best_low, best_high = value, i, axis_low, axis_high
    return best, best_lock, best_low, best_high, leaves, looked_at


@compiled
def recall(g: Any, board: Any, memory: Any, remembered: Any) -> Any:
    """The number of the equal board among those remembered, or -1: it is then written behind them, if there is room."""
    words = encode(g, board)
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
def lock_piece(g: Any, board: Any, a: Any, b: Any, axis_low: Any, axis_high: Any, orientation: Any) -> Any:
    """Adds a pair's two cells, the axis's given as a plane; or an item acts. Returns the puyos an item clears."""
    if a >= BIG_ITEM:
        return lock_item(g, board, a, axis_low, axis_high)
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
    sunk = lock_piece(g, board, question[0], question[1], low, high, LOCK_ORIENTATION[lock])
    score, chain, cleared = resolve(g, board, table)
    answer[3] = score + table[TABLE_UNIT] * sunk
    answer[4] = chain
    answer[5] = cleared + sunk
    answer[6] = board_is_over(g, board)
    return value


@compiled
def measure_boards(g: Any, boards: Any, results: Any) -> None:
    """The seven metrics of every row of ``boards`` (settled; (n, BOARD_WORDS)) into ``results`` ((n, 7) int64)."""
    for i in range(boards.shape[0]):
        codes = encode(g, boards[i])
        west, east = puyos(codes)
        sums = totals(g, west, east, *nuisance(codes))
        for k in range(4):
            results[i, k] = sums[k]
        _, consecutive, links = measure(g, planes_of(g, codes), west, east)
        results[i, 4] = consecutive
        results[i, 5] = spreads(g, codes)
        results[i, 6] = links


@compiled
def lock_boards(g: Any, boards: Any, start: Any, single: Any, results: Any) -> None:
    """The locks of every row of ``boards`` from one start (column, row, orientation) into ``results``: ``spots``."""
    for i in range(boards.shape[0]):
        low, high = occupied(g, boards[i])
        settled = (floats(low) | floats(high)) == ZERO
        find_locks(g, results[i], low, high, settled, start[0], start[1], start[2], single)

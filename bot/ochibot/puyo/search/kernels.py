"""The two-ply search on bit planes (imports numba). ``ochibot.puyo.search.engine`` loads and calls it.

Boards are those of ``ochibot.puyo.kernels.resolve``. Colours are counted from 0 here, columns from 0, and rows from the
floor; ``g`` is the geometry; the colours of an item are those of ``ochibot.puyo.search.items``.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np
import numpy.typing as npt

from ochibot.jit.lanes import compiled, inlined, popcount
from ochibot.puyo.kernels.bits import FLOOR, LANE, ONE, ZERO, U, floats
from ochibot.puyo.kernels.codes import (
    add,
    added,
    clears,
    codes_of,
    color_plane,
    load,
    nuisance,
    puyos,
    resolved,
    save,
    settled,
    vectors,
)
from ochibot.puyo.kernels.planes import plane
from ochibot.puyo.kernels.resolve import resolve
from ochibot.puyo.kernels.special import kept_east, kept_west, loses_rows, spawn_cell, spawn_row
from ochibot.puyo.rules.field import BOARD_WORDS, COLUMNS
from ochibot.puyo.rules.profile import TABLE_UNIT
from ochibot.puyo.search.engine import MEMORY, OVER_NEXT, OVER_NOW, SPOT_WORDS
from ochibot.puyo.search.items import BIG_ITEM, find_item_locks, lock_item
from ochibot.puyo.search.measure import measure, moments, moments_with, spread, spreads, totals, weigh, with_puyo
from ochibot.puyo.search.reach import (
    LOCK_COLUMN,
    LOCK_EAST,
    LOCK_ORIENTATION,
    LOCK_WEST,
    LOCKS,
    SPAWN_COLUMN,
    find_locks,
    reply_locks,
    towards,
)

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


@compiled
def best_reply(g: Any, codes: Any, c: Any, d: Any, factors: Any, spots: Any) -> Any:
    """(value, leaves) of the best lock of the pair ``c``, ``d`` on a resolved board that isn't over."""
    west, east = puyos(codes)
    locks = reply_locks(g, spots, west, east, c == d)
    free_west, free_east = (west + FLOOR) & ~west, (east + FLOOR) & ~east  # the carry lands on the lowest free cell
    for x in range(COLUMNS):
        spots[x] = popcount((west >> U(16 * x)) & LANE) if x < 4 else popcount((east >> U(16 * (x - 4))) & LANE)
    # What doesn't change with the lock: sums over all puyos, and the variance of the colours that aren't the pair's.
    sums = totals(g, west, east, *nuisance(codes))
    of_c, of_d = moments(*color_plane(codes, c)), moments(*color_plane(codes, d))
    rest = spreads(codes) - spread(*of_c)
    if c != d:
        rest -= spread(*of_d)
    planes = vectors(codes)
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
        all_west = west | c_west | d_west
        leaf = added(added(planes, c, plane(c_west, c_east)), d, plane(d_west, d_east))
        clearing, consecutive, links = measure(g, leaf)
        if clearing:
            after = resolved(g, codes_of(leaf))
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
def best_item_reply(g: Any, codes: Any, item: Any, factors: Any, spots: Any) -> Any:
    """(value, leaves) of the best lock of an item on a resolved board that isn't over."""
    find_item_locks(g, spots, *puyos(codes), item, SPAWN_COLUMN, np.int64(spawn_row(g)))
    rest_west, rest_east = spots[2], spots[6]
    best = OVER_NEXT
    leaves = 0
    while (rest_west | rest_east) != ZERO:
        axis_west = rest_west & (~rest_west + ONE)
        axis_east = rest_east & (~rest_east + ONE) if axis_west == ZERO else ZERO
        rest_west ^= axis_west
        rest_east ^= axis_east
        leaves += 1
        leaf, _ = lock_item(codes, item, axis_west, axis_east)
        leaf, _ = settle_and_clear(g, leaf)
        best = max(best, evaluate(g, leaf, factors))  # no item fills the spawn cell
    return best, leaves


@inlined
def is_over(g: Any, codes: Any) -> Any:
    """Whether the spawn cell of a settled board is occupied."""
    west, _ = puyos(codes)
    return (west & spawn_cell(g)) != ZERO


@compiled
def settle_and_clear(g: Any, codes: Any) -> Any:
    """Drops what floats and resolves, without a score: (codes, whether anything may have been cleared)."""
    codes = settled(g, codes)
    if clears(g, codes):
        return resolved(g, codes), True
    return codes, False


@compiled
def evaluate(g: Any, codes: Any, factors: Any) -> Any:
    """The value of a resolved board."""
    west, east = puyos(codes)
    _, consecutive, links = measure(g, vectors(codes))
    return weigh(totals(g, west, east, *nuisance(codes)), consecutive, spreads(codes), links, factors)


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
    """The best first lock: (value, lock index or -1, axis cell west, east, leaves, leaves looked at).

    ``root``: codes, resolved or at least not to be cleared; ``a``, ``b`` the falling pair's axis and partner, at
    ``column``, ``row``, ``turned``; ``c``, ``d`` the next pair's. ``plies``: 1 or 2. ``work``: WORK_WORDS words.
    ``ranks``: an int64 for each lock; of equal values the lock with the lowest wins. Of locks that lead to the same
    field only the first is looked into; that can happen only where something was cleared, or an item acted.
    """
    spots, memory = work[:SPOT_WORDS], work[SPOT_WORDS:]
    remembered = 0
    west, east = puyos(root)
    still = (floats(west) | floats(east)) == ZERO
    if a >= BIG_ITEM:
        find_item_locks(g, spots, west, east, a, column, row)
    else:
        find_locks(g, spots, west, east, still, column, row, turned, a == b)
    # The flood of replies uses the same words, so the locks are kept apart.
    lock0, lock1, lock2, lock3 = spots[0], spots[1], spots[2], spots[3]
    lock4, lock5, lock6, lock7 = spots[4], spots[5], spots[6], spots[7]
    best, best_lock, best_west, best_east = -np.inf, -1, ZERO, ZERO
    leaves: Any = 0
    looked_at: Any = 0
    for i in range(LOCKS):
        o = LOCK_ORIENTATION[i]
        rest_west = (lock0, lock1, lock2, lock3)[o] & LOCK_WEST[i]
        rest_east = (lock4, lock5, lock6, lock7)[o] & LOCK_EAST[i]
        while (rest_west | rest_east) != ZERO:
            axis_west, axis_east = rest_west & (~rest_west + ONE), rest_east & (~rest_east + ONE)
            rest_west ^= axis_west
            rest_east ^= axis_east
            first, _ = lock_piece(root, a, b, axis_west, axis_east, o)
            first, changed = settle_and_clear(g, first)
            changed = changed or a >= BIG_ITEM
            tried: Any = 1
            known = -1
            if changed:
                known = recall(first, memory, remembered)
            if known >= 0:
                leaves += np.int64(memory[BOARD_WORDS * MEMORY + known])
                continue  # not better than the same field was before
            if is_over(g, first):
                value = OVER_NOW
            elif plies == 1:
                value = evaluate(g, first, factors)
            elif c >= BIG_ITEM:
                value, tried = best_item_reply(g, first, c, factors, spots)
            else:
                value, tried = best_reply(g, first, c, d, factors, spots)
            leaves += tried
            looked_at += tried
            if changed and remembered < MEMORY:
                memory[BOARD_WORDS * MEMORY + remembered] = U(tried)
                remembered += 1
            if value > best or (value == best and ranks[i] < ranks[best_lock]):
                best, best_lock, best_west, best_east = value, i, axis_west, axis_east
    return best, best_lock, best_west, best_east, leaves, looked_at


@compiled
def recall(codes: Any, memory: Any, remembered: Any) -> Any:
    """The number of the equal board among those remembered, or -1: it is then written behind them, if there is room."""
    a, b, c, d, e, f = codes
    for n in range(remembered):
        other = load(memory, BOARD_WORDS * n)
        differ = (a ^ other[0]) | (b ^ other[1]) | (c ^ other[2]) | (d ^ other[3]) | (e ^ other[4]) | (f ^ other[5])
        if differ == ZERO:
            return n
    if remembered < MEMORY:
        save(codes, memory[BOARD_WORDS * remembered :])
    return -1


@inlined
def lock_piece(codes: Any, a: Any, b: Any, axis_west: Any, axis_east: Any, orientation: Any) -> Any:
    """Adds a pair's two cells, the axis's given as a plane; or an item acts: (codes, puyos an item clears)."""
    if a >= BIG_ITEM:
        return lock_item(codes, a, axis_west, axis_east)
    west, east = towards(axis_west, axis_east, orientation)
    return add(add(codes, a, axis_west, axis_east), b, west, east), 0


@compiled
def two_ply(g: Any, root: Any, question: Any, factors: Any, table: Any, work: Any, answer: Any, board: Any) -> Any:
    """Decides, and works out what the decision leads to. Returns the value.

    question, int64: the colours a, b, c, d from 0, the axis's column and row, the orientation, plies, ranks of locks.
    answer, int64, receives: lock index (-1: there is none), the axis's row, leaves, shown points, chain, puyos
    cleared, whether the game is over, leaves looked at. table: the score table. board: BOARD_WORDS words, receives
    the resolved field after the current piece.
    """
    codes = load(root, 0)
    value, lock, west, east, leaves, looked_at = search(
        g,
        codes,
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
    cell = (west | east) >> U(16 * (LOCK_COLUMN[lock] % 4))
    row = 0
    while cell > ONE:
        cell >>= ONE
        row += 1
    answer[1] = row
    codes, sunk = lock_piece(codes, question[0], question[1], west, east, LOCK_ORIENTATION[lock])
    codes, score, chain, cleared = resolve(g, codes, table)
    save(codes, board)
    answer[3] = score + table[TABLE_UNIT] * sunk
    answer[4] = chain
    answer[5] = cleared + sunk
    answer[6] = is_over(g, codes)
    return value


@compiled
def measure_boards(g: Any, boards: Any, results: Any) -> None:
    """The seven metrics of every row of ``boards`` (settled; (n, BOARD_WORDS)) into ``results`` ((n, 7) int64)."""
    for i in range(boards.shape[0]):
        codes = load(boards[i], 0)
        west, east = puyos(codes)
        sums = totals(g, west, east, *nuisance(codes))
        for k in range(4):
            results[i, k] = sums[k]
        _, consecutive, links = measure(g, vectors(codes))
        results[i, 4] = consecutive
        results[i, 5] = spreads(codes)
        results[i, 6] = links

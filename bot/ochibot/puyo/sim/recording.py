"""One game in one kernel (imports numba), of which every decision is written down."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from ochibot.jit.lanes import compiled, inlined, popcount
from ochibot.puyo.kernels.bits import FLOOR, ONE, ZERO, U, rolled
from ochibot.puyo.kernels.codes import added, codes_of, puyos, vectors
from ochibot.puyo.kernels.resolve import resolve
from ochibot.puyo.kernels.special import spawn_row
from ochibot.puyo.rules.field import COLUMNS, ROWS
from ochibot.puyo.search.engine import OVER_NOW
from ochibot.puyo.search.kernels import search
from ochibot.puyo.search.measure import note_colors
from ochibot.puyo.search.reach import LOCKS, reply_locks
from ochibot.puyo.search.replies import ROOT_NOTES, best_reply, is_over, rest_cells, settle_and_clear
from ochibot.puyo.sim.engine import CERTAIN
from ochibot.puyo.sim.selfplay import LOCK_RANKS, draw_color

_TWO: Final = U(2)


@inlined
def _write_cells(codes: Any, cells: Any) -> None:
    """Writes the cell codes, row by row from the top, as ``Field.codes`` has them."""
    for x in range(COLUMNS):
        a, b, c = (codes[0], codes[1], codes[2]) if x < 4 else (codes[3], codes[4], codes[5])
        shift = U(16 * (x % 4))
        a, b, c = a >> shift, b >> shift, c >> shift
        for y in range(ROWS - 1, -1, -1):
            cells[COLUMNS * y + x] = np.uint8((a & ONE) | ((b & ONE) << ONE) | ((c & ONE) << _TWO))
            a, b, c = a >> ONE, b >> ONE, c >> ONE


@inlined
def _nth(mask: Any, n: Any) -> Any:
    """The place of the ``n``-th set bit of a mask, from 0."""
    for _ in range(n):
        mask &= mask - ONE
    return np.int64(popcount((mask & (~mask + ONE)) - ONE))


@compiled
def _write_values(g: Any, codes: Any, how: Any, legal: Any, factors: Any, work: Any, values: Any) -> None:
    """Writes the value of each legal lock, as the search finds it for the best one, and NaN for the others."""
    note_colors(codes, work[ROOT_NOTES:])
    west, east = puyos(codes)
    free_west, free_east = (west + FLOOR) & ~west, (east + FLOOR) & ~east
    for lock in range(LOCKS):
        value = np.nan
        if (legal >> U(lock)) & ONE != ZERO:
            axis, partner = rest_cells(g, free_west, free_east, lock)
            locked = codes_of(added(added(vectors(codes), how[3], axis), how[4], partner))
            first, _ = settle_and_clear(g, locked)
            value = OVER_NOW
            if not is_over(g, first):
                value, _ = best_reply(g, first, how[5], how[6], factors, work, codes, -np.inf)
        values[lock] = value


@compiled
def record_play(
    g: Any,
    cells: Any,
    numbers: Any,
    values: Any,
    all_values: Any,
    random: Any,
    dice: Any,
    how: Any,
    factors: Any,
    table: Any,
    work: Any,
) -> None:
    """Plays a game from an empty field, and writes a row for each decision before its lock.

    random, uint64: the dealer's ``words``. dice, one uint64: the generator of random locks. factors, 7 float64: how the
    player weighs each metric. table: the score table.

    how, int64: [0] the first row to write; afterwards the row after the last one. [1] the row to stop before. [2]
    colours (0: the dealer has a pool). [3:5] the first pair, [5:7] the next one (colours from 0). [7] how many of
    CERTAIN locks are random. [8] points for emptying the field, [9] those that come with the next chain. [10]
    afterwards 1 if the last lock ended the game.

    cells, (rows, 84) uint8: the cell codes. values, float64: the value of the best lock. all_values, (rows, LOCKS)
    float64, or without rows: the value of each lock, NaN if it isn't legal. numbers, (rows, 10) int64:
    [0:2] the falling pair and [2:4] the next one (cell codes), [4] whether the next chain brings ``how[9]``, [5] the
    legal locks, a bit each, [6] the best lock, [7] the lock that is played, [8] the points and [9] the chain that it
    makes. A lock is its number in ``lock_order``.
    """
    codes = (ZERO, ZERO, ZERO, ZERO, ZERO, ZERO)
    owed: Any = 0
    over = False
    row = how[0]
    while row < how[1] and not over:
        _write_cells(codes, cells[row])
        west, east = puyos(codes)
        # before the search, which writes to the same memory
        legal = reply_locks(g, work, west, east, how[3] == how[4])
        value, best, _, _, _, _ = search(
            g,
            codes,
            how[3],
            how[4],
            how[5],
            how[6],
            2,
            np.int64(spawn_row(g)),
            2,
            2,
            factors,
            work,
            LOCK_RANKS,
            0,
        )
        if all_values.shape[0] > 0:
            _write_values(g, codes, how, legal, factors, work, all_values[row])
        lock = best
        if rolled(dice, CERTAIN) < how[7]:
            lock = _nth(legal, rolled(dice, np.int64(popcount(legal))))
        free_west, free_east = (west + FLOOR) & ~west, (east + FLOOR) & ~east
        axis, partner = rest_cells(g, free_west, free_east, lock)
        codes = codes_of(added(added(vectors(codes), how[3], axis), how[4], partner))
        codes, points, chain, _ = resolve(g, codes, table)
        west, east = puyos(codes)
        values[row] = value
        for k in range(4):
            numbers[row, k] = how[3 + k] + 1
        numbers[row, 4] = owed
        numbers[row, 5] = np.int64(legal)
        numbers[row, 6] = best
        numbers[row, 7] = lock
        if chain > 0:
            if owed:
                points += how[9]
            owed = 0
            if (west | east) == ZERO:
                points += how[8]
                owed = np.int64(how[9] > 0)
        numbers[row, 8] = points
        numbers[row, 9] = chain
        row += 1
        over = is_over(g, codes)
        how[3] = how[5]
        how[4] = how[6]
        how[5] = draw_color(random, how[2])
        how[6] = draw_color(random, how[2])
    how[0] = row
    how[10] = np.int64(over)

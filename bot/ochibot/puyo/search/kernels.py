"""The two-ply search on bit planes (imports numba). ``ochibot.puyo.search.engine`` loads it.

Boards are those of ``ochibot.puyo.kernels.resolve``. Colours are counted from 0 here, columns from 0, and rows from the
floor; ``g`` is the geometry; the colours of an item are those of ``ochibot.puyo.search.items``.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ochibot.jit.lanes import compiled, inlined
from ochibot.puyo.kernels.bits import ONE, ZERO, U, floats
from ochibot.puyo.kernels.codes import (
    add,
    load,
    nuisance,
    puyos,
    save,
    vectors,
)
from ochibot.puyo.kernels.resolve import resolve
from ochibot.puyo.rules.field import BOARD_WORDS
from ochibot.puyo.rules.profile import TABLE_UNIT
from ochibot.puyo.search.engine import MEMORY, OVER_NOW, SPOT_WORDS
from ochibot.puyo.search.items import BIG_ITEM, find_item_locks, lock_item
from ochibot.puyo.search.measure import (
    measure,
    note_colors,
    spreads,
    totals,
)
from ochibot.puyo.search.reach import (
    LOCK_COLUMN,
    LOCK_EAST,
    LOCK_ORIENTATION,
    LOCK_WEST,
    LOCKS,
    find_locks,
    towards,
)
from ochibot.puyo.search.replies import ROOT_NOTES, best_item_reply, best_reply, evaluate, is_over, settle_and_clear


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
    barred: Any,
) -> Any:
    """Finds the best first lock: (value, lock index or -1, axis cell west, east, leaves, leaves evaluated).

    ``root``: the board's codes; nothing on it clears. ``a``, ``b``: the colours of the falling pair's axis and partner.
    ``column``, ``row``, ``turned``: where the falling pair is. ``c``, ``d``: the next pair's colours. ``plies``: 1 or
    2. ``work``: scratch, WORK_WORDS words. ``ranks``: an int64 for each lock; ties go to the lock with the lowest rank.
    ``barred``: if bit i is set, the first pair may not take the i-th lock.

    When several locks lead to the same field, only the first is searched further. That can happen only when something
    was cleared, or an item acted.
    """
    spots, memory = work[:SPOT_WORDS], work[SPOT_WORDS:]
    remembered = 0
    west, east = puyos(root)
    still = (floats(west) | floats(east)) == ZERO
    if a >= BIG_ITEM:
        find_item_locks(g, spots, west, east, a, column, row)
    else:
        find_locks(g, spots, west, east, still, column, row, turned, a == b)
    if plies == 2 and c < BIG_ITEM:
        note_colors(root, spots[ROOT_NOTES:])
    # The flood of replies overwrites these words, so the locks are copied first.
    lock0, lock1, lock2, lock3 = spots[0], spots[1], spots[2], spots[3]
    lock4, lock5, lock6, lock7 = spots[4], spots[5], spots[6], spots[7]
    best, best_lock, best_west, best_east = -np.inf, -1, ZERO, ZERO
    leaves: Any = 0
    looked_at: Any = 0
    for i in range(LOCKS):
        if (barred >> i) & 1:
            continue
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
                continue  # the same field came up before, so this lock is no better
            if is_over(g, first):
                value = OVER_NOW
            elif plies == 1:
                value = evaluate(g, first, factors)
            elif c >= BIG_ITEM:
                value, tried = best_item_reply(g, first, c, factors, spots)
            else:
                value, tried = best_reply(g, first, c, d, factors, spots, root, best)
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
    """The index of an equal board in the memory; -1 if there is none. A new board is stored if there is room."""
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
    """Locks a piece: (codes, puyos that an item clears). A pair adds its two cells; an item acts.

    ``axis_west``, ``axis_east``: the plane with the axis's cell.
    """
    if a >= BIG_ITEM:
        return lock_item(codes, a, axis_west, axis_east)
    west, east = towards(axis_west, axis_east, orientation)
    return add(add(codes, a, axis_west, axis_east), b, west, east), 0


@compiled
def two_ply(g: Any, root: Any, question: Any, factors: Any, table: Any, work: Any, answer: Any, board: Any) -> Any:
    """Makes a decision and computes its result. Returns the decision's value.

    question, int64: the colours a, b, c, d of ``search`` (from 0), the axis's column and row, the orientation, the
    plies, the barred locks (bits), the ranks of all locks.

    answer, int64, receives: lock index (-1: there is none), the axis's row, leaves, shown points, chain, puyos cleared,
    whether the game is over, leaves evaluated. table: the score table. board: BOARD_WORDS words; receives the resolved
    field after the current piece.
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
        question[9:],
        question[8],
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
    """Writes the seven metrics of every row of ``boards`` (settled; (n, BOARD_WORDS)) to ``results`` ((n, 7) int64)."""
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

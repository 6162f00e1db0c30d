"""The search of Pochi & Nyaa on bit planes (imports numba). ``ochibot.nyaa.search.engine`` loads and calls it.

Boards are those of ``ochibot.nyaa.kernels.packed``. Colours and columns are counted from 0 here, rows from the floor.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ochibot.jit.lanes import compiled, inlined, popcount
from ochibot.nyaa.kernels.bits import ONE, ZERO, U, burn_out
from ochibot.nyaa.kernels.ignite import ignite
from ochibot.nyaa.kernels.packed import BOARD_WORDS, NEEDLES, NUISANCE_WORD
from ochibot.nyaa.rules.grid import COLUMNS, ROWS
from ochibot.nyaa.search.engine import OVER_NEXT, OVER_NOW
from ochibot.nyaa.search.measure import LANE, look, measure, occupied, weigh, write_heights
from ochibot.nyaa.search.question import (
    ANSWER_LEAVES,
    ANSWER_LOCK,
    ANSWER_METRICS,
    ASKED_RULES,
    AXIS_X,
    AXIS_Y,
    BARRED,
    COLORS,
    FACTS,
    FALL_ORDER,
    IDLE_VANISHES,
    MOST_PER_FALL,
    NUISANCE_EACH,
    NUISANCE_POPS,
    OFFSET,
    OVER_HEIGHT,
    PAIRS,
    PENDING,
    PLACE,
    PLIES,
    RANKS,
    REACHED,
    READY_1,
    READY_2,
    RULES,
    SPAWN_COLUMN,
    SPAWN_PLACE,
    THERE,
    TURNED,
)
from ochibot.nyaa.search.reach import (
    LOCK_BIT,
    LOCK_COLUMN,
    LOCK_NEEDLE,
    LOCK_ORIENTATION,
    LOCKS,
    STEP_X,
    reachable,
)


@inlined
def drop_half(board: Any, color: Any, x: Any, needle: Any) -> None:
    """Drops one half onto a column. Above a full column it is lost."""
    low, high = occupied(board)
    lane = (low if x < 4 else high) >> U(16 * (x & 3)) & LANE
    row = popcount(lane)
    if row < U(ROWS):
        word = color + (NEEDLES if needle else 0) + (COLORS if x >= 4 else 0)
        board[word] |= ONE << (U(16 * (x & 3)) + row)


@inlined
def drop_pair(board: Any, a: Any, b: Any, x: Any, o: Any, needle: Any) -> None:
    """Drops both halves, the lower one first."""
    if o == 0:
        drop_half(board, b, x, needle)
        drop_half(board, a, x, needle)
    else:
        drop_half(board, a, x, needle)
        drop_half(board, b, x + STEP_X[o], needle)


@compiled
def drop_nuisance(board: Any, count: Any, scratch: Any) -> None:
    """Drops ``count`` nuisance blocks: full rows, then one block in each of the first columns of ``FALL_ORDER``."""
    low, high = occupied(board)
    rows, rest = count // COLUMNS, count % COLUMNS
    for i in range(COLUMNS):
        x = scratch[RULES + FALL_ORDER + i]
        lane = (low if x < 4 else high) >> U(16 * (x & 3)) & LANE
        top = np.int64(popcount(lane))
        to = min(top + rows + (1 if i < rest else 0), ROWS)
        fallen = (ONE << U(to)) - (ONE << U(top))
        board[NUISANCE_WORD + (1 if x >= 4 else 0)] |= fallen << U(16 * (x & 3))


@inlined
def is_over(board: Any, scratch: Any) -> Any:
    """Whether the cell that ends the game is occupied."""
    low, high = occupied(board)
    x = scratch[RULES + SPAWN_COLUMN]
    word = low if x < 4 else high
    return ((word >> U(16 * (x & 3) + scratch[RULES + OVER_HEIGHT] - 1)) & ONE) != ZERO


@compiled
def play(board: Any, a: Any, b: Any, x: Any, o: Any, needle: Any, pending: Any, scratch: Any, work: Any) -> Any:
    """Locks a pair on the board. Returns (attack, nuisance that still waits, nuisance sent, whether the game is over).

    An attack of -1 means that the needles lit nothing and became blocks. The search skips such a lock, because the same
    lock as blocks has the same result.
    """
    drop_pair(board, a, b, x, o, needle)
    attack: Any = 0
    sent: Any = 0
    lit = False
    if needle:
        attack, _, pop_low, pop_high = ignite(board, work)
        lit = (pop_low | pop_high) != ZERO
        if not lit and not scratch[RULES + IDLE_VANISHES]:
            return -1, pending, 0, False
        burn_out(board, pop_low, pop_high, scratch[RULES + IDLE_VANISHES], scratch[RULES + NUISANCE_POPS])
        earned = attack * scratch[RULES + NUISANCE_EACH]
        offset = min(earned, pending) * scratch[RULES + OFFSET]
        sent = earned - offset
        pending -= offset
    over = is_over(board, scratch)
    if not over and not lit and pending > 0:
        falling = min(pending, scratch[RULES + MOST_PER_FALL])
        drop_nuisance(board, falling, scratch)
        pending -= falling
        over = is_over(board, scratch)
    return attack, pending, sent, over


@inlined
def is_twin(i: Any, seen: Any) -> Any:
    """For pairs of one colour: (whether lock ``i`` covers the same cells as one in ``seen``, ``seen`` with it)."""
    o = LOCK_ORIENTATION[i]
    left = LOCK_COLUMN[i] - (1 if o == 1 else 0)
    bit = ONE << U(left + (8 if (o & 1) else 0) + (16 if LOCK_NEEDLE[i] else 0))
    return (seen & bit) != ZERO, seen | bit


@compiled
def allowed(board: Any, a: Any, b: Any, place: Any, barred: Any, numbers: Any) -> Any:
    """The locks that a pair can reach and that aren't barred, a bit for each. Of a pair of one colour, those on the
    same cells count once.

    place: where the pair is. barred: if bit i is set, the i-th lock isn't allowed.
    """
    low, high = occupied(board)
    write_heights(low, high, numbers)
    locks = reachable(numbers, place[AXIS_X], place[AXIS_Y], place[TURNED], numbers[REACHED:])
    bits = seen = ZERO
    for i in range(LOCKS):
        if (locks >> LOCK_BIT[i]) & ONE == ZERO or (barred >> i) & 1:
            continue
        if a == b:
            twin, seen = is_twin(i, seen)
            if twin:
                continue
        bits |= ONE << U(i)
    return bits


@inlined
def copy(board: Any, to: Any) -> None:
    """Copies a board."""
    for k in range(BOARD_WORDS):
        to[k] = board[k]


@compiled
def best_lock(
    board: Any,
    a: Any,
    b: Any,
    place: Any,
    ready: Any,
    attack: Any,
    sent: Any,
    early: Any,
    pending: Any,
    over_value: Any,
    ranks: Any,
    barred: Any,
    factors: Any,
    numbers: Any,
    memory: Any,
    work: Any,
    leaf: Any,
) -> Any:
    """Finds the best lock of the last pair that is searched. Returns (value, lock or -1, number of leaves).

    attack, sent: the sums over the pairs before this one. early: the nuisance that the first of them sent; -1 if this
    pair is the first. barred: see ``allowed``. over_value: the value of a lock that ends the game.
    """
    locks = allowed(board, a, b, place, barred, numbers)
    best, best_at = -np.inf, -1
    leaves = 0
    for i in range(LOCKS):
        if (locks >> U(i)) & ONE == ZERO:
            continue
        copy(board, leaf)
        more, waits, gone, over = play(
            leaf, a, b, LOCK_COLUMN[i], LOCK_ORIENTATION[i], LOCK_NEEDLE[i], pending, numbers, work
        )
        if more < 0:
            continue
        leaves += 1
        value = over_value
        if not over:
            first = gone if early < 0 else early
            measure(leaf, attack + more, sent + gone, first, waits, ready, numbers, memory, work)
            value = weigh(numbers, factors)
        if value > best or (value == best and ranks[i] < ranks[best_at]):
            best, best_at = value, i
    return best, best_at, leaves


@compiled
def two_ply(
    root: Any, there: Any, question: Any, factors: Any, numbers: Any, memory: Any, work: Any, answer: Any
) -> Any:
    """Makes a decision; returns the value of the best lock.

    root, there: the player's board and the opponent's, both at rest.

    question, int64, in this order:

    - the colours of the current pair and of the next one
    - where the current pair is and where the next one spawns, each as the axis's column, its row (from the top, 0 is
      hidden) and the orientation
    - the nuisance that waits on this side, and on the other
    - the colours, as bits, of the next pair, and of the one after it
    - the plies (0: only the root is measured)
    - the barred locks of the current pair, as bits
    - the words of the rules (``ochibot.nyaa.search.question``)
    - the ranks of all locks: ties go to the lowest rank

    numbers: scratch, NUMBERS int64. memory: MEMORY_WORDS words, initially zero, kept from call to call. work: two
    boards, then the scratch of ``ochibot.nyaa.kernels.ignite``.

    answer, int64, receives the lock's number (-1: there is none) and the leaves; with 0 plies the metrics.
    """
    first, leaf, burning = work[:BOARD_WORDS], work[BOARD_WORDS : 2 * BOARD_WORDS], work[2 * BOARD_WORDS :]
    for k in range(RANKS - ASKED_RULES):
        numbers[RULES + k] = question[ASKED_RULES + k]
    look(there, question[THERE], numbers, memory, burning)
    a, b, pending, ranks = question[PAIRS], question[PAIRS + 1], question[PENDING], question[RANKS:]
    barred = question[BARRED]
    place, spawn = question[PLACE:SPAWN_PLACE], question[SPAWN_PLACE:PENDING]
    best, best_at = -np.inf, -1
    leaves = 0
    nothing = 0 * pending
    if question[PLIES] == 0:
        copy(root, first)
        ready = question[READY_1]
        measure(first, nothing, nothing, nothing, pending, ready, numbers, memory, burning)
        for k in range(REACHED - FACTS):
            answer[ANSWER_METRICS + k] = numbers[FACTS + k]
        best = weigh(numbers, factors)
    elif question[PLIES] == 1:
        ready = question[READY_1]
        best, best_at, leaves = best_lock(
            root,
            a,
            b,
            place,
            ready,
            nothing,
            nothing,
            nothing - 1,
            pending,
            OVER_NOW,
            ranks,
            barred,
            factors,
            numbers,
            memory,
            burning,
            leaf,
        )
    else:
        c, d, ready = question[PAIRS + 2], question[PAIRS + 3], question[READY_2]
        locks = allowed(root, a, b, place, barred, numbers)
        for i in range(LOCKS):
            if (locks >> U(i)) & ONE == ZERO:
                continue
            copy(root, first)
            attack, waits, sent, over = play(
                first, a, b, LOCK_COLUMN[i], LOCK_ORIENTATION[i], LOCK_NEEDLE[i], pending, numbers, burning
            )
            if attack < 0:
                continue
            value = OVER_NOW
            tried = 1
            if not over:
                value, _, tried = best_lock(
                    first,
                    c,
                    d,
                    spawn,
                    ready,
                    attack,
                    sent,
                    sent,
                    waits,
                    OVER_NEXT,
                    ranks,
                    nothing,
                    factors,
                    numbers,
                    memory,
                    burning,
                    leaf,
                )
            leaves += tried
            if value > best or (value == best and ranks[i] < ranks[best_at]):
                best, best_at = value, i
    answer[ANSWER_LOCK] = best_at
    answer[ANSWER_LEAVES] = leaves
    return best

"""The kernels of the beam search of Pochi & Nyaa, on bit planes (imports numba).

``grow`` makes the next layer. ``expect`` values boards by the mean over all pairs that can come next.
``ochibot.nyaa.kernels.packed`` explains how a board is packed, ``ochibot.nyaa.search.question`` the array ``question``.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from ochibot.jit.lanes import compiled, inlined
from ochibot.nyaa.kernels.bits import ONE, ZERO, U
from ochibot.nyaa.kernels.packed import BOARD_WORDS, NEEDLES, NUISANCE_WORD
from ochibot.nyaa.search.engine import OVER_NEXT
from ochibot.nyaa.search.kernels import allowed, best_lock, copy, play
from ochibot.nyaa.search.measure import look, measure, weigh
from ochibot.nyaa.search.question import (
    ALL_READY,
    ASKED_RULES,
    ATTACK,
    BARRED,
    COLORS,
    EARLY,
    LEAVES,
    PAIRS,
    PENDING,
    PENDING_THEN,
    PLACE,
    PLIES,
    RANKS,
    READY_1,
    ROOT,
    RULES,
    SENT,
    SPAWN_PLACE,
    THERE,
    WAY,
)
from ochibot.nyaa.search.reach import LOCK_COLUMN, LOCK_NEEDLE, LOCK_ORIENTATION, LOCKS

_MIX: Final = U(0x9E3779B97F4A7C15)


@inlined
def _mixed(board: Any, way: Any) -> Any:
    """A hash of a board and its way (see ``layout``) without the root. It skips needles: a board at rest has none."""
    mixed = ZERO
    for k in range(NEEDLES):
        mixed = (mixed ^ board[k]) * _MIX
        mixed ^= mixed >> U(29)
    for k in range(2):
        mixed = (mixed ^ board[NUISANCE_WORD + k]) * _MIX
        mixed ^= mixed >> U(29)
    for k in range(ROOT + 1, WAY):
        mixed = (mixed ^ U(way[k])) * _MIX
        mixed ^= mixed >> U(29)
    return mixed


@inlined
def _same(board: Any, way: Any, other: Any, other_way: Any) -> Any:
    """Whether two boards are equal, and their ways, too, apart from the roots."""
    same = True
    for k in range(BOARD_WORDS):
        same &= board[k] == other[k]
    for k in range(ROOT + 1, WAY):
        same &= way[k] == other_way[k]
    return same


@compiled
def grow(
    there: Any,
    boards: Any,
    ways: Any,
    begin: Any,
    end: Any,
    question: Any,
    factors: Any,
    numbers: Any,
    memory: Any,
    work: Any,
    slots: Any,
    into: Any,
    new_ways: Any,
    values: Any,
    made: Any,
    counts: Any,
) -> Any:
    """Makes the next layer from the boards ``begin`` to ``end - 1`` and returns how many boards it has.

    The next layer has a board for each lock of the pair on each of these boards. Boards on which the game is over are
    left out. Of equal boards whose ways differ at most in the root, one is kept, with the root of the lowest rank.

    Input: there: the other side's board. boards, ways: this layer's. question: it uses the words PAIRS (two), PLACE
    (three), READY_1, BARRED, PLIES and the ranks; if PLIES is 1 (a lock of this pair is a root), also THERE and the
    rules. made: how many boards the next layer has so far.

    Output: into, new_ways, values: the next layer, from index ``made`` on. counts: COUNTS numbers, to which it adds.

    Scratch: numbers, memory and work, as for ``two_ply``. slots: a hash table, all 0 when the next layer is begun. Its
    length is a power of two, larger than the number of boards in the next layer.
    """
    first = question[PLIES] == 1
    burning = work[2 * BOARD_WORDS :]
    if first:
        for k in range(RANKS - ASKED_RULES):
            numbers[RULES + k] = question[ASKED_RULES + k]
        look(there, question[THERE], numbers, memory, burning)
    a, b, ready, barred = question[PAIRS], question[PAIRS + 1], question[READY_1], question[BARRED]
    place, ranks = question[PLACE:], question[RANKS:]
    last = slots.shape[0] - 1
    for n in range(begin, end):
        locks = allowed(boards[n], a, b, place, barred, numbers)
        for i in range(LOCKS):
            if (locks >> U(i)) & ONE == ZERO:
                continue
            leaf, way = into[made], new_ways[made]
            copy(boards[n], leaf)
            attack, waits, sent, over = play(
                leaf,
                a,
                b,
                LOCK_COLUMN[i],
                LOCK_ORIENTATION[i],
                LOCK_NEEDLE[i],
                ways[n, PENDING_THEN],
                numbers,
                burning,
            )
            if attack < 0:
                continue
            counts[LEAVES] += 1
            if over:
                continue
            way[ROOT] = i if first else ways[n, ROOT]
            way[ATTACK] = ways[n, ATTACK] + attack
            way[SENT] = ways[n, SENT] + sent
            way[EARLY] = sent if first else ways[n, EARLY]
            way[PENDING_THEN] = waits
            at = np.int64(_mixed(leaf, way) >> U(20)) & last
            known = False
            while slots[at] != 0:
                other = slots[at] - 1
                if _same(leaf, way, into[other], new_ways[other]):
                    if ranks[way[ROOT]] < ranks[new_ways[other, ROOT]]:
                        new_ways[other, ROOT] = way[ROOT]
                    known = True
                    break
                at = (at + 1) & last
            if known:
                continue
            measure(leaf, way[ATTACK], way[SENT], way[EARLY], waits, ready, numbers, memory, burning)
            values[made] = weigh(numbers, factors)
            made += 1
            slots[at] = made
    return made


@compiled
def expect(
    boards: Any,
    ways: Any,
    begin: Any,
    end: Any,
    question: Any,
    factors: Any,
    numbers: Any,
    memory: Any,
    work: Any,
    values: Any,
    counts: Any,
) -> Any:
    """Writes the values of the boards ``begin`` to ``end - 1``: the mean over all pairs that can come next. Returns 0.

    Each of the ten kinds of pairs counts with the value of its best lock. Those of two colours count twice, because
    they come twice as often. Call it after ``grow``; of ``question`` it uses SPAWN_PLACE and the ranks.
    """
    leaf, burning = work[BOARD_WORDS : 2 * BOARD_WORDS], work[2 * BOARD_WORDS :]
    nothing = 0 * question[PENDING]
    for n in range(begin, end):
        total = 0.0
        for a in range(COLORS):
            for b in range(a, COLORS):
                value, _, leaves = best_lock(
                    boards[n],
                    a,
                    b,
                    question[SPAWN_PLACE:PENDING],
                    nothing + ALL_READY,
                    ways[n, ATTACK],
                    ways[n, SENT],
                    ways[n, EARLY],
                    ways[n, PENDING_THEN],
                    OVER_NEXT,
                    question[RANKS:],
                    nothing,
                    factors,
                    numbers,
                    memory,
                    burning,
                    leaf,
                )
                counts[LEAVES] += leaves
                if leaves:
                    total += value if a == b else 2 * value
                else:
                    total += OVER_NEXT if a == b else 2 * OVER_NEXT
        values[n] = total / (COLORS * COLORS)
    return 0

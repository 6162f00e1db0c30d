"""A beam search along pairs that are all known, on bit planes (imports numba).

``ochibot.puyo.search.engine`` loads it, ``ochibot.puyo.search.clairvoyant`` calls it. Boards, colours, columns, rows
and locks are as in ``ochibot.puyo.search.kernels``.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from ochibot.jit.lanes import compiled, inlined
from ochibot.puyo.kernels.bits import FLOOR, LANE, ONE, ZERO, U
from ochibot.puyo.kernels.codes import add, color_plane, load, puyos, save
from ochibot.puyo.kernels.resolve import resolve
from ochibot.puyo.kernels.special import kept_east, kept_west, spawn_row
from ochibot.puyo.rules.field import BOARD_WORDS, COLORS, COLUMNS
from ochibot.puyo.search.engine import OVER_NOW
from ochibot.puyo.search.kernels import lock_piece
from ochibot.puyo.search.reach import LOCK_EAST, LOCK_ORIENTATION, LOCK_WEST, LOCKS, SPAWN_COLUMN, find_locks
from ochibot.puyo.search.replies import evaluate, is_over

_UP: Final = 2
_MIX: Final = U(0x9E3779B97F4A7C15)
_EMPTY_SLOT: Final = -1


@compiled
def points(g: Any, codes: Any, table: Any) -> Any:
    """Resolves a board: (codes, shown points)."""
    codes, score, _, _ = resolve(g, codes, table)
    return codes, score


@compiled
def promise(g: Any, codes: Any, table: Any) -> Any:
    """The most shown points that two puyos of one colour would set off if they fell into one column.

    ::

        .R....      two R in the first column and the
        BR.R..      two in the second make a group of four
    """
    west, east = puyos(codes)
    free_west, free_east = (west + FLOOR) & ~west & kept_west(g), (east + FLOOR) & ~east & kept_east(g)
    best: Any = 0
    for k in range(len(COLORS)):
        color_west, color_east = color_plane(codes, k)
        if (color_west | color_east) == ZERO:
            continue
        for x in range(COLUMNS):
            lane = LANE << U(16 * (x % 4))
            two_west, two_east = (free_west & lane, ZERO) if x < 4 else (ZERO, free_east & lane)
            two_west |= (two_west << ONE) & kept_west(g)
            two_east |= (two_east << ONE) & kept_east(g)
            _, score = points(g, add(codes, k, two_west, two_east), table)
            best = max(best, score)
    return best


@inlined
def _before(keys: Any, one: Any, other: Any) -> Any:
    """Whether one candidate is better than another: it has the greater key, or an equal one and was found earlier."""
    return keys[one] > keys[other] or (keys[one] == keys[other] and one < other)


@compiled
def _sink(heap: Any, keys: Any, at: Any, size: Any) -> None:
    """Sinks the heap's entry at ``at`` to its proper place. Both of its children must be heaps."""
    item = heap[at]
    while True:
        child = 2 * at + 1
        if child >= size:
            break
        if child + 1 < size and _before(keys, heap[child + 1], heap[child]):
            child += 1
        if not _before(keys, heap[child], item):
            break
        heap[at] = heap[child]
        at = child
    heap[at] = item


@compiled
def _is_new(boards: Any, at: Any, slots: Any, number: Any, base: Any) -> Any:
    """Whether the board at ``at`` differs from all boards in the hash table ``slots``. A new one is entered there.

    ``number``: the number under which it is entered. ``base``: where the board with number 0 begins in ``boards``.
    """
    size = slots.shape[0]
    mixed = ZERO
    for k in range(BOARD_WORDS):
        mixed = (mixed ^ boards[at + k]) * _MIX
        mixed ^= mixed >> U(29)
    slot: Any = np.int64(mixed % U(size))
    while slots[slot] != _EMPTY_SLOT:
        other = base + BOARD_WORDS * slots[slot]
        same = True
        for k in range(BOARD_WORDS):
            same &= boards[other + k] == boards[at + k]
        if same:
            return False
        slot = slot + 1 if slot + 1 < size else 0
    slots[slot] = number
    return True


@compiled
def beam(
    g: Any,
    root: Any,
    question: Any,
    pairs: Any,
    factors: Any,
    weights: Any,
    table: Any,
    spots: Any,
    boards: Any,
    keys: Any,
    gains: Any,
    firsts: Any,
    heap: Any,
    slots: Any,
    answer: Any,
) -> Any:
    """Searches for the best first lock along known pairs; returns the value of the best board at the end.

    question, 3 int64: the falling pair's column, row and orientation. pairs, (n, 2) int64: the colours of all known
    pairs from 0, the falling one first. factors, 7 float64: the player's. weights, 3 float64: the value of a shown
    point, the factor by which it falls with each ply, and the value of a promised point (see ``promise``) relative
    to a scored one. table: the score table.

    Scratch, for a beam of W: spots, SPOT_WORDS uint64; boards, 24 W x BOARD_WORDS uint64; keys, gains float64 and
    firsts, heap int64, 24 W each; slots, 4 W int64.

    answer, 5 int64, receives: the lock (-1: there is none), the axis's row, boards examined, plies that some board
    survived, boards kept at the last such ply.
    """
    width = slots.shape[0] // 4
    # ``boards`` begins with two areas that take turns: the boards of this ply and of the next. Candidates follow.
    parents, children = 0, width
    candidates = 2 * width
    save(load(root, 0), boards)
    gains[0], firsts[0] = 0.0, -1
    kept = 1
    answer[0], answer[2], answer[3], answer[4] = -1, 0, 0, 0
    best = OVER_NOW
    worth = weights[0]
    for ply in range(pairs.shape[0]):
        a, b = pairs[ply, 0], pairs[ply, 1]
        found = 0
        for n in range(kept):
            codes = load(boards, BOARD_WORDS * (parents + n))
            west, east = puyos(codes)
            if ply == 0:
                find_locks(g, spots, west, east, False, question[0], question[1], question[2], a == b)
            else:
                find_locks(g, spots, west, east, True, SPAWN_COLUMN, np.int64(spawn_row(g)), _UP, a == b)
            for i in range(LOCKS):
                o = LOCK_ORIENTATION[i]
                axis_west, axis_east = spots[o] & LOCK_WEST[i], spots[4 + o] & LOCK_EAST[i]
                while (axis_west | axis_east) != ZERO:
                    one_west = axis_west & (~axis_west + ONE)
                    one_east = axis_east & (~axis_east + ONE) if one_west == ZERO else ZERO
                    axis_west ^= one_west
                    axis_east ^= one_east
                    after, _ = lock_piece(codes, a, b, one_west, one_east, o)
                    after, score = points(g, after, table)
                    answer[2] += 1
                    first = firsts[parents + n]
                    if ply == 0:
                        first = 16 * i + _row_of(one_west | one_east)
                        if answer[0] < 0:
                            answer[0] = first
                    if is_over(g, after) or found >= heap.shape[0] - candidates:
                        continue
                    at = candidates + found
                    save(after, boards[BOARD_WORDS * at :])
                    gains[at] = gains[parents + n] + worth * score
                    firsts[at] = first
                    keys[at] = gains[at] + evaluate(g, after, factors)
                    if weights[2] > 0:
                        keys[at] += worth * weights[2] * promise(g, after, table)
                    heap[found] = at
                    found += 1
        if found == 0:
            break
        for at in range(found // 2 - 1, -1, -1):
            _sink(heap, keys, at, found)
        for slot in range(slots.shape[0]):
            slots[slot] = _EMPTY_SLOT
        answer[0], answer[3], best = firsts[heap[0]], ply + 1, keys[heap[0]]
        kept = 0
        while found and kept < width:
            chosen = heap[0]
            found -= 1
            heap[0] = heap[found]
            _sink(heap, keys, 0, found)
            into = children + kept
            if _is_new(boards, BOARD_WORDS * chosen, slots, kept, BOARD_WORDS * children):
                save(load(boards, BOARD_WORDS * chosen), boards[BOARD_WORDS * into :])
                gains[into], firsts[into] = gains[chosen], firsts[chosen]
                kept += 1
        answer[4] = kept
        parents, children = children, parents
        worth *= weights[1]
    answer[1] = answer[0] & 15
    answer[0] >>= 4
    return best


@inlined
def _row_of(cell: Any) -> Any:
    """The row of a cell, given in one word of a plane."""
    while cell > LANE:
        cell >>= U(16)
    row = 0
    while cell > ONE:
        cell >>= ONE
        row += 1
    return row

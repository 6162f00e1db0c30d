"""One layer of the beam (imports numba): every board of a layer with every lock of a pair, and of those the best.

Boards, colours, columns and rows are those of ``ochibot.puyo.search.kernels``.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from ochibot.jit.lanes import compiled, inlined
from ochibot.puyo.kernels.bits import ONE, ZERO, U
from ochibot.puyo.kernels.codes import add, clears, doomed, kept_only, load, puyos, save
from ochibot.puyo.kernels.special import kept_east, kept_west
from ochibot.puyo.rules.field import BOARD_WORDS
from ochibot.puyo.search.chain.layout import FLOOD, NODES, TEAR, WASTE
from ochibot.puyo.search.chain.potential import burst, potential
from ochibot.puyo.search.chain.shape import heights, shape
from ochibot.puyo.search.reach import (
    LOCK_COLUMN,
    LOCK_EAST,
    LOCK_ORIENTATION,
    LOCK_WEST,
    LOCKS,
    find_locks,
    reply_locks,
)
from ochibot.puyo.search.replies import is_over

_MIX: Final = U(0x9E3779B97F4A7C15)


@inlined
def _cell(column: Any, row: Any) -> Any:
    """A cell as a plane: (west, east)."""
    bit = ONE << U(16 * (column & 3) + row)
    return (bit, ZERO) if column < 4 else (ZERO, bit)


@inlined
def locked(g: Any, codes: Any, tall: Any, lock: Any, a: Any, b: Any) -> Any:
    """A pair locks and its halves drop: (codes, rows that the upper half fell apart from the lower one).

    ``tall``: the columns' heights. What comes to lie above the rows that hold puyos is gone.
    """
    x, o = LOCK_COLUMN[lock], LOCK_ORIENTATION[lock]
    other, row, row_of_other = x, tall[x], tall[x]
    if o == 0:
        row += 1
    elif o == 2:
        row_of_other += 1
    else:
        other = x + o - 2
        row_of_other = tall[other]
    west, east = _cell(x, row)
    other_west, other_east = _cell(other, row_of_other)
    codes = add(add(codes, a, west, east), b, other_west, other_east)
    return kept_only(codes, kept_west(g), kept_east(g)), abs(row - row_of_other) if other != x else 0


@inlined
def _mixed(codes: Any) -> Any:
    """A number that tells boards apart, never 0."""
    mixed = ZERO
    for word in codes:
        mixed = (mixed ^ word) * _MIX
        mixed ^= mixed >> U(29)
    return mixed | ONE


@inlined
def _is_new(slots: Any, mixed: Any) -> Any:
    """Whether a number isn't among those kept in ``slots``, a power of two of words; it is then entered."""
    last = slots.shape[0] - 1
    at = np.int64(mixed >> U(20)) & last
    while slots[at] != ZERO:
        if slots[at] == mixed:
            return False
        at = (at + 1) & last
    slots[at] = mixed
    return True


@compiled
def _rise(heap: Any, keys: Any, at: Any) -> None:
    """Puts the heap's last entry right; its least key stands first."""
    item = heap[at]
    while at > 0:
        above = (at - 1) >> 1
        if keys[heap[above]] <= keys[item]:
            break
        heap[at] = heap[above]
        at = above
    heap[at] = item


@compiled
def _sink(heap: Any, keys: Any, size: Any) -> None:
    """Puts the heap's first entry right."""
    item, at = heap[0], 0
    while True:
        child = 2 * at + 1
        if child >= size:
            break
        if child + 1 < size and keys[heap[child + 1]] < keys[heap[child]]:
            child += 1
        if keys[item] <= keys[heap[child]]:
            break
        heap[at] = heap[child]
        at = child
    heap[at] = item


@compiled
def grow(
    g: Any,
    question: Any,
    boards: Any,
    costs: Any,
    roots: Any,
    into: Any,
    new_costs: Any,
    new_roots: Any,
    keys: Any,
    reach: Any,
    worth: Any,
    fired: Any,
    weights: Any,
    table: Any,
    slots: Any,
    heap: Any,
    scratch: Any,
    counts: Any,
) -> Any:
    """The next layer: returns how many boards it has.

    question, int64: the pair's colours a, b from 0; boards in the layer; boards that the next may have; a mask of the
    colours dealt; 1 for the first layer, whose only board has locks for roots; of this one the pair's column, row and
    orientation, and the roots that are tried, as bits. boards: the layer's, flat. costs, roots: of each what its way
    cost, and its first lock. into, new_costs, new_roots: the next layer's; keys: their values; reach: the shown points
    that each could set off. worth: what a point of this layer's chains counts. fired, float64 by root: raised to the
    best chain's. slots: a power of two of words, more than there are boards to look at. heap: int64, as many as the
    next layer may have. scratch: SCRATCH_WORDS. counts: COUNTS.
    """
    a, b, layer, width, colors, first = question[0], question[1], question[2], question[3], question[4], question[5]
    spots, seen = scratch[:FLOOD], scratch[FLOOD:]
    slots[:] = ZERO
    made: Any = 0
    for n in range(layer):
        codes = load(boards, BOARD_WORDS * n)
        west, east = puyos(codes)
        if first:
            find_locks(g, spots, west, east, True, question[6], question[7], question[8], a == b)
            bits = ZERO
            for i in range(LOCKS):
                o = LOCK_ORIENTATION[i]
                if (spots[o] & LOCK_WEST[i]) | (spots[o + 4] & LOCK_EAST[i]):
                    bits |= ONE << U(i)
            bits &= U(question[9])
        else:
            bits = reply_locks(g, spots, west, east, a == b)
        tall = heights(codes)
        for i in range(LOCKS):
            if (bits >> U(i)) & ONE == ZERO:
                continue
            after, torn = locked(g, codes, tall, i, a, b)
            root = i if first else roots[n]
            cost = costs[n] + weights[TEAR] * torn
            if clears(g, after):
                west, east = puyos(after)
                after, score, chain = burst(g, after, doomed(g, after), table)
                if chain:
                    fired[root] = max(fired[root], worth * score)
                    cost += weights[WASTE] * chain
            if is_over(g, after) or not _is_new(slots, _mixed(after)):
                continue
            counts[NODES] += 1
            value, score, _, _ = potential(g, after, colors, table, weights, seen)
            key = cost + value + shape(g, after, weights)
            grown = made < width
            if grown:
                at: Any = made
                heap[made] = at
                made += 1
            elif key > keys[heap[0]]:
                at = heap[0]
            else:
                continue
            keys[at] = key
            save(after, into[BOARD_WORDS * at :])
            new_costs[at], new_roots[at], reach[at] = cost, root, score
            if grown:
                _rise(heap, keys, made - 1)
            else:
                _sink(heap, keys, made)
    return made

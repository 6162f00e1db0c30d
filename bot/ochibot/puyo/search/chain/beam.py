"""One layer of the beam (imports numba): locks a pair in every way on every board, and keeps the best results.

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
from ochibot.puyo.search.chain.layout import CHILD, FLOOD, GROUP, MOST, NODES, ROOTS, TEAR, TRIGGERS, WASTE
from ochibot.puyo.search.chain.potential import best_group, burst, list_groups, set_off
from ochibot.puyo.search.chain.shape import heights, shape
from ochibot.puyo.search.reach import (
    LOCK_COLUMN,
    LOCK_ORIENTATION,
    LOCKS,
    find_locks,
    lock_bits,
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
    """Locks a pair and drops its halves: (codes, rows that one half fell further than the other).

    ``tall``: the columns' heights. Puyos that come to lie above the highest row that keeps puyos are removed.
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
    """A hash of a board, never 0."""
    mixed = ZERO
    for word in codes:
        mixed = (mixed ^ word) * _MIX
        mixed ^= mixed >> U(29)
    return mixed | ONE


@inlined
def _is_new(slots: Any, mixed: Any) -> Any:
    """Whether a hash isn't in ``slots`` yet; a new one is entered. The number of slots is a power of two."""
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
    """Moves the heap's last entry up to its place. The entry with the least key stands first."""
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
    """Moves the heap's first entry down to its place."""
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
    """Makes the next layer and returns how many boards it has.

    A board's *root* is the first lock on the way to it; its *cost* is the sum of the terms tear and waste over the
    locks on the way. Of a chain's points, at most ``weights[MOST]`` count.

    Input: question, int64: the pair's colours a and b (from 0), the boards in this layer, the most boards that the next
    layer may have, a mask of the colours dealt, 1 if this is the first layer (its only board has no root yet), then for
    the first layer only the pair's column, row and orientation, and the locks that are tried, as bits. boards: this
    layer's boards, flat. costs, roots: one entry for each board. worth: the value of one point that a chain of this
    layer scores.

    Output: into, new_costs, new_roots: the next layer's boards, costs and roots. keys: the value of each board. reach:
    the shown points that each board could set off. fired, one float64 for each root: raised to the value of the root's
    best chain in this layer. counts, COUNTS int64: the number of boards examined is added to counts[NODES].

    Scratch: slots, whose number is a power of two and more than the boards to examine; heap, int64, one for each board
    of the next layer; scratch, SCRATCH_WORDS words.
    """
    a, b, layer, width, colors, first = question[0], question[1], question[2], question[3], question[4], question[5]
    spots, children = scratch[:FLOOD], scratch[FLOOD:]
    about = children[BOARD_WORDS * ROOTS :]
    seen = children[CHILD * ROOTS :]
    running = seen[GROUP * TRIGGERS :]
    slots[:] = ZERO
    made: Any = 0
    for n in range(layer):
        codes = load(boards, BOARD_WORDS * n)
        west, east = puyos(codes)
        if first:
            find_locks(g, spots, west, east, True, question[6], question[7], question[8], a == b)
            bits = lock_bits(spots) & U(question[9])
        else:
            bits = reply_locks(g, spots, west, east, a == b)
        tall = heights(codes)
        born: Any = 0
        groups: Any = 0
        for i in range(LOCKS):
            if (bits >> U(i)) & ONE == ZERO:
                continue
            after, torn = locked(g, codes, tall, i, a, b)
            root = i if first else roots[n]
            steps: Any = 0
            if clears(g, after):
                west, east = puyos(after)
                after, score, steps = burst(g, after, doomed(g, after), table)
                if steps:
                    fired[root] = max(fired[root], worth * min(np.float64(score), weights[MOST]))
            # first locks that leave the same board are all kept: their chains may differ
            if is_over(g, after) or not (_is_new(slots, _mixed(after)) or first):
                continue
            save(after, children[BOARD_WORDS * born :])
            groups = list_groups(g, after, colors, born, groups, seen)
            about[4 * born], about[4 * born + 1] = U(root), U(torn)
            about[4 * born + 2], about[4 * born + 3] = U(steps), U(groups)
            born += 1
        counts[NODES] += born
        set_off(g, children, groups, table, seen, running)
        last: Any = 0
        for child in range(born):
            after = load(children, BOARD_WORDS * child)
            group, last = last, np.int64(about[4 * child + 3])
            value, score, _, _ = best_group(weights, group, last, seen)
            cost = costs[n] + weights[TEAR] * np.int64(about[4 * child + 1])
            cost += weights[WASTE] * np.int64(about[4 * child + 2])
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
            new_costs[at], new_roots[at] = cost, np.int64(about[4 * child])
            reach[at] = min(np.float64(score), weights[MOST])
            if grown:
                _rise(heap, keys, made - 1)
            else:
                _sink(heap, keys, made)
    return made

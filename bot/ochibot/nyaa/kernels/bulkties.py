"""All outcomes that ties leave open, for the kernel of many boards (imports numba), as in ``ochibot.nyaa.rules.ties``.

An *option* is OPTION words: s0, s1, t, the attack, and the set of cells where the second claim wins. Options are kept
in the order found; a hash table, empty (-1) between calls, finds those of the same sums.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from ochibot.jit.lanes import compiled, inlined, popcount
from ochibot.nyaa.kernels.bulkwaves import (
    HALF,
    ONE,
    ZERO,
    U,
    bit,
    both_ends,
    claim,
    claims_on,
    is_parent,
    light,
    sums,
)
from ochibot.nyaa.rules.grid import CELLS

NONE: Final = 255
OPTION: Final = 6
MOST_OPTIONS: Final = 1 << 14
TABLE: Final = 1 << 15


@compiled
def _add(options: Any, many: Any, table: Any, s0: Any, s1: Any, t: Any, low: Any, high: Any) -> Any:
    """Adds an option unless there is one of the same sums. Returns how many there are; -1: too many.

    table: empty (-1) at first.
    """
    key = (s0 * 8192 + s1) * 128 + t
    at = (key * 0x9E3779B1 >> 8) & (TABLE - 1)
    while table[at] >= 0:
        known = table[at]
        if options[known, 0] == s0 and options[known, 1] == s1 and options[known, 2] == t:
            return many
        at = (at + 1) & (TABLE - 1)
    if many == MOST_OPTIONS:
        return -1
    table[at] = many
    options[many, 3] = at  # to empty the table with, until the attack is worked out
    options[many, 0], options[many, 1], options[many, 2] = s0, s1, t
    options[many, 4], options[many, 5] = np.int64(low), np.int64(high)
    return many + 1


@inlined
def _emptied(table: Any, options: Any, many: Any) -> None:
    for k in range(many):
        table[options[k, 3]] = -1


@compiled
def joined_with(left: Any, many: Any, right: Any, more: Any, table: Any, out: Any) -> Any:
    """Every option on the left with every one on the right, into ``left``. Returns how many; -1: too many."""
    if many == 1 and more == 1:
        left[0, 0] += right[0, 0]
        left[0, 1] += right[0, 1]
        left[0, 2] = max(left[0, 2], right[0, 2])
        left[0, 4] |= right[0, 4]
        left[0, 5] |= right[0, 5]
        return 1
    if many * more > 4_000_000:
        return -1
    found = 0
    for a in range(many):
        for b in range(more):
            found = _add(
                out,
                found,
                table,
                left[a, 0] + right[b, 0],
                left[a, 1] + right[b, 1],
                max(left[a, 2], right[b, 2]),
                left[a, 4] | right[b, 4],
                left[a, 5] | right[b, 5],
            )
            if found < 0:
                table[:] = -1
                return -1
    _emptied(table, out, found)
    for k in range(found):
        for w in range(OPTION):
            left[k, w] = out[k, w]
    return found


@compiled
def tries(
    codes: Any,
    small: Any,
    many: Any,
    starts: Any,
    numbers: Any,
    most: Any,
    states: Any,
    counts: Any,
    table: Any,
    out: Any,
) -> Any:
    """MVS: a group burnt in every way. Returns (how many options in ``out``, whether those are all)."""
    light(small, starts, numbers, states[0])
    states[0, 0] = U(starts)
    waiting, tried, found, whole = 1, 0, 0, True
    while tried < waiting:
        state = states[tried]
        tried += 1
        at = np.int64(state[0])
        turned = tried > 1
        for k in range(at, many):
            cell = small[0, k]
            sources, strong = claims_on(codes, small[1], cell)
            first, last = both_ends(cell, strong)
            winner = np.int64(state[3 + 2 * CELLS + 2 + first])
            other = np.int64(state[3 + 2 * CELLS + 2 + last])
            if other != winner and (strong == 0b1001 or strong == 0b0110):
                if turned and k == at:
                    winner = max(winner, other)
                else:
                    winner = min(winner, other)
                    if waiting < most:
                        new = states[waiting]
                        for w in range(1, 3 + 2 * CELLS + 2):
                            new[w] = state[w]
                        for i in range(k):
                            w = 3 + 2 * CELLS + 2 + small[0, i]
                            new[w] = state[w]
                        new[0] = U(k)
                        new[1 if cell < HALF else 2] |= bit(cell)
                        waiting += 1
                    else:
                        whole = False
            claim(cell, sources, winner, True, state)
        s0, s1, t = sums(small, many, state, counts)
        found = _add(out, found, table, s0, s1, t, state[1], state[2])
        if found < 0:
            table[:] = -1
            return -1, False
    _emptied(table, out, found)
    return found, whole


@compiled
def _cluster(ties: Any, pairs: Any, mine: Any, count: Any, open_cells: Any, step: Any, most: Any, out: Any) -> Any:
    """PS2: what the ties of one cluster add, by s1 alone. Returns (how many options in ``out``, whether those are all).

    mine: the cluster's ties by their places in ``ties``, in reading order. open_cells: how many cells they decide on.
    pairs: for each tie its two cells, as places among the open cells; NONE: not open.
    """
    found = 0
    ways = (1 << count) if count < 40 else most + 1
    for number in range(min(ways, most)):
        chosen_low = chosen_high = low = high = ZERO
        for i in range(count):
            place = count - 1 - i
            which = (number >> place) & 1 if place < 40 else 0
            index = pairs[mine[i], which]
            if index != NONE:
                if index < 64:
                    chosen_low |= ONE << U(index)
                else:
                    chosen_high |= ONE << U(index - 64)
            if which:
                cell = ties[mine[i]]
                if cell < HALF:
                    low |= bit(cell)
                else:
                    high |= bit(cell)
        total = step * (open_cells - np.int64(popcount(chosen_low) + popcount(chosen_high)))
        known = False
        for k in range(found):
            known = known or out[k, 1] == total
        if not known:
            out[found, 0] = total if step > 1 else 0
            out[found, 1], out[found, 2] = total, 0
            out[found, 4], out[found, 5] = np.int64(low), np.int64(high)
            found += 1
    return found, ways <= most


@compiled
def clusters(
    codes: Any,
    small: Any,
    many: Any,
    state: Any,
    ties: Any,
    met: Any,
    most: Any,
    counts: Any,
    table: Any,
    options: Any,
    found: Any,
    part: Any,
    joined: Any,
    pairs: Any,
    marks: Any,
) -> Any:
    """PS2: joins a group's tails to the options, those that ties decide on last. Returns (how many options,
    whether all).

    state: of the burn by the tie rule, which is done. marks: three rows of scratch: the open cells, the ties of a
    cluster, the ties that wait.
    """
    opened, mine, waits = marks[0], marks[1], marks[2]
    opened[:] = NONE
    for i in range(met):
        waits[i] = 1
        _, strong = claims_on(codes, small[1], ties[i])
        first, last = both_ends(ties[i], strong)
        for cell in (first, last):
            if (state[1 if cell < HALF else 2] & bit(cell)) == ZERO:
                opened[cell] = 0
    _, _, t = sums(small, many, state, counts)
    s0 = s1 = 0
    for k in range(many):
        cell = small[0, k]
        if opened[cell] == NONE and not is_parent(state, cell):
            value = small[1, cell]
            s1 += value
            s0 += value if value > 1 else 0
    part[0, 0], part[0, 1], part[0, 2], part[0, 4], part[0, 5] = s0, s1, t, 0, 0
    found = joined_with(options, found, part, 1, table, joined)
    whole = True
    for last_tie in range(met - 1, -1, -1):
        if not waits[last_tie]:
            continue
        # the cluster: ties that share open cells, and so are of one step
        waits[last_tie] = 0
        mine[0], count, cells, done = last_tie, 1, 0, 0
        while done < count:
            tie = mine[done]
            done += 1
            _, strong = claims_on(codes, small[1], ties[tie])
            first, last = both_ends(ties[tie], strong)
            for cell in (first, last):
                if opened[cell] != 0:
                    continue
                cells += 1
                opened[cell] = cells
                for other in range(met):
                    if waits[other]:
                        _, its = claims_on(codes, small[1], ties[other])
                        a, b = both_ends(ties[other], its)
                        if cell in (a, b):
                            waits[other] = 0
                            mine[count] = other
                            count += 1
        if cells == 0 or found < 0:
            continue
        for i in range(1, count):  # in reading order of the tied cells
            at, tie = i, mine[i]
            while at > 0 and ties[mine[at - 1]] > ties[tie]:
                mine[at] = mine[at - 1]
                at -= 1
            mine[at] = tie
        for i in range(count):
            _, strong = claims_on(codes, small[1], ties[mine[i]])
            first, last = both_ends(ties[mine[i]], strong)
            pairs[mine[i], 0] = opened[first] - 1 if opened[first] != NONE else NONE
            pairs[mine[i], 1] = opened[last] - 1 if opened[last] != NONE else NONE
        step = np.int64(small[1, ties[last_tie]]) - 1
        more, all_ways = _cluster(ties, pairs, mine, count, cells, step, most, part)
        whole = whole and all_ways
        found = joined_with(options, found, part, more, table, joined)
    return found, whole


@compiled
def attack_of(s0: Any, s1: Any, t: Any, mvs: Any) -> Any:
    """As ``ochibot.nyaa.rules.profile.attack_of``."""
    if mvs:
        return (100 * s0 + 4 * t * s1) // 100
    return 0 if s1 == 1 else s1

"""All outcomes that open ties allow, for the kernel of many boards (imports numba); see ``ochibot.nyaa.rules.ties``.

An *option* is OPTION words: s0, s1, t, the attack, and the set of places where the second claim wins. Options are kept
in the order in which they were found. A hash table finds options with equal sums; it is empty (-1) between calls.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from ochibot.jit.lanes import compiled, inlined, popcount, trailing_zeros
from ochibot.nyaa.kernels.bulkplanes import END, FIRST, LIT, SOURCE, STEP, TWICE, ZERO, U
from ochibot.nyaa.kernels.bulkwaves import (
    AT,
    PARENTS,
    SECOND,
    WAVES,
    WORD,
    bit,
    ends,
    has,
    light,
    merge,
    start_of,
    sums,
    sums_ps2,
)

NONE: Final = 255
OPTION: Final = 6
MOST_OPTIONS: Final = 1 << 14
TABLE: Final = 1 << 15


@compiled
def _add(options: Any, many: Any, table: Any, s0: Any, s1: Any, t: Any, low: Any, high: Any) -> Any:
    """Adds an option unless one has the same sums. Returns the number of options, or -1 if there are too many.

    table: the hash table, initially empty (-1).
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
    options[many, 3] = at  # the option's slot in the table, needed to empty the table; later the attack is stored here
    options[many, 0], options[many, 1], options[many, 2] = s0, s1, t
    options[many, 4], options[many, 5] = np.int64(low), np.int64(high)
    return many + 1


@inlined
def _emptied(table: Any, options: Any, many: Any) -> None:
    for k in range(many):
        table[options[k, 3]] = -1


@compiled
def joined_with(left: Any, many: Any, right: Any, more: Any, table: Any, out: Any) -> Any:
    """Combines every option of ``left`` with every option of ``right``, and writes the results to ``left``. Returns the
    number of options, or -1 if there are too many.
    """
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
def tries(claims: Any, one: Any, most: Any, states: Any, counts: Any, table: Any, out: Any) -> Any:
    """MVS: burns a group in every way to settle its ties. Returns (the number of options written to ``out``, whether
    all ways were tried). The number is -1 if there are too many options.
    """
    light(one, states[0])
    states[0, AT] = U(one[LIT])
    first, end = one[FIRST], one[END]
    waiting, tried, found, whole = 1, 0, 0, True
    while tried < waiting:
        state = states[tried]
        tried += 1
        at = np.int64(state[AT])
        turned = tried > 1
        low, high = state[PARENTS], state[PARENTS + 1]
        for place in range(at, end):
            claim = claims[place]
            winner = start_of(state, claim[SOURCE])
            if claim[TWICE]:
                other = start_of(state, claim[SOURCE + 1])
                if other != winner:
                    if turned and place == at:
                        winner = max(winner, other)
                    else:
                        winner = min(winner, other)
                        if waiting < most:
                            new = states[waiting]
                            new[AT] = U(place)
                            new[SECOND], new[SECOND + 1] = state[SECOND], state[SECOND + 1]
                            new[SECOND if place < WORD else SECOND + 1] |= bit(place)
                            new[PARENTS], new[PARENTS + 1] = low, high
                            for w in range(WAVES + 2 * first, WAVES + 2 * place):
                                new[w] = state[w]
                            waiting += 1
                        else:
                            whole = False
            low, high = merge(claim, place, winner, state, low, high)
        state[PARENTS], state[PARENTS + 1] = low, high
        s0, s1, t = sums(one, state, counts)
        found = _add(out, found, table, s0, s1, t, state[SECOND], state[SECOND + 1])
        if found < 0:
            table[:] = -1
            return -1, False
    _emptied(table, out, found)
    return found, whole


@compiled
def _cluster(
    ties: Any, pairs: Any, mine: Any, count: Any, open_cells: Any, step: Any, most: Any, sets: Any, out: Any
) -> Any:
    """PS2: the possible contributions of one cluster of ties. Returns (the number of options written to ``out``,
    whether all ways were tried).

    The options differ in s1. mine: the indices of the cluster's ties in ``ties``, in reading order. open_cells: how
    many cells these ties decide. step: the step of these cells, which is also their value as tails. pairs: the two
    cells of each tie, as indices among the open cells (NONE: not open). sets: scratch, with one row more than there are
    ties. A row holds the open cells that the ties before it choose, and which of these ties choose their second cell.
    """
    found = 0
    ways = (1 << count) if count < 40 else most + 1
    sets[0, 0] = sets[0, 1] = sets[0, 2] = sets[0, 3] = ZERO
    depth = 0
    for number in range(min(ways, most)):
        # the ways are counted in binary; the rows of ties before the first one that changes stay valid
        for i in range(depth, count):
            later = count - 1 - i
            which = (number >> later) & 1 if later < 40 else 0
            index = pairs[mine[i], which]
            for k in range(4):
                sets[i + 1, k] = sets[i, k]
            if index != NONE:
                sets[i + 1, 0 if index < WORD else 1] |= bit(index)
            if which:
                place = ties[mine[i]]
                sets[i + 1, 2 if place < WORD else 3] |= bit(place)
        total = step * (open_cells - np.int64(popcount(sets[count, 0]) + popcount(sets[count, 1])))
        known = False
        for k in range(found):
            known = known or out[k, 1] == total
        if not known:
            out[found, 0] = total if step > 1 else 0
            out[found, 1], out[found, 2] = total, 0
            out[found, 4], out[found, 5] = np.int64(sets[count, 2]), np.int64(sets[count, 3])
            found += 1
        depth = max(0, count - 1 - np.int64(trailing_zeros(U(number + 1))))
    return found, ways <= most


@compiled
def clusters(
    claims: Any,
    one: Any,
    starts: Any,
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
    sets: Any,
) -> Any:
    """PS2: combines a group's tails with the options, first those that don't depend on ties. Returns (the number of
    options, or -1 if there are too many; whether all ways were tried).

    starts, state: the result of the group's burn by the tie rule. marks: scratch of three rows: the open cells by
    place, the ties of a cluster, the remaining ties. pairs, sets: scratch.
    """
    opened, mine, waits = marks[0], marks[1], marks[2]
    for place in range(one[FIRST], one[END]):
        opened[place] = NONE
    for i in range(met):
        waits[i] = 1
        for k in range(SOURCE, SOURCE + 2):
            place = claims[ties[i], k]
            if not has(state[0], state[1], place):
                opened[place] = 0
    _, _, t = sums_ps2(claims, one, starts, state, counts)
    s0 = s1 = 0
    low, high = ends(state[PARENTS], state[PARENTS + 1], one)
    for place in range(one[FIRST], one[END]):
        if opened[place] == NONE and has(low, high, place):
            value = claims[place, STEP]
            s1 += value
            s0 += value if value > 1 else 0
    part[0, 0], part[0, 1], part[0, 2], part[0, 4], part[0, 5] = s0, s1, t, 0, 0
    found = joined_with(options, found, part, 1, table, joined)
    whole = True
    for last_tie in range(met - 1, -1, -1):
        if not waits[last_tie]:
            continue
        # collect a cluster: ties that share open cells, which are always ties of one step
        waits[last_tie] = 0
        mine[0], count, cells, done = last_tie, 1, 0, 0
        while done < count:
            tie = mine[done]
            done += 1
            for k in range(SOURCE, SOURCE + 2):
                place = claims[ties[tie], k]
                if opened[place] != 0:
                    continue
                cells += 1
                opened[place] = cells
                for other in range(met):
                    if waits[other] and (
                        claims[ties[other], SOURCE] == place or claims[ties[other], SOURCE + 1] == place
                    ):
                        waits[other] = 0
                        mine[count] = other
                        count += 1
        if cells == 0 or found < 0:
            continue
        for i in range(1, count):  # sorts the cluster's ties into the reading order of the tied cells
            at, tie = i, mine[i]
            while at > 0 and mine[at - 1] > tie:
                mine[at] = mine[at - 1]
                at -= 1
            mine[at] = tie
        for i in range(count):
            for k in range(2):
                number = opened[claims[ties[mine[i]], SOURCE + k]]
                pairs[mine[i], k] = number - 1 if number != NONE else NONE
        step = np.int64(claims[ties[last_tie], STEP]) - 1
        more, all_ways = _cluster(ties, pairs, mine, count, cells, step, most, sets, part)
        whole = whole and all_ways
        found = joined_with(options, found, part, more, table, joined)
    return found, whole


@compiled
def attack_of(s0: Any, s1: Any, t: Any, mvs: Any) -> Any:
    """The attack of an ignition, as ``ochibot.nyaa.rules.profile.attack_of`` computes it."""
    if mvs:
        return (100 * s0 + 4 * t * s1) // 100
    return 0 if s1 == 1 else s1

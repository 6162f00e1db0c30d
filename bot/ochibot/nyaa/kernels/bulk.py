"""The value of many boards (imports numba): both rulesets, with all outcomes of open ties, cell by cell.

Does what the plain engine does, claim for claim and in its order, so that also a range that is said to be incomplete is
the same. Plain loops over cells: unlike the search's kernels (``ignite``) these know ties, the PS2 and every tail.
"""

from __future__ import annotations

from typing import Any, Final

from ochibot.jit.lanes import compiled
from ochibot.nyaa.kernels.bulkties import OPTION, attack_of, clusters, joined_with, tries
from ochibot.nyaa.kernels.bulkwaves import ZERO, U, burn, group, is_parent, near_of, sums, value_of
from ochibot.nyaa.rules.grid import CELLS

# The columns of a board's answer under one ruleset, int16.
LOW, HIGH, OUTCOMES, COMPLETE, S0, S1, T, POPPED, TIES, TAILS = range(10)
LISTS: Final = 10
"""Where the cells of the open ties (CELLS of them) and then the tails' values (as many) begin."""
WIDTH: Final = LISTS + 2 * CELLS


@compiled
def _one(
    codes: Any, mvs: Any, most: Any, states: Any, table: Any, memory: Any, small: Any, marks: Any, out: Any
) -> Any:
    """Values one board under one ruleset into ``out``, a row of WIDTH. Returns whether it could."""
    options, part, joined, counts, pairs = memory
    numbers, ties, tails = marks[3], marks[4], marks[5]
    out[:LISTS] = 0
    out[COMPLETE] = 1
    starts = 0
    for cell in range(CELLS):
        numbers[cell] = 0
        small[2, cell] = 0
    for cell in range(CELLS):
        if codes[cell] > 5:
            for way in range(4):
                near = near_of(cell, way)
                if near >= 0 and codes[near] + 5 == codes[cell]:
                    numbers[near] = 1
    for cell in range(CELLS):
        if numbers[cell]:
            starts += 1
            numbers[cell] = starts
    out[OUTCOMES] = 1
    if starts == 0:
        return True
    for k in range(OPTION):
        options[0, k] = 0
    found, mark, popped, tied, ended = 1, 0, 0, 0, 0
    for start in range(CELLS):
        if numbers[start] == 0 or small[2, start]:
            continue
        mark += 1
        many, lit = group(codes, start, mark, numbers, small)
        popped += many
        met = burn(codes, small, many, lit, numbers, mvs, ZERO, ZERO, states[0], ties)
        for i in range(met):
            out[LISTS + tied] = ties[i]
            tied += 1
        if met == 0:
            for k in range(many):
                cell = small[0, k]
                if not is_parent(states[0], cell):
                    tails[ended] = value_of(states[0], cell)
                    ended += 1
            s0, s1, t = sums(small, many, states[0], counts)
            part[0, 0], part[0, 1], part[0, 2], part[0, 4], part[0, 5] = s0, s1, t, 0, 0
            found = joined_with(options, found, part, 1, table, joined)
        elif mvs:
            more, whole = tries(codes, small, many, lit, numbers, most, states, counts, table, part)
            if more < 0:
                return False
            out[COMPLETE] &= whole
            found = joined_with(options, found, part, more, table, joined)
        else:
            found, whole = clusters(
                codes,
                small,
                many,
                states[0],
                ties,
                met,
                most,
                counts,
                table,
                options,
                found,
                part,
                joined,
                pairs,
                marks,
            )
            out[COMPLETE] &= whole
        if found < 0:
            return False
    best, high = 0, 0
    for k in range(found):
        options[k, 3] = attack_of(options[k, 0], options[k, 1], options[k, 2], mvs)
        high = max(high, options[k, 3])
        less = options[k, 3] < options[best, 3]
        if mvs and options[k, 3] == options[best, 3]:
            for w in range(3):
                if options[k, w] != options[best, w]:
                    less = options[k, w] < options[best, w]
                    break
        best = k if less else best
    out[OUTCOMES] = found
    if not mvs and found > 1:  # on the PS2 only the attack counts
        kinds = 0
        for k in range(found):
            known = False
            for other in range(k):
                known = known or options[other, 3] == options[k, 3]
            kinds += 0 if known else 1
        out[OUTCOMES] = kinds
    out[LOW], out[HIGH], out[POPPED], out[TIES] = options[best, 3], high, popped, tied
    out[S0], out[S1], out[T] = options[best, 0], options[best, 1], options[best, 2]
    if tied:
        # the tails of the lowest outcome, and on the PS2 the most tails of one start among them
        ended, most_tails = 0, 0
        for cell in range(CELLS):
            small[2, cell] = 0
        mark = 0
        for start in range(CELLS):
            if numbers[start] == 0 or small[2, start]:
                continue
            mark += 1
            many, lit = group(codes, start, mark, numbers, small)
            low_word, high_word = U(options[best, 4]), U(options[best, 5])
            burn(codes, small, many, lit, numbers, mvs, low_word, high_word, states[0], ties)
            for k in range(many):
                cell = small[0, k]
                if not is_parent(states[0], cell):
                    tails[ended] = value_of(states[0], cell)
                    ended += 1
            _, _, t = sums(small, many, states[0], counts)
            most_tails = max(most_tails, t)
        if not mvs:
            out[T] = most_tails
    for i in range(1, tied):
        at, cell = i, out[LISTS + i]
        while at > 0 and out[LISTS + at - 1] > cell:
            out[LISTS + at] = out[LISTS + at - 1]
            at -= 1
        out[LISTS + at] = cell
    out[TAILS] = ended
    # by value: few values, so they are counted
    for k in range(CELLS + 1):
        counts[k] = 0
    for k in range(ended):
        counts[tails[k]] += 1
    at = LISTS + CELLS
    for k in range(CELLS + 1):
        for _ in range(counts[k]):
            out[at] = k
            at += 1
    return True


@compiled
def values(
    boards: Any,
    most: Any,
    first: Any,
    states: Any,
    table: Any,
    options: Any,
    part: Any,
    joined: Any,
    counts: Any,
    pairs: Any,
    small: Any,
    marks: Any,
    answers: Any,
) -> Any:
    """Values boards from number ``first`` on, under both rulesets. Returns the first board that is too much for it.

    boards: (n, 84) uint8 cell codes. most: how often a part with ties is tried. answers: (n, 2, WIDTH) int16, MVS
    first. The other arrays are memory, see ``ochibot.nyaa.bulk``.
    """
    memory = (options, part, joined, counts, pairs)
    for n in range(first, boards.shape[0]):
        for ruleset in range(2):
            if not _one(boards[n], ruleset == 0, most, states, table, memory, small, marks, answers[n, ruleset]):
                return n
    return boards.shape[0]

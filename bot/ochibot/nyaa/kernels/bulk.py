"""Computes the ignition values of many boards cell by cell (imports numba): both rulesets, all outcomes of open ties.

It does the same as the plain engine, claim by claim and in the same order, so that even incomplete ranges are equal.
Unlike the search's kernels (``ignite``), these handle ties, the PS2 and every tail.
"""

from __future__ import annotations

from typing import Any, Final

from ochibot.jit.lanes import compiled
from ochibot.nyaa.kernels.bulkplanes import CELL, END, STEP, ZERO, U, lay_out, lowest, without_lowest
from ochibot.nyaa.kernels.bulkties import OPTION, attack_of, clusters, joined_with, tries
from ochibot.nyaa.kernels.bulkwaves import PARENTS, WORD, burn, burn_ps2, ends, sums, sums_ps2, value_of
from ochibot.nyaa.rules.grid import CELLS

# The columns of a board's answer under one ruleset, int16.
LOW, HIGH, OUTCOMES, COMPLETE, S0, S1, T, POPPED, TIES, TAILS = range(10)
LISTS: Final = 10
"""The index at which two lists of CELLS numbers begin: the cells of open ties, and the tails' values."""
WIDTH: Final = LISTS + 2 * CELLS


@compiled
def _note_tails(claims: Any, one: Any, mvs: Any, state: Any, tails: Any, ended: Any) -> Any:
    """Appends the values of a burnt group's tails to ``tails``. Returns the new number of entries."""
    low, high = ends(state[PARENTS], state[PARENTS + 1], one)
    while (low | high) != ZERO:
        place = lowest(low, high, WORD)
        low, high = without_lowest(low, high)
        tails[ended] = value_of(state, place) if mvs else claims[place, STEP]
        ended += 1
    return ended


@compiled
def _lowest(options: Any, found: Any, mvs: Any, out: Any) -> Any:
    """Writes to ``out`` the attack range, the number of outcomes, and the sums of the option with the lowest attack.

    Returns the index of this option. On MVS, ties go to the lower sums.
    """
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
    if not mvs and found > 1:  # on the PS2 outcomes differ only by their attack
        kinds = 0
        for k in range(found):
            known = False
            for other in range(k):
                known = known or options[other, 3] == options[k, 3]
            kinds += 0 if known else 1
        out[OUTCOMES] = kinds
    out[LOW], out[HIGH] = options[best, 3], high
    out[S0], out[S1], out[T] = options[best, 0], options[best, 1], options[best, 2]
    return best


@compiled
def _one(
    claims: Any, groups: Any, many: Any, mvs: Any, most: Any, states: Any, table: Any, memory: Any, out: Any
) -> Any:
    """Values one board under one ruleset and writes ``out``, a row of WIDTH numbers. Returns False if
    there are too many outcomes.
    """
    options, part, joined, counts, pairs, marks, sets = memory
    starts, ties, tails = marks[3], marks[4], marks[5]
    state = states[0]
    out[:LISTS] = 0
    out[COMPLETE] = out[OUTCOMES] = 1
    if many == 0:
        return True
    for k in range(OPTION):
        options[0, k] = 0
    found, tied, ended = 1, 0, 0
    for number in range(many):
        one = groups[number]
        if mvs:
            met = burn(claims, one, ZERO, ZERO, state, ties)
        else:
            met = burn_ps2(claims, one, ZERO, ZERO, starts, state, ties)
        for i in range(met):
            out[LISTS + tied] = claims[ties[i], CELL]
            tied += 1
        if met == 0:
            ended = _note_tails(claims, one, mvs, state, tails, ended)
            if mvs:
                s0, s1, t = sums(one, state, counts)
            else:
                s0, s1, t = sums_ps2(claims, one, starts, state, counts)
            part[0, 0], part[0, 1], part[0, 2], part[0, 4], part[0, 5] = s0, s1, t, 0, 0
            found = joined_with(options, found, part, 1, table, joined)
        elif mvs:
            more, whole = tries(claims, one, most, states, counts, table, part)
            if more < 0:
                return False
            out[COMPLETE] &= whole
            found = joined_with(options, found, part, more, table, joined)
        else:
            found, whole = clusters(
                claims,
                one,
                starts,
                state,
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
                sets,
            )
            out[COMPLETE] &= whole
        if found < 0:
            return False
    best = _lowest(options, found, mvs, out)
    out[POPPED], out[TIES] = groups[many - 1, END], tied
    if tied:
        # the tails of the outcome with the lowest attack; on the PS2 also the tails of the start that has the most
        ended, most_tails = 0, 0
        low, high = U(options[best, 4]), U(options[best, 5])
        for number in range(many):
            one = groups[number]
            if mvs:
                burn(claims, one, low, high, state, ties)
            else:
                burn_ps2(claims, one, low, high, starts, state, ties)
                _, _, t = sums_ps2(claims, one, starts, state, counts)
                most_tails = max(most_tails, t)
            ended = _note_tails(claims, one, mvs, state, tails, ended)
        if not mvs:
            out[T] = most_tails
    for i in range(1, tied):
        at, cell = i, out[LISTS + i]
        while at > 0 and out[LISTS + at - 1] > cell:
            out[LISTS + at] = out[LISTS + at - 1]
            at -= 1
        out[LISTS + at] = cell
    out[TAILS] = ended
    # a counting sort, because there are few different values
    longest = 0
    for k in range(ended):
        longest = max(longest, tails[k])
    for k in range(longest + 1):
        counts[k] = 0
    for k in range(ended):
        counts[tails[k]] += 1
    at = LISTS + CELLS
    for k in range(longest + 1):
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
    marks: Any,
    sets: Any,
    planes: Any,
    places: Any,
    claims: Any,
    groups: Any,
    answers: Any,
) -> Any:
    """Values boards from index ``first`` on, under both rulesets.

    Returns the index of the first board that has too many outcomes for the scratch memory, or n if all are valued.

    boards: (n, 84) uint8 cell codes. most: the most ways to settle ties that are tried in each part. answers: (n, 2,
    WIDTH) int16, MVS first. The other arrays are scratch memory (see ``ochibot.nyaa.bulk``).
    """
    memory = (options, part, joined, counts, pairs, marks, sets)
    for n in range(first, boards.shape[0]):
        many = lay_out(boards[n], planes, places, claims, groups)
        for ruleset in range(2):
            if not _one(claims, groups, many, ruleset == 0, most, states, table, memory, answers[n, ruleset]):
                return n
    return boards.shape[0]

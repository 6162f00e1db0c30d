"""The value of many boards (imports numba): both rulesets, with all outcomes of open ties, cell by cell.

Does what ``ochibot.nyaa.rules.wave`` and ``ties`` do, claim for claim and in their order, so that also a range that is
said to be incomplete is the same. Plain loops over cells: unlike the search's kernels (``ignite``) these know ties, the
PS2 and every tail. A set of cells is two words: the cells 0 to 41, and the others.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from ochibot.jit.lanes import compiled, inlined, popcount
from ochibot.nyaa.rules.grid import CELLS, COLUMNS

U: Final = np.uint64
ZERO: Final = U(0)
ONE: Final = U(1)
HALF: Final = 42

# The columns of a board's answer under one ruleset, int16.
LOW, HIGH, OUTCOMES, COMPLETE, S0, S1, T, POPPED, TIES, TAILS = range(10)
LISTS: Final = 10
"""Where the cells of the open ties (CELLS of them) and then the tails' values (as many) begin."""
WIDTH: Final = LISTS + 2 * CELLS

_NONE: Final = 255
_OPTION: Final = 6
"""Words of an option: s0, s1, t, the attack, and the cells where the second claim wins (two words)."""
MOST_OPTIONS: Final = 1 << 14
TABLE: Final = 1 << 15
STATE_WORDS: Final = 3 + 2 * CELLS + 2 + CELLS
"""A burn under way: the claim it goes on at, the cells where the second claim wins, visited, parents, owners."""


@inlined
def _bit(cell: Any) -> Any:
    return ONE << U(cell if cell < HALF else cell - HALF)


def _neighbours(cell: int) -> list[int]:
    column = cell % COLUMNS
    left, right = cell - 1 if column > 0 else -1, cell + 1 if column < COLUMNS - 1 else -1
    return [max(cell - COLUMNS, -1), left, right, cell + COLUMNS if cell + COLUMNS < CELLS else -1]


NEAR: Final = np.array([_neighbours(cell) for cell in range(CELLS)], np.int64)
"""For each cell the one above, left, right, below (the *ways* 0 to 3); -1: none."""


@inlined
def _near(cell: Any, way: Any) -> Any:
    return NEAR[cell, way]


@compiled
def _group(codes: Any, start: Any, mark: Any, numbers: Any, small: Any) -> Any:
    """Lists a group's cells by step and then in reading order. Returns (cells, starts).

    small: [0] the order, [1] steps by cell, [2] ``mark`` where a cell is of the group, [3] scratch.
    """
    order, steps, seen, found = small[0], small[1], small[2], small[3]
    color = codes[start]
    many, done = 1, 0
    found[0] = start
    seen[start] = mark
    while done < many:
        cell = found[done]
        done += 1
        steps[cell] = 0
        for way in range(4):
            near = _near(cell, way)
            if near >= 0 and seen[near] == 0 and codes[near] == color:
                seen[near] = mark
                found[many] = near
                many += 1
    starts = 0
    for cell in range(start, CELLS):
        if seen[cell] == mark and numbers[cell]:
            order[starts] = cell
            steps[cell] = 1
            starts += 1
    first, last, step = 0, starts, 1
    while first < last:
        step += 1
        end = last
        for k in range(first, last):
            for way in range(4):
                near = _near(order[k], way)
                if near >= 0 and codes[near] == color and steps[near] == 0:
                    steps[near] = step
                    at = end
                    while at > last and order[at - 1] > near:
                        order[at] = order[at - 1]
                        at -= 1
                    order[at] = near
                    end += 1
        first, last = last, end
    return many, starts


@inlined
def _strong(codes: Any, steps: Any, cell: Any) -> Any:
    """(the sources as four bits by way, the strong ones among them)."""
    sources = 0
    for way in range(4):
        near = _near(cell, way)
        if near >= 0 and steps[near] == steps[cell] - 1 and codes[near] == codes[cell]:
            sources |= 1 << way
    upright = sources & 0b1001
    return sources, upright if upright else sources


@inlined
def _both(cell: Any, strong: Any) -> Any:
    """The first and the last of the strong sources."""
    first = last = -1
    for way in range(4):
        if strong >> way & 1:
            near = _near(cell, way)
            first = near if first < 0 else first
            last = near
    return first, last


@compiled
def _claim(cell: Any, sources: Any, winner: Any, mvs: Any, state: Any) -> Any:
    """Gives a cell to the winner: a start's number on MVS, a cell on the PS2. Returns the sources merged, as bits."""
    merged = 0
    low = high = ZERO
    if cell < HALF:
        low = _bit(cell)
    else:
        high = _bit(cell)
    for way in range(4):
        if sources >> way & 1:
            near = _near(cell, way)
            owner = np.int64(state[3 + 2 * CELLS + 2 + near])
            if (owner if mvs else near) == winner:
                merged |= 1 << way
                low |= state[3 + 2 * near]
                high |= state[3 + 2 * near + 1]
                if near < HALF:
                    state[3 + 2 * CELLS] |= _bit(near)
                else:
                    state[3 + 2 * CELLS + 1] |= _bit(near)
                state[3 + 2 * CELLS + 2 + cell] = U(owner)
    state[3 + 2 * cell] = low
    state[3 + 2 * cell + 1] = high
    return merged


@compiled
def _light(small: Any, starts: Any, numbers: Any, state: Any) -> None:
    """The state of a burn after its first step."""
    for k in range(3):
        state[k] = ZERO
    state[3 + 2 * CELLS] = state[3 + 2 * CELLS + 1] = ZERO
    for k in range(starts):
        cell = small[0, k]
        state[3 + 2 * cell] = _bit(cell) if cell < HALF else ZERO
        state[3 + 2 * cell + 1] = ZERO if cell < HALF else _bit(cell)
        state[3 + 2 * CELLS + 2 + cell] = U(numbers[cell])


@inlined
def _is_parent(state: Any, cell: Any) -> Any:
    return (state[3 + 2 * CELLS + (0 if cell < HALF else 1)] & _bit(cell)) != ZERO


@inlined
def _value(state: Any, cell: Any) -> Any:
    return np.int64(popcount(state[3 + 2 * cell]) + popcount(state[3 + 2 * cell + 1]))


@compiled
def _sums(small: Any, many: Any, state: Any, counts: Any) -> Any:
    """(s0, s1, t) of a burn that has ended."""
    s0 = s1 = most = 0
    for k in range(many):
        counts[np.int64(state[3 + 2 * CELLS + 2 + small[0, k]])] = 0
    for k in range(many):
        cell = small[0, k]
        if _is_parent(state, cell):
            continue
        value = _value(state, cell)
        s1 += value
        s0 += value if value > 1 else 0
        owner = np.int64(state[3 + 2 * CELLS + 2 + cell])
        counts[owner] += 1
        most = max(most, counts[owner])
    return s0, s1, most


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
def _tries(
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
    _light(small, starts, numbers, states[0])
    states[0, 0] = U(starts)
    waiting, tried, found, whole = 1, 0, 0, True
    while tried < waiting:
        state = states[tried]
        tried += 1
        at = np.int64(state[0])
        turned = tried > 1
        for k in range(at, many):
            cell = small[0, k]
            sources, strong = _strong(codes, small[1], cell)
            first, last = _both(cell, strong)
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
                        new[1 if cell < HALF else 2] |= _bit(cell)
                        waiting += 1
                    else:
                        whole = False
            _claim(cell, sources, winner, True, state)
        s0, s1, t = _sums(small, many, state, counts)
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
    pairs: for each tie its two cells, as places among the open cells; _NONE: not open.
    """
    found = 0
    ways = (1 << count) if count < 40 else most + 1
    for number in range(min(ways, most)):
        chosen_low = chosen_high = low = high = ZERO
        for i in range(count):
            place = count - 1 - i
            which = (number >> place) & 1 if place < 40 else 0
            index = pairs[mine[i], which]
            if index != _NONE:
                if index < 64:
                    chosen_low |= ONE << U(index)
                else:
                    chosen_high |= ONE << U(index - 64)
            if which:
                cell = ties[mine[i]]
                if cell < HALF:
                    low |= _bit(cell)
                else:
                    high |= _bit(cell)
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
def _attack(s0: Any, s1: Any, t: Any, mvs: Any) -> Any:
    if mvs:
        return (100 * s0 + 4 * t * s1) // 100
    return 0 if s1 == 1 else s1


@compiled
def _joined(left: Any, many: Any, right: Any, more: Any, table: Any, out: Any) -> Any:
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
        for w in range(_OPTION):
            left[k, w] = out[k, w]
    return found


@compiled
def _burn(
    codes: Any, small: Any, many: Any, starts: Any, numbers: Any, mvs: Any, low: Any, high: Any, state: Any, ties: Any
) -> Any:
    """Burns a group one way; ``low``, ``high``: the cells where the second claim wins. Returns how many ties it met.

    Lists the tied cells in ``ties``, by step. The PS2's forced cells are left in the first words of ``state``.
    """
    _light(small, starts, numbers, state)
    met = 0
    for k in range(starts, many):
        cell = small[0, k]
        sources, strong = _strong(codes, small[1], cell)
        first, last = _both(cell, strong)
        if mvs:
            winner = np.int64(state[3 + 2 * CELLS + 2 + first])
            other = np.int64(state[3 + 2 * CELLS + 2 + last])
        else:
            winner, other = np.int64(first), np.int64(last)
        tie = other != winner and (strong == 0b1001 or strong == 0b0110)
        if tie:
            ties[met] = cell
            met += 1
            second = ((low if cell < HALF else high) & _bit(cell)) != ZERO
            winner = max(winner, other) if second else min(winner, other)
        merged = _claim(cell, sources, winner, mvs, state)
        if not tie and not mvs:
            for way in range(4):
                if merged >> way & 1:
                    near = _near(cell, way)
                    state[1 if near < HALF else 2] |= _bit(near)
    return met


@compiled
def _clusters(
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
    opened[:] = _NONE
    for i in range(met):
        waits[i] = 1
        _, strong = _strong(codes, small[1], ties[i])
        first, last = _both(ties[i], strong)
        for cell in (first, last):
            if (state[1 if cell < HALF else 2] & _bit(cell)) == ZERO:
                opened[cell] = 0
    _, _, t = _sums(small, many, state, counts)
    s0 = s1 = 0
    for k in range(many):
        cell = small[0, k]
        if opened[cell] == _NONE and not _is_parent(state, cell):
            value = np.int64(small[1, cell])
            s1 += value
            s0 += value if value > 1 else 0
    part[0, 0], part[0, 1], part[0, 2], part[0, 4], part[0, 5] = s0, s1, t, 0, 0
    found = _joined(options, found, part, 1, table, joined)
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
            _, strong = _strong(codes, small[1], ties[tie])
            first, last = _both(ties[tie], strong)
            for cell in (first, last):
                if opened[cell] != 0:
                    continue
                cells += 1
                opened[cell] = cells
                for other in range(met):
                    if waits[other]:
                        _, its = _strong(codes, small[1], ties[other])
                        a, b = _both(ties[other], its)
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
            _, strong = _strong(codes, small[1], ties[mine[i]])
            first, last = _both(ties[mine[i]], strong)
            pairs[mine[i], 0] = opened[first] - 1 if opened[first] != _NONE else _NONE
            pairs[mine[i], 1] = opened[last] - 1 if opened[last] != _NONE else _NONE
        step = np.int64(small[1, ties[last_tie]]) - 1
        more, all_ways = _cluster(ties, pairs, mine, count, cells, step, most, part)
        whole = whole and all_ways
        found = _joined(options, found, part, more, table, joined)
    return found, whole


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
                near = _near(cell, way)
                if near >= 0 and codes[near] + 5 == codes[cell]:
                    numbers[near] = 1
    for cell in range(CELLS):
        if numbers[cell]:
            starts += 1
            numbers[cell] = starts
    out[OUTCOMES] = 1
    if starts == 0:
        return True
    for k in range(_OPTION):
        options[0, k] = 0
    found, mark, popped, tied, ended = 1, 0, 0, 0, 0
    for start in range(CELLS):
        if numbers[start] == 0 or small[2, start]:
            continue
        mark += 1
        many, lit = _group(codes, start, mark, numbers, small)
        popped += many
        met = _burn(codes, small, many, lit, numbers, mvs, ZERO, ZERO, states[0], ties)
        for i in range(met):
            out[LISTS + tied] = ties[i]
            tied += 1
        if met == 0:
            for k in range(many):
                cell = small[0, k]
                if not _is_parent(states[0], cell):
                    tails[ended] = _value(states[0], cell)
                    ended += 1
            s0, s1, t = _sums(small, many, states[0], counts)
            part[0, 0], part[0, 1], part[0, 2], part[0, 4], part[0, 5] = s0, s1, t, 0, 0
            found = _joined(options, found, part, 1, table, joined)
        elif mvs:
            more, whole = _tries(codes, small, many, lit, numbers, most, states, counts, table, part)
            if more < 0:
                return False
            out[COMPLETE] &= whole
            found = _joined(options, found, part, more, table, joined)
        else:
            found, whole = _clusters(
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
        options[k, 3] = _attack(options[k, 0], options[k, 1], options[k, 2], mvs)
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
            many, lit = _group(codes, start, mark, numbers, small)
            low_word, high_word = U(options[best, 4]), U(options[best, 5])
            _burn(codes, small, many, lit, numbers, mvs, low_word, high_word, states[0], ties)
            for k in range(many):
                cell = small[0, k]
                if not _is_parent(states[0], cell):
                    tails[ended] = _value(states[0], cell)
                    ended += 1
            _, _, t = _sums(small, many, states[0], counts)
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

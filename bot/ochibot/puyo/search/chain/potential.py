"""The best chain that one or two more puyos of one colour would set off on a field (imports numba).

Boards, colours, columns and rows are those of ``ochibot.puyo.search.kernels``. Groups of four clear.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from ochibot.jit.lanes import compiled, inlined, popcount
from ochibot.jit.planes import any_cell, around, leftward, plane, rightward, words
from ochibot.puyo.kernels.bits import FLOOR, LANE, ONE, ZERO, U
from ochibot.puyo.kernels.codes import (
    add,
    clear,
    doomed,
    has_nuisance,
    load,
    puyos,
    vectors,
)
from ochibot.puyo.kernels.resolve import step_score
from ochibot.puyo.kernels.special import grouping_east, grouping_west, spawn_row
from ochibot.puyo.rules.field import BOARD_WORDS, COLORS, COLUMNS
from ochibot.puyo.rules.profile import SPAWN_COLUMN
from ochibot.puyo.search.cells import linked, of_color
from ochibot.puyo.search.chain.layout import CHAIN, GROUP, MOST, NEED, ROW, RUNNING, TRIGGERS

_ONE_ROW: Final = FLOOR
_SPAWN: Final = SPAWN_COLUMN - 1


@compiled
def burst(g: Any, codes: Any, found: Any, table: Any) -> Any:
    """Runs the chain that begins by clearing the cells ``found``, a vector: (codes, shown points, chain)."""
    score: Any = 0
    chain: Any = 0
    dusty = has_nuisance(codes)
    while any_cell(found):
        after, _ = clear(g, codes, found, dusty)
        following = doomed(g, after)
        score += step_score(g, codes, found, chain, table)
        chain += 1
        codes, found = after, following
    return codes, score, chain


@inlined
def openings(g: Any, codes: Any) -> Any:
    """The lowest free cell of each column that a pair can reach, if puyos group in that row: (west, east).

    A column as high as the row where pairs appear is a wall: pairs don't get past it.
    """
    west, east = puyos(codes)
    row = spawn_row(g)
    if ((west | east) & (_ONE_ROW << row)) != ZERO:
        for side in (-1, 1):
            x: Any = _SPAWN
            closed = False
            while 0 <= x < COLUMNS:
                at = U(16 * (x & 3)) + row
                word = west if x < 4 else east
                closed = closed or ((word >> at) & ONE) != ZERO
                if closed:
                    lane = LANE << U(16 * (x & 3))
                    if x < 4:
                        west |= lane
                    else:
                        east |= lane
                x += side
    # adding 1 to a full column would carry into the next one
    return ((west & ~(FLOOR << U(15))) + FLOOR) & ~west & grouping_west(g), (
        ((east & ~(FLOOR << U(15))) + FLOOR) & ~east & grouping_east(g)
    )


@inlined
def completing(grouping: Any, own: Any) -> Any:
    """Two vectors: the cells where one more puyo of the colour makes a group of four, and those where two stacked puyos
    do. The second vector holds the lower cell of the two.

    ``own``: the colour's cells in rows that group, as a vector; no four of them are joined. ``grouping``: all cells in
    such rows. One puyo completes a group
    if it touches a group of three, a group of two and another puyo, or three single puyos. Two puyos complete one if
    they touch a group of two, or two single puyos::

        .....      ...#.      ..#.#
        RR...  ->  .....      ..#..     (left: one puyo; right: the lower of two)
        .RB.R      ..x..      .....
    """
    three, two = linked(own)
    at_left, at_right, below = rightward(own), leftward(own), own << ONE
    touches_three = rightward(three) | leftward(three) | (three << ONE)
    touches_two = rightward(two) | leftward(two) | (two << ONE)
    beside, both = at_left | at_right, at_left & at_right
    several = both | (beside & below)
    one = touches_three | (touches_two & several) | (both & below)
    touches = touches_two | touches_three
    pair = touches | (touches >> ONE) | several | (both >> ONE) | ((beside | below) & (beside >> ONE))
    return one & grouping, pair & grouping & (grouping >> ONE) & ~one


@compiled
def list_groups(g: Any, codes: Any, colors: Any, child: Any, count: Any, seen: Any) -> Any:
    """Lists the groups that one or two more puyos of a colour would complete on a resolved board, after ``count``
    others; returns how many there are then.

    Each group has GROUP words in ``seen``: its cells with the new ones (west, east), those without, how many puyos are
    new, the row of the first one, the colour, ``child``. A colour's equal groups (without the new cells) are listed
    once.
    """
    open_west, open_east = openings(g, codes)
    open_cells = plane(open_west, open_east)
    grouping = plane(grouping_west(g), grouping_east(g))
    planes = vectors(codes)
    for k in range(len(COLORS)):
        if (colors >> k) & 1 == 0:
            continue
        own = of_color(planes, k) & grouping
        one, two = completing(grouping, own)
        known = count
        for need in range(1, 3):
            west, east = words((one if need == 1 else two) & open_cells)
            while (west | east) != ZERO:
                cell_west, cell_east = west & (~west + ONE), ZERO
                if cell_west == ZERO:
                    cell_east = east & (~east + ONE)
                west ^= cell_west
                east ^= cell_east
                row = popcount((cell_west | cell_east) - ONE) & U(15)
                if need == 2:
                    cell_west |= cell_west << ONE
                    cell_east |= cell_east << ONE
                cells = plane(cell_west, cell_east)
                # the groups that the new puyos join have at most three puyos
                more = own | cells
                found = (around(cells) & more) | cells
                found |= around(found) & more
                found |= around(found) & more
                gone_west, gone_east = words(found & ~cells)
                new = True
                for i in range(known, count):
                    new &= (seen[GROUP * i + 2] != gone_west) | (seen[GROUP * i + 3] != gone_east)
                at = GROUP * count
                seen[at], seen[at + 1] = words(found)
                seen[at + 2], seen[at + 3] = gone_west, gone_east
                seen[at + 4], seen[at + 5], seen[at + 6], seen[at + 7] = U(need), row, U(k), U(child)
                count += np.int64(new)
    return count


@inlined
def _put(running: Any, codes: Any, found: Any, number: Any) -> None:
    """Writes down a chain that goes on: its board, the cells that clear next, and its group's number."""
    for i in range(6):
        running[i] = codes[i]
    running[6], running[7] = words(found)
    running[8] = U(number)


@compiled
def set_off(g: Any, boards: Any, count: Any, table: Any, seen: Any, running: Any) -> None:
    """Sets off the first ``count`` groups of ``seen``: their words 2 and 3 become the shown points and the steps.

    boards: those of the groups' children, one after the other. running: scratch, RUNNING words for each group.

    All chains take their first step, then those that go on take their second one, and so on. So the processor begins
    one chain's step before another's is done, and no branch depends on whether a chain goes on.
    """
    rest: Any = 0
    for n in range(count):
        at = GROUP * n
        west, east = seen[at], seen[at + 1]
        found = plane(west, east)
        codes = load(boards, BOARD_WORDS * np.int64(seen[at + 7]))
        # the new puyos vanish with their group, so the board without them can take the step
        after, _ = clear(g, codes, found, has_nuisance(codes))
        before = add(codes, np.int64(seen[at + 6]), west & ~seen[at + 2], east & ~seen[at + 3])
        seen[at + 2] = U(step_score(g, before, found, 0, table))
        seen[at + 3] = ONE
        following = doomed(g, after)
        _put(running[RUNNING * rest :], after, following, n)
        rest += np.int64(any_cell(following))
    step: Any = 1
    while rest > 0:
        all_running = rest
        rest = 0
        for n in range(all_running):
            one = running[RUNNING * n :]
            codes = one[0], one[1], one[2], one[3], one[4], one[5]
            found = plane(one[6], one[7])
            number = np.int64(one[8])
            after, _ = clear(g, codes, found, has_nuisance(codes))
            seen[GROUP * number + 2] += U(step_score(g, codes, found, step, table))
            seen[GROUP * number + 3] += ONE
            following = doomed(g, after)
            _put(running[RUNNING * rest :], after, following, number)
            rest += np.int64(any_cell(following))
        step += 1


@inlined
def best_group(weights: Any, first: Any, last: Any, seen: Any) -> Any:
    """The best of the groups from ``first`` to before ``last`` that were set off: (value, shown points, chain, new
    puyos); zeros if there are none.

    The value is a sum of three terms: ``chain`` times the square root of the points (of ``weights[MOST]`` if there are
    more), ``need`` if two puyos are needed, and ``row`` times the height of the cell where the first one goes.
    """
    best: Any = 0.0
    best_score: Any = 0
    best_chain: Any = 0
    best_need: Any = 0
    for n in range(first, last):
        at = GROUP * n
        score, need, row = np.int64(seen[at + 2]), np.int64(seen[at + 4]), np.int64(seen[at + 5])
        counted = min(np.float64(score), weights[MOST])
        value = weights[CHAIN] * np.sqrt(counted) + weights[NEED] * (need - 1) + weights[ROW] * row
        if value > best:
            best, best_score, best_chain, best_need = value, score, np.int64(seen[at + 3]), need
    return best, best_score, best_chain, best_need


@compiled
def potential_boards(g: Any, boards: Any, colors: Any, table: Any, weights: Any, seen: Any, results: Any) -> None:
    """Writes the best chain in reach of each row of ``boards``, (n, BOARD_WORDS), to ``results``.

    boards: resolved. colors: bit k is set if colour k is dealt. weights: see ``ochibot.puyo.search.chain.layout``.
    seen: scratch, SCRATCH_WORDS words. results, (n, 3) int64: points, chain, puyos.

    ::

        GR....
        GGRRR.      G on the first column: 1 puyo, in row 2, and a chain of two steps
    """
    running = seen[GROUP * TRIGGERS :]
    for i in range(boards.shape[0]):
        count = list_groups(g, load(boards[i], 0), colors, 0, 0, seen)
        set_off(g, boards[i], count, table, seen, running)
        _, score, chain, need = best_group(weights, 0, count, seen)
        results[i, 0] = score
        results[i, 1] = chain
        results[i, 2] = need

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
    COLOR_BITS,
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
from ochibot.puyo.rules.field import COLORS, COLUMNS
from ochibot.puyo.rules.profile import SPAWN_COLUMN
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
def completing(g: Any, own: Any) -> Any:
    """Two vectors: the cells where one more puyo of the colour makes a group of four, and those where two stacked puyos
    do. The second vector holds the lower cell of the two.

    ``own``: the colour's cells in rows that group, as a vector; no four of them are joined. One puyo completes a group
    if it touches a group of three, a group of two and another puyo, or three single puyos. Two puyos complete one if
    they touch a group of two, or two single puyos::

        .....      ...#.      ..#.#
        RR...  ->  .....      ..#..     (left: one puyo; right: the lower of two)
        .RB.R      ..x..      .....
    """
    grouping = plane(grouping_west(g), grouping_east(g))
    right = own & leftward(own)
    left = rightward(right)
    up = own & (own >> ONE)
    down = up << ONE
    two_links = (left & right) | (up & down) | ((left | right) & (up | down))
    three = two_links | (around(two_links) & own)
    some = left | right | up | down
    two = some & ~three
    at_left, at_right, below = rightward(own), leftward(own), own << ONE
    touches_three = rightward(three) | leftward(three) | (three << ONE)
    touches_two = rightward(two) | leftward(two) | (two << ONE)
    beside, both = at_left | at_right, at_left & at_right
    several = both | (beside & below)
    one = touches_three | (touches_two & several) | (both & below)
    touches = touches_two | touches_three
    pair = touches | (touches >> ONE) | several | (both >> ONE) | ((beside | below) & (beside >> ONE))
    return one & grouping, pair & grouping & (grouping >> ONE) & ~one


@inlined
def colored(planes: Any, k: Any) -> Any:
    """The cells of colour ``k``, from 0, as a vector."""
    a, b, c = planes
    return ~((a ^ COLOR_BITS[0, k]) | (b ^ COLOR_BITS[1, k]) | (c ^ COLOR_BITS[2, k]))


@inlined
def _joined(g: Any, codes: Any, colors: Any, seen: Any) -> Any:
    """Lists the groups that one or two more puyos of a colour would complete on a resolved board; returns their number.

    Each group has GROUP words in ``seen``: its cells with the new ones (west, east), those without, how many puyos are
    new, the row of the first one, the colour. A colour's equal groups (without the new cells) are listed once.
    """
    open_west, open_east = openings(g, codes)
    open_cells = plane(open_west, open_east)
    grouping = plane(grouping_west(g), grouping_east(g))
    planes = vectors(codes)
    count: Any = 0
    for k in range(len(COLORS)):
        if (colors >> k) & 1 == 0:
            continue
        own = colored(planes, k) & grouping
        one, two = completing(g, own)
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
                # the groups that the new puyos join have three puyos at the most
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
                seen[at + 4], seen[at + 5], seen[at + 6] = U(need), row, U(k)
                count += np.int64(new)
    return count


@inlined
def _put(seen: Any, at: Any, codes: Any, found: Any, number: Any) -> None:
    """Writes to ``seen`` a chain that goes on: its board, the cells that clear next, and its group's number."""
    for i in range(6):
        seen[at + i] = codes[i]
    seen[at + 6], seen[at + 7] = words(found)
    seen[at + 8] = U(number)


@compiled
def potential(g: Any, codes: Any, colors: Any, table: Any, weights: Any, seen: Any) -> Any:
    """The best chain in reach: (value, shown points, chain, the number of puyos that set it off).

    codes: a resolved board. colors: bit k is set if colour k is dealt. weights: see
    ``ochibot.puyo.search.chain.layout``. The value is a sum of three terms: ``chain`` times the square root of the
    points (of ``weights[MOST]`` if there are more), ``need`` if two puyos are needed, and ``row`` times the height of
    the cell where the first one goes. seen: scratch, REACH_WORDS words.

    ::

        GR....
        GGRRR.      G on the first column: 1 puyo, in row 2, and a chain of two steps

    All chains take their first step, then those that go on take their second one, and so on. The processor can begin
    one chain's step before the last chain's is done, and no branch depends on whether a chain goes on.
    """
    count = _joined(g, codes, colors, seen)
    dusty = has_nuisance(codes)
    running: Any = 0
    for n in range(count):
        at = GROUP * n
        west, east = seen[at], seen[at + 1]
        found = plane(west, east)
        k = np.int64(seen[at + 6])
        # the new puyos vanish with their group, so the board without them can take the step
        after, _ = clear(g, codes, found, dusty)
        following = doomed(g, after)
        before = add(codes, k, west & ~seen[at + 2], east & ~seen[at + 3])
        seen[at + 2] = U(step_score(g, before, found, 0, table))
        seen[at + 3] = ONE
        _put(seen, GROUP * TRIGGERS + RUNNING * running, after, following, n)
        running += np.int64(any_cell(following))
    chain: Any = 1
    while running > 0:
        rest = running
        running = 0
        for n in range(rest):
            at = GROUP * TRIGGERS + RUNNING * n
            now = seen[at], seen[at + 1], seen[at + 2], seen[at + 3], seen[at + 4], seen[at + 5]
            found = plane(seen[at + 6], seen[at + 7])
            number = np.int64(seen[at + 8])
            after, _ = clear(g, now, found, dusty)
            following = doomed(g, after)
            seen[GROUP * number + 2] += U(step_score(g, now, found, chain, table))
            seen[GROUP * number + 3] += ONE
            _put(seen, GROUP * TRIGGERS + RUNNING * running, after, following, number)
            running += np.int64(any_cell(following))
        chain += 1
    best, best_score, best_chain, best_need = 0.0, 0, 0, 0
    for n in range(count):
        at = GROUP * n
        score, need, row = np.int64(seen[at + 2]), np.int64(seen[at + 4]), np.int64(seen[at + 5])
        counted = min(np.float64(score), weights[MOST])
        value = weights[CHAIN] * np.sqrt(counted) + weights[NEED] * (need - 1) + weights[ROW] * row
        if value > best:
            best, best_score, best_chain, best_need = value, score, np.int64(seen[at + 3]), need
    return best, best_score, best_chain, best_need


@compiled
def potential_boards(g: Any, boards: Any, colors: Any, table: Any, weights: Any, seen: Any, results: Any) -> None:
    """Writes ``potential`` of each row of ``boards``, (n, BOARD_WORDS), to ``results``.

    results, (n, 3) int64: points, chain, puyos.
    """
    for i in range(boards.shape[0]):
        codes = load(boards[i], 0)
        _, score, chain, need = potential(g, codes, colors, table, weights, seen)
        results[i, 0] = score
        results[i, 1] = chain
        results[i, 2] = need

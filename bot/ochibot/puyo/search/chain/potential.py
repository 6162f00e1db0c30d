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
from ochibot.puyo.search.chain.layout import CHAIN, MOST, NEED, ROW, TRIGGERS

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


@compiled
def potential(g: Any, codes: Any, colors: Any, table: Any, weights: Any, seen: Any) -> Any:
    """The best chain in reach: (value, shown points, chain, the number of puyos that set it off).

    codes: a resolved board. colors: bit k is set if colour k is dealt. weights: see
    ``ochibot.puyo.search.chain.layout``. The value is a sum of three terms: ``chain`` times the square root of the
    points (of ``weights[MOST]`` if there are more), ``need`` if two puyos are needed, and ``row`` times the height of
    the cell where the first one goes. seen: scratch, 2 * TRIGGERS words.

    ::

        GR....
        GGRRR.      G on the first column: 1 puyo, in row 2, and a chain of two steps
    """
    best, best_score, best_chain, best_need = 0.0, 0, 0, 0
    open_west, open_east = openings(g, codes)
    open_cells = plane(open_west, open_east)
    grouping = plane(grouping_west(g), grouping_east(g))
    planes = vectors(codes)
    for k in range(len(COLORS)):
        if (colors >> k) & 1 == 0:
            continue
        one, two = completing(g, colored(planes, k) & grouping)
        known = 0
        for need in range(1, 3):
            west, east = words((one if need == 1 else two) & open_cells)
            while (west | east) != ZERO:
                cell_west, cell_east = west & (~west + ONE), ZERO
                if cell_west == ZERO:
                    cell_east = east & (~east + ONE)
                west ^= cell_west
                east ^= cell_east
                row = np.int64(popcount((cell_west | cell_east) - ONE) & U(15))
                if need == 2:
                    cell_west |= cell_west << ONE
                    cell_east |= cell_east << ONE
                after = add(codes, k, cell_west, cell_east)
                found = doomed(g, after)
                gone_west, gone_east = words(found)
                gone_west &= ~cell_west
                gone_east &= ~cell_east
                new = True
                for i in range(known):
                    new &= seen[2 * i] != gone_west or seen[2 * i + 1] != gone_east
                if not new:
                    continue
                if known < TRIGGERS:
                    seen[2 * known] = gone_west
                    seen[2 * known + 1] = gone_east
                    known += 1
                _, score, chain = burst(g, after, found, table)
                counted = min(np.float64(score), weights[MOST])
                value = weights[CHAIN] * np.sqrt(counted) + weights[NEED] * (need - 1) + weights[ROW] * row
                if value > best:
                    best, best_score, best_chain, best_need = value, score, chain, need
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

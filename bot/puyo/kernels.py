"""The rules on bit planes (imports numba): dropping, clearing, chains, score.

A *board* is an array of ``bot.puyo.field.BOARD_WORDS`` uint64, a field's planes. ``g`` is the geometry
(``bot.puyo.special``). A *table* holds the score's numbers, see ``bot.puyo.rules.score_table``.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from bot.jit.lanes import compiled, inlined, popcount
from bot.puyo.bits import FOUR, TWO, WORDS, ZERO, copy, fall, floats, holes, occupied
from bot.puyo.codes import clear, decode, doomed, doomed_of, encode, group
from bot.puyo.planes import any_cell, gather, mask, may_clear, words
from bot.puyo.rules import (
    TABLE_COLOR_BONUS,
    TABLE_GROUP_BONUS,
    TABLE_LIMIT,
    TABLE_SIZES,
    TABLE_STEPS,
    TABLE_UNIT,
)
from bot.puyo.special import clear_size, colors, grouping_east, grouping_west, kept, loses_rows

_LAST_SIZE: Final = np.uint64(TABLE_SIZES - 1)


@inlined
def settle(g: Any, board: Any) -> None:
    """Drops every floating puyo. What then lies above the rows that hold puyos is gone."""
    low, high = occupied(g, board)
    if (floats(low) | floats(high)) != ZERO:
        fall(board, holes(low), holes(high))
        low, high = occupied(g, board)
    if loses_rows(g) and (low | high) & ~kept(g) != ZERO:
        for k in range(WORDS):
            board[k] &= kept(g)


@inlined
def any_clears(g: Any, planes: Any) -> Any:
    """Whether a settled board may have a group to clear (surely when such groups are of four or fewer)."""
    return may_clear(g, planes & mask(g, grouping_west(g), grouping_east(g)))


@compiled
def _bonus_of_groups(g: Any, west: Any, east: Any, size: Any, table: Any) -> Any:
    """The group bonuses of ``size`` doomed cells of one colour, when they may be several groups."""
    bonus = 0
    while size >= TWO * clear_size(g):
        group_west, group_east, of_group = group(west, east)
        bonus += table[TABLE_GROUP_BONUS + np.int64(min(of_group, _LAST_SIZE))]
        west &= ~group_west
        east &= ~group_east
        size -= of_group
    if size != ZERO:
        bonus += table[TABLE_GROUP_BONUS + np.int64(size)]
    return bonus


@inlined
def _bonus_of_color(g: Any, west: Any, east: Any, table: Any) -> Any:
    """(1 when there are doomed cells of this colour, their group bonuses)."""
    size = popcount(west) + popcount(east)
    found = np.int64(size != ZERO)
    if size >= TWO * clear_size(g):
        return found, _bonus_of_groups(g, west, east, size, table)
    return found, found * table[TABLE_GROUP_BONUS + np.int64(size)]  # a branch would have to be guessed


@compiled
def _bonus_of_several(g: Any, codes: Any, west: Any, east: Any, table: Any) -> Any:
    """The colour and group bonuses of the doomed cells ``west``, ``east``, when they may be several groups."""
    a, b, c, d, e, f = codes
    a, b, c = a & west, b & west, c & west
    d, e, f = d & east, e & east, f & east
    found_1, bonus_1 = _bonus_of_color(g, a & ~b & ~c, d & ~e & ~f, table)
    found_2, bonus_2 = _bonus_of_color(g, b & ~a & ~c, e & ~d & ~f, table)
    found_3, bonus_3 = _bonus_of_color(g, a & b, d & e, table)
    found_4, bonus_4 = _bonus_of_color(g, c & ~a & ~b, f & ~d & ~e, table)
    found, bonus = found_1 + found_2 + found_3 + found_4, bonus_1 + bonus_2 + bonus_3 + bonus_4
    if colors(g) > FOUR:
        found_5, bonus_5 = _bonus_of_color(g, a & c, d & f, table)
        found_6, bonus_6 = _bonus_of_color(g, b & c, e & f, table)
        found, bonus = found + found_5 + found_6, bonus + bonus_5 + bonus_6
    return bonus + table[TABLE_COLOR_BONUS + found]


@inlined
def _step_score(g: Any, codes: Any, found: Any, step: Any, table: Any) -> Any:
    """Shown points of the doomed cells, in this step (0, 1, …) of a chain."""
    west, east = words(found)
    size = popcount(west) + popcount(east)
    if size < TWO * clear_size(g):  # they are one group
        bonus = table[TABLE_GROUP_BONUS + np.int64(size)] + table[TABLE_COLOR_BONUS + 1]
    else:
        bonus = _bonus_of_several(g, codes, west, east, table)
    bonus += table[min(step, TABLE_STEPS - 1)]
    return table[TABLE_UNIT] * np.int64(size) * min(max(bonus, 1), table[TABLE_LIMIT])


@compiled
def resolve(g: Any, board: Any, table: Any) -> Any:
    """Drops floating puyos and resolves the board. Returns (shown points, chain, puyos cleared)."""
    settle(g, board)
    score: Any = 0
    chain: Any = 0
    cleared: Any = 0
    planes = gather(g, board)
    if any_clears(g, planes):
        codes = encode(g, board)
        found = doomed_of(g, codes, planes)
        while any_cell(found):
            score += _step_score(g, codes, found, chain, table)
            codes, gone = clear(g, codes, found)
            cleared += np.int64(gone)
            chain += 1
            found = doomed(g, codes)
        decode(g, codes, board)
    return score, chain, cleared


@compiled
def resolve_boards(g: Any, boards: Any, table: Any, results: Any) -> None:
    """Resolves every row of ``boards``, (n, BOARD_WORDS) uint64, in place.

    ``results``, (n, 3) int64, receives shown points, chain and puyos cleared.
    """
    for i in range(boards.shape[0]):
        score, chain, cleared = resolve(g, boards[i], table)
        results[i, 0] = score
        results[i, 1] = chain
        results[i, 2] = cleared


@compiled
def repeat_resolve(g: Any, boards: Any, table: Any, times: Any, board: Any, sums: Any) -> None:
    """Resolves copies of many boards, ``times`` times over, for the benchmark.

    ``boards``: one after the other, flat. ``board``: scratch for one. ``sums``, 3 int64, is added the shown points,
    chains and puyos cleared of all.
    """
    points = chains = all_cleared = 0
    for _ in range(times):
        for at in range(0, boards.shape[0], WORDS):
            copy(boards, at, board)
            score, chain, cleared = resolve(g, board, table)
            points += score
            chains += chain
            all_cleared += cleared
    sums[0] += points
    sums[1] += chains
    sums[2] += all_cleared

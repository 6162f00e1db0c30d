"""The rules on bit planes (imports numba): chains and their score.

A *board* is an array of ``ochibot.puyo.rules.field.BOARD_WORDS`` uint64, a field's planes; *codes* are its words in
registers (``ochibot.puyo.kernels.codes``). ``g`` is the geometry (``ochibot.puyo.kernels.special``). A *table* holds
the score's numbers, see ``ochibot.puyo.rules.profile.score_table``.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from ochibot.jit.lanes import compiled, inlined, popcount
from ochibot.jit.planes import any_cell, around, plane, words
from ochibot.puyo.kernels.bits import FLOOR, TWO, ZERO
from ochibot.puyo.kernels.codes import (
    clear,
    clears,
    color_plane,
    doomed,
    group,
    has_nuisance,
    load,
    nuisance,
    puyos,
    save,
    settled,
)
from ochibot.puyo.kernels.special import clear_size, grouping_east, grouping_west, is_general
from ochibot.puyo.rules.field import BOARD_WORDS, COLORS
from ochibot.puyo.rules.profile import (
    PER_EXCESS,
    TABLE_BY_SIZE,
    TABLE_BY_STEP,
    TABLE_COLOR_BONUS,
    TABLE_EMPTIED,
    TABLE_EMPTIED_ROW,
    TABLE_EMPTIED_TIMES,
    TABLE_GROUP_BONUS,
    TABLE_GROUPS_MULTIPLIED,
    TABLE_LIMIT,
    TABLE_MULTIPLIED,
    TABLE_PER_CELL,
    TABLE_PER_GROUP,
    TABLE_PER_NUISANCE,
    TABLE_PER_STEP,
    TABLE_PRODUCT,
    TABLE_SIZES,
    TABLE_STEPS,
    TABLE_UNIT,
)

_LAST_SIZE: Final = np.uint64(TABLE_SIZES - 1)


@compiled
def _bonus_of_groups(g: Any, codes: Any, west: Any, east: Any, table: Any) -> Any:
    """The sum of the group bonuses of the doomed cells ``west``, ``east``; a colour may have several groups."""
    bonus = 0
    for k in range(len(COLORS)):
        color_west, color_east = color_plane(codes, k)
        color_west &= west
        color_east &= east
        size = popcount(color_west) + popcount(color_east)
        while size >= TWO * clear_size(g):
            group_west, group_east, of_group = group(color_west, color_east)
            bonus += table[TABLE_GROUP_BONUS + np.int64(min(of_group, _LAST_SIZE))]
            color_west &= ~group_west
            color_east &= ~group_east
            size -= of_group
        bonus += table[TABLE_GROUP_BONUS + np.int64(size)]
    return bonus


@compiled
def _groups(g: Any, codes: Any, west: Any, east: Any) -> Any:
    """How many groups the doomed cells ``west``, ``east`` are; a colour may have several."""
    found = 0
    for k in range(len(COLORS)):
        color_west, color_east = color_plane(codes, k)
        color_west &= west
        color_east &= east
        size = popcount(color_west) + popcount(color_east)
        while size >= TWO * clear_size(g):
            group_west, group_east, of_group = group(color_west, color_east)
            found += 1
            color_west &= ~group_west
            color_east &= ~group_east
            size -= of_group
        found += size > 0
    return found


@inlined
def _sizes(codes: Any, west: Any, east: Any) -> Any:
    """How many of the coloured cells ``west``, ``east`` have each colour."""
    a, b, c, d, e, f = codes
    a, b, c = a & west, b & west, c & west
    d, e, f = d & east, e & east, f & east
    return (
        popcount(a & ~b & ~c) + popcount(d & ~e & ~f),
        popcount(b & ~a & ~c) + popcount(e & ~d & ~f),
        popcount(a & b) + popcount(d & e),
        popcount(c & ~a & ~b) + popcount(f & ~d & ~e),
        popcount(a & c) + popcount(d & f),
        popcount(b & c) + popcount(e & f),
    )


@inlined
def _bonus_of_several(g: Any, codes: Any, west: Any, east: Any, table: Any) -> Any:
    """The sum of the colour and group bonuses of the doomed cells ``west``, ``east``, if they may be several groups."""
    sizes = _sizes(codes, west, east)
    found, largest = 0, sizes[0]
    for k in range(len(COLORS)):
        found += sizes[k] > 0
        largest = max(largest, sizes[k])
    bonus = table[TABLE_COLOR_BONUS + found]
    if table[TABLE_PER_STEP] != 0:
        cleared: Any = np.int64(popcount(west) + popcount(east))
        if table[TABLE_PER_STEP] == PER_EXCESS:
            # as for one group that has what all groups have beyond the size that clears
            groups: Any = found
            if largest >= TWO * clear_size(g):
                groups = _groups(g, codes, west, east)
            cleared -= np.int64(clear_size(g)) * (groups - 1)
        return bonus + table[TABLE_GROUP_BONUS + min(cleared, np.int64(_LAST_SIZE))]
    if largest >= TWO * clear_size(g):
        return bonus + _bonus_of_groups(g, codes, west, east, table)
    # The table's bonus for a size of 0 is 0. So absent colours need no test, which would be a branch hard to predict.
    for k in range(len(COLORS)):
        bonus += table[TABLE_GROUP_BONUS + np.int64(sizes[k])]
    return bonus


@compiled
def _general_score(g: Any, codes: Any, west: Any, east: Any, step: Any, table: Any) -> Any:
    """``step_score`` by the general formula (``ochibot.puyo.rules.profile.Rules.step_score``)."""
    total: Any = np.int64(popcount(west) + popcount(east))
    colors, groups, bonus, by_size = 0, 0, 0, 0
    for k in range(len(COLORS)):
        color_west, color_east = color_plane(codes, k)
        color_west &= west
        color_east &= east
        colors += (color_west | color_east) != ZERO
        while (color_west | color_east) != ZERO:
            group_west, group_east, size = group(color_west, color_east)
            counted: Any = np.int64(min(size, _LAST_SIZE))
            groups += 1
            bonus += table[TABLE_GROUP_BONUS + counted]
            by_size += table[TABLE_BY_SIZE + counted]
            color_west &= ~group_west
            color_east &= ~group_east
    least = np.int64(clear_size(g))
    beyond = total - least * groups
    if table[TABLE_PER_STEP] != 0:
        if table[TABLE_PER_STEP] != PER_EXCESS:
            beyond = total - least
        at = min(least + beyond, np.int64(_LAST_SIZE))
        bonus, by_size = table[TABLE_GROUP_BONUS + at], table[TABLE_BY_SIZE + at]
    power, color, limit = table[min(step, TABLE_STEPS - 1)], table[TABLE_COLOR_BONUS + colors], table[TABLE_LIMIT]
    times = min(max(power + color + bonus, 1), limit)
    if table[TABLE_PRODUCT] != 0:
        # no product of two numbers up to the limit is too large for a word
        times = min(min(max(power, 1), limit) * min(max(color, 1), limit), limit)
        times = min(times * min(max(bonus, 1), limit), limit)
    extra = table[TABLE_PER_CELL] * beyond + by_size + table[TABLE_BY_STEP + min(step, TABLE_STEPS - 1)]
    if table[TABLE_MULTIPLIED] != 0:
        extra *= times
    further = table[TABLE_PER_GROUP] * (groups - 1)
    if table[TABLE_GROUPS_MULTIPLIED] != 0:
        further *= times
    score = table[TABLE_UNIT] * total * times + extra + further
    if (table[TABLE_EMPTIED] | table[TABLE_PER_NUISANCE]) != 0:
        all_west, all_east = puyos(codes)
        dust_west, dust_east = nuisance(codes)
        gone_west, gone_east = words(around(plane(west, east)))
        # nuisance above the rows that group stays
        dust_west, dust_east = gone_west & dust_west & grouping_west(g), gone_east & dust_east & grouping_east(g)
        score += table[TABLE_PER_NUISANCE] * np.int64(popcount(dust_west) + popcount(dust_east))
        left = (all_west & ~west & ~dust_west) | (all_east & ~east & ~dust_east)
        if table[TABLE_EMPTIED_ROW] != 0:
            left &= FLOOR
        if left == ZERO:
            score += table[TABLE_EMPTIED] * (1 if table[TABLE_EMPTIED_TIMES] == 0 else step + 1)
    return score


@inlined
def step_score(g: Any, codes: Any, found: Any, step: Any, table: Any) -> Any:
    """The shown points for clearing the cells ``found`` in a chain's step number ``step`` (from 0)."""
    west, east = words(found)
    if is_general(g) != ZERO:
        return _general_score(g, codes, west, east, step, table)
    size = popcount(west) + popcount(east)
    if size < TWO * clear_size(g):  # too few cells for two groups
        bonus = table[TABLE_GROUP_BONUS + np.int64(size)] + table[TABLE_COLOR_BONUS + 1]
    else:
        bonus = _bonus_of_several(g, codes, west, east, table)
    bonus += table[min(step, TABLE_STEPS - 1)]
    return table[TABLE_UNIT] * np.int64(size) * min(max(bonus, 1), table[TABLE_LIMIT])


@inlined
def resolve(g: Any, codes: Any, table: Any) -> Any:
    """Drops floating puyos and resolves. Returns (codes, shown points, chain, puyos cleared)."""
    codes = settled(g, codes)
    score: Any = 0
    chain: Any = 0
    cleared: Any = 0
    if not clears(g, codes):
        return codes, score, chain, cleared
    found = doomed(g, codes)
    dusty = has_nuisance(codes)
    while any_cell(found):
        # The next step doesn't depend on this step's score, so the processor can compute both at once.
        after, gone = clear(g, codes, found, dusty)
        following = doomed(g, after)
        score += step_score(g, codes, found, chain, table)
        cleared += np.int64(gone)
        chain += 1
        codes, found = after, following
    return codes, score, chain, cleared


@compiled
def resolve_boards(g: Any, boards: Any, table: Any, results: Any) -> None:
    """Resolves every row of ``boards``, (n, BOARD_WORDS) uint64, in place.

    ``results``, (n, 3) int64, receives shown points, chain and puyos cleared.
    """
    for i in range(boards.shape[0]):
        codes, score, chain, cleared = resolve(g, load(boards[i], 0), table)
        save(codes, boards[i])
        results[i, 0] = score
        results[i, 1] = chain
        results[i, 2] = cleared


@compiled
def repeat_resolve(g: Any, boards: Any, table: Any, times: Any, board: Any, sums: Any) -> None:
    """Resolves copies of many boards ``times`` times over, for the benchmark.

    ``boards``: one after the other, flat. ``board`` receives each resolved board. The shown points, chains and puyos
    cleared of all boards are added to ``sums``, 3 int64.
    """
    points = chains = all_cleared = 0
    for _ in range(times):
        for at in range(0, boards.shape[0], BOARD_WORDS):
            codes, score, chain, cleared = resolve(g, load(boards, at), table)
            save(codes, board)
            points += score
            chains += chain
            all_cleared += cleared
    sums[0] += points
    sums[1] += chains
    sums[2] += all_cleared

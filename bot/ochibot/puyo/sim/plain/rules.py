"""The rules: a pair comes to rest, groups clear and score, and the puyos above them fall."""

from __future__ import annotations

from typing import Any, Final, NamedTuple

from ochibot.puyo.rules.field import COLUMNS
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
    TABLE_PER_STEP,
    TABLE_PRODUCT,
    TABLE_SIZES,
    TABLE_STEPS,
    TABLE_UNIT,
)
from ochibot.puyo.sim.plain.shape import (
    AXIS_UP,
    CLEAR_SIZE,
    COLORS_OF_ALL,
    FLOOR,
    GROUPING_EAST,
    GROUPING_WEST,
    KEPT,
    LANE,
    LOCK_COLUMN,
    ONE,
    PARTNER_COLUMN,
    PARTNER_UP,
    ZERO,
    Planes,
    Target,
    U,
)

_LAST_SIZE: Final = TABLE_SIZES - 1


class Moves(NamedTuple):
    """Functions that work on boards, compiled for one target."""

    put_pair: Any
    links: Any
    resolve: Any


def moves_of(target: Target, planes: Planes) -> Moves:
    """Compiles the functions for a target (such as the processor or a GPU)."""
    jit, popcount = target.jit, target.popcount
    rightward, leftward, _, puyos, height = planes

    @jit
    def put(board: Any, numbers: Any, color: Any, x: Any, row: Any) -> None:
        """Puts a puyo at column ``x`` and row ``row`` of a board. A puyo above the highest row that is kept is lost."""
        if row < numbers[KEPT]:
            board[2 * color + x // 4] |= ONE << U(16 * (x & 3) + row)

    @jit
    def put_pair(board: Any, numbers: Any, a: Any, b: Any, lock: Any) -> None:
        west, east = puyos(board)
        x, u = LOCK_COLUMN[lock], PARTNER_COLUMN[lock]
        y, v = height(west, east, x) + AXIS_UP[lock], height(west, east, u) + PARTNER_UP[lock]
        put(board, numbers, a, x, y)
        put(board, numbers, b, u, v)

    @jit
    def group(west: Any, east: Any) -> Any:
        """Returns one group of connected cells of a colour's plane, as (west, east). The plane must not be empty."""
        a, b = west & (~west + ONE), ZERO
        if west == ZERO:
            b = east & (~east + ONE)
        while True:
            (left_a, left_b), (right_a, right_b) = leftward(a, b), rightward(a, b)
            more_a = (a | left_a | right_a | (a << ONE) | (a >> ONE)) & west
            more_b = (b | left_b | right_b | (b << ONE) | (b >> ONE)) & east
            if more_a == a and more_b == b:
                return a, b
            a, b = more_a, more_b

    @jit
    def links(west: Any, east: Any) -> Any:
        """How many pairs of neighbouring cells a plane has, side by side or one above the other."""
        a, b = leftward(west, east)
        count = popcount(west & a) + popcount(east & b)
        return count + popcount(west & (west >> ONE)) + popcount(east & (east >> ONE))

    @jit
    def doomed(board: Any, numbers: Any, masks: Any, table: Any, step: Any) -> Any:
        """Returns (west, east, points): the cells that clear in this step of a chain, and the points shown for them."""
        least = numbers[CLEAR_SIZE]
        all_west, all_east = ZERO, ZERO
        colors, groups, bonus, extra = 0, 0, 0, 0
        for k in range(COLORS_OF_ALL):
            west, east = board[2 * k] & masks[GROUPING_WEST], board[2 * k + 1] & masks[GROUPING_EAST]
            if links(west, east) < least - 1:
                continue  # a group of n cells has at least n - 1 links
            before_west, before_east = all_west, all_east
            while (west | east) != ZERO:
                a, b = group(west, east)
                size = popcount(a) + popcount(b)
                west ^= a
                east ^= b
                if size >= least:
                    groups += 1
                    all_west |= a
                    all_east |= b
                    bonus += table[TABLE_GROUP_BONUS + min(size, _LAST_SIZE)]
                    extra += table[TABLE_BY_SIZE + min(size, _LAST_SIZE)]
            if all_west != before_west or all_east != before_east:
                colors += 1
        size = popcount(all_west) + popcount(all_east)
        if size == 0:
            return all_west, all_east, 0
        beyond = size - least * groups
        if table[TABLE_PER_STEP] != 0:
            beyond = beyond if table[TABLE_PER_STEP] == PER_EXCESS else size - least
            bonus = table[TABLE_GROUP_BONUS + min(least + beyond, _LAST_SIZE)]
            extra = table[TABLE_BY_SIZE + min(least + beyond, _LAST_SIZE)]
        at, limit = min(step, TABLE_STEPS - 1), table[TABLE_LIMIT]
        if table[TABLE_PRODUCT] != 0:
            times = min(max(table[at], 1), limit) * min(max(table[TABLE_COLOR_BONUS + colors], 1), limit)
            times = min(min(times, limit) * min(max(bonus, 1), limit), limit)
        else:
            times = min(max(bonus + table[TABLE_COLOR_BONUS + colors] + table[at], 1), limit)
        extra += table[TABLE_PER_CELL] * beyond + table[TABLE_BY_STEP + at]
        points = table[TABLE_UNIT] * size * times + extra * (times if table[TABLE_MULTIPLIED] != 0 else 1)
        points += table[TABLE_PER_GROUP] * (groups - 1) * (times if table[TABLE_GROUPS_MULTIPLIED] != 0 else 1)
        return all_west, all_east, points

    @jit
    def emptied(board: Any, west: Any, east: Any, table: Any) -> Any:
        """Whether the field or the lowest row, as the table says, is empty without these cells."""
        all_west, all_east = puyos(board)
        left = (all_west & ~west) | (all_east & ~east)
        return (left if table[TABLE_EMPTIED_ROW] == 0 else left & FLOOR) == ZERO

    @jit
    def drop(board: Any, west: Any, east: Any) -> None:
        """Removes the cells set in ``west`` and ``east``; the puyos above them fall."""
        for x in range(COLUMNS):
            at, shift = x // 4, U(16 * (x & 3))
            gone = ((west if x < 4 else east) >> shift) & LANE
            while gone != ZERO:
                below = (gone & (~gone + ONE)) - ONE
                for k in range(at, 2 * COLORS_OF_ALL, 2):
                    lane = (board[k] >> shift) & LANE
                    lane = (lane & below) | ((lane >> ONE) & ~below)
                    board[k] = (board[k] & ~(LANE << shift)) | (lane << shift)
                gone = (gone & below) | ((gone >> ONE) & ~below)

    @jit
    def resolve(board: Any, numbers: Any, masks: Any, table: Any) -> Any:
        """Runs the chain until nothing clears. Returns (shown points, steps, puyos cleared)."""
        score, chain, cleared = 0, 0, 0
        while True:
            west, east, points = doomed(board, numbers, masks, table, chain)
            if (west | east) == ZERO:
                return score, chain, cleared
            score += points
            chain += 1
            if table[TABLE_EMPTIED] != 0 and emptied(board, west, east, table):
                score += table[TABLE_EMPTIED] * (1 if table[TABLE_EMPTIED_TIMES] == 0 else chain)
            cleared += popcount(west) + popcount(east)
            drop(board, west, east)

    return Moves(put_pair, links, resolve)

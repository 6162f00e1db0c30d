"""Self-play by the two-ply player: one game with a dealer and no opponent.

Values a board, with the same results as ``ochibot.puyo.search.measure``.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ochibot.falling.draws import GAMMA, MIX_1, MIX_2
from ochibot.puyo.rules.field import COLUMNS
from ochibot.puyo.search.engine import OVER_NEXT, OVER_NOW
from ochibot.puyo.search.metrics import VARIANCE_UNIT
from ochibot.puyo.sim.plain.locks import locks_of
from ochibot.puyo.sim.plain.rules import moves_of
from ochibot.puyo.sim.plain.shape import (
    BOARD,
    COLORS_OF_ALL,
    EAST,
    GROUPING_EAST,
    GROUPING_WEST,
    HEIGHTS,
    LANE,
    LOCKS,
    ONE,
    SPAWN,
    VISIBLE,
    ZERO,
    Planes,
    Target,
    U,
    planes_of,
)


def value_of(target: Target, planes: Planes, links: Any) -> Any:
    """Makes the function ``evaluate`` for a target."""
    jit, popcount, times, plus = target
    rightward, _, _, puyos, height = planes

    @jit
    def strips(west: Any, east: Any, empty_west: Any, empty_east: Any) -> Any:
        """Counts the cells of a colour whose next puyo to the left, across empty cells, has the same colour."""
        a, b = west, east
        for _ in range(COLUMNS - 2):
            right_a, right_b = rightward(a, b)
            a |= right_a & empty_west
            b |= right_b & empty_east
        a, b = rightward(a, b)
        return popcount(a & west) + popcount(b & east)

    @jit
    def evaluate(board: Any, masks: Any, stacks: Any, factors: Any) -> Any:
        """The value of a resolved board: the sum of each metric times its factor. ``factors`` follow METRICS."""
        all_west, all_east = puyos(board)
        count, edge, spawn = 0, 0, 0
        for x in range(COLUMNS):
            high = height(all_west, all_east, x)
            count += high
            edge += stacks[x, high, 0]
            spawn += stacks[x, high, 1]
        consecutive, variance, linked = 0, 0, 0
        for k in range(COLORS_OF_ALL):
            west, east = board[2 * k], board[2 * k + 1]
            if (west | east) == ZERO:
                continue
            consecutive += strips(west, east, ~all_west, ~all_east & EAST)
            consecutive += popcount(west & (west >> ONE)) + popcount(east & (east >> ONE))
            linked += links(west & masks[GROUPING_WEST], east & masks[GROUPING_EAST])
            n, x_sum, y_sum, squares = 0, 0, 0, 0
            for x in range(COLUMNS):
                lane = ((west if x < 4 else east) >> U(16 * (x & 3))) & LANE
                here = popcount(lane)
                n += here
                x_sum += here * x
                squares += here * x * x
                row = 0
                while lane != ZERO:
                    if lane & ONE != ZERO:
                        y_sum += row
                        squares += row * row
                    lane >>= ONE
                    row += 1
            variance += VARIANCE_UNIT * (n * squares - x_sum * x_sum - y_sum * y_sum) // n
        value = plus(times(float(count), factors[0]), times(0.0, factors[1]))
        value = plus(value, times(float(edge), factors[2]))
        value = plus(value, times(float(spawn), factors[3]))
        value = plus(value, times(float(consecutive), factors[4]))
        value = plus(value, times(float(variance), factors[5]))
        return plus(value, times(float(linked), factors[6]))

    return evaluate


_GAMMA, _MIX_1, _MIX_2 = U(GAMMA), U(MIX_1), U(MIX_2)


def program(target: Target) -> Any:
    """Makes the function ``play`` for a target."""
    jit, popcount = target.jit, target.popcount
    planes = planes_of(target)
    _, _, _, puyos, height = planes
    put_pair, links, resolve = moves_of(target, planes)
    evaluate, locks = value_of(target, planes, links), locks_of(target, planes)

    @jit
    def is_over(board: Any, numbers: Any) -> Any:
        west, east = puyos(board)
        return height(west, east, SPAWN) >= numbers[VISIBLE]

    @jit
    def best_reply(
        board: Any, c: Any, d: Any, numbers: Any, masks: Any, stacks: Any, factors: Any, table: Any, work: Any
    ) -> Any:
        """Finds the best lock of a pair on a resolved board where the game isn't over: (value, leaves)."""
        leaf, spots = work[:BOARD], work[BOARD:]
        best, leaves = OVER_NEXT, 0
        found = locks(board, numbers, masks, c == d, spots)
        for i in range(LOCKS):
            if (found >> i) & 1 == 0:
                continue
            leaves += 1
            for n in range(BOARD):
                leaf[n] = board[n]
            put_pair(leaf, numbers, c, d, i)
            resolve(leaf, numbers, masks, table)
            if not is_over(leaf, numbers):
                best = max(best, evaluate(leaf, masks, stacks, factors))
        return best, leaves

    @jit
    def choose(
        board: Any, state: Any, numbers: Any, masks: Any, stacks: Any, factors: Any, table: Any, work: Any
    ) -> Any:
        """Chooses the current pair's lock: (lock index, leaves examined)."""
        after, rest = work[:BOARD], work[BOARD:]
        best, best_lock, leaves = -np.inf, -1, 0
        found = locks(board, numbers, masks, state[2] == state[3], rest[BOARD:])
        for i in range(LOCKS):
            if (found >> i) & 1 == 0:
                continue
            for n in range(BOARD):
                after[n] = board[n]
            put_pair(after, numbers, state[2], state[3], i)
            resolve(after, numbers, masks, table)
            value, tried = OVER_NOW, 1
            if not is_over(after, numbers):
                value, tried = best_reply(after, state[4], state[5], numbers, masks, stacks, factors, table, rest)
            leaves += tried
            if value > best:
                best, best_lock = value, i
        return best_lock, leaves

    @jit
    def draw(random: Any, colors: Any) -> Any:
        """The next colour, as ``ochibot.puyo.sim.selfplay.draw_color`` draws it."""
        if colors == 0:
            dealt = random[0]
            random[0] = dealt + ONE
            place = dealt if dealt < U(256) else U(256) + (dealt & U(255))
            return np.int64((random[np.int64(place >> U(3)) + 1] >> ((place & U(7)) << U(3))) & U(255))
        random[0] += _GAMMA
        z = random[0]
        z = (z ^ (z >> U(30))) * _MIX_1
        z = (z ^ (z >> U(27))) * _MIX_2
        z ^= z >> U(31)
        return np.int64(((z >> U(32)) * U(colors)) >> U(32))

    @jit
    def play(
        board: Any,
        random: Any,
        state: Any,
        counts: Any,
        chains: Any,
        heights: Any,
        numbers: Any,
        masks: Any,
        stacks: Any,
        factors: Any,
        table: Any,
        work: Any,
    ) -> None:
        """Plays state[0] pieces.

        The arrays are those of ``ochibot.puyo.sim.selfplay.self_play``, except that ``board`` and ``work`` have this
        package's layout and state[12] is left unchanged.
        """
        for _ in range(state[0]):
            lock, leaves = choose(board, state, numbers, masks, stacks, factors, table, work)
            put_pair(board, numbers, state[2], state[3], lock)
            score, chain, cleared = resolve(board, numbers, masks, table)
            west, east = puyos(board)
            count = popcount(west) + popcount(east)
            counts[count] += 1
            for x in range(COLUMNS):
                heights[HEIGHTS * x + height(west, east, x)] += 1
            chains[min(chain, chains.shape[0] - 1)] += 1
            state[6] += 1
            state[8] += score
            state[10] += leaves
            state[11] += cleared
            if chain > 0:
                state[14] += state[13]
                state[13] = 0
            if count == 0:
                state[9] += 1
                state[13] = 1
            if is_over(board, numbers):
                state[7] += 1
                state[13] = 0
                for n in range(BOARD):
                    board[n] = ZERO
            state[2] = state[4]
            state[3] = state[5]
            state[4] = draw(random, state[1])
            state[5] = draw(random, state[1])

    return play

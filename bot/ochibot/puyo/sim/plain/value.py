"""Values a board, with the same results as ``ochibot.puyo.search.measure``."""

from __future__ import annotations

from typing import Any

from ochibot.puyo.rules.field import COLUMNS
from ochibot.puyo.search.metrics import VARIANCE_UNIT
from ochibot.puyo.sim.plain.planes import Planes
from ochibot.puyo.sim.plain.shape import COLORS_OF_ALL, EAST, GROUPING_EAST, GROUPING_WEST, LANE, ONE, ZERO, Target, U


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

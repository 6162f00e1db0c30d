"""How the falling piece moves: what fits where, what a press does, where a drop ends.

Computes where the halves of a pair come to rest, and whether two locks lead to the same field.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np
import numpy.typing as npt

from ochibot.falling.orientation import STEP, Orientation
from ochibot.puyo.rules.field import COLUMNS, ROWS, Field
from ochibot.puyo.rules.pair import BIG, Action, Pair, PairState, Placement, halves, shape
from ochibot.puyo.rules.profile import Rules

Cells = npt.NDArray[np.uint8] | Sequence[Sequence[int]]
"""Cell codes, indexed [y][x - 1]: ``field.cells``, or (faster to index) ``field.rows()``."""

_ORIENTATIONS: Final = tuple(Orientation)
_UPRIGHT: Final = (Orientation.UP, Orientation.DOWN)

IN_BOX: Final = ((0, -1), (1, 0), (0, 0), (0, 0))
"""(dx, dy) from the lower left cell of a pair's box to the axis, by orientation, where pairs turn within a box::

    down A .    left . .    up B .    right . .
         B .         B A       A .          A B
"""


def _legal(cells: Cells, x: int, y: int, top: int) -> bool:
    return 1 <= x <= COLUMNS and top <= y < ROWS and not cells[y][x - 1]


def fits(cells: Cells, state: PairState, pair: Pair | None, rules: Rules) -> bool:
    """Whether every cell of the piece (``None``: a pair) is empty and inside the field.

    Some rules have a row above those that hold puyos. The axis can't enter that row, nor can an item's lower cells.
    """
    x, y, orientation = state
    if y < rules.kept_top:
        return False
    if pair is not None and pair.is_item:
        return all(_legal(cells, u, v, rules.moving_top) for u, v in shape(pair, state))
    dx, dy = STEP[orientation]
    return _legal(cells, x, y, rules.kept_top) and _legal(cells, x + dx, y + dy, rules.moving_top)


def can_start(cells: Cells, state: PairState, pair: Pair | None, rules: Rules) -> bool:
    """Whether the piece can be at ``state`` at all: it fits, or it is a big puyo inside the field.

    (A big puyo may spawn on top of puyos; afterwards it moves only to where it fits.)
    """
    if pair is not None and pair.is_item and pair.axis == BIG:
        return 1 <= state.x < COLUMNS and max(rules.kept_top, rules.moving_top + 1) <= state.y < ROWS
    return fits(cells, state, pair, rules)


def move(cells: Cells, state: PairState, action: Action, pair: Pair | None, rules: Rules) -> PairState:
    """Where the piece (``None``: a pair) is after one press; the same state when the press does nothing.

    When the partner's new cell isn't free (wall, floor, ceiling or stack), rules with kicks move the axis one cell the
    other way, or, where pairs turn within a box, the box one column to the left. When that doesn't help, the press does
    nothing, except in rules with a quick turn: there, an upright pair turns over. Items don't turn. ``state`` itself is
    not checked.
    """
    x, y, orientation = state
    if action is Action.LEFT or action is Action.RIGHT:
        after = PairState(x + (1 if action is Action.RIGHT else -1), y, orientation)
        return after if fits(cells, after, pair, rules) else state
    if action is Action.DOWN:
        after = PairState(x, y + 1, orientation)
        return after if fits(cells, after, pair, rules) else state
    if pair is not None and pair.is_item:
        return state
    turned = _ORIENTATIONS[(orientation + (1 if action is Action.ROTATE_CW else -1)) % 4]
    after = _turn(cells, state, turned, rules, rules.kicks)
    if after == state and rules.quick_turn and orientation in _UPRIGHT:
        # A pair that turns over may move its axis to where the partner was, even in rules without kicks.
        return _turn(cells, state, _ORIENTATIONS[(orientation + 2) % 4], rules, True)
    return after


def _turn(cells: Cells, state: PairState, turned: Orientation, rules: Rules, kicks: bool) -> PairState:
    if rules.turns == "box":
        (fx, fy), (tx, ty) = IN_BOX[state.orientation], IN_BOX[turned]
        after, (dx, dy) = PairState(state.x - fx + tx, state.y - fy + ty, turned), (1, 0)
    else:
        after, (dx, dy) = PairState(state.x, state.y, turned), STEP[turned]
    if fits(cells, after, None, rules):
        return after
    kicked = PairState(after.x - dx, after.y - dy, turned)
    return kicked if kicks and fits(cells, kicked, None, rules) else state


def dropped(cells: Cells, state: PairState, pair: Pair | None, rules: Rules) -> PairState:
    """Where the piece (``None``: a pair) comes to rest when it falls straight down from ``state``."""
    x, y, orientation = state
    while fits(cells, PairState(x, y + 1, orientation), pair, rules):
        y += 1
    return PairState(x, y, orientation)


def resting_cells(field: Field, pair: Pair, where: PairState | Placement) -> frozenset[tuple[int, int, int]]:
    """The cells (x, y, colour) of both halves after each has dropped to the bottom of its column.

    For an item, the result is the single cell (x, 0, code), whatever the field.
    """
    if pair.is_item:
        return frozenset({(where.x, 0, pair.axis)})
    heights = field.heights()
    first, second = zip(halves(where), pair, strict=True)
    # the lower half of a vertical pair comes to rest first
    if where.orientation is Orientation.DOWN:
        first, second = second, first
    cells = []
    stacked: dict[int, int] = {}
    for (x, _), color in (first, second):
        height = int(heights[x - 1]) + stacked.get(x, 0)
        stacked[x] = stacked.get(x, 0) + 1
        cells.append((x, ROWS - 1 - height, color))
    return frozenset(cells)


def same_landing(field: Field, pair: Pair, landed: PairState, target: Placement) -> bool:
    """Whether two locks put the same colours on the same cells."""
    if (landed.x, landed.orientation) == (target.x, target.orientation):
        return True
    return resting_cells(field, pair, landed) == resting_cells(field, pair, target)

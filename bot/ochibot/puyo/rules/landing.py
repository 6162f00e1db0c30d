"""Computes where the halves of a pair come to rest, and whether two locks lead to the same field."""

from __future__ import annotations

from ochibot.falling.orientation import Orientation
from ochibot.puyo.rules.field import ROWS, Field
from ochibot.puyo.rules.pair import Pair, PairState, Placement, halves


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

"""Tests of where the halves of a pair come to rest, compared with dropping them one by one."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from ochibot.puyo import BIG, CARBUNCLE, Field, Orientation, Pair, PairState, Placement
from ochibot.puyo.rules.motion import resting_cells, same_landing
from ochibot.puyo.rules.pair import halves

ASIDE = {Orientation.LEFT: -1, Orientation.RIGHT: 1}
WHERE = [
    (x, orientation) for x in range(1, 7) for orientation in Orientation if 1 <= x + ASIDE.get(orientation, 0) <= 6
]


def stacks(heights: list[int]) -> Field:
    cells = np.zeros((14, 6), np.uint8)
    for x, height in enumerate(heights):
        cells[14 - height :, x] = 7
    return Field.from_cells(cells)


def fallen(field: Field, pair: Pair, where: Placement) -> set[tuple[int, int, int]]:
    """The cells (x, y, colour) where the halves come to rest: each falls alone, the lower one first."""
    cells = field.cells.copy()
    found = set()
    for (x, y), color in sorted(zip(halves(where), pair, strict=True), key=lambda half: -half[0][1]):
        while y < 13 and not cells[y + 1, x - 1]:
            y += 1
        cells[y, x - 1] = color
        found.add((x, y, color))
    return found


@given(
    st.lists(st.integers(0, 10), min_size=6, max_size=6),
    st.sampled_from(WHERE),
    st.integers(1, 6),
    st.integers(1, 6),
)
def test_each_half_rests_where_it_falls(
    heights: list[int], where: tuple[int, Orientation], axis: int, partner: int
) -> None:
    field, pair = stacks(heights), Pair(axis, partner)
    target = Placement(where[0], 1, where[1])
    cells = resting_cells(field, pair, target)
    assert cells == fallen(field, pair, target)
    assert len(cells) == 2


def test_an_item_rests_by_its_column_alone() -> None:
    field = stacks([0, 3, 0, 0, 0, 0])
    for item in (BIG, CARBUNCLE):
        assert resting_cells(field, Pair(item, item), Placement(2, 9, Orientation.UP)) == {(2, 0, item)}
        assert same_landing(field, Pair(item, item), PairState(2, 4, Orientation.LEFT), Placement(2, 9, Orientation.UP))


@pytest.mark.parametrize(
    ("pair", "landed", "target", "same"),
    [
        # the pair turned upside down: the same landing with one colour, another one with two
        ((1, 1), (3, Orientation.UP), (3, Orientation.DOWN), True),
        ((1, 2), (3, Orientation.UP), (3, Orientation.DOWN), False),
        ((1, 1), (3, Orientation.LEFT), (2, Orientation.RIGHT), True),
        ((1, 2), (3, Orientation.LEFT), (2, Orientation.RIGHT), False),
        ((1, 2), (3, Orientation.LEFT), (3, Orientation.LEFT), True),
        ((1, 1), (3, Orientation.UP), (4, Orientation.UP), False),
    ],
)
def test_locks_are_the_same_when_the_colours_lie_the_same(
    pair: tuple[int, int], landed: tuple[int, Orientation], target: tuple[int, Orientation], same: bool
) -> None:
    field = stacks([0, 1, 4, 4, 0, 0])
    assert (
        same_landing(field, Pair(*pair), PairState(landed[0], 3, landed[1]), Placement(target[0], 5, target[1])) is same
    )

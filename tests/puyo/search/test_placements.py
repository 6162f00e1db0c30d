"""The kernels find the same placements as the plain search, with the same paths and order, and run far less Python."""

from __future__ import annotations

import dataclasses
from functools import partial

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from ochibot.errors import FieldError
from ochibot.puyo import BIG, CARBUNCLE, Field, Orientation, Pair, PairState, Placement, Rules
from ochibot.puyo.search import lock_positions, placements, with_path

from tests.puyo import FAMICOM, SPAWN, TSU
from tests.puyo.fields import random_cells
from tests.working import lines_run

# These profiles cover every rule about moving, and all have items.
PROFILES = (
    FAMICOM,
    dataclasses.replace(TSU, items=FAMICOM.items),
    dataclasses.replace(TSU, name="no kicks", kicks=False, items=FAMICOM.items),
    dataclasses.replace(FAMICOM, name="low", visible_rows=8, ceiling="vanish"),
    dataclasses.replace(FAMICOM, name="box", turns="box"),
    dataclasses.replace(FAMICOM, name="stiff box", turns="box", kicks=False, ceiling="vanish", visible_rows=11),
)


@st.composite
def fields(draw: st.DrawFn) -> Field:
    """A field whose columns are from empty to 14 puyos high, with or without holes."""
    cells = np.zeros((14, 6), np.uint8)
    holes = draw(st.booleans())
    for x in range(6):
        height = draw(st.sampled_from([0, 3, 9, 10, 11, 12, 13, 14]))
        column = draw(
            st.lists(st.sampled_from([1, 2, 7, 0]) if holes else st.just(7), min_size=height, max_size=height)
        )
        cells[14 - height :, x] = column
    return Field.from_cells(cells)


pieces = st.sampled_from([Pair(1, 2), Pair(3, 3), Pair(BIG, BIG), Pair(CARBUNCLE, CARBUNCLE)])
starts = st.none() | st.builds(PairState, st.integers(0, 7), st.integers(-1, 14), st.sampled_from(list(Orientation)))


@pytest.mark.long
@settings(max_examples=300, deadline=None)
@given(fields(), pieces, st.sampled_from(PROFILES), starts)
@example(Field.empty(), Pair(BIG, BIG), FAMICOM, PairState(1, 4, Orientation.LEFT))
@example(Field.parse("oooooo\n" * 14), Pair(BIG, BIG), FAMICOM, None)
def test_they_are_those_of_the_plain_search(field: Field, pair: Pair, rules: Rules, start: PairState | None) -> None:
    found = placements(field, pair, rules, start)
    assert found == lock_positions(field, pair, rules, start)  # paths and order included
    for lock in found[::3]:
        assert with_path(field, pair, dataclasses.replace(lock, path=()), start or rules.spawn, rules) == lock


@pytest.mark.parametrize("rules", [FAMICOM, TSU, PROFILES[-2]], ids=["famicom", "tsu", "box"])
def test_random_fields_from_the_spawn(rules: Rules) -> None:
    for cells in random_cells()[:400]:
        field = Field.from_cells(cells)
        for pair in (Pair(1, 2), Pair(1, 1)):
            assert placements(field, pair, rules) == lock_positions(field, pair, rules)


def test_no_way_leads_there() -> None:
    wall, pair = Field.parse("...o..\n" * 13), Pair(1, 2)
    for target in (
        Placement(5, 13, Orientation.UP),
        Placement(0, 13, Orientation.UP),
        Placement(2, 12, Orientation.UP),
    ):
        with pytest.raises(FieldError, match="can't get to"):
            with_path(wall, pair, target, SPAWN, FAMICOM)
    with pytest.raises(FieldError, match="can't get to"):
        with_path(Field.empty(), pair, Placement(1, 13, Orientation.UP), PairState(9, 9, Orientation.UP), FAMICOM)


def test_they_are_quick() -> None:
    high = [Field.from_cells(cells) for cells in random_cells()[:200]]
    quick = naive = 0
    for field in high:
        placements(field, Pair(1, 2), FAMICOM)  # does all work that is done only once, which isn't to be counted below
        quick += lines_run(partial(placements, field, Pair(1, 2), FAMICOM))
        naive += lines_run(partial(lock_positions, field, Pair(1, 2), FAMICOM))
    assert quick * 20 < naive, "measured: a fortieth of the lines of Python"

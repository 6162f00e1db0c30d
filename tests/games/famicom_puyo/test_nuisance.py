"""Tests that recognising nuisance which fell on a settled field agrees with a naive simulation of the fall."""

from __future__ import annotations

import random

from hypothesis import given
from hypothesis import strategies as st
from ochibot.puyo import Field
from ochibot.puyo.forecast import is_covered

from tests.puyo import FAMICOM


def dropped(columns: list[list[int]], counts: list[int]) -> Field:
    """Drops ``counts[x]`` nuisance puyos into column x; those that don't fit into its 14 rows are lost."""
    filled = [(column + [7] * count)[:14] for column, count in zip(columns, counts, strict=True)]
    return Field.from_cells(
        [[filled[x][13 - y] if len(filled[x]) > 13 - y else 0 for x in range(6)] for y in range(14)]
    )


def test_the_rests_of_several_falls_may_lie_in_one_column() -> None:
    before = Field.parse("RGB...")
    twice = Field.parse("o.....\no.oo..\nRGBoo.")
    assert not is_covered(before, twice, 6, FAMICOM)
    assert is_covered(before, twice, 6, FAMICOM, falls=2)
    assert not is_covered(before, twice, 7, FAMICOM, falls=2)
    assert not is_covered(before, twice, 5, FAMICOM, falls=2)
    assert not is_covered(before, Field.parse("o.....\no.oo..\nRGGoo."), 6, FAMICOM, falls=2)


COLUMNS = st.lists(st.lists(st.integers(1, 7), max_size=14), min_size=6, max_size=6)


@given(COLUMNS, st.integers(0, 30), st.integers(0, 2**32))
def test_every_legal_fall_is_recognised(columns: list[list[int]], nuisance: int, seed: int) -> None:
    rows, rest = divmod(nuisance, 6)
    chosen = random.Random(seed).sample(range(6), rest)
    counts = [rows + (x in chosen) for x in range(6)]
    assert is_covered(dropped(columns, [0] * 6), dropped(columns, counts), nuisance, FAMICOM)


@given(
    COLUMNS.filter(lambda c: all(len(column) < 8 for column in c)), st.lists(st.integers(0, 6), min_size=6, max_size=6)
)
def test_no_other_number_is_taken_for_it(columns: list[list[int]], counts: list[int]) -> None:
    seen = dropped(columns, counts)
    level = max(counts) - min(counts) <= 1
    for nuisance in range(37):
        legal = level and sum(counts) == nuisance
        assert is_covered(dropped(columns, [0] * 6), seen, nuisance, FAMICOM) is legal


def test_a_changed_cell_below_is_seen() -> None:
    before = Field.parse("R.....\nRGB...")
    assert is_covered(before, Field.parse("o.....\nR.....\nRGB..."), 1, FAMICOM)
    assert not is_covered(before, Field.parse("o.....\nG.....\nRGB..."), 1, FAMICOM)
    assert not is_covered(before, Field.parse("R.....\nR.....\nRGB..."), 1, FAMICOM)
    assert not is_covered(before, Field.parse("RGB..."), 1, FAMICOM)

"""Tests of the conversion of fields and pairs to text, cells and bit planes, and back."""

from __future__ import annotations

import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from ochibot.errors import FieldError
from ochibot.puyo import Field, Pair, Snapshot

from tests.puyo import SPAWN

codes = st.lists(st.integers(0, 7), min_size=84, max_size=84)
rows = st.lists(st.text("RGBYPCo.", min_size=6, max_size=6), min_size=1, max_size=14)


@given(codes)
def test_text_cells_and_planes_round_trip(values: list[int]) -> None:
    cells = np.array(values, np.uint8).reshape(14, 6)
    field = Field.from_cells(cells)
    assert (field.cells == cells).all()
    for again in (Field.parse(str(field)), Field.from_planes(field.planes), pickle.loads(pickle.dumps(field))):
        assert again == field
        assert hash(again) == hash(field)
        assert (again.cells == cells).all()
        assert (again.planes == field.planes).all()
    assert eval(repr(field)) == field
    assert field.count() == np.count_nonzero(cells)


@given(rows)
def test_short_text_is_the_lower_part(text: list[str]) -> None:
    field = Field.parse("\n".join(text))
    assert str(field).split("\n") == ["......"] * (14 - len(text)) + text


@given(st.text("RGBYPC", min_size=2, max_size=2))
def test_pairs_round_trip(text: str) -> None:
    assert str(Pair.parse(text)) == text


@pytest.mark.parametrize("text", ["", "R", "RGB", "Ro", "R.", "rg", "R "])
def test_what_is_not_a_pair(text: str) -> None:
    with pytest.raises(FieldError):
        Pair.parse(text)


@pytest.mark.parametrize("text", ["RGB", "RGBYPCR", "RGBYP?", "......\n" * 15])
def test_what_is_not_a_field(text: str) -> None:
    with pytest.raises(FieldError):
        Field.parse(text)


def test_what_is_not_an_array_of_cells() -> None:
    for cells in (np.zeros((13, 6), int), np.full((14, 6), 8), np.full((14, 6), -1), np.zeros((14, 6))):
        with pytest.raises(FieldError):
            Field.from_cells(cells)


def test_fields_cannot_be_changed() -> None:
    field = Field.empty()
    for array in (field.cells, field.planes, Field.from_planes(field.planes).planes):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 1
    with pytest.raises(AttributeError):
        field.other = 1


def test_heights_count_floating_puyos() -> None:
    field = Field.parse("R.....\n......\n.o....")
    assert field.heights() == (3, 1, 0, 0, 0, 0)
    assert not field.is_settled()
    assert Field.parse("R.....\nRo....").is_settled()


def test_snapshot_draws_the_pair_in_small_letters() -> None:
    text = repr(Snapshot(Field.parse("R....."), Pair.parse("GB"), Pair.parse("YY"), 70, SPAWN, 2, 5))
    lines = text.split("\n")
    assert lines[1].startswith("..b...")
    assert lines[2].startswith("..g...")
    assert lines[14].startswith("R.....")
    assert "next  YY" in text
    assert "level 2, 5 colours" in text

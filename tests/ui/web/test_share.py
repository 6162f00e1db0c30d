"""A board's code in an address is exact and canonical, and a text that is no code raises FieldError."""

from __future__ import annotations

import base64
import string

import pytest
from hypothesis import given
from hypothesis import strategies as st
from ochibot.errors import FieldError

from tests.ui.web import share

boards = st.text(share.LETTERS, min_size=84, max_size=84).map(
    lambda cells: "\n".join(cells[i : i + 7] for i in range(0, 84, 7))
)


@given(boards)
def test_every_board_comes_back(text: str) -> None:
    code = share.encode(text)
    assert share.decode(code) == text
    assert len(code) <= 1 + share.LONGEST


@given(boards)
def test_the_code_is_the_number_of_the_cells_in_base_64(text: str) -> None:
    number = 0
    for row in text.split("\n"):
        for letter in reversed(row):
            number = number * 10 + share.LETTERS.index(letter)
    payload = base64.urlsafe_b64encode(number.to_bytes(36, "big")).decode().lstrip("A")
    assert share.encode(text) == "1" + payload


@given(
    st.one_of(st.text(string.printable, max_size=60), st.text(share.ALPHABET, max_size=60).map(lambda text: "1" + text))
)
def test_any_text_is_a_board_with_just_this_code_or_an_error(code: str) -> None:
    try:
        text = share.decode(code)
    except FieldError:
        return
    assert share.encode(text) == code


def test_an_empty_board_is_only_a_version() -> None:
    assert share.encode("\n".join(["......."] * 12)) == "1"


@pytest.mark.parametrize(
    ("code", "words"),
    [
        ("", "format"),
        ("2abc", "format"),
        ("1A", "damaged"),
        ("1a b", "damaged"),
        ("1é", "damaged"),
        ("1" + "_" * 47, "damaged"),
        ("1" + "b" * 100_000, "damaged"),
    ],
)
def test_what_is_no_board_is_reported(code: str, words: str) -> None:
    with pytest.raises(FieldError, match=words):
        share.decode(code)

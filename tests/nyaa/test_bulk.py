"""The bulk kernel agrees with the plain engine, and anything but a list of boards is refused."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest
from ochibot.errors import FieldError
from ochibot.nyaa import Grid, Ruleset, bulk, ignite, parse_boards
from ochibot.nyaa.bulk import bulk_values
from ochibot.nyaa.calculator.ignition import summary

from tests.nyaa.boards import mixture


@pytest.mark.long  # without a cache, compiling the kernel takes half a minute
@pytest.mark.parametrize("burns", [2, 64, 2048])
def test_the_kernel_says_what_the_plain_engine_says(burns: int) -> None:
    grids = [*mixture(burns, 300), Grid.empty(), Grid.parse("\n".join(["rrrRrrr"] * 12))]
    found = bulk_values(np.array([list(grid.codes) for grid in grids]), most_burns=burns)
    texts = {ruleset: found.texts(ruleset) for ruleset in Ruleset}
    ties = 0
    for number, grid in enumerate(grids):
        for ruleset in Ruleset:
            plain = ignite(grid, ruleset, most_burns=burns)
            assert found.summary(number, ruleset) == summary(plain), repr(grid)
            assert texts[ruleset][number] == json.dumps(summary(plain)), repr(grid)
            column = list(Ruleset).index(ruleset)
            assert (found.low[number, column], found.high[number, column]) == (plain.low, plain.high)
            assert (found.exact[number, column], found.complete[number, column]) == (plain.exact, plain.complete)
            ties += bool(plain.open_ties)
    assert ties > 20


@pytest.mark.parametrize(
    "codes", [np.zeros((2, 83), int), np.zeros((2, 84)), np.full((1, 84), 10), np.full((1, 84), -1), np.zeros(84, int)]
)
def test_what_is_no_list_of_boards_is_reported(codes: Any) -> None:
    with pytest.raises(FieldError):
        bulk_values(codes)


@pytest.mark.parametrize(
    "text",
    [
        "r......\n\n\nR......\nr.....b\n",
        "\n\n" + ("rgbyoRG\n" * 12 + "\n") * 5,
        "r......",
        "r......\r\nR......\r\n",
        "  r......\n\n 1  R . . . . . .\n",
    ],
)
def test_texts_are_read_as_always(text: str) -> None:
    codes = bulk.read_codes(text)
    assert [Grid(one.tobytes()) for one in codes] == list(parse_boards(text))


@pytest.mark.parametrize("text", ["", "\n\n", "r......\n" * 13, "r.....x\n", "r.....\n", "é......\n"])
def test_faults_are_named_as_always(text: str) -> None:
    with pytest.raises(FieldError) as plain:
        parse_boards(text)
    with pytest.raises(FieldError) as many:
        bulk.read_codes(text)
    assert str(plain.value) == str(many.value)

"""Places that are the number of a cell."""

from __future__ import annotations

import pytest
from ochibot.experiments.learn import begin, learn_piece
from ochibot.experiments.notebook import Notebook
from ochibot.experiments.numbered import entries_of, find_numbered
from ochibot.experiments.rig import Numbered, Rig

from tests.strangers.maker import Truth, draw
from tests.strangers.maker.console import StrangerConsole


def test_the_number_of_the_pieces_cell_is_found() -> None:
    # x and y were found by sprites, which follow it
    console = StrangerConsole(draw(900, "family", "cell_index"))
    place = Truth(console.game).describe()["place"]
    rig, book = Rig(console), Notebook(None, "a game")
    rig.step()
    learnt, ground, _ = learn_piece(rig, book, *begin(rig, book))
    found = find_numbered(ground, learnt.basis, learnt.stance)
    assert rig.address(learnt.basis.x[0]) != place["address"]
    assert (rig.address(found.offset), found.right, found.lower) == (place["address"], 1, place["cells_per_row"])


@pytest.mark.parametrize("number", [Numbered(35, 2, 16, 210), Numbered(35, 16, 1, 29)])
def test_x_and_y_are_read_from_the_number_of_a_cell(number: Numbered) -> None:
    for column in range(6):
        for row in range(12):
            raw = number.base + number.right * column - number.lower * row
            values = [
                ((raw - int(one.get("origin", 0))) // one["divide"] % one.get("modulo", 256)) + one.get("offset", 0)
                for one in entries_of(number, 0x23, 13)
            ]
            assert values == [column + 1, 13 - row]

"""Finds fields whose columns lie apart where something else looks like the field."""

from __future__ import annotations

from pathlib import Path

import pytest
from ochibot.experiments import basis
from ochibot.experiments.learn import begin
from ochibot.experiments.notebook import Notebook
from ochibot.experiments.rig import Rig

from tests.strangers.maker import Truth, draw
from tests.strangers.maker.console import StrangerConsole


@pytest.mark.parametrize("seed", [487, 758829])
def test_the_field_is_that_of_the_rules(seed: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In both games the columns lie apart, and a wrong field was taken that held pieces up.

    In 487 steps from one even column to the next lead to cells in which pieces lie, but seldom to the piece's own. In
    758829 half of the field, read as nibbles, has pieces where a late copy has none.
    """
    monkeypatch.setattr(basis, "MORE_PIECES", 80)  # enough here, and quicker
    console = StrangerConsole(draw(seed, "family"))
    rig = Rig(console)
    rig.step()
    field = begin(rig, Notebook(tmp_path, "test"))[1].first()
    (rules,) = (place for place in Truth(console.game).describe()["field"]["places"] if place["role"] == "rules")
    assert field.view is not None
    lines = [field.view.places[row * 6 : row * 6 + 6] for row in range(field.place.rows)]
    found = [[rig.address(offset) for (offset,) in line] for line in reversed(lines)]
    assert found == [rules["cells"][at : at + 6] for at in range(0, len(rules["cells"]), 6)][-len(found) :]

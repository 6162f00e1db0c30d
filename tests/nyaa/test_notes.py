"""Positions as plain values."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from ochibot.errors import FieldError
from ochibot.falling.orientation import Orientation
from ochibot.nyaa.notes import as_dict, from_dict
from ochibot.nyaa.rules.grid import Grid
from ochibot.nyaa.rules.pair import NyaaState, Pair, Placement
from ochibot.nyaa.rules.snapshot import Burning, Opponent, Snapshot

OWN = Snapshot(Grid.parse("r......\nrrr.ggg"), Pair(1, 3), (Pair(2, 2), Pair(4, 1)), pending=9, score=120)
THERE = Opponent(Grid.parse("o..R..."), Pair(4, 4), 3)
OTHERS = {
    "none": None,
    "plain": THERE,
    "no pair": replace(THERE, pair=None),
    "burning": replace(THERE, burning=Burning(Grid.parse("o......"), Pair(2, 1), 17)),
    "burning, no pair": replace(THERE, burning=Burning(Grid.empty(), None, 0)),
}
LOCK = Placement(2, 11, Orientation.UP, True)


@pytest.mark.parametrize("name", OTHERS)
def test_a_position_comes_back_from_json_as_it_was(name: str) -> None:
    snapshot = replace(OWN, opponent=OTHERS[name], state=NyaaState(3, 4, Orientation.LEFT, True))
    assert from_dict(json.loads(json.dumps(as_dict(snapshot, LOCK)))) == (snapshot, LOCK)


def test_a_position_that_was_written_before_ignitions_were_seen_is_read() -> None:
    said = as_dict(replace(OWN, opponent=THERE), LOCK)
    assert "burning" not in said["opponent"]


@pytest.mark.parametrize("lit", [3, {"grid": "o......"}, {"grid": "?", "pair": None, "attack": 1}])
def test_a_damaged_ignition_is_refused(lit: object) -> None:
    said = as_dict(replace(OWN, opponent=THERE), LOCK)
    said["opponent"]["burning"] = lit
    with pytest.raises(FieldError):
        from_dict(said)

"""The least and the greatest numbers that a game file may give."""

from __future__ import annotations

from typing import Any

import pytest
from ochibot.games.filed import model
from pydantic import BaseModel, ValidationError

LIMITS: list[tuple[type[BaseModel], str, dict[str, Any], int, int]] = [
    (model.StateValues, "playing", {}, -0x8000_0000, 0xFFFF_FFFF),
    (model.PhaseValues, "control", {"spawn": 1, "over": 2}, -0x8000_0000, 0xFFFF_FFFF),
    (model.Spawn, "x", {"y": 1, "orientation": "up"}, 1, 16),
    (model.Spawn, "y", {"x": 1, "orientation": "up"}, 0, 32),
    (model.Mode, "value", {}, -0x8000_0000, 0xFFFF_FFFF),
]


@pytest.mark.parametrize(("kind", "name", "rest", "least", "most"), LIMITS)
def test_numbers_have_limits(kind: type[BaseModel], name: str, rest: dict[str, Any], least: int, most: int) -> None:
    for number in (least, most):
        assert getattr(kind.model_validate({**rest, name: number}), name) == number
    for wrong in (least - 1, most + 1, 1.5, "1", True):
        with pytest.raises(ValidationError):
            kind.model_validate({**rest, name: wrong})


def test_a_mode_has_a_map_or_two() -> None:
    assert model.Mode.model_validate({"maps": "one.yaml"}).maps == ("one.yaml",)
    assert model.Mode.model_validate({"maps": ["one.yaml", {"game": "x"}]}).maps == ("one.yaml", {"game": "x"})
    assert model.Mode.model_validate({}).maps == ()
    for wrong in (["a", "b", "c"], 7, ["a", 7]):
        with pytest.raises(ValidationError, match="give"):
            model.Mode.model_validate({"maps": wrong})

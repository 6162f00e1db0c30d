"""The least and the greatest numbers that a game file may give."""

from __future__ import annotations

from typing import Any

import pytest
from ochibot.console import Button
from ochibot.falling.orientation import Orientation
from ochibot.games.filed import model
from pydantic import BaseModel, TypeAdapter, ValidationError

LIMITS: list[tuple[type[BaseModel], str, dict[str, Any], int, int]] = [
    (model.StateValues, "playing", {}, -0x8000_0000, 0xFFFF_FFFF),
    (model.PhaseValues, "control", {"spawn": 1, "over": 2}, -0x8000_0000, 0xFFFF_FFFF),
    (model.Spawn, "x", {"y": 1, "orientation": "up"}, 1, 16),
    (model.Spawn, "y", {"x": 1, "orientation": "up"}, 0, 32),
    (model.Mode, "value", {}, -0x8000_0000, 0xFFFF_FFFF),
    (model.SeenAt, "cell", {"field_at": {1: (8, 8)}}, 1, 256),
    (model.SeenAt, "top", {"field_at": {1: (8, 8)}, "cell": 16}, 0, 32),
    (model.SetFile, "size", {"name": "a", "crc": 0}, 1, 1 << 30),
    (model.SetFile, "crc", {"name": "a", "size": 1}, 0, 0xFFFF_FFFF),
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


SEEN: dict[str, Any] = {"cell": 16}


def test_places_of_the_picture_and_colours_have_limits() -> None:
    for at in ((-4096, 4096), (4096, -4096)):
        assert model.SeenAt.model_validate({**SEEN, "field_at": {2: at}}).field_at == {2: at}
    places: tuple[Any, ...] = ((-4097, 0), (0, 4097), (0.5, 0), (0,), (0, 0, 0))
    for wrong in places:
        with pytest.raises(ValidationError):
            model.SeenAt.model_validate({**SEEN, "field_at": {1: wrong}})
    with pytest.raises(ValidationError):
        model.SeenAt.model_validate({**SEEN, "field_at": {3: (0, 0)}})
    seen = {**SEEN, "field_at": {1: (0, 0)}}
    assert model.SeenAt.model_validate({**seen, "colors": {"red": (0, 255, 7)}}).colors == {"red": (0, 255, 7)}
    colors: tuple[Any, ...] = ((0, 256, 0), (-1, 0, 0), (0, 0), ("1", 0, 0))
    for wrong in colors:
        with pytest.raises(ValidationError):
            model.SeenAt.model_validate({**seen, "colors": {"red": wrong}})
    assert model.SeenAt.model_validate({**seen, "screen": (1, 1_000_000)}).screen == (1, 1_000_000)
    for wrong in ((0, 1), (1, 1_000_001)):
        with pytest.raises(ValidationError):
            model.SeenAt.model_validate({**seen, "screen": wrong})


def test_texts_have_a_length() -> None:
    for text in ("a", "a" * 4096):
        assert model.Mode.model_validate({"state": text}).state == text
    for wrong in ("", "a" * 4097, 7, True):
        with pytest.raises(ValidationError):
            model.Mode.model_validate({"state": wrong})


def test_an_option_has_a_thousand_values_at_the_most() -> None:
    for said, values in (
        ({"from": 1, "to": 1}, range(1, 2)),
        ({"from": 1, "to": 1000}, range(1, 1001)),
        ({"from": -5, "to": 0}, range(-5, 1)),
        ({"names": ["easy", "hard"]}, range(2)),
        ({"names": ["easy", "hard"], "from": 3}, range(3, 5)),
        ({"names": [True, False]}, range(2)),
    ):
        assert model.Option.model_validate(said).values == values
    assert model.Option.model_validate({"names": [True, False]}).names == ("on", "off")
    for wrong in (
        {"from": 1, "to": 1001}, {"from": 2, "to": 1}, {"from": 1}, {"to": 1}, {}, {"names": ["a"], "to": 3},
        {"names": ["a"] * 1001}, {"names": [7]},
    ):  # fmt: skip
        with pytest.raises(ValidationError):
            model.Option.model_validate(wrong)


def test_hashes_are_forty_hexadecimal_digits() -> None:
    hashes = TypeAdapter(model._Hashes)
    assert hashes.validate_python("0aF" * 13 + "9") == ("0aF" * 13 + "9",)
    assert hashes.validate_python(["0" * 40, "f" * 40]) == ("0" * 40, "f" * 40)
    for wrong in ("0" * 39, "0" * 41, "g" * 40, 7, ["0" * 40, ""]):
        with pytest.raises(ValidationError):
            hashes.validate_python(wrong)


@pytest.mark.parametrize(
    ("kind", "said"),
    [
        (model.Mode, {}), (model.Spawn, {"x": 1, "y": 1, "orientation": "up"}), (model.StateValues, {}),
        (model.PhaseValues, {"spawn": 1, "control": 2, "over": 3}), (model.Option, {"from": 1, "to": 2}),
        (model.SetFile, {"name": "a", "size": 1, "crc": 0}), (model.Others, {}),
    ],
)  # fmt: skip
def test_what_was_read_stays_and_unknown_names_are_refused(kind: type[BaseModel], said: dict[str, Any]) -> None:
    read = kind.model_validate(said)
    with pytest.raises(ValidationError, match="frozen"):
        setattr(read, next(iter(kind.model_fields)), 1)
    with pytest.raises(ValidationError, match="not permitted"):
        kind.model_validate({**said, "nonsense": 1})


def test_a_button_may_be_none_and_an_orientation_may_not() -> None:
    buttons = TypeAdapter(model._Button)
    assert buttons.validate_python(None) is None
    assert buttons.validate_python("Start") is Button.START
    assert TypeAdapter(model._Orientation).validate_python("UP") is Orientation.UP
    cases: tuple[tuple[Any, Any], ...] = ((model._Button, "none"), (model._Orientation, None), (model._Orientation, 2))
    for kind, wrong in cases:
        with pytest.raises(ValidationError, match="there is no"):
            TypeAdapter(kind).validate_python(wrong)

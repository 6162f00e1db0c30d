"""Keys files: the shipped one, changes to it, and what is wrong with them."""

from __future__ import annotations

from pathlib import Path

import pygame
import pytest
from ochibot.console import Button
from ochibot.errors import ConfigError
from ochibot.ui.inputs import Inputs
from ochibot.ui.keys import load_keys
from ochibot.ui.window import HELP


def file(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "keys.yaml"
    path.write_text(text)
    return path


def test_the_shipped_keys() -> None:
    bindings = load_keys()
    assert bindings.pad_keys()[pygame.K_x] == Button.A
    assert bindings.window_keys()[pygame.K_p] == "pause"
    assert bindings.gamepad_buttons()["dpup"] == Button.UP
    assert set(HELP) == set(bindings.window.model_dump()), "the help tells all of them"


def test_a_file_of_ones_own_changes_what_it_gives(tmp_path: Path) -> None:
    bindings = load_keys(file(tmp_path, "pad: {a: [K, 1], up: w}\nwindow: {mute: []}\n"))
    keys = bindings.pad_keys()
    assert keys[pygame.K_k] == keys[pygame.K_1] == Button.A
    assert keys[pygame.K_w] == Button.UP
    assert pygame.K_x not in keys
    assert keys[pygame.K_z] == Button.B
    assert pygame.K_m not in bindings.window_keys()


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("pad: {a: [banana]}", "pad.a: there is no key 'banana'"),
        ("pad: {jump: [x]}", "pad.jump: is not a known name here"),
        ("pad: {a: [p]}", "'p' is given to both pad.a and window.pause"),
        ("gamepad: {a: [b2]}", "gamepad.a: a gamepad has no 'b2'"),
        ("gamepad: {a: [a]}", "'a' is given to both gamepad.a and gamepad.b"),
        ("window: pause", "window: "),
        ("pad: {a: [true]}", "pad.a.0: "),
        ("[", "not valid YAML"),
        ("pad: {a: [x], a: [y]}", "given twice"),
    ],
)
def test_what_is_wrong_is_reported_with_its_place(tmp_path: Path, text: str, words: str) -> None:
    path = file(tmp_path, text)
    with pytest.raises(ConfigError) as caught:
        load_keys(path)
    assert str(path) in str(caught.value)
    assert words in str(caught.value)


def event(kind: str, **values: int) -> pygame.event.Event:
    return pygame.event.Event(getattr(pygame, kind), dict(values))


def test_a_gamepad_is_a_pad() -> None:
    inputs = Inputs(load_keys())
    inputs.feed(event("CONTROLLERBUTTONDOWN", button=pygame.CONTROLLER_BUTTON_DPAD_LEFT))
    inputs.feed(event("CONTROLLERBUTTONDOWN", button=pygame.CONTROLLER_BUTTON_B))
    assert inputs.pad() == Button.LEFT | Button.A
    inputs.feed(event("CONTROLLERBUTTONUP", button=pygame.CONTROLLER_BUTTON_DPAD_LEFT))
    assert inputs.pad() == Button.A
    inputs.feed(event("CONTROLLERBUTTONUP", button=pygame.CONTROLLER_BUTTON_B))
    inputs.feed(event("CONTROLLERAXISMOTION", axis=pygame.CONTROLLER_AXIS_LEFTY, value=30_000))
    assert inputs.pad() == Button.DOWN
    inputs.feed(event("CONTROLLERAXISMOTION", axis=pygame.CONTROLLER_AXIS_LEFTY, value=-30_000))
    assert inputs.pad() == Button.UP
    inputs.feed(event("CONTROLLERAXISMOTION", axis=pygame.CONTROLLER_AXIS_LEFTY, value=200))
    assert inputs.pad() == Button.NONE


def test_losing_the_focus_lets_go_of_everything() -> None:
    inputs = Inputs(load_keys())
    inputs.feed(event("KEYDOWN", key=pygame.K_LEFT))
    inputs.pad()
    inputs.feed(event("WINDOWFOCUSLOST"))
    assert inputs.pad() == Button.NONE

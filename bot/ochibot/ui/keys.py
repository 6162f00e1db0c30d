"""Key bindings: configs/keys.yaml has the defaults, and the user's own file may change them."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any, Final

import pygame
from pydantic import AfterValidator, BeforeValidator, model_validator

from ochibot.console import Button
from ochibot.data import data_path
from ochibot.errors import ConfigError
from ochibot.quoting import quoted
from ochibot.yamlfile import Exact, read_yaml, to_model

KEY_CODES: Final = {
    name.removeprefix("K_").lower(): code for name, code in vars(pygame).items() if name.startswith("K_")
}
"""SDL's key codes by name: pygame's ``K_`` names in small letters, such as ``return``, ``x``, ``f5``, ``kp_enter``."""

PAD_BUTTONS: Final = (
    *("a", "b", "x", "y", "back", "guide", "start", "leftstick", "rightstick", "leftshoulder", "rightshoulder"),
    *("dpup", "dpdown", "dpleft", "dpright"),
)
"""SDL's names of a gamepad's buttons, in the order of their numbers."""

PAD_AXES: Final = ("leftx", "lefty", "rightx", "righty", "lefttrigger", "righttrigger")
"""SDL's names of a gamepad's axes; one half of an axis is a button: ``leftx-`` is the left stick to the left."""


def _several(value: object) -> object:
    """Turns a single name into a list. A digit, which YAML reads as a number, is a name too."""
    values = value if isinstance(value, list) else [value]
    return tuple(str(entry) if isinstance(entry, int) and not isinstance(entry, bool) else entry for entry in values)


def _known_keys(names: tuple[str, ...]) -> tuple[str, ...]:
    lower = tuple(name.lower() for name in names)
    for name in lower:
        if name not in KEY_CODES:
            raise ValueError(
                f"there is no key {quoted(name)}; keys are named as pygame names them, such as x, return, left, f5, "
                "kp_0"
            )
    return lower


def _known_buttons(names: tuple[str, ...]) -> tuple[str, ...]:
    lower = tuple(name.lower() for name in names)
    for name in lower:
        if name not in PAD_BUTTONS and not (name[-1:] in ("+", "-") and name[:-1] in PAD_AXES):
            raise ValueError(
                f"a gamepad has no {quoted(name)}; give one of {', '.join(PAD_BUTTONS)}, or half an axis such as leftx-"
            )
    return lower


Keys = Annotated[tuple[str, ...], BeforeValidator(_several), AfterValidator(_known_keys)]
PadNames = Annotated[tuple[str, ...], BeforeValidator(_several), AfterValidator(_known_buttons)]


class PadKeys(Exact):
    """The keys of the person's pad."""

    up: Keys
    down: Keys
    left: Keys
    right: Keys
    a: Keys
    b: Keys
    start: Keys
    select: Keys


class GamepadButtons(Exact):
    """The gamepad buttons that press each button of the person's emulated pad."""

    up: PadNames
    down: PadNames
    left: PadNames
    right: PadNames
    a: PadNames
    b: PadNames
    start: PadNames
    select: PadNames


class WindowKeys(Exact):
    """The keys of the window's own functions."""

    pause: Keys
    step: Keys
    turbo: Keys
    mute: Keys
    plan: Keys
    screenshot: Keys
    save: Keys
    load: Keys
    fullscreen: Keys
    help: Keys
    quit: Keys


class KeyBindings(Exact):
    """A keys file. No key may have two functions."""

    pad: PadKeys
    gamepad: GamepadButtons
    window: WindowKeys

    @model_validator(mode="after")
    def _each_once(self) -> KeyBindings:
        for sections in (("pad", "window"), ("gamepad",)):
            given: dict[str, str] = {}
            for section in sections:
                for role, names in getattr(self, section).model_dump().items():
                    for name in names:
                        if name in given:
                            raise ValueError(f"{quoted(name)} is given to both {given[name]} and {section}.{role}")
                        given[name] = f"{section}.{role}"
        return self

    def pad_keys(self) -> dict[int, Button]:
        """A mapping of SDL's key codes to the pad's buttons."""
        return {KEY_CODES[key]: Button[role.upper()] for role, keys in self.pad.model_dump().items() for key in keys}

    def window_keys(self) -> dict[int, str]:
        """A mapping of SDL's key codes to the names of the window's functions."""
        return {KEY_CODES[key]: role for role, keys in self.window.model_dump().items() for key in keys}

    def gamepad_buttons(self) -> dict[str, Button]:
        """A mapping of the gamepad buttons' names to the pad's buttons."""
        return {name: Button[role.upper()] for role, names in self.gamepad.model_dump().items() for name in names}


def load_keys(path: Path | None = None) -> KeyBindings:
    """The shipped bindings; those in the user's file replace them. Raises ConfigError."""
    shipped = data_path("configs/keys.yaml")
    data = read_yaml(shipped, "a keys file", ConfigError)
    if path is None:
        return to_model(data, shipped, KeyBindings, ConfigError)
    for section, own in read_yaml(path, "a keys file", ConfigError).items():
        before: Any = data.get(section)
        data[section] = {**before, **own} if isinstance(before, dict) and isinstance(own, dict) else own
    return to_model(data, path, KeyBindings, ConfigError)

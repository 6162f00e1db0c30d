"""Options of engines: an engine states them in ``ready``, and the user sets them in ``engine[NAME=VALUE]:COMMAND``."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any, Final

from ochibot.errors import UsageError
from ochibot.quoting import brief, quoted

Stated = Mapping[str, Any]
"""An option as an engine states it (docs/engines.md)."""


def _truth(text: str) -> bool:
    return {"true": True, "yes": True, "false": False, "no": False}[text.lower()]


_READ: Final[Mapping[str, Callable[[str], Any]]] = {
    "integer": int,
    "number": float,
    "boolean": _truth,
    "string": str,
    "choice": str,
}
_IN_WORDS: Final = {
    "integer": "a whole number",
    "number": "a number",
    "boolean": "true or false",
    "string": "any text",
}


def stated(ready: Mapping[str, Any]) -> dict[str, Stated]:
    """The options in an engine's ``ready``, by name. Raises ValueError, in words, for an option of another form."""
    options = ready.get("options", [])
    if not isinstance(options, list):
        raise ValueError("states options that are no list")
    found: dict[str, Stated] = {}
    for one in options:
        name = one.get("name") if isinstance(one, dict) else None
        if not isinstance(name, str) or not name or one.get("type") not in _READ:
            raise ValueError(
                f"states the option {quoted(one)}: it needs a name and one of the types {', '.join(_READ)}"
            )
        bounds = [one[key] for key in ("min", "max") if key in one]
        if any(type(bound) not in (int, float) for bound in bounds):
            raise ValueError(f"states the option {quoted(name)} with a min or max that is no number")
        if one["type"] == "choice" and not _are_texts(one.get("choices")):
            raise ValueError(f"states the choice {quoted(name)} without a list of choices")
        found[name] = one
    return found


def _are_texts(choices: object) -> bool:
    return isinstance(choices, list) and bool(choices) and all(isinstance(one, str) for one in choices)


def value_of(option: Stated, text: str) -> Any:
    """The value that the user's text gives an option. Raises UsageError."""
    try:
        value = _READ[option["type"]](text)
        if option["type"] in ("integer", "number"):
            within = option.get("min", value) <= value <= option.get("max", value)
            if not within or not math.isfinite(value):
                raise ValueError
        if option["type"] == "choice" and value not in option["choices"]:
            raise ValueError
    except (KeyError, ValueError):
        raise UsageError(
            f"the engine's option {brief(option['name'])} is {takes(option)}, not {quoted(text)}"
        ) from None
    return value


def takes(option: Stated) -> str:
    """The values of an option in words."""
    if option["type"] == "choice":
        return f"one of {brief(', '.join(option['choices']), 160)}"
    low, high = option.get("min"), option.get("max")
    limits = f" from {low}" * (low is not None) + f" up to {high}" * (high is not None)
    return _IN_WORDS[option["type"]] + limits

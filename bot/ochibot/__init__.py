"""Ochibot: a bot that plays falling-block puzzle games on emulated consoles.

    import ochibot

    with ochibot.open("puyo", seed=1) as game:
        print(game.play(pieces=20).agreement)

``import ochibot`` is cheap: it loads no core, compiles nothing and imports neither numpy nor numba.
"""

from __future__ import annotations

from ochibot.version import __version__

# not imported from typing: that import takes time, and a command must install its signal handlers first
TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from ochibot.console.buttons import Button
    from ochibot.errors import (
        CalibrationError,
        ConfigError,
        ConsoleError,
        ContradictionError,
        FieldError,
        GameError,
        MapError,
        MovieError,
        OchibotError,
        OutputError,
        PlayerError,
        PointerError,
        RecordError,
        RomError,
        StalledError,
        UsageError,
        VideoError,
    )
    from ochibot.puyo.rules.pair import Placement
    from ochibot.session import SavedGame, Session
    from ochibot.session import open_session as open

__all__ = [
    "Button",
    "CalibrationError",
    "ConfigError",
    "ConsoleError",
    "ContradictionError",
    "FieldError",
    "GameError",
    "MapError",
    "MovieError",
    "OchibotError",
    "OutputError",
    "Placement",
    "PlayerError",
    "PointerError",
    "RecordError",
    "RomError",
    "SavedGame",
    "Session",
    "StalledError",
    "UsageError",
    "VideoError",
    "__version__",
    "open",
]

_HOMES = {
    "open": ("ochibot.session", "open_session"),
    "Session": ("ochibot.session", "Session"),
    "SavedGame": ("ochibot.session", "SavedGame"),
    "Button": ("ochibot.console.buttons", "Button"),
    "Placement": ("ochibot.puyo.rules.pair", "Placement"),
}
"""The module in which each public name is defined, and its name there. Errors are in ``ochibot.errors``."""


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module 'ochibot' has no attribute {name!r}")
    from importlib import import_module

    home, there = _HOMES.get(name, ("ochibot.errors", name))
    return getattr(import_module(home), there)


def __dir__() -> list[str]:
    return [*__all__]

"""Games: one module knows one title. ``ochibot.games.protocols`` is what all of them offer."""

from __future__ import annotations

from importlib import import_module

from ochibot.errors import UsageError
from ochibot.games.protocols import Game
from ochibot.yamlfile import brief

_MODULES = {"puyo": "ochibot.games.famicom_puyo.game", "nyaa": "ochibot.games.togetama.game"}

GAMES = tuple(_MODULES)
"""The names of the games on the command line."""


def find_game(name: str) -> Game:
    """The game of a name; its module is loaded only then. Raises UsageError."""
    if name not in _MODULES:
        raise UsageError(f"there is no game {brief(repr(name))}; give one of {', '.join(GAMES)}")
    game: Game = import_module(_MODULES[name]).GAME
    return game


__all__ = ["GAMES", "Game", "find_game"]

"""Finds games by name. Each of our titles has a row here. ``ochibot.games.protocols`` lists what all titles offer.

Titles come from four places: the rows below; game files (a path that ends in .yaml serves as a name); installed
packages with an entry point in the group ``ochibot.games`` (its name is the title's, its value a Game); and Python
files given with ``--game-module`` (``load_game_module``).
"""

from __future__ import annotations

import hashlib
import importlib.util
import sys
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Final

from ochibot.data import is_file
from ochibot.errors import ConfigError, OchibotError, UsageError
from ochibot.games.protocols import Game
from ochibot.installed import Registry, loaded
from ochibot.quoting import brief, quoted

ENTRY_POINTS: Final = "ochibot.games"

_TITLES: Final = Registry(
    ENTRY_POINTS,
    "game",
    {
        "puyo": None,
        "nyaa": None,
        "tsu": "ochibot.games.tsu.game",
        "tsu_c2": "ochibot.games.tsu.arcade",
        "gb": None,
        "gg": None,
        "sms": None,
        "snes": None,
        "pce": None,
        "gba": None,
    },
)
"""Our titles. The value is the module of a title that has code beside its game file, otherwise None."""

DEFAULT_GAME: Final = next(iter(_TITLES.ours))
"""The game that commands play when none is named."""

_from_outside: dict[str, Game] = {}


def game_names() -> tuple[str, ...]:
    """The names of all games, ours first."""
    return tuple(dict.fromkeys((*_TITLES.ours, *_from_outside, *_TITLES.installed())))


def is_game_name(word: str) -> bool:
    """Whether a word is the name of a game."""
    return word in _from_outside or word in _TITLES


def find_game(name: str) -> Game:
    """The game with this name, or the game of a game file with this path; loaded on demand. Raises UsageError, or
    ConfigError when the game can't be loaded.
    """
    if is_game_file(name):
        return load_game_module(Path(name))
    if name in _from_outside:
        return _from_outside[name]
    if name in _TITLES.ours:
        return _ours(name)
    point = _TITLES.installed().get(name)
    if point is None:
        raise UsageError(
            f"there is no game {quoted(name)}; give one of {', '.join(game_names())}, or a game file such as mine.yaml"
        )
    return register_game(loaded(point, _TITLES.what), point.value)


@cache
def _ours(name: str) -> Game:
    module = _TITLES.ours[name]
    if not isinstance(module, str):
        from ochibot.games.filed.title import shipped_title

        return shipped_title(name)
    game: Game = import_module(module).GAME
    return game


def register_game(game: object, origin: str) -> Game:
    """Registers a title by its name and returns it. ``origin``: its source, for messages. Raises ConfigError."""
    missing = [part for part in _PARTS if not hasattr(game, part)]
    if missing:
        raise ConfigError(f"{origin} is no game: it has no {', '.join(missing[:5])} (see ochibot.games.protocols.Game)")
    known: Game = game  # type: ignore[assignment]  # only its attributes were checked, above
    if known.name in _TITLES.ours:
        raise ConfigError(f"{origin}: the name {quoted(known.name)} is taken by a game of ours; give yours another")
    _from_outside[known.name] = known
    return known


_PARTS: Final = (
    *("name", "system", "family", "rules", "default_player", "seed_frames", "solo_mode", "versus_mode", "options"),
    *("versus_options", "core_options", "note", "open_rom", "load_map", "check_map", "seat", "reach", "map_names"),
    *("shipped_rom", "is_homebrew", "earlier_rom"),
)


def is_game_file(name: str) -> bool:
    """Whether a word that names a game is the path of a game file."""
    return name.lower().endswith((".yaml", ".yml"))


def load_game_module(path: Path) -> Game:
    """Registers the title of a game file, or of a Python file that defines ``GAME``, and returns it.

    The Python file can import modules beside it.

    Raises ConfigError.
    """
    if is_game_file(path.name):
        from ochibot.games.filed.title import load_game_file

        return register_game(load_game_file(path), str(path))
    module = load_python_file(path, "a game")
    if not hasattr(module, "GAME"):
        raise ConfigError(f"{path} holds no GAME: let it hold an object like those of ochibot.games.protocols.Game")
    return register_game(module.GAME, str(path))


def load_python_file(path: Path, what: str) -> object:
    """Loads a user's Python file as a module. ``what``: what it should define, for messages. Raises ConfigError."""
    if not is_file(path):
        raise ConfigError(f"no such file: {path}; give a Python file with {what}")
    place = path.resolve()
    folder, parts = place.parent, [place.stem]
    while is_file(folder / "__init__.py"):
        # a file of a package is loaded as the package's module
        parts.insert(0, folder.name)
        folder = folder.parent
    if str(folder) not in sys.path:
        # at the end of the path: a file named like a library must not hide that library
        sys.path.append(str(folder))
    try:
        if len(parts) > 1:
            return import_module(".".join(parts))
        return _load_alone(place)
    except OchibotError:
        raise
    except Exception as error:  # a user's file may raise anything
        raise ConfigError(f"{path} can't be loaded: {type(error).__name__}: {brief(str(error), 160)}") from None


def _load_alone(place: Path) -> object:
    """Loads a file that belongs to no package, once per process."""
    name = f"ochibot_user_{place.stem}_{hashlib.sha256(str(place).encode()).hexdigest()[:8]}"
    if name in sys.modules:
        return sys.modules[name]
    spec = importlib.util.spec_from_file_location(name, place)
    if spec is None or spec.loader is None:
        raise ConfigError(f"{place} is no Python file; give one such as mine.py")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    try:
        spec.loader.exec_module(module)
    except BaseException:
        del sys.modules[name]
        raise
    return module


__all__ = [
    "DEFAULT_GAME",
    "ENTRY_POINTS",
    "Game",
    "find_game",
    "game_names",
    "is_game_file",
    "is_game_name",
    "load_game_module",
    "load_python_file",
    "register_game",
]

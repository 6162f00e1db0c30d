"""What a game file may name: a player, a core, rules, maps, another game file.

A game file may come from anybody, so nothing in it may run code: a player is shipped or a YAML file in the file's own
folder, a core is a name. Words that stand for files become absolute paths here, so the current folder never matters.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

from ochibot.console import is_core_name
from ochibot.data import is_file, shipped_file
from ochibot.errors import ConfigError
from ochibot.quoting import brief_path, quoted

_ENDINGS: Final = (".yaml", ".yml")
_LONGEST: Final = 1024
"""The most characters of a path. Longer ones can't be opened, and some functions of Python then raise an error."""


def anchored(name: object, folder: Path) -> object:
    """The absolute path of a file, seen from the folder of the game file. Other values are returned unchanged."""
    if not isinstance(name, str) or not 0 < len(name) <= _LONGEST or "\0" in name:
        return name
    return str(folder.absolute() / name)


def beside(name: object, folder: Path) -> object:
    """Like ``anchored``, but a word for which there is no file is returned unchanged, for it may be a shipped name."""
    path = anchored(name, folder)
    return path if isinstance(path, str) and path is not name and is_file(Path(path)) else name


def player_in(said: object, file: Path) -> object:
    """The player that a game file names: a shipped name, or the absolute path of a YAML file. Raises ConfigError.

    Values that are no text are returned unchanged.
    """
    if not isinstance(said, str) or shipped_file("configs/players", said) is not None:
        return said
    folder = file.parent
    if said.lower().endswith(_ENDINGS):
        path = beside(said, folder)
        if path is not said and isinstance(path, str):
            if Path(path).resolve().is_relative_to(folder.resolve()):
                return path
            raise ConfigError(
                f"{file}: player: the player file isn't in the folder of this file: move it there, or leave player out "
                f"and type --player {brief_path(path)}"
            )
        raise ConfigError(
            f"{file}: player: there is no {brief_path(said)} beside this file: put it there, name a shipped player, or "
            "leave player out and type --player FILE"
        )
    where, colon, name = said.rpartition(":")
    if colon and name.isidentifier():
        typed = f"{folder / where}:{name}" if where.endswith(".py") else said
        raise ConfigError(
            f"{file}: player: a game file runs no Python code: leave player out, and if you trust that code, type "
            f"--player {brief_path(typed)}"
        )
    raise ConfigError(
        f"{file}: player: there is no player {quoted(said)}: give the name of a shipped one, or of a YAML file "
        "beside this file"
    )


def core_in(said: object, file: Path) -> object:
    """The name of the core that a game file names. Raises ConfigError. Values that are no text are returned
    unchanged.
    """
    if not isinstance(said, str) or is_core_name(said):
        return said
    raise ConfigError(
        f"{file}: core: give the name of a core, such as fceumm: a game file loads no library; if you trust that file, "
        f"leave core out and type --core {brief_path(said)}"
    )


def check_rules(said: str, family: str, file: Path) -> None:
    """Raises ConfigError unless the rules are a file beside the game file or a shipped profile."""
    if Path(said).is_absolute() or any(shipped_file("configs/rules", name) for name in (said, f"{family}_{said}")):
        return
    raise ConfigError(
        f"{file}: rules: no such rules file: {brief_path(said)}; give the name of one beside this file, or of shipped "
        "rules"
    )

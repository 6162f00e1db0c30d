"""What a game file may name: a player, a core, rules, maps, another game file.

A game file may come from anybody. So nothing in it may run code: a core is a name, a player shipped or a YAML file. And
it reaches no file outside its own folder, but for shipped ones. Words that stand for files become absolute paths here,
so the current folder never matters.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

from ochibot.console import is_core_name
from ochibot.data import is_file, lies_in, shipped_file
from ochibot.errors import ConfigError
from ochibot.falling.family import Family
from ochibot.quoting import brief_path, quoted

_ENDINGS: Final = (".yaml", ".yml")
_LONGEST: Final = 1024
"""The most characters of a path. Longer ones can't be opened, and some functions of Python then raise an error."""


_TYPED: Final = {"rom": "--rom", "state": "--from-state", "rules": "--rules", "player": "--player", "maps": "--map"}
"""The option that names such a file instead, wherever it lies."""


def anchored(name: object, file: Path, entry: str) -> object:
    """The absolute path of a file that a game file names in an entry. Values that are no path are returned unchanged.

    Raises ConfigError for a file that isn't in the game file's folder or below.
    """
    path = _path(name, file.parent)
    if path is None:
        return name
    _check_inside(path, file, entry)
    return str(path)


def beside(name: object, file: Path, entry: str) -> object:
    """Like ``anchored``, but a word for which there is no file is returned unchanged, for it may be a shipped name."""
    path = _path(name, file.parent)
    if path is None or not is_file(path):
        return name
    _check_inside(path, file, entry)
    return str(path)


def _path(name: object, folder: Path) -> Path | None:
    if not isinstance(name, str) or not 0 < len(name) <= _LONGEST or "\0" in name:
        return None
    return folder.absolute() / name


def _check_inside(path: Path, file: Path, entry: str) -> None:
    if not lies_in(path, file.parent):
        option = _TYPED.get(entry.rpartition(".")[2])
        typed = "" if option is None else f", or leave {entry} out and type {option} {brief_path(str(path))}"
        raise ConfigError(f"{file}: {entry}: the file isn't in the folder of this file: move it there{typed}")


def player_in(said: object, file: Path) -> object:
    """The player that a game file names: a shipped name, or the absolute path of a YAML file. Raises ConfigError.

    Values that are no text are returned unchanged.
    """
    if not isinstance(said, str) or shipped_file("configs/players", said) is not None:
        return said
    if said.lower().endswith(_ENDINGS):
        path = beside(said, file, "player")
        if path is not said:
            return path
        raise ConfigError(
            f"{file}: player: there is no {brief_path(said)} beside this file: put it there, name a shipped player, or "
            "leave player out and type --player FILE"
        )
    where, colon, name = said.rpartition(":")
    if colon and name.isidentifier():
        typed = f"{file.parent / where}:{name}" if where.endswith(".py") else said
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


def check_rules(said: str, family: Family, file: Path) -> None:
    """Raises ConfigError unless the rules are a file beside the game file or a profile of the family."""
    ours = any(shipped_file("configs/rules", name) for name in (said, f"{family.name}_{said}"))
    if Path(said).is_absolute() or ours or said in family.rules_names():
        return
    raise ConfigError(
        f"{file}: rules: no such rules file: {brief_path(said)}; give the name of one beside this file, or of shipped "
        "rules"
    )

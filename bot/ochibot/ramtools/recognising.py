"""Recognises the game in a ROM file, by what the game files say of their ROMs."""

from __future__ import annotations

import contextlib
import re
import shlex
from collections.abc import Iterator
from pathlib import Path

from ochibot.console import Rom, find_system, system_names
from ochibot.data import is_file
from ochibot.errors import OchibotError, UsageError
from ochibot.games import Game, find_game, game_names, is_game_file, is_game_name
from ochibot.quoting import brief_path
from ochibot.ramtools.opening import open_rom


def is_rom_file(word: str) -> bool:
    """Whether a word that stands for a game is the path of a ROM: a file's path with a slash, or a name with the ending
    of a ROM. A plain name never means a file of the current folder.
    """
    if is_game_file(word) or is_game_name(word):
        return False
    endings = {ending for name in system_names() for ending in find_system(name).endings}
    return ("/" in word and is_file(Path(word))) or Path(word).suffix.lower() in endings


def recognised(path: Path, system: Path | None = None) -> Game:
    """The game whose ROM this is: one of ours, an installed one, or that of a game file beside the ROM or in the folder
    into which ``calibrate_command`` writes.

    ``system``: the folder of system ROMs. Raises UsageError with the command that learns an unknown game, and RomError.
    """
    rom = open_rom(path, system=system)
    found = next((title for title in _titles(path) if _knows(title, rom)), None)
    if found is None:
        raise UsageError(
            f"{brief_path(path)} is no game that Ochibot knows; let it learn the game, which takes some minutes: "
            f"{calibrate_command(path)}"
        )
    return found


def calibrate_command(path: Path) -> str:
    """The command that learns the game of a ROM."""
    name = _short(path)
    return f"ochibot calibrate --blind --rom {shlex.quote(str(path))} --name {name} -o {_learnt(name)}"


def _short(path: Path) -> str:
    return re.sub(r"\W+", "_", path.stem, flags=re.ASCII).strip("_").lower()[:32].strip("_") or "game"


def _learnt(name: str) -> Path:
    return Path("runs") / name


def _titles(path: Path) -> Iterator[Game]:
    """The titles that a ROM may be of. Those that can't be loaded don't matter here."""
    for name in game_names():
        with contextlib.suppress(OchibotError):
            yield find_game(name)
    for folder in dict.fromkeys((path.parent, _learnt(_short(path)))):
        for file in sorted([*folder.glob("*.yaml"), *folder.glob("*.yml")]):
            with contextlib.suppress(OchibotError):
                yield find_game(str(file))


def _knows(title: Game, rom: Rom) -> bool:
    knows = getattr(title, "knows", None)
    return title.system == rom.system and callable(knows) and bool(knows(rom))

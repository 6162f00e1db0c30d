"""Opens any ROM in any core. The file is enough to choose the machine, hence the core and where RAM begins.

Recognises the game in a ROM file, by what the game files say of their ROMs.
"""

from __future__ import annotations

import contextlib
import re
import shlex
import zipfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from ochibot.console import PLAIN, Console, Rom, System, find_core, find_system, system_names
from ochibot.console.rom import GAME_BOY, GAME_BOY_ADVANCE, MEGA_DRIVE, NES, Sets, kind_of_file
from ochibot.data import data_path, is_file
from ochibot.errors import OchibotError, RomError, UsageError
from ochibot.games import Game, find_game, game_names, is_game_file, is_game_name
from ochibot.quoting import brief_path
from ochibot.ram import RamMap

OUR_OWN: Final = "roms/homebrew/famicom/ochidama.nes"

_KINDS: Final = {NES: "nes", MEGA_DRIVE: "megadrive", GAME_BOY: "gameboy", GAME_BOY_ADVANCE: "gba"}
"""The machines of files that are recognised by their first bytes, whatever their ending."""

_ARCHIVE: Final = ".zip"
_CHIP: Final = ".bin"
"""A Mega Drive ROM's ending, but also that of each file in some arcade sets."""


def open_rom(path: Path | None, *, machine: str | None = None, system: Path | None = None) -> Rom:
    """Reads a ROM file (None: our Famicom game) for a machine (None: the one that its ending or its contents show).

    ``system``: the folder of system ROMs. Raises RomError, or UsageError if the machine is unknown.
    """
    wanted = path if path is not None else data_path(OUR_OWN)
    if machine is not None and machine not in system_names():
        raise UsageError(f"--machine {brief_path(machine)}: give one of {', '.join(system_names())}")
    rows = [find_system(machine)] if machine is not None else _fitting(wanted)
    failures = []
    for row in rows:
        try:
            # of several machines with this ending, one may refuse the folder of system ROMs that another needs
            return row.load_rom(wanted, system, _sets(row, wanted))
        except OchibotError as error:
            failures.append(error)
    raise failures[0]


def _fitting(path: Path) -> list[System]:
    """The machines that a file may be for, the likeliest first. Raises UsageError when there is none."""
    ending = path.suffix.lower()
    rows = [row for row in map(find_system, system_names()) if ending in row.endings]
    if ending == _ARCHIVE and is_file(path):
        return _fitting_archive(path, rows)
    if rows:
        return rows
    if path.exists() and not is_file(path):
        raise RomError(f"{brief_path(path)} is not a file; give the path of a ROM")
    if not is_file(path):
        raise RomError(f"no such ROM: {brief_path(path)}; give the path of a ROM")
    kind = _KINDS.get(kind_of_file(path) or "")
    if kind is not None:
        return [find_system(kind)]
    raise UsageError(
        f"it is unknown which machine {brief_path(path)} is for; give --machine, one of {', '.join(system_names())} "
        f"({PLAIN.name}: any other machine, with --core)"
    )


def _fitting_archive(path: Path, rows: list[System]) -> list[System]:
    """The machines that an archive may be for. Those whose ROMs' endings are inside come first; if there are none, or
    a .dat lies beside the archive, arcade machines do.
    """
    try:
        with zipfile.ZipFile(path) as archive:
            found = Counter(Path(name).suffix.lower() for name in archive.namelist())
    except (OSError, zipfile.BadZipFile, ValueError, RuntimeError, EOFError, NotImplementedError):
        found = Counter()
    inside = {ending for ending, count in found.items() if count == 1 or ending != _CHIP}
    if is_file(path.with_suffix(".dat")):
        inside = set()

    def rank(row: System) -> int:
        own = set(row.endings) - {_ARCHIVE}
        return 0 if own & inside else 2 if own else 1

    return sorted(rows, key=rank)


def _sets(row: System, path: Path) -> Sets:
    """The sets that our titles and installed ones name for a machine; none for files that aren't archives."""
    from ochibot.games import find_game, game_names

    if path.suffix.lower() != _ARCHIVE:
        return {}
    found: Sets = {}
    for name in game_names():
        # an installed title that can't be loaded doesn't matter here
        with contextlib.suppress(OchibotError):
            table = getattr(find_game(name), "table", None)
            if table is not None and table.system == row.name:
                found = {**found, **table.sets}
    return found


def open_console(rom: Rom, core: str | None, options: dict[str, str] | None = None) -> Console:
    """Opens the ROM in the core given (None: the first found for its system). Raises ConsoleError."""
    row = find_system(rom.system)
    return Console.open(find_core(rom.system, core), rom, options=options or dict(row.options))


def fits(ram_map: RamMap, rom: Rom) -> None:
    """Raises UsageError when a map is for another machine than a ROM."""
    if ram_map.system != rom.system:
        raise UsageError(
            f"the map {ram_map.name} is for the system {ram_map.system}, and {rom.name} is for {rom.system}; "
            f"give a map for {rom.system}"
        )


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

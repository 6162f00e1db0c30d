"""Opens any ROM in any core. The file is enough to choose the machine, hence the core and where RAM begins."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from ochibot.console import Console, Rom, System, find_core, find_system, register_system, system_names
from ochibot.console.rom import Sets
from ochibot.console.systems import RamLayout
from ochibot.data import data_path, is_file
from ochibot.errors import OchibotError, RomError, UsageError
from ochibot.quoting import brief_path
from ochibot.ram import RamMap

PLAIN: Final = "plain"
"""The machine name for ROMs of machines that Ochibot doesn't know: the core gets the file unchanged."""

OUR_OWN: Final = "roms/homebrew/famicom/ochidama.nes"


def _load_plain(path: Path, system: Path | None, sets: Sets) -> Rom:  # noqa: ARG001
    try:
        data = path.read_bytes()
    except OSError as error:
        raise RomError(f"can't read the ROM {path}: {error.strerror or error}; give the path of a ROM") from None
    return Rom(path, path.name, data, PLAIN, path.name)


register_system(System(PLAIN, "any machine", (), RamLayout(0, 0xFFFF_FFFF), _load_plain, endings=()))


def machines() -> tuple[str, ...]:
    """The names of machines that ``open_rom`` accepts."""
    return (*(name for name in system_names() if name != PLAIN), PLAIN)


def open_rom(path: Path | None, *, machine: str | None = None, system: Path | None = None) -> Rom:
    """Reads a ROM file (None: our Famicom game) for the given machine; None: for one whose files have that ending.

    ``system``: the folder of system ROMs. Raises RomError, or UsageError if the machine is unknown.
    """
    wanted = path if path is not None else data_path(OUR_OWN)
    if machine is not None and machine not in machines():
        raise UsageError(f"--machine {brief_path(machine)}: give one of {', '.join(machines())}")
    rows = [find_system(machine)] if machine is not None else _by_ending(wanted)
    failures = []
    for row in rows:
        try:
            # of several machines with this ending, one may refuse the folder of system ROMs that another needs
            return row.load_rom(wanted, system, {})
        except OchibotError as error:
            failures.append(error)
    raise failures[0]


def _by_ending(path: Path) -> list[System]:
    ending = path.suffix.lower()
    rows = [row for row in map(find_system, system_names()) if ending in row.endings]
    if not rows:
        if path.exists() and not is_file(path):
            raise RomError(f"{brief_path(path)} is not a file; give the path of a ROM")
        raise UsageError(
            f"it is unknown which machine {brief_path(path)} is for; give --machine, one of {', '.join(machines())} "
            f"({PLAIN}: any other machine, with --core)"
        )
    return rows


def open_console(rom: Rom, core: str | None, options: dict[str, str] | None = None) -> Console:
    """Opens the ROM in the core given (None: the first found for its system). Raises ConsoleError or UsageError."""
    row = find_system(rom.system)
    if not row.cores and core is None:
        raise UsageError("a ROM of another machine needs a core: give one with --core")
    return Console.open(find_core(rom.system, core), rom, options=options or dict(row.options))


def fits(ram_map: RamMap, rom: Rom) -> None:
    """Raises UsageError when a map is for another machine than a ROM."""
    if ram_map.system != rom.system:
        raise UsageError(
            f"the map {ram_map.name} is for the system {ram_map.system}, and {rom.name} is for {rom.system}; "
            f"give a map for {rom.system}"
        )

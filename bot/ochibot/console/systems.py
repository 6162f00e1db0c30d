"""The systems that Ochibot knows: one row for each, with its cores, the place of its work RAM, and its ROM reader.

No other part of the package depends on the system. ``register_system`` adds a row from outside.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path

from ochibot.console.rom import Rom, RomFile, Sets
from ochibot.errors import ConfigError, UsageError
from ochibot.quoting import quoted

LoadRom = Callable[[Path, Path | None, Sets], Rom]
"""Reads a ROM, given its path, the user's folder of system ROMs and the title's known sets. Raises RomError."""


class Made(StrEnum):
    """What a core makes in each frame beside RAM: picture, sound, or neither."""

    ALL = "picture and sound"
    SOUND = "sound alone"
    NOTHING = "no picture, no sound"


@dataclass(frozen=True)
class RamLayout:
    """How a CPU address becomes an index in a core's memory block: index = (address - base) ^ swap.

    base, last: the first and the last address of work RAM. swap: 1 if the core keeps 16-bit words in the host's byte
    order, so that the two bytes of a word are swapped on little-endian machines.
    """

    base: int
    last: int
    swap: int = 0


@dataclass(frozen=True)
class System:
    """One system.

    cores: short names of the cores that run it, the preferred one first. options: core options by key, for all games of
    the system. endings: the endings of its ROM files. av: by the core's own name, the answers to libretro's
    ``GET_AUDIO_VIDEO_ENABLE`` that make the core leave out picture or sound. Making only sound (``Made.SOUND``) doesn't
    change RAM. ``Made.NOTHING`` may change it, in games whose sound program answers the main program.
    """

    name: str
    title: str
    cores: tuple[str, ...]
    ram: RamLayout
    load_rom: LoadRom
    options: Mapping[str, str] = field(default_factory=dict)
    av: Mapping[str, Mapping[Made, int]] = field(default_factory=dict)
    endings: tuple[str, ...] = (".zip",)
    cartridge: tuple[int, int] | None = None
    """The first and last address of RAM that a cartridge may have."""


def _load_nes(path: Path, system: Path | None, sets: Sets) -> Rom:  # noqa: ARG001
    from ochibot.console.nes import load_nes_rom

    return load_nes_rom(path, system)


def _load_neogeo(path: Path, system: Path | None, sets: Sets) -> Rom:
    from ochibot.console.neogeo import load_neogeo_rom

    return load_neogeo_rom(path, system, sets)


def _load_megadrive(path: Path, system: Path | None, sets: Sets) -> Rom:  # noqa: ARG001
    from ochibot.console.megadrive import load_megadrive_rom

    if system is not None:
        raise UsageError("a Mega Drive cartridge needs no system ROM: leave --system out")
    return load_megadrive_rom(path)


def _load_system_c2(path: Path, system: Path | None, sets: Sets) -> Rom:
    from ochibot.console.sets import load_arcade_set

    if system is not None:
        raise UsageError("a System C-2 game needs no system ROM: leave --system out")
    return load_arcade_set(path, "system_c2", sets)


# FCEUmm never asks whether to leave out picture or sound: it takes the same time whatever is wanted (measured)
NES = System(
    "nes",
    "Famicom",
    ("fceumm", "nestopia"),
    RamLayout(0x0000, 0x07FF),
    _load_nes,
    endings=(".nes", ".fds", ".zip"),
    cartridge=(0x6000, 0x7FFF),
)

NEOGEO = System(
    "neogeo",
    "Neo Geo",
    ("fbneo",),
    RamLayout(0x100000, 0x10FFFF, swap=1),
    _load_neogeo,
    # so that holding START doesn't open the operator's menu
    {"fbneo-diagnostic-input": "None"},
    # 2: sound only. 8: sound "hard-disabled": FBNeo then doesn't run the sound program either
    {"FinalBurn Neo": {Made.SOUND: 2, Made.NOTHING: 8}},
)

MEGADRIVE = System(
    "megadrive",
    "Mega Drive",
    ("genesis_plus_gx", "picodrive"),
    # both cores keep words in the host's byte order (seen with a program of ours that writes words and reads bytes)
    RamLayout(0xFF0000, 0xFFFFFF, swap=1),
    _load_megadrive,
    # some cores run several Sega machines and guess which one from the file
    {"genesis_plus_gx_system_hw": "mega drive / genesis"},
    endings=(".md", ".bin", ".gen", ".smd", ".zip"),
)

SYSTEM_C2 = System(
    "system_c2",
    "Sega System C-2",
    ("fbneo",),
    # FBNeo's memory block for this board begins with the 68000's 64 KiB (its source, d_segac2.cpp, MemIndex)
    RamLayout(0xFF0000, 0xFFFFFF, swap=1),
    _load_system_c2,
    {"fbneo-diagnostic-input": "None"},
)

_SYSTEMS: dict[str, System] = {row.name: row for row in (NES, NEOGEO, MEGADRIVE, SYSTEM_C2)}


def register_system(row: System) -> None:
    """Adds a system. Raises ConfigError when another row has its name."""
    known = _SYSTEMS.setdefault(row.name, row)
    if known is not row:
        raise ConfigError(f"there is a system {quoted(row.name)} already: give yours another name")


def system_names() -> tuple[str, ...]:
    """The names of all systems, the built-in ones first."""
    return tuple(_SYSTEMS)


def find_system(name: str) -> System:
    """The system with this name. Raises ConfigError that lists all names."""
    try:
        return _SYSTEMS[name]
    except KeyError:
        raise ConfigError(f"there is no system {quoted(name)}; known are {', '.join(_SYSTEMS)}") from None


__all__ = [
    "MEGADRIVE",
    "NEOGEO",
    "NES",
    "SYSTEM_C2",
    "LoadRom",
    "Made",
    "RamLayout",
    "RomFile",
    "System",
    "find_system",
    "register_system",
    "system_names",
]

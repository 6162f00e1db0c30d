"""The systems that Ochibot knows: one row for each, with its cores, the place of its work RAM, and its ROM reader.

No other part of the package depends on the system. ``register_system`` adds a row from outside; an installed package
offers one as an entry point in the group ``ochibot.systems``, under the row's name.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Final

from ochibot.console.buttons import ALL_BUTTONS, GBA_BUTTONS, NES_BUTTONS, SNES_BUTTONS, Button
from ochibot.console.rom import Rom, RomFile, Sets
from ochibot.data import read_file
from ochibot.errors import ConfigError, RomError, UsageError
from ochibot.installed import Registry, loaded
from ochibot.quoting import quoted

TYPE_CHECKING = False
if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

LoadRom = Callable[[Path, Path | None, Sets], Rom]
"""Reads a ROM, given its path, the user's folder of system ROMs and the title's known sets. Raises RomError."""


class Made(StrEnum):
    """What a core makes in each frame beside RAM: picture, sound, or neither."""

    ALL = "picture and sound"
    SOUND = "sound alone"
    NOTHING = "no picture, no sound"


_MOST_PLAIN = 1 << 30
"""The largest ROM of a machine without a row of its own, in bytes."""


@dataclass(frozen=True)
class RamLayout:
    """How a CPU address becomes an index in a core's memory block: index = (address - base) ^ swap.

    base, last: the first and the last address of work RAM; the rest of the core's block is left out. swap: 1 if the
    core keeps 16-bit words in the host's byte order, so that the two bytes of a word are swapped on little-endian
    machines.
    """

    base: int
    last: int
    swap: int = 0


@dataclass(frozen=True)
class Area:
    """RAM beside work RAM, which a core shows in its memory map or elsewhere.

    first, last: its addresses. cartridge: whether it is the cartridge's own RAM; a core without a memory map may show
    that as save RAM. offset: where the area begins in the core's block of work RAM, if it is a part of that. said:
    whether a ROM's header says that the RAM is there; None: it always is. If the header says no, a part of work RAM
    isn't offered; other RAM is offered if the core shows it, as a bank that isn't ``sure``.
    """

    first: int
    last: int
    cartridge: bool = False
    offset: int | None = None
    said: Callable[[bytes], bool] | None = None


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
    buttons: Button = ALL_BUTTONS
    """The machine's buttons. A core may give other buttons a meaning of its own, so it never sees them."""
    areas: tuple[Area, ...] = ()
    """RAM beside work RAM, at higher addresses."""

    def ranges(self) -> list[tuple[int, int]]:
        """The first and last addresses of work RAM and of every area."""
        return [(self.ram.base, self.ram.last), *((area.first, area.last) for area in self.areas)]


def _load_nes(path: Path, system: Path | None, sets: Sets) -> Rom:  # noqa: ARG001
    from ochibot.console.nes import load_nes_rom

    return load_nes_rom(path, system)


def _nes_says_ram(data: bytes) -> bool:
    from ochibot.console.nes import says_ram

    return says_ram(data)


def _load_neogeo(path: Path, system: Path | None, sets: Sets) -> Rom:
    from ochibot.console.sets import load_neogeo_rom

    return load_neogeo_rom(path, system, sets)


def _load_system_c2(path: Path, system: Path | None, sets: Sets) -> Rom:
    from ochibot.console.sets import load_arcade_set

    if system is not None:
        raise UsageError("a System C-2 game needs no system ROM: leave --system out")
    return load_arcade_set(path, "system_c2", sets)


def _cartridge(title: str, module: str, function: str) -> LoadRom:
    """The ROM reader of a console without system ROMs. Its module is imported when the first ROM is read."""

    def load(path: Path, system: Path | None, sets: Sets) -> Rom:  # noqa: ARG001
        if system is not None:
            raise UsageError(f"a {title} cartridge needs no system ROM: leave --system out")
        rom: Rom = getattr(import_module(f"ochibot.console.{module}"), function)(path)
        return rom

    return load


def _load_plain(path: Path, system: Path | None, sets: Sets) -> Rom:  # noqa: ARG001
    try:
        data = read_file(path, _MOST_PLAIN + 1)
    except OSError as error:
        raise RomError(f"can't read the ROM {path}: {error.strerror or error}; give the path of a ROM") from None
    if len(data) > _MOST_PLAIN:
        raise RomError(f"{path} is too large for a ROM; give the path of a ROM")
    return Rom(path, path.name, data, "plain", path.name)


def _is_color(data: bytes) -> bool:
    from ochibot.console.gameboy import is_color

    return is_color(data)


# FCEUmm never asks whether to leave out picture or sound: it takes the same time whatever is wanted (measured)
NES = System(
    "nes",
    "Famicom",
    ("fceumm", "nestopia"),
    RamLayout(0x0000, 0x07FF),
    _load_nes,
    endings=(".nes", ".fds", ".zip"),
    areas=(Area(0x6000, 0x7FFF, cartridge=True, said=_nes_says_ram),),
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
    _cartridge("Mega Drive", "sega", "load_megadrive_rom"),
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

# Neither core asks whether to leave out picture or sound
GAMEBOY = System(
    "gameboy",
    "Game Boy",
    # Gambatte is twice as fast, and shows HRAM
    ("gambatte", "mgba"),
    RamLayout(0xC000, 0xDFFF),
    _cartridge("Game Boy", "gameboy", "load_gameboy_rom"),
    {
        # the cores' own start is the same for everybody
        "gambatte_gb_bootloader": "disabled",
        "mgba_use_bios": "OFF",
        # otherwise the picture of a game made for the Super Game Boy has a border
        "mgba_sgb_borders": "OFF",
    },
    endings=(".gb", ".gbc", ".zip"),
    # mGBA fires A and B by itself on X and Y, and its savestates don't contain how far that is
    buttons=NES_BUTTONS,
    # a Color maps one of banks 1 to 7 to D000; banks 2 to 7 have the addresses that RetroAchievements gives them
    areas=(Area(0xFF80, 0xFFFE), Area(0x10000, 0x15FFF, offset=0x2000, said=_is_color)),
)

# Genesis Plus GX shows a block of 64 KiB, in which the rest lies idle
MASTER_SYSTEM = System(
    "mastersystem",
    "Master System",
    ("genesis_plus_gx", "picodrive"),
    RamLayout(0xC000, 0xDFFF),
    _cartridge("Master System", "sega", "load_mastersystem_rom"),
    endings=(".sms", ".zip"),
    buttons=NES_BUTTONS,
)

GAME_GEAR = System(
    "gamegear",
    "Game Gear",
    # PicoDrive of stable-retro 1.0.1 plays no Game Gear
    ("genesis_plus_gx",),
    RamLayout(0xC000, 0xDFFF),
    _cartridge("Game Gear", "sega", "load_gamegear_rom"),
    endings=(".gg", ".zip"),
    buttons=NES_BUTTONS,
)

SNES = System(
    "snes",
    "Super Famicom",
    ("snes9x",),
    RamLayout(0x7E0000, 0x7FFFFF),
    _cartridge("Super Famicom", "snes", "load_snes_rom"),
    endings=(".sfc", ".smc", ".swc", ".fig", ".zip"),
    buttons=SNES_BUTTONS,
)

PC_ENGINE = System(
    "pcengine",
    "PC Engine",
    ("mednafen_pce_fast",),
    # a page of 8 KiB in the processor's 2 MiB; the core's block has 32 KiB, which only a SuperGrafx has
    RamLayout(0x1F0000, 0x1F1FFF),
    _cartridge("PC Engine", "pcengine", "load_pcengine_rom"),
    endings=(".pce", ".zip"),
    buttons=NES_BUTTONS,
)

GBA = System(
    "gba",
    "Game Boy Advance",
    ("mgba",),
    RamLayout(0x02000000, 0x0203FFFF),
    _cartridge("Game Boy Advance", "gba", "load_gba_rom"),
    # the core's own start is the same for everybody
    {"mgba_use_bios": "OFF"},
    endings=(".gba", ".agb", ".zip"),
    buttons=GBA_BUTTONS,
    # the 32 KiB inside the processor, by the core's memory map
    areas=(Area(0x03000000, 0x03007FFF),),
)

PLAIN = System("plain", "any machine", (), RamLayout(0, 0xFFFF_FFFF), _load_plain, endings=())
"""Any machine without a row of its own. The user names the core, which gets the file unchanged. Addresses are offsets
in the core's block of work RAM."""

_SYSTEMS: dict[str, System] = {
    row.name: row
    for row in (
        *(NES, NEOGEO, MEGADRIVE, SYSTEM_C2, GAMEBOY),
        *(MASTER_SYSTEM, GAME_GEAR, SNES, PC_ENGINE, GBA),
        PLAIN,
    )
}


ENTRY_POINTS: Final = "ochibot.systems"


@cache
def _installed() -> dict[str, EntryPoint]:
    """The rows of installed packages. They can't replace ours."""
    return Registry(ENTRY_POINTS, "system", _SYSTEMS).installed()


def register_system(row: System) -> None:
    """Adds a system. Raises ConfigError when another row has its name."""
    known = _SYSTEMS.setdefault(row.name, row)
    if known is not row:
        raise ConfigError(f"there is a system {quoted(row.name)} already: give yours another name")


def system_names() -> tuple[str, ...]:
    """The names of all systems, the built-in ones first; ``plain`` is the last."""
    names = dict.fromkeys((*_SYSTEMS, *_installed()))
    del names[PLAIN.name]
    return (*names, PLAIN.name)


def is_system(name: str) -> bool:
    """Whether there is a system with this name, built-in or of an installed package."""
    return name in _SYSTEMS or name in _installed()


def find_system(name: str) -> System:
    """The system with this name. Raises ConfigError that lists all names."""
    # installed rows are looked up only for other names than ours, because the look-up takes a while
    if name not in _SYSTEMS and is_system(name):
        register_system(_loaded(_installed()[name]))
    try:
        return _SYSTEMS[name]
    except KeyError:
        raise ConfigError(f"there is no system {quoted(name)}; known are {', '.join(system_names())}") from None


def _loaded(point: EntryPoint) -> System:
    row = loaded(point, "system")
    if not isinstance(row, System) or row.name != point.name:
        raise ConfigError(f"{point.value} is no row for the system {point.name}; it must be a System of that name")
    return row


__all__ = [
    "ENTRY_POINTS",
    "GAMEBOY",
    "GAME_GEAR",
    "GBA",
    "MASTER_SYSTEM",
    "MEGADRIVE",
    "NEOGEO",
    "NES",
    "PC_ENGINE",
    "PLAIN",
    "SNES",
    "SYSTEM_C2",
    "Area",
    "LoadRom",
    "Made",
    "RamLayout",
    "RomFile",
    "System",
    "find_system",
    "is_system",
    "register_system",
    "system_names",
]

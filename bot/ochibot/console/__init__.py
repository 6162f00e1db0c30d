"""The emulated machine: find a core, load a ROM, step frames with pads, read RAM, frames and savestates.

Nothing here is about particular games. Open a machine with ``Console.open(core, rom)`` in a ``with`` block; ``systems``
has a row for each system.
"""

from ochibot.console.buttons import Button
from ochibot.console.check import check_console
from ochibot.console.console import Console
from ochibot.console.cores import FoundCore, core_folders, find_core, find_cores, is_core_name, named_core
from ochibot.console.gameboy import load_gameboy_rom
from ochibot.console.nes import load_nes_rom
from ochibot.console.protocols import HostedConsole, Machine, PlayedConsole, SoundingConsole, WrappedConsole
from ochibot.console.ram import Bank, Ram
from ochibot.console.rom import Rom, RomFile
from ochibot.console.sega import load_megadrive_rom
from ochibot.console.sets import load_romdata
from ochibot.console.systems import (
    GAMEBOY,
    MEGADRIVE,
    NEOGEO,
    NES,
    PLAIN,
    SYSTEM_C2,
    Made,
    RamLayout,
    System,
    find_system,
    is_system,
    register_system,
    system_names,
)

__all__ = [
    "GAMEBOY",
    "MEGADRIVE",
    "NEOGEO",
    "NES",
    "PLAIN",
    "SYSTEM_C2",
    "Bank",
    "Button",
    "Console",
    "FoundCore",
    "HostedConsole",
    "Machine",
    "Made",
    "PlayedConsole",
    "Ram",
    "RamLayout",
    "Rom",
    "RomFile",
    "SoundingConsole",
    "System",
    "WrappedConsole",
    "check_console",
    "core_folders",
    "find_core",
    "find_cores",
    "find_system",
    "is_core_name",
    "is_system",
    "load_gameboy_rom",
    "load_megadrive_rom",
    "load_nes_rom",
    "load_romdata",
    "named_core",
    "register_system",
    "system_names",
]

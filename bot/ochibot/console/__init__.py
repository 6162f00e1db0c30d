"""The emulated machine: find a core, load a ROM, step frames with pads, read RAM, frames and savestates.

Knows no game. ``Console.open(core, rom)`` in a ``with`` block is the whole of it.
"""

from ochibot.console.buttons import Button
from ochibot.console.check import check_console
from ochibot.console.console import Console, Machine, PlayedConsole
from ochibot.console.cores import FoundCore, find_core, find_cores
from ochibot.console.ram import NES_LAYOUT, Ram, RamLayout
from ochibot.console.rom import Rom, load_nes_rom
from ochibot.console.romdata import load_romdata
from ochibot.console.wrapped import SoundingConsole, WrappedConsole

__all__ = [
    "NES_LAYOUT",
    "Button",
    "Console",
    "FoundCore",
    "Machine",
    "PlayedConsole",
    "Ram",
    "RamLayout",
    "Rom",
    "SoundingConsole",
    "WrappedConsole",
    "check_console",
    "find_core",
    "find_cores",
    "load_nes_rom",
    "load_romdata",
]

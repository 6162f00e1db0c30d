"""The emulated machine: find a core, load a ROM, step frames with pads, read RAM, frames and savestates.

Knows no game. ``Console.open(core, rom)`` in a ``with`` block is the whole of it.
"""

from bot.console.buttons import Button
from bot.console.check import check_console
from bot.console.console import Console, Machine, PlayedConsole
from bot.console.cores import FoundCore, find_core, find_cores
from bot.console.ram import NES_LAYOUT, Ram, RamLayout
from bot.console.rom import Rom, load_nes_rom
from bot.console.romdata import load_romdata
from bot.console.wrapped import SoundingConsole, WrappedConsole

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

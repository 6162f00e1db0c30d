"""Checks a user's Game Boy Advance ROM before a core gets it.

A ROM begins with a jump. The header has a logo of 156 bytes at 4, the byte 96 at B2, and at BD a checksum of the bytes
from A0 on. A console doesn't start a ROM with faults in these; mGBA does (facts: GBATEK, "GBA Cartridge Header"; the
logo's CRC-16 is that of the same logo in a DS cartridge's header).
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

from ochibot.console.rom import GAME_BOY_ADVANCE, Rom, RomFiles, unfit
from ochibot.errors import RomError
from ochibot.wording import counted

CODE: Final = 0xC0
"""Where a ROM's header ends."""

LOGO_CRC: Final = 0xCF56
_FILES: Final = RomFiles("Game Boy Advance ROM", (".gba", ".agb"))
_LOGO, _TITLE, _FIXED, _CHECKSUM = 0x04, 0xA0, 0xB2, 0xBD
_BRANCH: Final = 0xEA
"""The highest byte of ARM's unconditional jump, with which mGBA lets every ROM begin."""


def load_gba_rom(path: Path) -> Rom:
    """Reads a .gba or .agb file, or a .zip with exactly one of them. Raises RomError that says what is wrong.

    A wrong logo or checksum is only noted in ``note``.
    """
    name, data = _FILES.load(path)
    _FILES.check_kind(path, data, GAME_BOY_ADVANCE)
    if len(data) <= CODE:
        raise RomError(
            f"{path} is cut short: it has {counted(len(data), 'byte')}, hardly more than a header; copy it again"
        )
    if data[3] != _BRANCH:
        raise RomError(f"{path} is not a Game Boy Advance ROM: it doesn't begin with a jump; give {_FILES.give}")
    faults = [] if crc16(data[_LOGO:_TITLE]) == LOGO_CRC else ["the logo in its header isn't the console's"]
    if data[_FIXED] != 0x96:
        faults.append(f"the byte at b2 is {data[_FIXED]:02x} instead of 96")
    said, real = data[_CHECKSUM], checksum(data)
    if said != real:
        faults.append(f"the checksum of its header is {real:02x}, the header says {said:02x}")
    return Rom(path, name, data, "gba", "game.gba", note=unfit(faults))


def checksum(data: bytes) -> int:
    """The checksum of a ROM's header."""
    return -sum(data[_TITLE:_CHECKSUM]) - 0x19 & 0xFF


def crc16(data: bytes) -> int:
    """The CRC-16 with the reversed polynomial A001, begun at FFFF."""
    value = 0xFFFF
    for byte in data:
        value ^= byte
        for _ in range(8):
            value = value >> 1 ^ (0xA001 if value & 1 else 0)
    return value

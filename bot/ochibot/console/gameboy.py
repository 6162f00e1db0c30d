"""Checks a user's Game Boy ROM before a core gets it.

A program starts at 0x100, and the header follows: at 0x104 a logo that the console compares with its own, at 0x143 a
flag for the Color, at 0x14D a checksum of the bytes from 0x134 on (facts: Pan Docs, "The Cartridge Header"). A console
doesn't start a ROM whose logo or checksum is wrong. Gambatte does; mGBA refuses ROMs whose logo begins otherwise.
"""

from __future__ import annotations

import hashlib
import zlib
from pathlib import Path
from typing import Final

from ochibot.console.rom import GAME_BOY, HEAD, Rom, RomFiles, but, kind_of, unfit
from ochibot.errors import RomError
from ochibot.wording import counted

CODE: Final = 0x150
"""Where a ROM's header ends."""

LOGO_CRC: Final = 0x46195417
"""The CRC-32 of the 48 bytes of the logo."""

_FILES: Final = RomFiles("Game Boy ROM", (".gb", ".gbc"))
_ENTRY, _LOGO, _TITLE, _COLOR, _CHECKSUM = 0x100, 0x104, 0x134, 0x143, 0x14D
_BANK: Final = 0x4000
_JUMPS: Final = (0xC3, 0x18)
"""The machine codes of JP and JR."""


def load_gameboy_rom(path: Path) -> Rom:
    """Reads a .gb or .gbc file, or a .zip with exactly one of them. Raises RomError that says what is wrong.

    A wrong logo or checksum is only noted in ``note``, because many homebrew ROMs run in a core without them. ``data``
    is filled up to whole banks; ``sha1`` is that of the ROM itself.
    """
    name, data = _FILES.load(path)
    kind = kind_of(data[:HEAD])
    if len(data) < CODE and kind in (None, GAME_BOY):
        raise RomError(
            f"{path} is cut short: a Game Boy header alone is longer than its {counted(len(data), 'byte')}; copy it "
            "again"
        )
    logo = zlib.crc32(data[_LOGO:_TITLE]) == LOGO_CRC
    said, real = data[_CHECKSUM] if len(data) >= CODE else -1, checksum(data)
    if not logo and (kind not in (None, GAME_BOY) or (said != real and not _starts(data))):
        raise RomError(f"{path} is not a Game Boy ROM{but(kind)}; its header has neither the logo nor a right checksum")
    faults = [] if logo else ["the logo in its header isn't the console's"]
    if said != real:
        faults.append(f"the checksum of its header is {real:02x}, the header says {said:02x}")
    # mGBA takes only files with one of these endings, and looks at the header for the rest
    file_name = "game.gbc" if is_color(data) else "game.gb"
    own = hashlib.sha1(data, usedforsecurity=False).hexdigest()
    return Rom(path, name, _filled(data), "gameboy", file_name, note=unfit(faults), known_by=own)


def checksum(data: bytes) -> int:
    """The checksum of a ROM's header."""
    part = data[_TITLE:_CHECKSUM]
    return -sum(part) - len(part) & 0xFF


def is_color(data: bytes) -> bool:
    """Whether the header says that the ROM uses the Color's abilities."""
    return len(data) > _COLOR and bool(data[_COLOR] & 0x80)


def _filled(data: bytes) -> bytes:
    """The ROM up to the end of its last bank. Gambatte leaves out a bank that isn't whole."""
    return data + b"\xff" * (max(-len(data) % _BANK, 2 * _BANK - len(data)))


def _starts(data: bytes) -> bool:
    """Whether there is a jump at the address where programs start, perhaps after NOPs or DI."""
    entry = data[_ENTRY:_LOGO].lstrip(b"\x00\xf3")
    return entry[:1] != b"" and entry[0] in _JUMPS

"""Checks a user's PC Engine ROM (a HuCard) before a core gets it.

A HuCard has no header and no checksum. At power-on its first 8 KiB lie at E000, and the last word of these says where
the program begins. Some copiers put 512 bytes of their own before the ROM. Cards sold in America have the bits of each
byte in the opposite order, and some copies kept that (facts: Archaic Pixels, "HuCard").
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

from ochibot.console.rom import Rom, RomFiles, without_copier_header
from ochibot.errors import RomError
from ochibot.wording import counted

_FILES: Final = RomFiles("PC Engine ROM", (".pce",))
_PAGE: Final = 0x2000
_FIRST_PROGRAM: Final = 0xE0
_REVERSED: Final = bytes(int(f"{byte:08b}"[::-1], 2) for byte in range(256))


def load_pcengine_rom(path: Path) -> Rom:
    """Reads a .pce file, or a .zip with exactly one. Raises RomError that says what is wrong.

    A copier's header is left out, and reversed bits are put in order: ``data`` and ``sha1`` are those of the plain ROM.
    """
    name, data = _FILES.load(path)
    data = without_copier_header(data, _PAGE)
    _FILES.check_kind(path, data)
    if len(data) < _PAGE:
        raise RomError(f"{path} is cut short: no HuCard has only {counted(len(data), 'byte')}; copy it again")
    if data[_PAGE - 1] < _FIRST_PROGRAM <= _REVERSED[data[_PAGE - 1]]:
        data = data.translate(_REVERSED)
    if data[_PAGE - 1] < _FIRST_PROGRAM:
        raise RomError(f"{path} is not a PC Engine ROM: it names no address where its program begins")
    return Rom(path, name, data, "pcengine", "game.pce")

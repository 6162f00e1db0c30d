"""A user's NES ROM, looked at before a core is asked to take it.

Cores refuse a bad file in many ways, or not at all; a clear word beforehand is better.
"""

from __future__ import annotations

import zipfile
from pathlib import Path

from ochibot.console.filekinds import HEAD, but, kind_of
from ochibot.console.rom import Rom
from ochibot.console.romfile import RomFiles
from ochibot.errors import RomError
from ochibot.wording import counted

_HEADER = 16
_TRAINER = 512
_FILES = RomFiles("NES ROM", (".nes",))


def ines_size(header: bytes) -> int:
    """The size in bytes of an iNES or NES 2.0 image, from its 16-byte header (facts: the NESdev wiki, "NES 2.0")."""
    prg, chr_, flags6, flags7, msb = header[4], header[5], header[6], header[7], header[9]
    trainer = _TRAINER if flags6 & 4 else 0
    if flags7 & 0x0C != 0x08:
        return _HEADER + trainer + prg * 0x4000 + chr_ * 0x2000

    def area(low: int, high: int, unit: int) -> int:
        if high == 0xF:  # exponent and multiplier
            return int((1 << (low >> 2)) * ((low & 3) * 2 + 1))
        return int((high << 8 | low) * unit)

    return _HEADER + trainer + area(prg, msb & 15, 0x4000) + area(chr_, msb >> 4, 0x2000)


def _no_prg(header: bytes) -> bytearray:
    """The header with its program ROM taken away."""
    changed = bytearray(header)
    changed[4] = 0
    if changed[7] & 0x0C == 0x08:
        changed[9] &= 0xF0
    return changed


def load_nes_rom(path: Path) -> Rom:
    """Read a .nes file, or a .zip with exactly one in it. Raises RomError with what is wrong with it."""
    data = _FILES.read(path)
    name = path.name
    if data[:4] != b"NES\x1a" and (path.suffix.lower() == ".zip" or zipfile.is_zipfile(path)):
        name, data = _FILES.unzip(path)
    if data[:4] != b"NES\x1a":
        raise RomError(f"{path} is not a NES ROM{but(kind_of(data[:HEAD]))}; it doesn't begin with the iNES header")
    if len(data) < _HEADER:
        raise RomError(
            f"{path} is cut short: the iNES header alone is longer than its {counted(len(data), 'byte')}; copy it again"
        )
    size = ines_size(data[:_HEADER])
    if len(data) < size:
        raise RomError(f"{path} is cut short: its header promises {size} bytes, it has {len(data)}; dump it again")
    if size - ines_size(bytes(_no_prg(data[:_HEADER]))) == 0:
        raise RomError(f"{path} has no program ROM according to its header; dump it again")
    return Rom(path, name, data, "nes", "game.nes")

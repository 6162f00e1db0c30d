"""Checks a user's Super Famicom ROM before a core gets it.

A ROM's header lies at 7FC0 (LoROM) or FFC0 (HiROM; 40FFC0 in ROMs of more than 4 MiB). It has a title of 21 bytes, then
a byte whose bit 0 says HiROM, and at offsets 1C and 1E a complement and a checksum, whose sum is FFFF; the reset vector
is at 3C. The checksum is the sum of all bytes; a ROM whose size is no power of two counts its rest as often as it fits
(facts: fullsnes, "SNES Cartridge ROM Header"). Copiers put 512 bytes of their own before the ROM. Some of them also
store a HiROM with the upper halves of all its banks first, and then the lower ones.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

from ochibot.console.rom import Rom, RomFiles, without_copier_header
from ochibot.errors import RomError
from ochibot.wording import counted

_FILES: Final = RomFiles("Super Famicom ROM", (".sfc", ".smc", ".swc", ".fig"))
_BLOCK: Final = 0x8000
_LOW, _HIGH, _HIGHER = 0x7FC0, 0xFFC0, 0x40FFC0
_MODE, _COMPLEMENT, _CHECKSUM, _RESET = 0x15, 0x1C, 0x1E, 0x3C
_SURE: Final = 3
"""The least number of a header's marks that make it a header."""


def load_snes_rom(path: Path) -> Rom:
    """Reads a .sfc, .smc, .swc or .fig file, or a .zip with exactly one of them. Raises RomError that says what is
    wrong.

    A copier's header is left out, and an interleaved HiROM is put in order: ``data`` and ``sha1`` are those of the
    plain ROM. A missing header or a wrong checksum is only noted in ``note``: the console looks at neither.
    """
    name, data = _FILES.load(path)
    whole, data = data, without_copier_header(data, 1024)
    if data is whole:
        _FILES.check_kind(path, data)
    if len(data) < _BLOCK:
        raise RomError(
            f"{path} is cut short: no Super Famicom ROM has only {counted(len(data), 'byte')}; copy it again"
        )
    if _marks(data, _LOW) > _marks(data, _HIGH) and data[_LOW + _MODE] & 1 and not len(data) % (2 * _BLOCK):
        data = _ordered(data)
    if all(_word(data, at + _RESET) < _BLOCK for at in (_LOW, _HIGH, _HIGHER)):
        raise RomError(f"{path} is not a Super Famicom ROM: it names no address where its program begins")
    return Rom(path, name, data, "snes", "game.sfc", note=_note(data))


def checksum(data: bytes) -> int:
    """The sum of all bytes modulo 65,536. The rest beyond the largest power of two counts as often as it fits."""
    whole = 1 << len(data).bit_length() - 1
    rest = data[whole:]
    return sum(data[:whole]) + (sum(rest) * (whole // len(rest)) if rest else 0) & 0xFFFF


def _marks(data: bytes, at: int) -> int:
    """How many of four marks of a header are at an offset: its sums, printable title, the mapping, a reset vector."""
    header = data[at : at + 0x40]
    if len(header) < 0x40:
        return 0
    sums = _word(header, _COMPLEMENT) + _word(header, _CHECKSUM) == 0xFFFF
    title = all(0x20 <= byte < 0x7F or byte >= 0xA0 for byte in header[:_MODE].rstrip(b"\0"))
    mapped = header[_MODE] & 0xE8 == 0x20 and bool(header[_MODE] & 1) == (at != _LOW)
    return 2 * sums + title + mapped + (_word(header, _RESET) >= 0x8000)


def _ordered(data: bytes) -> bytes:
    """A HiROM whose banks' upper halves came first, in order; unchanged if no header is then where a HiROM has it."""
    half = len(data) // 2
    blocks = (data[start + at : start + at + _BLOCK] for at in range(0, half, _BLOCK) for start in (half, 0))
    mended = b"".join(blocks)
    return mended if _marks(mended, _HIGH) >= _SURE else data


def _note(data: bytes) -> str:
    header = max((_LOW, _HIGH, _HIGHER), key=lambda at: _marks(data, at))
    if _marks(data, header) < _SURE:
        return "The ROM has no header: the core guesses how it is mapped."
    said, real = _word(data, header + _CHECKSUM), checksum(data)
    return "" if said == real else f"The ROM's checksum is {real:04x}, its header says {said:04x}: it has been changed."


def _word(data: bytes, at: int) -> int:
    return int.from_bytes(data[at : at + 2], "little")

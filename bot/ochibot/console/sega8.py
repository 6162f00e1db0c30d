"""Checks a user's Master System or Game Gear ROM before a core gets it.

Most ROMs have a header, which begins with TMR SEGA at 1FF0, 3FF0 or 7FF0. At its offset A is a checksum, and the byte
at F says in its upper half for which console and region the ROM is, and in its lower half how much of the ROM the
checksum covers, without the header. Only Master Systems sold outside Japan look at header and checksum (facts: SMS
Power, "ROM header"). Some copiers put 512 bytes of their own before the ROM.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

from ochibot.console.rom import Rom, RomFiles, without_copier_header
from ochibot.errors import RomError
from ochibot.wording import counted

_BANK: Final = 0x4000
_LEAST: Final = 0x200
_MAGIC: Final = b"TMR SEGA"
_PLACES: Final = (0x7FF0, 0x3FF0, 0x1FF0)
_COVERED: Final = {
    0xA: 1 << 13,
    0xB: 1 << 14,
    0xC: 1 << 15,
    0xE: 1 << 16,
    0xF: 1 << 17,
    0: 1 << 18,
    1: 1 << 19,
    2: 1 << 20,
}
_MASTER_SYSTEM_EXPORT: Final = 4
_MASTER_SYSTEM: Final = RomFiles("Master System ROM", (".sms",))
_GAME_GEAR: Final = RomFiles("Game Gear ROM", (".gg",))


def load_mastersystem_rom(path: Path) -> Rom:
    """Reads a .sms file, or a .zip with exactly one. Raises RomError that says what is wrong.

    A missing header or a wrong checksum is only noted in ``note``. A copier's header is left out: ``data`` and ``sha1``
    are those of the plain ROM.
    """
    return _load(path, _MASTER_SYSTEM, "mastersystem", "game.sms")


def load_gamegear_rom(path: Path) -> Rom:
    """Like ``load_mastersystem_rom``, for a .gg file. No Game Gear looks at the header, so nothing is noted."""
    return _load(path, _GAME_GEAR, "gamegear", "game.gg")


def _load(path: Path, files: RomFiles, system: str, file_name: str) -> Rom:
    name, data = files.load(path)
    files.check_kind(path, data)
    data = without_copier_header(data, _BANK)
    if len(data) < _LEAST:
        raise RomError(f"{path} is cut short: it has only {counted(len(data), 'byte')} of a program; copy it again")
    return Rom(path, name, data, system, file_name, note=_note(data) if system == "mastersystem" else "")


def checksum(data: bytes, header: int) -> int | None:
    """The checksum of a ROM whose header is at ``header``; None when the header names no size that the ROM has."""
    size = _COVERED.get(data[header + 15] & 15)
    if size is None or size > len(data):
        return None
    return (sum(data[: min(size, header)]) + sum(data[0x8000:size])) & 0xFFFF


def _note(data: bytes) -> str:
    header = next((at for at in _PLACES if data[at : at + len(_MAGIC)] == _MAGIC and at + 16 <= len(data)), None)
    if header is None:
        return "The ROM has no header (TMR SEGA): only a Japanese Master System would start it."
    if data[header + 15] >> 4 != _MASTER_SYSTEM_EXPORT:
        return ""
    said, real = int.from_bytes(data[header + 10 : header + 12], "little"), checksum(data, header)
    if said == real:
        return ""
    wrong = "covers more than the ROM" if real is None else f"is {real:04x}, its header says {said:04x}"
    return f"The ROM's checksum {wrong}: a Master System sold outside Japan wouldn't start it."

"""Checks a user's Mega Drive, Master System or Game Gear ROM before a core gets it.

Mega Drive: Sega's header begins at 0x100 with the console's name, which begins with SEGA. At 0x18E it has a checksum,
the sum of all words from 0x200 on, and at 0x1A4 the address of the ROM's last byte. A file of the copier Super Magic
Drive (.smd) begins with a header of 512 bytes of its own. After it, each block of 16 KiB has first the bytes of odd
addresses, then those of even ones.

Master System and Game Gear: most ROMs have a header, which begins with TMR SEGA at 1FF0, 3FF0 or 7FF0. At its offset A
is a checksum, and the byte at F says in its upper half for which console and region the ROM is, and in its lower half
how much of the ROM the checksum covers, without the header. Only Master Systems sold outside Japan look at header and
checksum (facts: SMS Power, "ROM header"). Some copiers put 512 bytes of their own before the ROM.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

import numpy as np

from ochibot.console.rom import COPIER_HEADER, HEAD, Rom, RomFiles, but, kind_of, without_copier_header
from ochibot.errors import RomError
from ochibot.wording import counted

CODE: Final = 0x200
"""Where a ROM's header ends and its program may begin."""

_FILES: Final = RomFiles("Mega Drive ROM", (".md", ".bin", ".gen", ".smd"))
_CHECKSUM, _LAST, _MAGIC = 0x18E, 0x1A4, 0x100
_BLOCK: Final = 0x4000


def load_megadrive_rom(path: Path) -> Rom:
    """Reads a .md, .bin, .gen or .smd file, or a .zip with exactly one of them. Raises RomError that says what is
    wrong.

    An interleaved .smd is converted: ``data`` and ``sha1`` are those of the plain ROM. A wrong checksum is only noted
    in ``note``, because the console itself doesn't check it, unless the file is also shorter than its header says.
    """
    name, data = _FILES.load(path)
    raw, data = data, _plain(data)
    _check_console(path, raw, data)
    promised = int.from_bytes(data[_LAST : _LAST + 4], "big") + 1
    said, real = int.from_bytes(data[_CHECKSUM : _CHECKSUM + 2], "big"), checksum(data[:promised])
    if len(data) < promised <= 1 << 24 and said != real:
        raise RomError(
            f"{path} is cut short: its header promises {promised} bytes, it has {len(data)}, and its checksum is "
            f"{real:04x} instead of {said:04x}; dump it again"
        )
    note = "" if said == real else f"The ROM's checksum is {real:04x}, its header says {said:04x}: it has been changed."
    return Rom(path, name, data, "megadrive", "game.md", note=note)


def checksum(data: bytes) -> int:
    """The sum of the ROM's 16-bit words after its header, modulo 65,536."""
    words = data[CODE : len(data) & ~1]
    return int(np.frombuffer(words, ">u2").sum(dtype=np.uint64)) & 0xFFFF


def _is_named(data: bytes) -> bool:
    """Whether the header names a Sega console; some games have a blank before the name."""
    return data[_MAGIC : _MAGIC + 4] == b"SEGA" or data[_MAGIC : _MAGIC + 5] == b" SEGA"


def _plain(data: bytes) -> bytes:
    """The plain ROM: without a copier's header, and not interleaved. Data of another kind is returned unchanged."""
    if _is_named(data):
        return data
    blocks, rest = divmod(len(data), _BLOCK)
    if not blocks or rest not in (0, COPIER_HEADER):
        return data
    mended = _ordered(data[rest:])
    if _is_named(mended):
        return mended
    if _is_named(data[rest:]):
        # a copier's header before a ROM that isn't interleaved
        return data[rest:]
    return data


def _ordered(data: bytes) -> bytes:
    """Undoes the interleaving: joins the two halves of each block of 16 KiB."""
    halves = np.frombuffer(data, np.uint8).reshape(-1, 2, _BLOCK // 2)
    # the first half of a block has the bytes of odd addresses
    return halves[:, ::-1].transpose(0, 2, 1).tobytes()


def _check_console(path: Path, raw: bytes, data: bytes) -> None:
    """Raises RomError when ``data`` isn't a Mega Drive ROM. ``raw``: the bytes before they were converted."""
    console = data[_MAGIC : _MAGIC + 16]
    if data[_MAGIC : _MAGIC + 4] == b"ESAG":
        raise RomError(f"{path} is a Mega Drive ROM whose bytes are swapped in pairs; swap them back, or dump it again")
    if not _is_named(data):
        kind = kind_of(raw[:HEAD])
        if len(raw) < CODE and kind is None:
            raise RomError(
                f"{path} is cut short: a Mega Drive header alone is longer than its {counted(len(raw), 'byte')}; "
                "copy it again"
            )
        raise RomError(f"{path} is not a Mega Drive ROM{but(kind)}; its header at 0x100 doesn't say SEGA")
    if b"32X" in console:
        raise RomError(f"{path} is a ROM for the 32X, which no core here runs; give a Mega Drive ROM")
    if len(data) <= CODE:
        raise RomError(f"{path} is cut short: it has {len(data)} bytes, hardly more than a header; dump it again")


_BANK: Final = 0x4000
_LEAST: Final = 0x200
_SIGN: Final = b"TMR SEGA"
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


def _sum(data: bytes, header: int) -> int | None:
    """The checksum of a ROM whose header is at ``header``; None when the header names no size that the ROM has."""
    size = _COVERED.get(data[header + 15] & 15)
    if size is None or size > len(data):
        return None
    return (sum(data[: min(size, header)]) + sum(data[0x8000:size])) & 0xFFFF


def _note(data: bytes) -> str:
    header = next((at for at in _PLACES if data[at : at + len(_SIGN)] == _SIGN and at + 16 <= len(data)), None)
    if header is None:
        return "The ROM has no header (TMR SEGA): only a Japanese Master System would start it."
    if data[header + 15] >> 4 != _MASTER_SYSTEM_EXPORT:
        return ""
    said, real = int.from_bytes(data[header + 10 : header + 12], "little"), _sum(data, header)
    if said == real:
        return ""
    wrong = "covers more than the ROM" if real is None else f"is {real:04x}, its header says {said:04x}"
    return f"The ROM's checksum {wrong}: a Master System sold outside Japan wouldn't start it."

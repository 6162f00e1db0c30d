"""Checks a user's Mega Drive ROM before a core gets it.

Sega's header begins at 0x100 with the console's name, which begins with SEGA. At 0x18E it has a checksum, the sum of
all words from 0x200 on, and at 0x1A4 the address of the ROM's last byte. A file of the copier Super Magic Drive (.smd)
begins with a header of 512 bytes of its own. After it, each block of 16 KiB has first the bytes of odd addresses, then
those of even ones.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

import numpy as np

from ochibot.console.rom import COPIER_HEADER, HEAD, Rom, RomFiles, but, kind_of
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

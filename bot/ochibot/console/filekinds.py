"""Recognises a file by its first bytes, so that an error can say what the wrong file is."""

from __future__ import annotations

from pathlib import Path

from ochibot.data import read_file

HEAD = 0x108
"""How many bytes at a file's beginning are enough to recognise it."""

ARCHIVE = "a zip archive"
MEGA_DRIVE = "a Mega Drive ROM"
GAME_BOY = "a Game Boy ROM"
GAME_BOY_ADVANCE = "a Game Boy Advance ROM"
NES = "a NES ROM"

_MARKS: tuple[tuple[bytes, str], ...] = (
    (b"RASTATE", "a savestate in RetroArch's own wrapping (RASTATE)"),
    (b"#RZIPv", "a file that RetroArch has compressed (RZIP), such as a savestate"),
    (b"FCS\xff", "a savestate of FCEUmm's"),
    (b"NST\x1a", "a savestate of Nestopia's"),
    (b"NES\x1a", NES),
    (b"UNIF", "a NES ROM in the form UNIF"),
    (b"FDS\x1a", "a disk of the Famicom Disk System"),
    (b"PK\x03\x04", ARCHIVE),
    (b"PK\x05\x06", ARCHIVE),
    (b"\x1f\x8b", "a gzip archive"),
    (b"7z\xbc\xaf\x27\x1c", "a 7z archive"),
    (b"Rar!", "a RAR archive"),
    (b"\x89PNG", "a picture"),
    (b"\x7fELF", "a program or a core"),
    (b"version 3", "a movie of FCEUX's (.fm2)"),
    (b"PATCH", "an IPS patch"),
    (b"BPS1", "a BPS patch"),
    (b"GENPLUS-GX", "a savestate of Genesis Plus GX's"),
    (b"PicoSEXT", "a savestate of PicoDrive's"),
    (b"SEGADISCSYSTEM", "a disc of the Mega CD"),
)

_DEEPER: tuple[tuple[int, bytes, str], ...] = (
    (0x100, b"SEGA 32X", "a ROM for the 32X"),
    (0x100, b"SEGA", MEGA_DRIVE),
    (0x101, b"SEGA", MEGA_DRIVE),
    (0x100, b"ESAG", "a Mega Drive ROM with its bytes swapped"),
    (0x104, b"\xce\xed\x66\x66", GAME_BOY),
    (4, b"\x24\xff\xae\x51", GAME_BOY_ADVANCE),
    (8, b"\xaa\xbb\x04", "a Super Famicom ROM of the copier Super Wild Card (.swc)"),
    (8, b"\xaa\xbb\x06", "a Mega Drive ROM of the copier Super Magic Drive (.smd)"),
)
"""Marks that lie elsewhere than at a file's beginning: (offset, mark, kind of file)."""

_CORES = (
    (b"FCS\xff", "fceumm"),
    (b"NST\x1a", "nestopia"),
    (b"GENPLUS-GX", "genesis_plus_gx"),
    (b"PicoSEXT", "picodrive"),
)


def core_of_state(head: bytes) -> str | None:
    """The core whose savestates begin with these bytes; None when it isn't known."""
    return next((core for mark, core in _CORES if head.startswith(mark)), None)


def kind_of(head: bytes) -> str | None:
    """The kind of file that begins with these bytes, in words; None when it isn't known."""
    found = (what for mark, what in _MARKS if head.startswith(mark))
    deeper = (what for at, mark, what in _DEEPER if head[at : at + len(mark)] == mark)
    return next(found, None) or next(deeper, None)


def kind_of_file(path: Path) -> str | None:
    """The kind of a file or folder, in words; None when it isn't known or can't be read."""
    try:
        if path.is_dir():
            return "a record's folder" if (path / "run.json").exists() else "a folder"
        return kind_of(read_file(path, HEAD))
    except OSError:
        return None


def but(kind: str | None) -> str:
    """Words for an error that say what the file is instead; empty when that isn't known."""
    return "" if kind is None else f": it is {kind}"

"""What a file is that was taken for another: told by its first bytes, so that a refusal can name it."""

from __future__ import annotations

from pathlib import Path

HEAD = 16
"""Bytes that are enough."""

ARCHIVE = "a zip archive"

_MARKS: tuple[tuple[bytes, str], ...] = (
    (b"RASTATE", "a savestate in RetroArch's own wrapping (RASTATE)"),
    (b"#RZIPv", "a file that RetroArch has compressed (RZIP), such as a savestate"),
    (b"FCS\xff", "a savestate of FCEUmm's"),
    (b"NST\x1a", "a savestate of Nestopia's"),
    (b"NES\x1a", "a NES ROM"),
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
)

RETROARCH = (b"RASTATE", b"#RZIPv")
"""How files begin that RetroArch has wrapped."""


def kind_of(head: bytes) -> str | None:
    """What begins like that; None when it isn't known."""
    return next((what for mark, what in _MARKS if head.startswith(mark)), None)


def kind_of_file(path: Path) -> str | None:
    """What a file or folder is; None when it isn't known or can't be read."""
    try:
        if path.is_dir():
            return "a record's folder" if (path / "run.json").exists() else "a folder"
        with path.open("rb") as file:
            return kind_of(file.read(HEAD))
    except OSError:
        return None


def but(kind: str | None) -> str:
    """The end of a refusal that names what the file is, where that is known."""
    return "" if kind is None else f": it is {kind}"

"""A ROM in memory, for any system, and reading it from a user's file, plain or inside a zip archive.

Each system's module then checks its contents. ``kind_of`` recognises a file by its first bytes, so that an error can
say what the wrong file is.
"""

from __future__ import annotations

import hashlib
import lzma
import zipfile
import zlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from ochibot.data import read_file
from ochibot.errors import RomError
from ochibot.quoting import brief


@dataclass(frozen=True)
class Rom:
    """A cartridge image: the file it came from, its own name (inside a zip), its bytes, and the system it is for."""

    source: Path
    name: str
    data: bytes
    system: str
    file_name: str
    """The file name that the core sees. (Cores choose the kind of ROM by its ending.)"""
    companions: tuple[tuple[str, bytes], ...] = ()
    """Names and bytes of files that the core expects beside the ROM."""

    note: str = ""
    """A note on how the ROM was checked, shown to the user; may be empty."""

    known_by: str = ""
    """The hash that ``sha1`` returns, if it isn't that of ``data``: for a set that was checked file by file, or a ROM
    that was filled up.
    """

    system_files: tuple[tuple[str, bytes], ...] = ()
    """Names and bytes of files that the core expects in the folder of system ROMs."""

    @property
    def sha1(self) -> str:
        """SHA-1 of the image, header included, as 40 hexadecimal digits; for a set, that of ``sha1_of_files``.

        So the hash of a set doesn't change when somebody packs it again.
        """
        return self.known_by or hashlib.sha1(self.data, usedforsecurity=False).hexdigest()


@dataclass(frozen=True, slots=True)
class RomFile:
    """One file of a set: its name, its size in bytes, and the CRC-32 by which cores recognise it."""

    name: str
    size: int
    crc: int


def sha1_of_files(files: Iterable[RomFile]) -> str:
    """SHA-1 of a set, made from its files' sizes and CRCs. Names and packing don't matter."""
    listing = "\n".join(f"{file.crc:08x} {file.size}" for file in sorted(files, key=lambda one: (one.crc, one.size)))
    return hashlib.sha1(listing.encode(), usedforsecurity=False).hexdigest()


Sets = Mapping[str, tuple[RomFile, ...]]
"""The files of each known set of a title, by the set's name."""


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


COPIER_HEADER: Final = 512
"""Some copiers put so many bytes of their own before a ROM."""


def without_copier_header(data: bytes, block: int) -> bytes:
    """The ROM alone. block: a ROM without a copier's header is a multiple of so many bytes."""
    return data[COPIER_HEADER:] if len(data) % block == COPIER_HEADER else data


def unfit(faults: list[str]) -> str:
    """The note on a ROM with these faults, which a console wouldn't start; empty without any."""
    note = f"{' and '.join(faults)}: a console wouldn't start this ROM" if faults else ""
    return note[:1].upper() + note[1:]


MAX_BYTES = 64 << 20
"""The largest file that is read, in bytes. All cartridges are far smaller, so a larger file isn't a ROM."""

_TEXT: Final = bytes(range(0x20, 0x7F)) + b"\t\n\r"
"""The bytes of plain text."""


@dataclass(frozen=True)
class RomFiles:
    """The ROM files of a system. what: what messages call such a ROM. endings: their names' endings, the usual one
    first.
    """

    what: str
    endings: tuple[str, ...]

    @property
    def give(self) -> str:
        """Words for messages: which file the user should give."""
        return f"a {self.endings[0]} file or a .zip with one in it"

    def read(self, path: Path) -> bytes:
        """Reads a file's bytes. Raises RomError."""
        try:
            if path.exists() and not path.is_file():
                raise RomError(f"can't read the ROM {path}: it is not a file; give {self.give}")
            if path.stat().st_size > MAX_BYTES:
                raise RomError(f"{path} is too large for a {self.what}; give {self.give}")
            return read_file(path, MAX_BYTES)
        except FileNotFoundError:
            raise RomError(f"no such ROM: {path}; give the path of {self.give}") from None
        except OSError as error:
            raise RomError(f"can't read the ROM {path}: {error.strerror or error}") from None

    def load(self, path: Path) -> tuple[str, bytes]:
        """Reads a ROM, also the only one in a zip archive: (name, bytes). Raises RomError."""
        data = self.read(path)
        if data[:2] == b"PK" and (path.suffix.lower() == ".zip" or zipfile.is_zipfile(path)):
            return self.unzip(path)
        return path.name, data

    def check_kind(self, path: Path, data: bytes, own: str | None = None) -> None:
        """Raises RomError when a file's beginning shows that it is something else than ``own``, or when it is empty."""
        head = data[:HEAD]
        kind = kind_of(head) or ("a text" if head and head.translate(None, _TEXT) == b"" else None)
        if kind not in (None, own):
            raise RomError(f"{path} is not a {self.what}{but(kind)}; give {self.give}")
        if not data:
            raise RomError(f"{path} is empty; copy the {self.what} again")

    def unzip(self, path: Path) -> tuple[str, bytes]:
        """Reads the only ROM in a zip archive: (name, bytes). Raises RomError."""
        usual = self.endings[0]
        try:
            with zipfile.ZipFile(path) as archive:
                # "._NAME" is what macOS packs beside a file, not a ROM
                names = [
                    name
                    for name in archive.namelist()
                    if name.lower().endswith(self.endings) and not name.rsplit("/", 1)[-1].startswith("._")
                ]
                if len(names) != 1:
                    kinds = " or ".join(self.endings)
                    raise RomError(
                        f"{path} holds {len(names)} {kinds} files; one is needed: unpack it and give the {usual} itself"
                    )
                with archive.open(names[0]) as packed:
                    data = packed.read(MAX_BYTES + 1)
                if len(data) > MAX_BYTES:
                    problem = f"{brief(names[0])} in {path} is too large for a {self.what}"
                    raise RomError(f"{problem}; give the {usual} file itself")
                return Path(names[0]).name, data
        except (zipfile.BadZipFile, zlib.error, lzma.LZMAError, ValueError, RuntimeError, EOFError, OSError) as error:
            raise RomError(
                f"{path} is not a readable zip archive ({brief(str(error))}); unpack it and give the {usual}"
            ) from None

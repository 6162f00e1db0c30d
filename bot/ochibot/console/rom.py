"""A ROM in memory, for any system."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path


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

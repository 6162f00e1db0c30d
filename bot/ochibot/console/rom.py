"""A ROM in memory, whatever system it is for."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
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
    """What the file handed to the core is called: cores look at the ending."""
    companions: tuple[tuple[str, bytes], ...] = ()
    """Names and bytes of files that the core wants to find beside it."""

    note: str = ""
    """What people should know of how it was checked; empty when nothing."""

    @property
    def sha1(self) -> str:
        """SHA-1 of the image, header included, as 40 hexadecimal digits."""
        return hashlib.sha1(self.data, usedforsecurity=False).hexdigest()


@dataclass(frozen=True, slots=True)
class RomFile:
    """One file of a set of several: its name, its size in bytes, and the CRC-32 that cores go by."""

    name: str
    size: int
    crc: int


Sets = Mapping[str, tuple[RomFile, ...]]
"""The files of each set that a title is known to have, by the set's name."""

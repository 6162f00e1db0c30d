"""Reads a user's ROM file, plain or inside a zip archive. Each system's module then checks its contents."""

from __future__ import annotations

import lzma
import zipfile
import zlib
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from ochibot.console.filekinds import HEAD, but, kind_of
from ochibot.data import read_file
from ochibot.errors import RomError
from ochibot.quoting import brief

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

"""Reads a user's ROM file, plain or inside a zip archive. Each system's module then checks its contents."""

from __future__ import annotations

import lzma
import zipfile
import zlib
from dataclasses import dataclass
from pathlib import Path

from ochibot.data import read_file
from ochibot.errors import RomError
from ochibot.quoting import brief

MAX_BYTES = 64 << 20
"""The largest file that is read, in bytes. All cartridges are far smaller, so a larger file isn't a ROM."""


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

"""Arcade sets of the user's, checked file by file before FBNeo is asked.

FBNeo refuses a set with a file missing or changed without a word: it starts, and shows a picture of the error.
"""

from __future__ import annotations

import zipfile
import zlib
from pathlib import Path
from typing import Final

from ochibot.console.filekinds import ARCHIVE, but, kind_of_file
from ochibot.console.rom import Rom, RomFile, Sets
from ochibot.data import is_file
from ochibot.errors import RomError
from ochibot.quoting import brief

MAX_BYTES: Final = 256 << 20


def load_arcade_set(path: Path, system: str, sets: Sets) -> Rom:
    """A set's .zip, for a system without system ROMs. Raises RomError that lists every file that is wrong."""
    names = " or ".join(f"{name}.zip" for name in sets)
    if not is_file(path):
        other = but(kind_of_file(path))
        raise RomError(f"no such ROM: {path}{other}; give the path of your {names}")
    wanted = sets.get(path.stem.lower())
    if wanted is None:
        kind = kind_of_file(path)
        other = but(kind if kind != ARCHIVE else None)
        raise RomError(f"{path.name} is no set that is known here{other}; FBNeo goes by the name, so call it {names}")
    return Rom(path, path.name, checked_set(path, path.stem.lower(), wanted), system, path.name.lower())


def checked_set(path: Path, name: str, wanted: tuple[RomFile, ...]) -> bytes:
    """The archive's bytes, if all of the wanted files are in it, whatever they are called. Raises RomError.

    ``name``: of the set, for messages.
    """
    try:
        if path.stat().st_size > MAX_BYTES:
            raise RomError(f"{path} is too large for {name}; get it again")
        with zipfile.ZipFile(path) as archive:
            members = {Path(info.filename).name.lower(): info for info in archive.infolist()}
            wrong = [line for file in wanted if (line := _fault(file, members))]
            if not wrong:
                broken = archive.testzip()
                wrong += [f"{broken} is damaged"] if broken else []
        data = path.read_bytes()
    except OSError as error:
        raise RomError(f"can't read {path}: {error.strerror or error}") from None
    except (zipfile.BadZipFile, zlib.error, ValueError, RuntimeError, EOFError, NotImplementedError) as error:
        raise RomError(f"{path} is not a readable zip archive ({brief(str(error))}); get it again") from None
    if wrong:
        raise RomError(f"{path} isn't the set that FBNeo wants: {'; '.join(wrong)}; get a set made for FBNeo")
    return data


def _fault(file: RomFile, members: dict[str, zipfile.ZipInfo]) -> str | None:
    """What is wrong with a file of the set, or None."""
    if any((info.CRC, info.file_size) == (file.crc, file.size) for info in members.values()):
        return None
    info = members.get(file.name)
    if info is None:
        return f"{file.name} is missing ({file.size:#x} bytes, CRC {file.crc:08x})"
    if info.file_size != file.size:
        return f"{file.name} has {info.file_size:#x} bytes instead of {file.size:#x}"
    return f"{file.name} has the CRC {info.CRC:08x} instead of {file.crc:08x}"

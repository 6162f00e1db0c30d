"""Checks a user's arcade set file by file before FBNeo gets it.

If a file is missing or changed, FBNeo reports no error: it starts, and only its picture shows the error.
"""

from __future__ import annotations

import io
import zipfile
import zlib
from pathlib import Path
from typing import Final

from ochibot.console.filekinds import ARCHIVE, but, kind_of_file
from ochibot.console.rom import Rom, RomFile, Sets, sha1_of_files
from ochibot.data import is_file, read_file
from ochibot.errors import RomError
from ochibot.quoting import brief

MAX_BYTES: Final = 256 << 20


def load_arcade_set(path: Path, system: str, sets: Sets) -> Rom:
    """Loads a set's .zip for a system without system ROMs. Raises RomError that lists every wrong file."""
    if not is_file(path):
        other = but(kind_of_file(path))
        raise RomError(f"no such ROM: {path}{other}; give the path of your {archives(sets)}")
    name = set_of(path, sets)
    data = checked_set(path, name, sets[name])
    return Rom(path, path.name, data, system, f"{name}.zip", known_by=sha1_of_files(sets[name]))


def archives(sets: Sets) -> str:
    """The archives of the sets, in words: ``a.zip or b.zip``."""
    return " or ".join(f"{name}.zip" for name in sets) or "set's .zip"


def set_of(path: Path, sets: Sets, also: str = "") -> str:
    """The name of the set in an archive, recognised by its files, even if some of them are damaged or missing.

    If no set is complete, an archive named like a set counts as that set. Raises RomError for any other file that has
    none of the sets' files. ``also``: for the message, what else the user could give.
    """
    held = _held(path)
    found = {name: sum((file.crc, file.size) in held for file in files) for name, files in sets.items()}
    stem = path.stem.lower()
    whole = [name for name, files in sets.items() if found[name] == len(files)]
    if stem in whole or (stem in sets and not whole):
        return stem
    best = max(found, key=lambda name: found[name], default="")
    if whole or found.get(best):
        return whole[0] if whole else best
    kind = kind_of_file(path)
    names = archives(sets)
    if kind != ARCHIVE or not sets:
        raise RomError(f"{path.name} is no set that is known here{but(kind)}; give the path of your {names}{also}")
    raise RomError(
        f"{path.name} is another game, or a clone that isn't known here: none of its files is one of {names}; give the "
        f"path of your {names}{also}"
    )


def _held(path: Path) -> set[tuple[int, int]]:
    """The (CRC, size) of all files listed in an archive; empty when the file isn't an archive."""
    try:
        with zipfile.ZipFile(path) as archive:
            return {(info.CRC, info.file_size) for info in archive.infolist()}
    except (OSError, zipfile.BadZipFile, ValueError, RuntimeError, EOFError, NotImplementedError):
        return set()


def same_files(one: bytes, other: bytes) -> bool:
    """Whether two archives hold the same files, by name, size and CRC, however they are packed."""
    held = []
    for data in (one, other):
        try:
            with zipfile.ZipFile(io.BytesIO(data)) as archive:
                held.append({(info.filename, info.file_size, info.CRC) for info in archive.infolist()})
        except (zipfile.BadZipFile, ValueError, RuntimeError, EOFError, NotImplementedError):
            return False
    return held[0] == held[1]


def checked_set(path: Path, name: str, wanted: tuple[RomFile, ...]) -> bytes:
    """The archive's bytes, if it has all of the wanted files under any names. Raises RomError.

    ``name``: the set's name, for messages.
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
        data = read_file(path, MAX_BYTES)
    except OSError as error:
        raise RomError(f"can't read {path}: {error.strerror or error}") from None
    except (zipfile.BadZipFile, zlib.error, ValueError, RuntimeError, EOFError, NotImplementedError) as error:
        raise RomError(f"{path} is not a readable zip archive ({brief(str(error))}); get it again") from None
    if wrong:
        raise RomError(f"{path} isn't the set that FBNeo wants: {'; '.join(wrong)}; get a set made for FBNeo")
    return data


def _fault(file: RomFile, members: dict[str, zipfile.ZipInfo]) -> str | None:
    """What is wrong with a file of the set, in words; None if the archive has it."""
    if any((info.CRC, info.file_size) == (file.crc, file.size) for info in members.values()):
        return None
    info = members.get(file.name)
    if info is None:
        return f"{file.name} is missing ({file.size:#x} bytes, CRC {file.crc:08x})"
    if info.file_size != file.size:
        return f"{file.name} has {info.file_size:#x} bytes instead of {file.size:#x}"
    return f"{file.name} has the CRC {info.CRC:08x} instead of {file.crc:08x}"

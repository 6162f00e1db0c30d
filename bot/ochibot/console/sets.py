"""Checks a user's arcade set file by file before FBNeo gets it, and loads sets that bring their own description.

If a file is missing or changed, FBNeo reports no error: it starts, and only its picture shows the error.

Loads Neo Geo sets that come with their own description: a .zip and a .dat beside it (FBNeo's "RomData").

With such a description, FBNeo takes every file by its name and ignores checksums. So a homebrew game can include its
own system ROM in the archive. Our own cartridge has this form. Other free games without a system ROM get ours.

Loads Neo Geo games: our own game, which includes its system ROM, and users' sets, which need neogeo.zip.

If a file of a set is missing or changed, FBNeo reports no error: it starts, and only its picture shows the error. So
users' sets are checked here, file by file, before the core gets them. Names, sizes and CRCs are those of FBNeo's tables
(d_neogeo.cpp).
"""

from __future__ import annotations

import io
import lzma
import re
import zipfile
import zlib
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Final

from ochibot.console.rom import ARCHIVE, Rom, RomFile, Sets, but, kind_of_file, sha1_of_files
from ochibot.data import data_path, is_file, is_folder, read_file
from ochibot.errors import RomError, UsageError
from ochibot.quoting import brief, quoted

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


SYSTEM_SET: Final = "neogeo.zip"

SYSTEM_FILES: Final = (
    RomFile("sp-s3.sp1", 0x20000, 0x91B64BE3),
    RomFile("sm1.sm1", 0x20000, 0x94416D67),
    RomFile("sfix.sfix", 0x20000, 0xC2EA0CFD),
    RomFile("000-lo.lo", 0x20000, 0x5A86CFF2),
)
"""The system files that FBNeo requires for every set (its source, d_neogeo.cpp)."""

_SYSTEM_SIZES: Final = {file.name: file.size for file in SYSTEM_FILES}

PLAIN_DRIVERS = ("neotet", "ltorb", "nam1975")
"""Drivers that only load files, so they also run other sets (this was tried). Other drivers decrypt or patch the files
for their own game: with some, the core crashes (kof98), and with others the game misbehaves (mslug)."""

_OWN = "roms/homebrew/neogeo/togetama.zip"
_MAX_BYTES = 256 << 20
_AGAIN = "get both files again"


def _described(path: Path, text: str) -> tuple[str, dict[str, tuple[int, int]]]:
    """Reads a .dat: (the set's name, its files with their sizes and CRC-32s). A CRC of 0 means that none is given."""
    found: dict[str, tuple[int, int]] = {}
    known: dict[str, str] = {}
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip():
            continue
        if line.count('"') % 2:
            # FBNeo looks for the second mark beyond the line, and the process dies
            raise RomError(f"{path}, line {number}: a quotation mark has no second one; {_AGAIN}")
        key, colon, value = line.partition(":")
        if colon:
            name = key.strip().casefold()
            if name in known:
                raise RomError(f"{path}, line {number}: {brief(key.strip())} is given twice; {_AGAIN}")
            known[name] = value.strip()
            continue
        parts = [part.strip() for part in line.split(",")]
        try:
            found[parts[0]] = int(parts[1], 16), _crc(parts[2] if len(parts) > 2 else "")
        except (IndexError, ValueError):
            raise RomError(f"{path}, line {number}: no file name and size in hexadecimal; {_AGAIN}") from None
    driver = known.get("drvname", "")
    if not driver or not found:
        raise RomError(f"{path} doesn't describe a set for FBNeo: it names no driver or no files; {_AGAIN}")
    if driver not in PLAIN_DRIVERS:
        raise RomError(
            f"{path} names the driver {quoted(driver)}, which may crash the core with a set that isn't its own: give "
            f"DrvName {' or '.join(PLAIN_DRIVERS)}"
        )
    name = known.get("zipname", "")
    if not re.fullmatch(r"[A-Za-z0-9_]{1,32}", name):
        raise RomError(f"{path} names no set, or one that is no plain name (ZipName: {quoted(name)}); {_AGAIN}")
    return name, found


def _crc(text: str) -> int:
    """Reads a checksum; 0 for any other text, because some descriptions have nothing or a flag there."""
    try:
        return int(text, 16)
    except ValueError:
        return 0


def load_romdata(path: Path, system_rom: Callable[[], bytes] | None = None) -> Rom:
    """Reads a .zip with the .dat beside it. Raises RomError; it names at most three missing, damaged or wrong files.

    ``system_rom`` makes a neogeo.zip for an archive that has none of the system files; None: such archives are refused.
    """
    if not is_file(path):
        raise RomError(f"no such ROM: {path}; give the path of a .zip with its .dat beside it")
    dat = path.with_suffix(".dat")
    if not is_file(dat):
        raise RomError(f"{path} has no {dat.name} beside it, which tells FBNeo what is in it; put it there")
    try:
        if path.stat().st_size > _MAX_BYTES or dat.stat().st_size > _MAX_BYTES:
            raise RomError(f"{path} is too large for a Neo Geo set; {_AGAIN}")
        description = read_file(dat, _MAX_BYTES)
        name, files = _described(dat, description.decode("utf-8", "replace"))
        wanted = {file: size for file, (size, _) in files.items()}
        with zipfile.ZipFile(path) as archive:
            sizes = {info.filename: info.file_size for info in archive.infolist()}
            needy = system_rom is not None and not _SYSTEM_SIZES.keys() & sizes.keys()
            wanted |= {} if needy else _SYSTEM_SIZES
            sums = {info.filename: info.CRC for info in archive.infolist()}
            wrong = [f"{brief(file)} is missing" for file in wanted if file not in sizes]
            wrong += [
                f"{brief(file)} has {sizes[file]:#x} bytes instead of {brief(hex(size))}"
                for file, size in wanted.items()
                if sizes.get(file, size) != size
            ]
            wrong += [
                f"{file} has the CRC {sums[file]:08x} instead of {crc:08x}"
                for file, (size, crc) in files.items()
                if crc and sizes.get(file) == size and sums[file] != crc
            ]
            if sum(sizes.values()) > _MAX_BYTES:
                wrong.append("there is too much in it")
            if not wrong:
                broken = archive.testzip()
                wrong += [f"{brief(broken)} is damaged"] if broken else []
        data = read_file(path, _MAX_BYTES)
    except OSError as error:
        raise RomError(f"can't read the ROM {path}: {error.strerror or error}") from None
    except (zipfile.BadZipFile, zlib.error, lzma.LZMAError, ValueError, RuntimeError, EOFError) as error:
        raise RomError(f"{path} is not a readable zip archive ({brief(str(error))}); {_AGAIN}") from None
    if wrong:
        raise RomError(f"{path} isn't what its .dat promises: {'; '.join(wrong[:3])}; {_AGAIN}")
    # the core looks for files with the set's name, whatever the user's files are called
    unsure = [file for file, (_, crc) in files.items() if not crc]
    note = f"{dat.name} has no checksums of {', '.join(unsure)}: only the sizes were checked" if unsure else ""
    companions = [(f"{name}.dat", description)]
    if needy and system_rom is not None:
        companions.append(("neogeo.zip", system_rom()))
    return Rom(path, path.name, data, "neogeo", f"{name}.zip", tuple(companions), note)


def own_system_rom() -> bytes:
    """A neogeo.zip with the system files of our own game. Raises RomError when it can't be read."""
    packed = io.BytesIO()
    try:
        with zipfile.ZipFile(data_path(_OWN)) as ours, zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
            for file in _SYSTEM_SIZES:
                archive.writestr(zipfile.ZipInfo(file), ours.read(file))
    except (OSError, KeyError, zipfile.BadZipFile) as error:
        raise RomError(
            f"can't read our own system ROM in {_OWN} ({brief(str(error))}); install ochibot again"
        ) from None
    return packed.getvalue()


def load_neogeo_rom(path: Path, system: Path | None, sets: Sets) -> Rom:
    """Loads a game's .zip. A .zip with a .dat beside it is RomData (such as our own game); any other is one of
    ``sets``.

    A set needs neogeo.zip, in ``system`` (a folder, or the file itself) or else beside the game. RomData may bring its
    own system files; if it doesn't and there is no neogeo.zip, it gets those of our own game. Raises RomError that
    lists every missing or wrong file.
    """
    if path.suffix.lower() == ".zip" and is_file(path.with_suffix(".dat")):
        return _romdata(path, system)
    if not is_file(path):
        if is_folder(path):
            raise RomError(f"can't read the ROM {path}: it is {kind_of_file(path)}; give a set's .zip")
        raise RomError(f"no such ROM: {path}; give the path of your {archives(sets)}")
    versions = " (Ver 2.02 or Ver 2.00)" if sets else ""
    name = set_of(path, sets, f"{versions}, or put its .dat beside it if it is one's own game")
    faults = []
    data = bios = b""
    try:
        data = checked_set(path, name, sets[name])
    except RomError as error:
        faults.append(str(error))
    try:
        bios = checked_set(_system_zip(path, system), SYSTEM_SET, SYSTEM_FILES)
    except RomError as error:
        faults.append(str(error))
    if faults:
        raise RomError("; and ".join(faults))
    known_by = sha1_of_files(sets[name])
    return Rom(path, path.name, data, "neogeo", f"{name}.zip", ((SYSTEM_SET, bios),), known_by=known_by)


def _romdata(path: Path, system: Path | None) -> Rom:
    beside = is_file(path.with_name(SYSTEM_SET))

    def system_rom() -> bytes:
        if system is None and not beside:
            return own_system_rom()
        return checked_set(_system_zip(path, system), SYSTEM_SET, SYSTEM_FILES)

    rom = load_romdata(path, system_rom)
    if len(rom.companions) > 1:
        ours = "" if system is not None or beside else f"{path.name} has no system ROM, so it gets that of our own game"
        return replace(rom, note="; ".join(part for part in (rom.note, ours) if part))
    if system is not None:
        raise UsageError(f"{path.name} brings its own system ROM: leave --system out")
    return rom


def _system_zip(path: Path, system: Path | None) -> Path:
    """The path of a game's system ROM. Raises RomError."""
    if system is not None and is_file(system):
        return system
    found = (system or path.parent) / SYSTEM_SET
    if is_file(found):
        return found
    where = f"in {system}" if system is not None else "beside it"
    names = ", ".join(file.name for file in SYSTEM_FILES)
    raise RomError(
        f"{path.name} needs the Neo Geo's system ROM, and there is no {SYSTEM_SET} {where}: it must hold {names}; "
        "put it there, or name its folder with --system"
    )

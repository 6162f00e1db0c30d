"""Loads Neo Geo games: our own game, which includes its system ROM, and users' sets, which need neogeo.zip.

If a file of a set is missing or changed, FBNeo reports no error: it starts, and only its picture shows the error. So
users' sets are checked here, file by file, before the core gets them. Names, sizes and CRCs are those of FBNeo's tables
(d_neogeo.cpp).
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Final

from ochibot.console.rom import Rom, RomFile, Sets, kind_of_file, sha1_of_files
from ochibot.console.sets import archives, checked_set, load_romdata, own_system_rom, set_of
from ochibot.data import is_file, is_folder
from ochibot.errors import RomError, UsageError

SYSTEM_SET: Final = "neogeo.zip"

SYSTEM_FILES: Final = (
    RomFile("sp-s3.sp1", 0x20000, 0x91B64BE3),
    RomFile("sm1.sm1", 0x20000, 0x94416D67),
    RomFile("sfix.sfix", 0x20000, 0xC2EA0CFD),
    RomFile("000-lo.lo", 0x20000, 0x5A86CFF2),
)


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

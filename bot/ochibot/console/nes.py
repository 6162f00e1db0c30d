"""Checks a user's NES ROM or disk before a core gets it.

Cores reject a bad file in many ways, or not at all. So files are checked here first, and errors have a clear message.
"""

from __future__ import annotations

import zipfile
from pathlib import Path

from ochibot.console.rom import HEAD, Rom, RomFiles, but, kind_of
from ochibot.data import is_file, read_file
from ochibot.errors import RomError, UsageError
from ochibot.wording import counted

_HEADER = 16
_TRAINER = 512
_BATTERY = 2
_NES_2 = 8
_FILES = RomFiles("NES ROM", (".nes", ".fds"))

DISK_BIOS = "disksys.rom"
"""The ROM of the Famicom Disk System, under the name that FCEUmm and Nestopia expect."""

_BIOS_BYTES = 8192
_SIDE_BYTES = 65_500
_DISK = b"FDS\x1a"
_BARE_DISK = b"\x01*NINTENDO-HVC*"
"""The first bytes of a disk image without a header. (_DISK: the first bytes of the header of fwNES.)"""


def ines_size(header: bytes) -> int:
    """The size in bytes of an iNES or NES 2.0 image, from its 16-byte header (facts: the NESdev wiki, "NES 2.0")."""
    prg, chr_, flags6, flags7, msb = header[4], header[5], header[6], header[7], header[9]
    trainer = _TRAINER if flags6 & 4 else 0
    if flags7 & 0x0C != 0x08:
        return _HEADER + trainer + prg * 0x4000 + chr_ * 0x2000

    def area(low: int, high: int, unit: int) -> int:
        if high == 0xF:  # the size is given as exponent and multiplier
            return int((1 << (low >> 2)) * ((low & 3) * 2 + 1))
        return int((high << 8 | low) * unit)

    return _HEADER + trainer + area(prg, msb & 15, 0x4000) + area(chr_, msb >> 4, 0x2000)


def says_ram(data: bytes) -> bool:
    """Whether an iNES header says that the cartridge has RAM: by a battery or a RAM size (byte 8, NES 2.0: byte 10)."""
    if data[:4] != b"NES\x1a":
        return False
    if data[6] & _BATTERY:
        return True
    return bool(data[10]) if data[7] & 12 == _NES_2 else bool(data[8])


def _no_prg(header: bytes) -> bytearray:
    """A copy of the header that gives the program ROM's size as 0."""
    changed = bytearray(header)
    changed[4] = 0
    if changed[7] & 0x0C == 0x08:
        changed[9] &= 0xF0
    return changed


def load_nes_rom(path: Path, system: Path | None = None) -> Rom:
    """Reads a .nes file or a disk (.fds), or a .zip with exactly one of them. Raises RomError that says what is wrong.

    A disk needs the disk system's ROM, in ``system`` (a folder, or the file itself) or else beside the disk. Raises
    UsageError when ``system`` is given for a cartridge.
    """
    data = _FILES.read(path)
    name = path.name
    if data[:4] != b"NES\x1a" and (path.suffix.lower() == ".zip" or zipfile.is_zipfile(path)):
        name, data = _FILES.unzip(path)
    if data.startswith((_DISK, _BARE_DISK)):
        return _disk(path, name, data, system)
    if system is not None:
        raise UsageError("a Famicom cartridge needs no system ROM: leave --system out")
    if data.startswith(b"UNIF"):
        raise RomError(
            f"{path} is a NES ROM in the form UNIF, which isn't read here: give the game as a .nes file (iNES or NES "
            "2.0)"
        )
    if data[:4] != b"NES\x1a":
        raise RomError(f"{path} is not a NES ROM{but(kind_of(data[:HEAD]))}; it doesn't begin with the iNES header")
    if len(data) < _HEADER:
        raise RomError(
            f"{path} is cut short: the iNES header alone is longer than its {counted(len(data), 'byte')}; copy it again"
        )
    size = ines_size(data[:_HEADER])
    if len(data) < size:
        raise RomError(f"{path} is cut short: its header promises {size} bytes, it has {len(data)}; dump it again")
    if size - ines_size(bytes(_no_prg(data[:_HEADER]))) == 0:
        raise RomError(f"{path} has no program ROM according to its header; dump it again")
    return Rom(path, name, data, "nes", "game.nes")


def _disk(path: Path, name: str, data: bytes, system: Path | None) -> Rom:
    """Loads a disk together with the disk system's ROM. Raises RomError."""
    header = _HEADER if data.startswith(_DISK) else 0
    sides, rest = divmod(len(data) - header, _SIDE_BYTES)
    promised = data[4] if header and len(data) > 4 else sides
    if sides < max(promised, 1):
        raise RomError(
            f"{path} is cut short: a disk has {_SIDE_BYTES:,} bytes a side, this one {len(data) - header:,} for "
            f"{counted(max(promised, 1), 'side')}; dump it again"
        )
    if not header and rest:
        raise RomError(f"{path} is no whole disk: {_SIDE_BYTES:,} bytes a side, and {rest:,} more; dump it again")
    return Rom(path, name, data, "nes", "game.fds", system_files=((DISK_BIOS, _bios(path, system)),))


def _bios(path: Path, system: Path | None) -> bytes:
    """Reads the disk system's ROM. Raises RomError."""
    found = system if system is not None and is_file(system) else (system or path.parent) / DISK_BIOS
    if not is_file(found):
        where = f"in {system}" if system is not None else "beside it"
        raise RomError(
            f"{path.name} is a disk of the Famicom Disk System, which needs that system's own ROM, and there is no "
            f"{DISK_BIOS} {where}: put yours there, or name its folder with --system"
        )
    try:
        bios = read_file(found, _BIOS_BYTES) if found.stat().st_size == _BIOS_BYTES else b""
    except OSError as error:
        raise RomError(f"can't read {found}: {error.strerror or error}") from None
    if not bios:
        raise RomError(f"{found} is no ROM of the Famicom Disk System: that has {_BIOS_BYTES:,} bytes; give yours")
    return bios

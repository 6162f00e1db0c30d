"""Makes a console's ROM of what its linker wrote: ``python3 pack.py CONSOLE FROM TO``. Standard library only."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

TITLE = b"KODAMA"


def from_hex(text: str, size: int) -> bytearray:
    """A ROM from lines of Intel's hexadecimal format."""
    rom = bytearray(b"\xff" * size)
    for line in text.split():
        data = bytes.fromhex(line[1:])
        if data[3] == 0:
            at = data[1] << 8 | data[2]
            rom[at : at + data[0]] = data[4:-1]
    return rom


def gameboy(read: Path) -> bytes:
    """32 KiB without banks. The logo is the console's in its first four bytes alone, which mGBA wants."""
    rom = from_hex(read.read_text(), 0x8000)
    rom[0x104:0x150] = bytes(0x4C)
    rom[0x104:0x108] = b"\xce\xed\x66\x66"
    rom[0x134 : 0x134 + len(TITLE)] = TITLE
    rom[0x143] = 0x80
    rom[0x14A] = 1
    rom[0x14D] = -sum(rom[0x134:0x14D]) - 25 & 0xFF
    total = sum(rom) & 0xFFFF
    rom[0x14E:0x150] = total.to_bytes(2, "big")
    return bytes(rom)


def sega(read: Path, region: int) -> bytes:
    """32 KiB with a header for a region: 4 Master System, 7 Game Gear."""
    rom = from_hex(read.read_text(), 0x8000)
    rom[0x7FF0:0x8000] = b"TMR SEGA" + bytes(8)
    rom[0x7FFF] = region << 4 | 0xC
    rom[0x7FFA:0x7FFC] = (sum(rom[:0x7FF0]) & 0xFFFF).to_bytes(2, "little")
    return bytes(rom)


def pcengine(read: Path) -> bytes:
    """The linker's file: the card's page 0 comes first."""
    return read.read_bytes()


def snes(read: Path) -> bytes:
    """32 KiB (LoROM) with a header."""
    rom = bytearray(read.read_bytes())
    rom[0x7FC0:0x7FD5] = TITLE.ljust(21)
    rom[0x7FD5:0x7FE0] = bytes((0x20, 0, 5, 0, 0, 0, 0, 0xFF, 0xFF, 0, 0))
    total = sum(rom) & 0xFFFF
    rom[0x7FDC:0x7FE0] = (total ^ 0xFFFF).to_bytes(2, "little") + total.to_bytes(2, "little")
    return bytes(rom)


def gba(read: Path) -> bytes:
    """The logo is the console's in its first four bytes alone, which mGBA wants."""
    rom = bytearray(read.read_bytes())
    rom[0x04:0x08] = b"\x24\xff\xae\x51"
    rom[0xA0:0xAC] = TITLE.ljust(12, b"\0")
    rom[0xAC:0xB2] = b"OKDE00"
    rom[0xB2] = 0x96
    rom[0xBD] = -sum(rom[0xA0:0xBD]) - 0x19 & 0xFF
    return bytes(rom)


CONSOLES: dict[str, Callable[[Path], bytes]] = {
    "gb": gameboy,
    "sms": lambda read: sega(read, 4),
    "gg": lambda read: sega(read, 7),
    "pce": pcengine,
    "snes": snes,
    "gba": gba,
}


def main(console: str, read: str, write: str) -> None:
    Path(write).write_bytes(CONSOLES[console](Path(read)))


if __name__ == "__main__":
    main(*sys.argv[1:])

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


CONSOLES: dict[str, Callable[[Path], bytes]] = {
    "gb": gameboy,
    "sms": lambda read: sega(read, 4),
    "gg": lambda read: sega(read, 7),
}


def main(console: str, read: str, write: str) -> None:
    Path(write).write_bytes(CONSOLES[console](Path(read)))


if __name__ == "__main__":
    main(*sys.argv[1:])

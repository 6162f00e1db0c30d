"""Finish the ROM: pad it, and write the last address and the checksum into its header.

python3 pack.py CART_BIN ROM
"""

from __future__ import annotations

import sys
from pathlib import Path

STEP = 0x4000
CHECKSUM, LAST, CODE = 0x18E, 0x1A4, 0x200


def finished(program: bytes) -> bytes:
    """The program padded to a multiple of 16 KiB, with its last address and its checksum in the header."""
    rom = bytearray(program.ljust(-(-len(program) // STEP) * STEP, b"\xff"))
    rom[LAST : LAST + 4] = (len(rom) - 1).to_bytes(4, "big")
    total = sum(rom[i] << 8 | rom[i + 1] for i in range(CODE, len(rom), 2)) & 0xFFFF
    rom[CHECKSUM : CHECKSUM + 2] = total.to_bytes(2, "big")
    return bytes(rom)


if __name__ == "__main__":
    Path(sys.argv[2]).write_bytes(finished(Path(sys.argv[1]).read_bytes()))

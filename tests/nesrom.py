"""A tiny NES program of our own for console tests, assembled by hand.

It counts its own loops in $10/$11, keeps pad 1 in $20 and pad 2 in $21 (bit 7 = A … bit 0 = right, as the hardware
shifts them out). When it starts, it adds 1 to $30, which holds whatever the core's RAM has at power-on.
"""

from __future__ import annotations

import struct

_PROGRAM = bytes.fromhex(
    "78 D8 A2 FF 9A"  # sei; cld; ldx #$ff; txs
    "E6 30"  # inc $30
    "A9 01 8D 16 40 A9 00 8D 16 40"  # loop: strobe the pads
    "A2 08"  # ldx #8
    "AD 16 40 4A 26 22"  # shift: lda $4016; lsr; rol $22
    "AD 17 40 4A 26 23"  # lda $4017; lsr; rol $23
    "CA D0 F1"  # dex; bne shift
    "A5 22 85 20 A5 23 85 21"  # both are whole now: lda $22; sta $20; lda $23; sta $21
    "E6 10 D0 02 E6 11"  # inc $10; bne +2; inc $11
    "4C 07 80"  # jmp loop
)


def header(prg: int = 2, chr_: int = 1) -> bytes:
    """An iNES header for mapper 0."""
    return b"NES\x1a" + bytes([prg, chr_, 0, 0]) + bytes(8)


def image() -> bytes:
    """The whole cartridge."""
    prg = bytearray(b"\xea" * 0x8000)
    prg[: len(_PROGRAM)] = _PROGRAM
    prg[0x7FFA:] = struct.pack("<HHH", 0x8000, 0x8000, 0x8000)
    return header() + bytes(prg) + bytes(0x2000)

"""Tiny NES programs of our own in which nothing falls on a grid."""

from __future__ import annotations

import random
import struct

from tests.nesrom import header

_SPRITE = bytes.fromhex(
    "78 D8 A2 FF 9A"  # sei; cld; ldx #$ff; txs
    "A9 80 85 40 A9 20 85 41"  # x in $40, y in $41
    "AD 02 20 10 FB"  # loop: until the vertical blank
    "A9 01 8D 16 40 A9 00 8D 16 40 A2 08"  # strobe the pad
    "AD 16 40 4A 26 22 CA D0 F7"  # eight times: lda $4016; lsr; rol $22
    "E6 42"  # inc $42, the frames
    "A5 22 4A 90 02 E6 40"  # right: inc $40
    "4A 90 02 C6 40"  # left: dec $40
    "4A 90 02 E6 41"  # down: inc $41
    "A5 42 29 0F D0 02 E6 41"  # every 16 frames: inc $41
    "A5 40 8D 03 02 A5 41 8D 00 02"  # copies x and y to the sprite list at $0200, as games do
    "4C 0D 80"  # jmp loop
)


def moving_sprite() -> bytes:
    """A sprite that sinks by itself, faster with DOWN, and moves with left and right. There is no field."""
    prg = bytearray(b"\xea" * 0x8000)
    prg[: len(_SPRITE)] = _SPRITE
    prg[0x7FFA:] = struct.pack("<HHH", 0x8000, 0x8000, 0x8000)
    return header() + bytes(prg) + bytes(0x2000)


def noise(seed: int) -> bytes:
    """A cartridge of random bytes."""
    return header() + random.Random(seed).randbytes(0xA000)

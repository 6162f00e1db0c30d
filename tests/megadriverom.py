"""A tiny Mega Drive program of our own for console tests, assembled by hand.

It writes 0x1234 at FF0000 and 0xA1B2C3D4 at FF0010, counts its loops in the long word at FF0004, and keeps pad 1 in
FF0020 (the port with TH high: C, B, right, left, down, up in bits 5 to 0, 0 = pressed) and FF0021 (TH low: START in bit
5, A in bit 4), pad 2 in FF0022 and FF0023. The screen is on and shows one colour.
"""

from __future__ import annotations

SIZE = 0x20000

_PROGRAM = bytes.fromhex(
    "46FC2700"  # move #$2700,sr
    "33FC800400C00004"  # move.w #$8004,vdp control: colours of 9 bits
    "33FC814400C00004"  # display on
    "33FC870000C00004"  # the background is colour 0
    "23FCC000000000C00004"  # move.l: write colour 0
    "33FC002400C00000"  # move.w #$0024,vdp data
    "33FC123400FF0000"  # move.w #$1234,$ff0000
    "23FCA1B2C3D400FF0010"  # move.l #$a1b2c3d4,$ff0010
    "13FC004000A10009"  # move.b #$40,$a10009: TH of pad 1 is an output
    "13FC004000A1000B"  # and of pad 2
)
_LOOP = bytes.fromhex(
    "52B900FF0004"  # addq.l #1,$ff0004
    "13FC004000A10003 13FC004000A10005 4E714E71"  # TH high on both; nop; nop
    "13F900A1000300FF0020 13F900A1000500FF0022"  # move.b $a10003,$ff0020; move.b $a10005,$ff0022
    "13FC000000A10003 13FC000000A10005 4E714E71"  # TH (the pin that selects which buttons are read) low on both
    "13F900A1000300FF0021 13F900A1000500FF0023"
)


def checksum(data: bytes | bytearray) -> int:
    """The checksum for the header: the sum of all 16-bit words from 0x200 on, modulo 2^16."""
    return sum(data[at] << 8 | data[at + 1] for at in range(0x200, len(data) - 1, 2)) & 0xFFFF


def image(console: bytes = b"SEGA MEGA DRIVE ", size: int = SIZE) -> bytes:
    """The whole cartridge."""
    rom = bytearray(size)
    rom[0x1000:] = b"\x5a" * (size - 0x1000)
    rom[0:8] = bytes.fromhex("00FFFFF0 00000200")
    for vector in range(2, 64):
        rom[4 * vector : 4 * vector + 4] = bytes.fromhex("00000200")
    rom[0x100 : 0x100 + len(console)] = console
    rom[0x1A0:0x1B0] = bytes(4) + (size - 1).to_bytes(4, "big") + bytes.fromhex("00FF0000 00FFFFFF")
    rom[0x1F0:0x200] = b"JUE             "
    code = _PROGRAM + _LOOP
    code += bytes.fromhex("6000") + (-len(_LOOP) - 2 & 0xFFFF).to_bytes(2, "big")
    rom[0x200 : 0x200 + len(code)] = code
    rom[0x18E:0x190] = checksum(rom).to_bytes(2, "big")
    return bytes(rom)


def torn(data: bytes) -> bytes:
    """The cartridge as the copier Super Magic Drive writes it: a header, then blocks of 16 KiB, odd bytes first."""
    header = bytearray(512)
    header[0], header[8:11] = len(data) // 0x4000, b"\xaa\xbb\x06"
    blocks = (data[at : at + 0x4000] for at in range(0, len(data), 0x4000))
    return bytes(header) + b"".join(block[1::2] + block[0::2] for block in blocks)

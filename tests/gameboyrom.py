"""A tiny Game Boy program of our own for console tests, assembled by hand.

When it starts, it adds 1 to C030, which holds whatever the core's RAM has at power-on. It writes 12 34 6D at C000 (6D
comes from the ROM's second bank), 11 at D000 and 77 at A000 (the cartridge's RAM). On a Color, it also writes 22 at
D000 of bank 2. In HRAM it writes 9A at FF80 and BC at FFFE.

In each vertical blank it counts up the word at C004 and the byte at FF81, stores the buttons in C020 and FF82 (bits 7
to 0: down, up, left, right, START, SELECT, B, A; 1 = pressed), and copies C021 to FF83 and FF84 to C022. A dot is in
the column at C050 (0 to 7) and the row at FF90 (0 to 127): left and right move it, and it falls every 16 frames, or
each frame while down is held. The screen is white. While SELECT is held, it is off for two and a half frames each time
round, and the byte at C040 is counted up.
"""

from __future__ import annotations

_PROGRAM = bytes.fromhex(
    "F3"  # di
    "21 30 C0 34"  # ld hl,$c030; inc (hl)
    "3E 91 E0 40"  # ld a,$91; ldh ($40),a: the screen is on
    "3E E4 E0 47"  # the shades of a Game Boy: colour 0 is white
    "3E 80 E0 68 3E FF E0 69 3E 7F E0 69"  # the same on a Color
    "3E 0A EA 00 00"  # opens the cartridge's RAM
    "3E 02 E0 70 3E 22 EA 00 D0 3E 01 E0 70"  # bank 2 at D000, then bank 1; a Game Boy has no banks
    "3E 11 EA 00 D0 3E 77 EA 00 A0"
    "AF EA 04 C0 EA 05 C0 E0 81"  # xor a; the counters are 0
    "EA 52 C0 E0 90 3E 03 EA 50 C0"  # the dot is in column 3 of row 0
    "3E 12 EA 00 C0 3E 34 EA 01 C0"
    "FA 00 41 EA 02 C0"  # ld a,($4100); ld ($c002),a
    "3E 9A E0 80 3E BC E0 FE"
)
_LOOP = bytes.fromhex(
    "F0 44 FE 90 20 FA"  # ldh a,($44); cp 144; jr nz: waits for the vertical blank
    "21 04 C0 34 20 02 23 34"  # ld hl,$c004; inc (hl); jr nz,+2; inc hl; inc (hl)
    "F0 81 3C E0 81"  # ldh a,($81); inc a; ldh ($81),a
    "3E 20 E0 00 F0 00 F0 00 2F E6 0F CB 37 47"  # the directions: select, read twice, cpl, and 15, swap, ld b,a
    "3E 10 E0 00 F0 00 F0 00 2F E6 0F B0"  # the other buttons; or b
    "EA 20 C0 E0 82"  # ld ($c020),a; ldh ($82),a
    "4F FA 52 C0 2F A1 47 79 EA 52 C0"  # ld c,a; b: the buttons that weren't pressed the last time round
    "21 50 C0 CB 68 28 01 35 CB 60 28 01 34"  # ld hl,$c050; left: dec (hl); right: inc (hl)
    "7E E6 07 77"  # ld a,(hl); and 7; ld (hl),a
    "CB 79 20 07 FA 04 C0 E6 0F 20 07"  # bit 7,c; jr nz,+7; ld a,($c004); and 15; jr nz,+7
    "F0 90 3C E6 7F E0 90"  # ldh a,($90); inc a; and 127; ldh ($90),a
    "CB 51 28 13"  # bit 2,c; jr z: while SELECT is held, each time round
    "AF E0 40 21 40 C0 11 35 18"  # xor a; ldh ($40),a; ld hl,$c040; ld de,6197: the screen is off
    "34 1B 7A B3 20 FA 3E 91 E0 40"  # inc (hl); dec de; ld a,d; or e; jr nz,-6; on again after two and a half frames
    "FA 21 C0 E0 83 F0 84 EA 22 C0"
    "F0 44 FE 90 28 FA"  # waits for the next line
)


def header_checksum(rom: bytes | bytearray) -> int:
    """The checksum of the header's bytes 134 to 14C."""
    value = 0
    for byte in rom[0x134:0x14D]:
        value = value - byte - 1 & 0xFF
    return value


def image(*, color: bool = False, cartridge_ram: bool = False, title: bytes = b"TINY") -> bytes:
    """The whole cartridge of 32 KiB. color: for the Color alone. cartridge_ram: MBC1 with 8 KiB and a battery.

    Its logo is one of our own, but for the first four bytes: mGBA knows a Game Boy's ROM by them.
    """
    rom = bytearray(0x8000)
    rom[0x100:0x104] = bytes.fromhex("00 C3 50 01")
    rom[0x104:0x134] = bytes.fromhex("CE ED 66 66") + bytes(44)
    rom[0x134 : 0x134 + len(title)] = title
    rom[0x143] = 0xC0 if color else 0
    rom[0x147:0x14A] = bytes([3, 0, 2]) if cartridge_ram else bytes(3)
    code = _PROGRAM + _LOOP
    code += b"\xc3" + (0x150 + len(_PROGRAM)).to_bytes(2, "little")
    rom[0x150 : 0x150 + len(code)] = code
    rom[0x4100] = 0x6D
    rom[0x14D] = header_checksum(rom)
    return bytes(rom)

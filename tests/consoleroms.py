"""Tiny programs of our own for the consoles without a game of ours, assembled by hand.

Each does the same, at the addresses that begin with its work RAM. When it starts, it writes 12 34 at offset 0. In each
vertical blank it counts up the word at offset 4, and stores the first pad at offset 20 as the hardware shows it (1 =
pressed). A dot is in the column at offset 50 (0 to 7) and the row at offset 52 (0 to 127): left and right move it, and
it falls every 16 frames, or each frame while down is held. The whole screen is white.

The facts about the hardware are from these public pages: SMS Power ("Sega Master System hardware notes", "ROM header"),
fullsnes and GBATEK by Martin Korth, and "Archaic Pixels" (PC Engine).
"""

from __future__ import annotations

_Z80_START = (
    "F3 31 F0 DF 18 7A",  # di; ld sp,$dff0; jr $0080
)
_Z80 = (
    # the palette: 32 colours of one byte, or of two bytes on a Game Gear
    "AF D3 BF 3E C0 D3 BF 06 40 3E FF D3 BE 10 FC"
    "3E 12 32 00 C0 3E 34 32 01 C0 AF 32 04 C0 32 05 C0 32 52 C0 32 53 C0 3E 03 32 50 C0"
)
_Z80_LOOP = (
    "DB BF E6 80 28 FA",  # in a,($bf); and $80; jr z: waits for the vertical blank
    "21 04 C0 34 20 02 23 34",  # ld hl,$c004; inc (hl); jr nz,+2; inc hl; inc (hl)
    "DB DC 2F E6 3F 47",  # the pad: in a,($dc); cpl; and $3f; ld b,a
    "DB 00 2F E6 80 B0",  # a Game Gear's START: in a,($00); cpl; and $80; or b
    "32 20 C0 4F 3A 53 C0 2F A1 47 79 32 53 C0",  # c: the buttons, b: those that weren't pressed a frame ago
    "21 50 C0 CB 50 28 01 35 CB 58 28 01 34 7E E6 07 77",  # left: dec (hl); right: inc (hl); and 7
    "CB 49 20 07 3A 04 C0 E6 0F 20 09",  # bit 1,c (down); otherwise each 16th frame
    "3A 52 C0 3C E6 7F 32 52 C0",
)


def sega8(*, game_gear: bool = False) -> bytes:
    """A ROM of 32 KiB for the Master System, or for the Game Gear. It has the header that the console looks for."""
    rom = bytearray(0x8000)
    _put(rom, 0, "".join(_Z80_START))
    rom[0x66:0x68] = bytes.fromhex("ED45")  # the pause button's routine does nothing
    loop = "".join(_Z80_LOOP)
    # on a Master System, nothing is at port 00
    loop = loop if game_gear else loop.replace(_Z80_LOOP[3], "78")
    _put(rom, 0x80, _Z80 + loop + "C3" + _little(0x80 + len(bytes.fromhex(_Z80))))
    rom[0x7FF0:0x7FF8] = b"TMR SEGA"
    rom[0x7FFF] = 0x7C if game_gear else 0x4C
    rom[0x7FFA:0x7FFC] = (sum(rom[:0x7FF0]) & 0xFFFF).to_bytes(2, "little")
    return bytes(rom)


_SNES = (
    "78 D8 A9 0F 8D 00 21"  # sei; cld; the screen is on
    "9C 21 21 A9 FF 8D 22 21 A9 7F 8D 22 21"  # colour 0 is white
    "A9 01 8D 00 42"  # the console reads the pads by itself
    "A9 12 85 00 A9 34 85 01 A9 77 8F 00 00 7F"  # 77 at 7F0000, in the second bank
    "64 04 64 05 64 52 64 53 A9 03 85 50"
)
_SNES_LOOP = (
    "AD 10 42 10 FB A2 FF CA D0 FD CA D0 FD"  # waits for the vertical blank, and until the pads are read
    "E6 04 D0 02 E6 05"
    "AD 18 42 85 21 AD 1B 42 85 22 AD 19 42 85 20"  # 20: B, Y, SELECT, START, the directions; 21: A, X, L, R
    "A5 53 49 FF 25 20 85 54 A5 20 85 53"
    "A5 54 29 02 F0 02 C6 50 A5 54 29 01 F0 02 E6 50 A5 50 29 07 85 50"
    "A5 20 29 04 D0 06 A5 04 29 0F D0 07"
    "A5 52 1A 29 7F 85 52"
)


def snes(*, high: bool = False) -> bytes:
    """A ROM of 64 KiB for the Super Famicom, mapped as LoROM or HiROM. It stays in the 65816's emulation mode."""
    rom = bytearray(0x10000)
    code = _SNES + _SNES_LOOP + "4C" + _little(0x8000 + len(bytes.fromhex(_SNES)))
    header = 0xFFC0 if high else 0x7FC0
    _put(rom, 0x8000 if high else 0, code)
    rom[header : header + 21] = b"TINY".ljust(21)
    rom[header + 0x15 : header + 0x1C] = bytes([0x21 if high else 0x20, 0, 6, 0, 1, 0, 0])
    rom[header + 0x3C : header + 0x3E] = bytes.fromhex("0080")
    rom[header + 0x1C : header + 0x20] = bytes.fromhex("FFFF0000")
    total = sum(rom) & 0xFFFF
    rom[header + 0x1C : header + 0x20] = (total ^ 0xFFFF).to_bytes(2, "little") + total.to_bytes(2, "little")
    return bytes(rom)


_PCE = (
    "78 D4 D8 A9 FF 53 01 A9 F8 53 02 A2 FF 9A"  # the hardware is at 0000, RAM at 2000, the stack in it
    "9C 02 14 A9 07 8D 02 14"  # no interrupts
    "03 0A 13 02 23 02 03 0B 13 1F 23 03 03 0C 13 02 23 0F 03 0D 13 EF 23 00 03 0E 13 03 23 00"  # a usual picture
    "03 05 13 08 23 00"  # the vertical blank is shown in the status
    "9C 00 04 9C 02 04 9C 03 04 A9 FF 8D 04 04 A9 01 8D 05 04"  # colour 0 is white
    "9C 02 04 A9 01 8D 03 04 A9 FF 8D 04 04 A9 01 8D 05 04"  # and colour 256, beyond the picture
    "A9 12 85 00 A9 34 85 01 64 04 64 05 64 52 64 53 A9 03 85 50"
)
_PCE_LOOP = (
    "AD 00 00 29 20 F0 F9"
    "E6 04 D0 02 E6 05"
    "A9 01 8D 00 10 A9 03 8D 00 10 A9 01 8D 00 10 EA EA EA EA"
    "AD 00 10 0A 0A 0A 0A 85 20 9C 00 10 EA EA EA EA AD 00 10 29 0F 05 20 49 FF 85 20"
    "A5 53 49 FF 25 20 85 54 A5 20 85 53"
    "A5 54 29 80 F0 02 C6 50 A5 54 29 20 F0 02 E6 50 A5 50 29 07 85 50"
    "A5 20 29 40 D0 06 A5 04 29 0F D0 07"
    "A5 52 1A 29 7F 85 52"
)


def pcengine() -> bytes:
    """A HuCard of 8 KiB for the PC Engine."""
    rom = bytearray(0x2000)
    _put(rom, 0, _PCE + _PCE_LOOP + "4C" + _little(0xE000 + len(bytes.fromhex(_PCE))))
    rom[0x1FFE:0x2000] = bytes.fromhex("00E0")
    return bytes(rom)


_ARM = (
    0xE3A04402,  # mov r4,#$2000000
    0xE3A05403,  # mov r5,#$3000000
    0xE3A06404,  # mov r6,#$4000000
    0xE3A07405,  # mov r7,#$5000000
    *(0xE3A000FF, 0xE3800C7F, 0xE1C700B0),  # colour 0 is white
    *(0xE3A00000, 0xE1C600B0),  # the screen is on
    *(0xE5840004, 0xE5C40052, 0xE3A08000),
    *(0xE3A00012, 0xE5C40000, 0xE3A00034, 0xE5C40001, 0xE3A0009A, 0xE5C50000, 0xE3A00003, 0xE5C40050),
)
_ARM_LOOP = (
    *(0xE1D600B6, 0xE35000A0, 0x1AFFFFFC),  # waits for line 160
    *(0xE5941004, 0xE2811001, 0xE5841004),
    *(0xE2862E13, 0xE1D220B0, 0xE1E02002, 0xE1A02B02, 0xE1A02B22, 0xE1C422B0),  # L, R, down, up, left, right, ..., A
    *(0xE1C23008, 0xE1A08002),
    *(0xE5D40050, 0xE3130020, 0x12400001, 0xE3130010, 0x12800001, 0xE2000007, 0xE5C40050),
    *(0xE3120080, 0x01A09001, 0x13A09000, 0xE319000F),
    *(0xE5D40052, 0x02800001, 0xE200007F, 0xE5C40052),
    *(0xE5C51003, 0xE5D50004, 0xE5C40024),  # counts at 3000003, copies 3000004 to 2000024
    *(0xE1D600B6, 0xE35000A0, 0x0AFFFFFC),  # waits for the next line
)


def gba() -> bytes:
    """A ROM of 4 KiB for the Game Boy Advance. Its logo is one of our own."""
    back = -(len(_ARM_LOOP) + 2) & 0xFFFFFF
    rom = bytearray(0x1000)
    rom[0:4] = (0xEA00002E).to_bytes(4, "little")
    rom[4:8] = bytes.fromhex("24FFAE51")
    rom[0xA0:0xA4] = b"TINY"
    rom[0xB2] = 0x96
    rom[0xBD] = -(sum(rom[0xA0:0xBD]) + 0x19) & 0xFF
    code = b"".join(word.to_bytes(4, "little") for word in (*_ARM, *_ARM_LOOP, 0xEA000000 | back))
    rom[0xC0 : 0xC0 + len(code)] = code
    return bytes(rom)


def _put(rom: bytearray, at: int, code: str) -> None:
    data = bytes.fromhex(code)
    rom[at : at + len(data)] = data


def _little(address: int) -> str:
    return address.to_bytes(2, "little").hex()

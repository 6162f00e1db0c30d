"""The 6502's official opcodes as tables: what each does, how it finds its operand, how many cycles it takes."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

MODES = ("imp", "acc", "imm", "zp", "zpx", "zpy", "abs", "abx", "aby", "inx", "iny", "ind", "rel")

READS = {
    "LDA": "imm A9 zp A5 zpx B5 abs AD abx BD aby B9 inx A1 iny B1",
    "LDX": "imm A2 zp A6 zpy B6 abs AE aby BE",
    "LDY": "imm A0 zp A4 zpx B4 abs AC abx BC",
    "ADC": "imm 69 zp 65 zpx 75 abs 6D abx 7D aby 79 inx 61 iny 71",
    "SBC": "imm E9 zp E5 zpx F5 abs ED abx FD aby F9 inx E1 iny F1",
    "AND": "imm 29 zp 25 zpx 35 abs 2D abx 3D aby 39 inx 21 iny 31",
    "ORA": "imm 09 zp 05 zpx 15 abs 0D abx 1D aby 19 inx 01 iny 11",
    "EOR": "imm 49 zp 45 zpx 55 abs 4D abx 5D aby 59 inx 41 iny 51",
    "CMP": "imm C9 zp C5 zpx D5 abs CD abx DD aby D9 inx C1 iny D1",
    "CPX": "imm E0 zp E4 abs EC",
    "CPY": "imm C0 zp C4 abs CC",
    "BIT": "zp 24 abs 2C",
}
WRITES = {
    "STA": "zp 85 zpx 95 abs 8D abx 9D aby 99 inx 81 iny 91",
    "STX": "zp 86 zpy 96 abs 8E",
    "STY": "zp 84 zpx 94 abs 8C",
}
CHANGES = {  # read, modify, write
    "ASL": "acc 0A zp 06 zpx 16 abs 0E abx 1E",
    "LSR": "acc 4A zp 46 zpx 56 abs 4E abx 5E",
    "ROL": "acc 2A zp 26 zpx 36 abs 2E abx 3E",
    "ROR": "acc 6A zp 66 zpx 76 abs 6E abx 7E",
    "INC": "zp E6 zpx F6 abs EE abx FE",
    "DEC": "zp C6 zpx D6 abs CE abx DE",
}
OTHERS = {  # addressing mode, opcode and cycles
    "INX": ("imp", 0xE8, 2), "INY": ("imp", 0xC8, 2), "DEX": ("imp", 0xCA, 2), "DEY": ("imp", 0x88, 2),
    "TAX": ("imp", 0xAA, 2), "TXA": ("imp", 0x8A, 2), "TAY": ("imp", 0xA8, 2), "TYA": ("imp", 0x98, 2),
    "TXS": ("imp", 0x9A, 2), "TSX": ("imp", 0xBA, 2), "PHA": ("imp", 0x48, 3), "PLA": ("imp", 0x68, 4),
    "PHP": ("imp", 0x08, 3), "PLP": ("imp", 0x28, 4), "CLC": ("imp", 0x18, 2), "SEC": ("imp", 0x38, 2),
    "CLI": ("imp", 0x58, 2), "SEI": ("imp", 0x78, 2), "CLD": ("imp", 0xD8, 2), "SED": ("imp", 0xF8, 2),
    "CLV": ("imp", 0xB8, 2), "NOP": ("imp", 0xEA, 2), "JMP": ("abs", 0x4C, 3), "JMI": ("ind", 0x6C, 5),
    "JSR": ("abs", 0x20, 6), "RTS": ("imp", 0x60, 6), "RTI": ("imp", 0x40, 6),
    "BPL": ("rel", 0x10, 2), "BMI": ("rel", 0x30, 2), "BVC": ("rel", 0x50, 2), "BVS": ("rel", 0x70, 2),
    "BCC": ("rel", 0x90, 2), "BCS": ("rel", 0xB0, 2), "BNE": ("rel", 0xD0, 2), "BEQ": ("rel", 0xF0, 2),
}  # fmt: skip

READ_CYCLES = {"imm": 2, "zp": 3, "zpx": 4, "zpy": 4, "abs": 4, "abx": 4, "aby": 4, "inx": 6, "iny": 5}
WRITE_CYCLES = {**READ_CYCLES, "abx": 5, "aby": 5, "iny": 6}
CHANGE_CYCLES = {"acc": 2, "zp": 5, "zpx": 6, "abs": 6, "abx": 7}
LENGTH = {"imp": 1, "acc": 1, "abs": 3, "abx": 3, "aby": 3, "ind": 3}

NAMES: tuple[str, ...] = ("???", *READS, *WRITES, *CHANGES, *OTHERS)
NUMBER = {name: number for number, name in enumerate(NAMES)}
MODE = {name: number for number, name in enumerate(MODES)}

Table = npt.NDArray[np.int64]


def tables() -> tuple[Table, Table, Table, Table]:
    """Per opcode: operation (0 unknown), addressing mode, cycles, and 1 where crossing a page takes one cycle more."""
    operation, mode, cycles, crossing = (np.zeros(256, np.int64) for _ in range(4))

    def put(name: str, how: str, code: int, taken: int, more: int) -> None:
        assert operation[code] == 0, f"{name} {how}: {code:02X} is taken"
        operation[code], mode[code], cycles[code], crossing[code] = NUMBER[name], MODE[how], taken, more

    for group, costs in ((READS, READ_CYCLES), (WRITES, WRITE_CYCLES), (CHANGES, CHANGE_CYCLES)):
        for name, forms in group.items():
            words = forms.split()
            for how, code in zip(words[::2], words[1::2], strict=True):
                put(name, how, int(code, 16), costs[how], int(group is READS and how in ("abx", "aby", "iny")))
    for name, (how, number, taken) in OTHERS.items():
        put(name, how, number, taken, 0)
    return operation, mode, cycles, crossing


def length(mode: int) -> int:
    """The length in bytes of an instruction with this addressing mode."""
    return LENGTH.get(MODES[mode], 2)

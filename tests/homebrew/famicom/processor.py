"""A 6502 and as much of a Famicom as our cartridge needs, exact to the cycle, compiled by numba.

It knows RAM, an NROM cartridge, the two pads, vertical blank and its NMI, sprite DMA's 513 or 514 cycles, and whether
a line has more than 8 sprites. It has no picture and no sound: it watches what the program does to the PPU and when.
"""

# numba has no types
# mypy: disable-error-code="untyped-decorator"

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit

from tests.homebrew.famicom.opcodes import MODE, NUMBER

# Places in the state array
A, X, Y, S, P, PC, CYCLES, CONTROL, RENDERING, VBLANK, OVERFLOW = range(11)
IN_NMI, NMI_START, NMI_WORST, NMI_LAST, ILLICIT, ILLICIT_AT = range(11, 17)
STROBE, SHIFT_1, SHIFT_2, PAD_1, PAD_2, WAIT_AT, READY_AT, LOWEST_STACK, HALTED, MOST_SPRITES = range(17, 27)
STATES = 27

VBLANK_CYCLES = 2273
"""CPU cycles from the NMI to the first line that is drawn, rounded down."""

IMM, ZP, ZPX, ZPY = MODE["imm"], MODE["zp"], MODE["zpx"], MODE["zpy"]
ABS, ABX, ABY, INX_, INY_ = MODE["abs"], MODE["abx"], MODE["aby"], MODE["inx"], MODE["iny"]
IND, REL, ACC = MODE["ind"], MODE["rel"], MODE["acc"]
LDA, LDX, LDY, ADC, SBC = (NUMBER[n] for n in ("LDA", "LDX", "LDY", "ADC", "SBC"))
AND, ORA, EOR, CMP, CPX, CPY, BIT = (NUMBER[n] for n in ("AND", "ORA", "EOR", "CMP", "CPX", "CPY", "BIT"))
STA, STX, STY = NUMBER["STA"], NUMBER["STX"], NUMBER["STY"]
ASL, LSR, ROL, ROR, INC, DEC = (NUMBER[n] for n in ("ASL", "LSR", "ROL", "ROR", "INC", "DEC"))
INX, INY, DEX, DEY = (NUMBER[n] for n in ("INX", "INY", "DEX", "DEY"))
TAX, TXA, TAY, TYA, TXS, TSX = (NUMBER[n] for n in ("TAX", "TXA", "TAY", "TYA", "TXS", "TSX"))
PHA, PLA, PHP, PLP = (NUMBER[n] for n in ("PHA", "PLA", "PHP", "PLP"))
CLC, SEC, CLI, SEI, CLD, SED, CLV = (NUMBER[n] for n in ("CLC", "SEC", "CLI", "SEI", "CLD", "SED", "CLV"))
JMP, JMI, JSR, RTS, RTI = (NUMBER[n] for n in ("JMP", "JMI", "JSR", "RTS", "RTI"))
BPL, BEQ = NUMBER["BPL"], NUMBER["BEQ"]
BRANCH_FLAG = np.array([0x80, 0x80, 0x40, 0x40, 0x01, 0x01, 0x02, 0x02])  # BPL BMI BVC BVS BCC BCS BNE BEQ
BRANCH_SET = np.array([0, 1, 0, 1, 0, 1, 0, 1])


@njit(cache=True)
def _read(state: Any, ram: Any, prg: Any, address: int) -> int:
    if address < 0x2000:
        return int(ram[address & 0x7FF])
    if address >= 0x8000:
        return int(prg[address - 0x8000])
    if address == 0x2002:
        value = state[VBLANK] << 7 | state[OVERFLOW] << 5
        state[VBLANK] = 0
        return int(value)
    if address == 0x4016 or address == 0x4017:
        which = address - 0x4016
        if state[STROBE]:
            state[SHIFT_1 + which] = state[PAD_1 + which]
        bit = state[SHIFT_1 + which] >> 7
        state[SHIFT_1 + which] = (state[SHIFT_1 + which] << 1 | 1) & 0xFF
        return int(0x40 | bit)
    return 0


@njit(cache=True)
def _write(state: Any, ram: Any, oam: Any, address: int, value: int) -> None:
    if address < 0x2000:
        ram[address & 0x7FF] = value
    elif address == 0x2000:
        state[CONTROL] = value
    elif address == 0x2001:
        state[RENDERING] = value & 0x18
    elif 0x2003 <= address <= 0x2007 or address == 0x4014:
        late = state[CYCLES] - state[NMI_START] > VBLANK_CYCLES
        if state[RENDERING] and (not state[IN_NMI] or late):
            state[ILLICIT] += 1
            state[ILLICIT_AT] = state[PC]
        if address == 0x4014:
            state[CYCLES] += 513 + (state[CYCLES] & 1)
            for i in range(256):
                oam[i] = ram[(value << 8 | i) & 0x7FF]
    elif address == 0x4016:
        state[STROBE] = value & 1
        if value & 1:
            state[SHIFT_1], state[SHIFT_2] = state[PAD_1], state[PAD_2]


@njit(cache=True)
def _push(state: Any, ram: Any, value: int) -> None:
    ram[0x100 + state[S]] = value & 0xFF
    state[S] = (state[S] - 1) & 0xFF
    state[LOWEST_STACK] = min(state[LOWEST_STACK], state[S])


@njit(cache=True)
def _pull(state: Any, ram: Any) -> int:
    state[S] = (state[S] + 1) & 0xFF
    return int(ram[0x100 + state[S]])


@njit(cache=True)
def _sign(state: Any, value: int) -> None:
    state[P] = (state[P] & 0x7D) | (value & 0x80) | (2 if value == 0 else 0)


@njit(cache=True)
def _word(state: Any, ram: Any, prg: Any, address: int) -> int:
    return int(_read(state, ram, prg, address) | _read(state, ram, prg, address + 1) << 8)


@njit(cache=True)
def _address(state: Any, ram: Any, prg: Any, mode: int) -> tuple[int, bool]:
    """Where the operand is, and whether an index crossed a page. Moves PC past the instruction."""
    pc = state[PC]
    if mode in (IMM, REL):
        state[PC] = pc + 1
        return pc, False
    if mode in (ZP, ZPX, ZPY, INX_, INY_):
        state[PC] = pc + 1
        low = int(prg[pc - 0x8000])
        if mode == ZP:
            return low, False
        if mode == ZPY:
            return (low + state[Y]) & 0xFF, False
        if mode == ZPX:
            return (low + state[X]) & 0xFF, False
        if mode == INX_:
            low = (low + state[X]) & 0xFF
            return int(ram[low]) | int(ram[(low + 1) & 0xFF]) << 8, False
        base = int(ram[low]) | int(ram[(low + 1) & 0xFF]) << 8
        return (base + state[Y]) & 0xFFFF, (base & 0xFF) + state[Y] > 0xFF
    if mode in (ABS, ABX, ABY, IND):
        state[PC] = pc + 2
        base = int(prg[pc - 0x8000]) | int(prg[pc - 0x7FFF]) << 8
        index = state[X] if mode == ABX else state[Y] if mode == ABY else 0
        return (base + index) & 0xFFFF, (base & 0xFF) + index > 0xFF
    return 0, False


@njit(cache=True)
def _add(state: Any, value: int) -> None:
    total = state[A] + value + (state[P] & 1)
    overflow = (~(state[A] ^ value) & (state[A] ^ total) & 0x80) >> 1
    state[P] = (state[P] & 0xBE) | (1 if total > 0xFF else 0) | overflow
    state[A] = total & 0xFF
    _sign(state, state[A])


@njit(cache=True)
def _changed(state: Any, op: int, value: int) -> int:
    """The result of a shift, INC or DEC. Sets the flags."""
    if op == INC:
        result = value + 1
    elif op == DEC:
        result = value - 1
    else:
        carry = state[P] & 1
        if op in (ASL, ROL):
            result = value << 1 | (carry if op == ROL else 0)
            out = value >> 7
        else:
            result = value >> 1 | (carry << 7 if op == ROR else 0)
            out = value & 1
        state[P] = (state[P] & 0xFE) | out
    _sign(state, result & 0xFF)
    return int(result & 0xFF)


@njit(cache=True)
def _use(state: Any, op: int, value: int) -> None:
    """Runs an operation that reads an operand."""
    if op == ADC:
        _add(state, value)
    elif op == SBC:
        _add(state, value ^ 0xFF)
    elif op in (CMP, CPX, CPY):
        register = state[A] if op == CMP else state[X] if op == CPX else state[Y]
        state[P] = (state[P] & 0xFE) | (1 if register >= value else 0)
        _sign(state, (register - value) & 0xFF)
    elif op == BIT:
        state[P] = (state[P] & 0x3D) | (value & 0xC0) | (0 if state[A] & value else 2)
    else:
        to = A
        if op == LDX:
            to = X
        elif op == LDY:
            to = Y
        elif op == AND:
            value &= state[A]
        elif op == ORA:
            value |= state[A]
        elif op == EOR:
            value ^= state[A]
        state[to] = value
        _sign(state, value)


@njit(cache=True)
def _register(state: Any, ram: Any, op: int) -> bool:
    """Runs an operation on registers, flags or the stack. Returns False for any other operation."""
    if op in (INX, DEX, TAX, TSX):
        state[X] = (state[X] + 1) & 0xFF if op == INX else (state[X] - 1) & 0xFF if op == DEX else state[X]
        if op == TAX:
            state[X] = state[A]
        elif op == TSX:
            state[X] = state[S]
        _sign(state, state[X])
    elif op in (INY, DEY, TAY):
        state[Y] = (state[Y] + 1) & 0xFF if op == INY else (state[Y] - 1) & 0xFF if op == DEY else state[A]
        _sign(state, state[Y])
    elif op in (TXA, TYA, PLA):
        state[A] = state[X] if op == TXA else state[Y] if op == TYA else _pull(state, ram)
        _sign(state, state[A])
    elif op == TXS:
        state[S] = state[X]
    elif op == PHA:
        _push(state, ram, state[A])
    elif op == PHP:
        _push(state, ram, state[P] | 0x30)
    elif op == PLP:
        state[P] = _pull(state, ram)
    elif CLC <= op <= CLV:
        bit = 1 if op <= SEC else 4 if op <= SEI else 8 if op <= SED else 0x40
        up = op in (SEC, SEI, SED)
        state[P] = state[P] | bit if up else state[P] & ~bit
    else:
        return False
    return True


@njit(cache=True)
def run(state: Any, ram: Any, prg: Any, oam: Any, tables: Any, until: int) -> None:
    """Runs instructions until the cycle counter reaches ``until``. An unknown opcode sets HALTED and ends the run."""
    operation, modes, costs, crossing = tables
    while state[CYCLES] < until and not state[HALTED]:
        if state[PC] == state[WAIT_AT] and state[READY_AT] < 0 and not state[IN_NMI]:
            state[READY_AT] = state[CYCLES] - state[NMI_START]
        code = int(prg[state[PC] - 0x8000]) if 0x8000 <= state[PC] <= 0xFFFF else 0
        op = int(operation[code])
        if op == 0:
            state[HALTED] = 1
            return
        state[PC] += 1
        address, crossed = _address(state, ram, prg, modes[code])
        state[CYCLES] += costs[code] + (1 if crossed and crossing[code] else 0)
        if LDA <= op <= BIT:
            _use(state, op, _read(state, ram, prg, address))
        elif op in (STA, STX, STY):
            _write(state, ram, oam, address, state[A] if op == STA else state[X] if op == STX else state[Y])
        elif ASL <= op <= DEC:
            if modes[code] == ACC:
                state[A] = _changed(state, op, state[A])
            else:
                _write(state, ram, oam, address, _changed(state, op, _read(state, ram, prg, address)))
        elif BPL <= op <= BEQ:
            if (state[P] & BRANCH_FLAG[op - BPL] != 0) == (BRANCH_SET[op - BPL] == 1):
                offset = int(prg[address - 0x8000])
                to = state[PC] + (offset - 256 if offset > 127 else offset)
                state[CYCLES] += 2 if (to ^ state[PC]) & 0xFF00 else 1
                state[PC] = to
        elif op == JMP:
            state[PC] = address
        elif op == JMI:
            high = (address & 0xFF00) | ((address + 1) & 0xFF)
            state[PC] = _read(state, ram, prg, address) | _read(state, ram, prg, high) << 8
        elif op == JSR:
            _push(state, ram, (state[PC] - 1) >> 8)
            _push(state, ram, state[PC] - 1)
            state[PC] = address
        elif op in (RTS, RTI):
            if op == RTI:
                state[P] = _pull(state, ram)
            low = _pull(state, ram)
            state[PC] = low | _pull(state, ram) << 8
            if op == RTS:
                state[PC] += 1
            elif state[IN_NMI]:
                state[IN_NMI] = 0
                state[NMI_LAST] = state[CYCLES] - state[NMI_START]
                state[NMI_WORST] = max(state[NMI_WORST], state[NMI_LAST])
        else:
            _register(state, ram, op)


@njit(cache=True)
def vertical_blank(state: Any, ram: Any, prg: Any, oam: Any) -> None:
    """Begins vertical blank: counts the sprites on each line of the picture, and enters the NMI if it is enabled."""
    most, overflow = 0, 0
    for line in range(239 if state[RENDERING] else 0):
        found = i = byte = 0
        while i < 256:
            if oam[i + byte] <= line < oam[i + byte] + 8:
                found += 1
                if found > 8:
                    overflow = 1
                    break
            elif found == 8:
                byte = (byte + 1) & 3  # the hardware's bug: it goes on to another byte of the next sprite
            i += 4
        most = max(most, found)
    state[OVERFLOW] = overflow
    state[MOST_SPRITES] = max(state[MOST_SPRITES], most)
    state[VBLANK] = 1
    if state[CONTROL] & 0x80:
        state[NMI_START] = state[CYCLES]
        state[READY_AT] = -1
        _push(state, ram, state[PC] >> 8)
        _push(state, ram, state[PC])
        _push(state, ram, state[P] | 0x20)
        state[P] |= 4
        state[PC] = _word(state, ram, prg, 0xFFFA)
        state[CYCLES] += 7
        state[IN_NMI] = 1

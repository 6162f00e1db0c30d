"""The simulated console with our cartridge: steps frames with pads, gives access to RAM, and keeps measurements."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
from ochibot.console import Button

from tests.homebrew.famicom import processor
from tests.homebrew.famicom.opcodes import tables

ROM = Path(__file__).resolve().parents[3] / "roms/homebrew/famicom/ochidama.nes"
FRAME_CYCLES = 29780.5
FIRST_VBLANK = 27384
PAD_ORDER = (Button.A, Button.B, Button.SELECT, Button.START, Button.UP, Button.DOWN, Button.LEFT, Button.RIGHT)


def pad_byte(pad: int) -> int:
    """Converts a libretro mask of buttons to the byte that the console's pad shifts out, A first."""
    return sum(0x80 >> place for place, button in enumerate(PAD_ORDER) if pad & button)


class SimulatedRam:
    """The console's 2 KB of RAM, by CPU address."""

    def __init__(self) -> None:
        self.raw = np.full(2048, 0x55, np.int64)

    def __getitem__(self, address: int) -> int:
        return int(self.raw[address])

    def __setitem__(self, address: int, value: int) -> None:
        self.raw[address] = value

    def snapshot(self) -> bytes:
        return self.raw.astype(np.uint8).tobytes()


class SimulatedMachine:
    """Steps like a Console: one call of ``step`` is one frame, up to the beginning of vertical blank."""

    def __init__(self, rom: Path = ROM) -> None:
        self.prg = np.frombuffer(rom.read_bytes()[16 : 16 + 0x8000], np.uint8).astype(np.int64)
        self.ram = SimulatedRam()
        self._oam = np.zeros(256, np.int64)
        self._tables = tables()
        self._state = np.zeros(processor.STATES, np.int64)
        self._state[processor.S] = self._state[processor.LOWEST_STACK] = 0xFD
        self._state[processor.PC] = int(self.prg[0x7FFC]) | int(self.prg[0x7FFD]) << 8
        self._state[processor.WAIT_AT] = self.find(rb"(?=\xA9\x01\x85.\xA5.\xD0\xFC\x60)")
        self._next = float(FIRST_VBLANK)
        self.last_logic = self.longest_logic = 0  # cycles from the NMI until the frame's logic is done

    def find(self, pattern: bytes) -> int:
        """The CPU address right after the pattern's only match in the program."""
        matches = list(re.finditer(pattern, self.prg.astype(np.uint8).tobytes(), re.DOTALL))
        assert len(matches) == 1, f"{len(matches)} places match {pattern!r}"
        return 0x8000 + matches[0].end()

    def byte(self, address: int) -> int:
        """A byte of the program."""
        return int(self.prg[address - 0x8000])

    def step(self, *pads: int) -> None:
        state = self._state
        for port in (0, 1):
            state[processor.PAD_1 + port] = pad_byte(pads[port]) if port < len(pads) else 0
        processor.run(state, self.ram.raw, self.prg, self._oam, self._tables, int(self._next))
        assert not state[processor.HALTED], f"what stands at {state[processor.PC] - 1:04X} is no instruction"
        self.last_logic = int(state[processor.READY_AT])
        self.longest_logic = max(self.longest_logic, self.last_logic)
        processor.vertical_blank(state, self.ram.raw, self.prg, self._oam)
        self._next += FRAME_CYCLES

    @property
    def nmi_worst(self) -> int:
        """Cycles of the longest NMI so far, its entry and exit counted."""
        return int(self._state[processor.NMI_WORST])

    @property
    def nmi_last(self) -> int:
        return int(self._state[processor.NMI_LAST])

    @property
    def illicit(self) -> int:
        """How many writes to 2003-2007 or 4014 came with the picture on, outside the NMI or after vertical blank."""
        return int(self._state[processor.ILLICIT])

    @property
    def illicit_at(self) -> int:
        return int(self._state[processor.ILLICIT_AT])

    @property
    def lowest_stack(self) -> int:
        return int(self._state[processor.LOWEST_STACK])

    @property
    def most_sprites(self) -> int:
        """The most sprites on one line of a picture so far."""
        return int(self._state[processor.MOST_SPRITES])

"""Random numbers of the game: a 16-bit register in RAM, as many consoles' games have."""

from __future__ import annotations

from tests.strangers.maker.memory import Memory
from tests.strangers.maker.spec import Spec


class Dice:
    """The generator. Its two bytes are in RAM; whoever writes them changes what comes."""

    def __init__(self, memory: Memory, spec: Spec) -> None:
        self.at = memory.take(2)
        self._mem = memory.bytes
        self._spec = spec

    def begin(self) -> None:
        """At power-on."""
        self._mem[self.at], self._mem[self.at + 1] = 0x5A, self._spec.seed & 255 | 1

    def stir(self) -> None:
        """One step of the register."""
        mem, at = self._mem, self.at
        value = mem[at] | mem[at + 1] << 8
        value = (value >> 1) ^ (0xB400 if value & 1 else 0) if value else 0xACE1
        mem[at], mem[at + 1] = value & 255, value >> 8

    def next(self) -> int:
        """A number 0 to 255."""
        for _ in range(5):
            self.stir()
        mem = self._mem
        return (mem[self.at] * 5 + mem[self.at + 1] * 3) >> 2 & 255

"""A stranger as a ROM in the real core, and the machine in Python beside it: the same pads, step by step."""

from __future__ import annotations

from pathlib import Path
from types import TracebackType
from typing import Self

from ochibot.console import Console
from ochibot.console.cores import find_core
from ochibot.console.rom import Rom
from ochibot.console.systems import NES

from tests.strangers.cartridge import DONE_AT, MAGIC, MAGIC_AT, Cartridge
from tests.strangers.maker import Spec, Truth

BOOT = 60
"""After so many frames, the program runs."""
LONGEST = 100
"""A step that takes more frames hangs."""


class DiffersError(Exception):
    """RAM is not alike any more, or the ROM hangs."""


def open_rom(cartridge: Cartridge) -> Console:
    """A console with the ROM, switched on; no frame has run yet."""
    spec = cartridge.spec
    name = f"stranger-{spec.kind}-{spec.seed}.nes"
    rom = Rom(Path(name), name, cartridge.rom, "nes", "game.nes")
    return Console.open(find_core("nes"), rom, options=NES.options)


class Beside:
    """Both machines. ``game`` is the one in Python: its ``step`` runs both. Use it in a ``with`` block.

    A step of the program may take several frames, as in many games; it reads the pad in the first of them.
    """

    def __init__(self, spec: Spec) -> None:
        self.cartridge = Cartridge(spec)
        self.game = self.cartridge.game
        self._step = self.game.step
        self.console = open_rom(self.cartridge)
        self.steps = self.frames = 0
        self._begin()
        self.game.step = self.step

    def _begin(self) -> None:
        """Runs the ROM until its program runs, and the machine as far."""
        ram = self.console.ram
        ram[MAGIC_AT] = 0
        for _ in range(BOOT):
            self.console.step(0)
            if ram[MAGIC_AT] == MAGIC:
                break
        else:
            raise DiffersError("the program doesn't begin")
        for _ in range(ram[DONE_AT] - 1):
            self._step()

    def step(self, first: int = 0, second: int = 0, *_: int) -> None:
        """One step of both. Raises DiffersError when a byte of RAM differs afterwards."""
        ram = self.console.ram
        before, was = self.frames, int(ram[DONE_AT])
        while ram[DONE_AT] == was:
            self.console.step(first, second)
            self.frames += 1
            if self.frames - before > LONGEST:
                raise DiffersError(f"step {self.steps}: the ROM hangs")
        # a step that ends just before a frame begins is followed by another one in this frame
        for _again in range(ram[DONE_AT] - was & 255):
            self._step(first, second)
            self.steps += 1
        different = self.cartridge.same(ram.raw, ram.banks[0].raw if ram.banks else None)
        if different:
            truth, memory = Truth(self.game), self.game.memory
            where = ", ".join(f"0x{at:04X}: 0x{ram[at]:02X}" for at in different[:8])
            also = ", ".join(f"0x{memory[at]:02X}" for at in different[:8] if at < 0x800)
            raise DiffersError(
                f"step {self.steps} ({truth.mode}, {truth.phase}): the ROM has {where}; the machine has {also}"
            )

    def reset(self) -> None:
        """Presses the reset button of both."""
        self.console.reset()
        self.game.reset()
        self._begin()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.console.close()

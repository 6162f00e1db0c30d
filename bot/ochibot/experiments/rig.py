"""A running console as a rig: branch from a savestate, press, wait or poke, and watch RAM.

All experiments count bytes by offset. Work RAM comes first, in the order of the machine's processor. The cartridge's
own RAM follows it, where there is any, and then the cells of a view. ``Rig.address`` and ``Rig.offset`` turn offsets
into CPU addresses and back.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NoReturn

import numpy as np
import numpy.typing as npt

from ochibot.console import Bank, Button, HostedConsole, find_system
from ochibot.errors import CalibrationError
from ochibot.experiments.views import View, written

Bytes = npt.NDArray[np.uint8]

OTHER_PAD = 16
"""How many bits a button of the other pad is shifted."""

TURNERS = (Button.A, Button.B, Button.Y, Button.X, Button.L, Button.R, Button.UP)
"""Buttons that may turn a piece, the likeliest first."""


@dataclass(frozen=True)
class Numbered:
    """A byte that numbers the cell where the half at x and y is. right, lower: what a column to the right and a row
    further down add to it. base: what it is in the first column of the lowest row; for a rig, where x and y are 0. If
    lower is negative, y counts upwards there.
    """

    offset: int
    right: int
    lower: int
    base: int

    @property
    def period(self) -> int:
        """How many of the smaller steps make a larger one; 0 if no whole number of them does."""
        small, large = sorted((self.right, abs(self.lower)))
        return 0 if large % small else large // small

    def place(self, raw: Bytes) -> Bytes:
        """The x and y of numbers, as the last axis."""
        away = raw.astype(int) - self.base
        small, large = sorted((self.right, abs(self.lower)))
        most, least = away // large, away % large // small
        return np.stack([least, most] if self.right == small else [most, least], axis=-1).astype(np.uint8)


class Rig:
    """A console to experiment with. ``port``: which pad is used, 0 or 1. ``size``: how many bytes of RAM it reads."""

    def __init__(self, console: HostedConsole, port: int = 0) -> None:
        self.console = console
        self.port = port
        layout = find_system(console.rom.system).ram
        self._base = layout.base
        self._swap = layout.swap
        self._raw = console.ram.raw
        self._work = min(len(self._raw), layout.last - layout.base + 1)
        self.size = self._work
        self._banks: list[tuple[int, Bank]] = []
        for bank in console.ram.banks:
            self._banks.append((self.size, bank))
            self.size += len(bank.raw)
        self.own = self.size
        """How many bytes RAM has itself, without the cells of a view."""
        self._places = self.size
        self.number: Numbered | None = None
        self.view: View | None = None
        self.frames = 0
        self._until: int | None = None
        self._stop: int | None = None
        self.ran_out = False
        """Whether an experiment was ended by the limit. Only who sets it to false knows since when."""

    def count(self, number: Numbered | None) -> None:
        """Appends x and y to RAM, read of the number of a cell, which itself reads as 0 then; None: no longer. There is
        no view afterwards.
        """
        self.number = number
        self.own = self._places + (0 if number is None else 2)
        self.look(None)

    def look(self, view: View | None) -> None:
        """Appends the cells of a view to RAM, in place of those of another view; None: none."""
        self.view = view
        self.size = self.own + (0 if view is None else view.size)

    def with_cells(self, ram: Bytes) -> Bytes:
        """RAM that was read with another view, or without one, as it reads with the present one."""
        own = ram[..., : self.own]
        return own if self.view is None else np.concatenate([own, self.view.cells(own)], axis=-1)

    def limit(self, frames: int | None, *, hard: bool = False) -> None:
        """Sets the limit, after which ``spent`` is true, to this many frames from now; None: no limit.

        hard: ``step`` raises CalibrationError after the limit. Otherwise only ``check`` does.
        """
        self._until = None if frames is None else self.frames + frames
        self._stop = self._until if hard else None

    @property
    def spent(self) -> bool:
        """Whether the frames of the limit are used up."""
        return self._until is not None and self.frames > self._until

    @property
    def left(self) -> int | None:
        """How many frames of the limit are left; None without a limit."""
        return None if self._until is None else max(0, self._until - self.frames)

    def check(self) -> None:
        """Raises CalibrationError when the frames of the limit are used up."""
        if self.spent:
            self._run_out()

    def _run_out(self) -> NoReturn:
        self.ran_out = True
        raise CalibrationError("the frames for this step are used up: a greater --effort gives it more")

    def address(self, offset: int) -> int:
        """The CPU address of a byte; of a cell of a view: that of its (first) byte."""
        if offset >= self.own and self.view is not None:
            offset = self.view.places[offset - self.own][0]
        if offset >= self._places and self.number is not None:
            offset = self.number.offset
        for start, bank in reversed(self._banks):
            if offset >= start:
                return bank.first + offset - start
        return self._base + offset

    def offset(self, address: int) -> int:
        """The offset of the byte at a CPU address. Raises CalibrationError where there is no RAM."""
        for start, bank in self._banks:
            if bank.first <= address <= bank.last:
                return start + address - bank.first
        if not 0 <= address - self._base < self._work:
            raise CalibrationError(f"there is no RAM at {address:#06x}: give an address from {self.areas}")
        return address - self._base

    @property
    def areas(self) -> str:
        """The addresses of RAM, for people: ``0x0000 to 0x07ff, 0x6000 to 0x7fff``."""
        areas = [(self._base, self._base + self._work - 1), *((bank.first, bank.last) for _, bank in self._banks)]
        return ", ".join(f"{first:#06x} to {last:#06x}" for first, last in areas)

    def _ordered(self, block: Bytes) -> Bytes:
        """A copy of raw bytes of work RAM, the last axis in the processor's order."""
        if not self._swap:
            return block.copy()
        pairs = block.reshape(*block.shape[:-1], -1, 2)
        return np.ascontiguousarray(pairs[..., ::-1]).reshape(block.shape)

    def snap(self) -> Bytes:
        """A copy of all RAM as it is now: (size,) uint8."""
        work = self._ordered(self._raw[: self._work])
        ram = np.concatenate([work, *(bank.raw for _, bank in self._banks)]) if self._banks else work
        if (number := self.number) is not None:
            ram = np.concatenate([ram, number.place(ram[number.offset])])
            ram[number.offset] = 0
        return ram if self.view is None else self.with_cells(ram)

    def _place(self, offset: int) -> tuple[Bytes, int]:
        """The block that holds a byte, and the byte's index in it."""
        for start, bank in reversed(self._banks):
            if offset >= start:
                return bank.raw, offset - start
        return self._raw, offset ^ self._swap

    def peek(self, offset: int) -> int:
        """The byte at an offset now."""
        if offset >= self.own and self.view is not None:
            return self.view.cell(offset - self.own, self.peek)
        if offset >= self._places and self.number is not None:
            return int(self.number.place(np.array(self.peek(self.number.offset)))[offset - self._places])
        block, index = self._place(offset)
        return int(block[index])

    def poke(self, pokes: Mapping[int, int]) -> None:
        """Write bytes: offset to value."""
        if self.view is not None:
            pokes = written(self.view, self.own, pokes, self.peek)
        for offset, value in pokes.items():
            if offset >= self._places and (number := self.number) is not None:
                # one step of x, or of y, is so much
                step = abs(number.lower) if offset > self._places else number.right
                value = self.peek(number.offset) + step * (value - self.peek(offset))
                offset = number.offset
            block, index = self._place(offset)
            block[index] = value & 255

    def save(self) -> bytes:
        """A savestate."""
        return self.console.save()

    def load(self, state: bytes) -> None:
        """Restores a savestate."""
        self.console.load(state)

    def step(self, pad: int = 0) -> None:
        """Runs one frame with these buttons held; those of the other pad are shifted by OTHER_PAD. Raises
        CalibrationError after a hard limit.
        """
        if self._stop is not None and self.frames >= self._stop:
            self._run_out()
        pads = pad & (1 << OTHER_PAD) - 1, pad >> OTHER_PAD
        self.console.step(*(pads[::-1] if self.port else pads))
        self.frames += 1

    def run(self, pads: Sequence[int]) -> None:
        """Runs a frame for each of ``pads``, the buttons held in it."""
        for pad in pads:
            self.step(pad)

    def trace(self, pads: Sequence[int]) -> Bytes:
        """Run frames with these pads; RAM after each, (frames, size) uint8."""
        seen = np.empty((len(pads), self.own), np.uint8)
        work = self._work
        for frame, pad in enumerate(pads):
            self.step(pad)
            seen[frame, :work] = self._raw[:work]
            for start, bank in self._banks:
                seen[frame, start : start + len(bank.raw)] = bank.raw
        if self._swap:
            seen[:, :work] = self._ordered(seen[:, :work])
        if (number := self.number) is not None:
            seen[:, self._places :] = number.place(seen[:, number.offset])
            seen[:, number.offset] = 0
        return seen if self.view is None else self.with_cells(seen)

    def branch(self, state: bytes, pads: Sequence[int], pokes: Mapping[int, int] | None = None) -> Bytes:
        """Loads a savestate, pokes bytes and runs frames. Returns RAM after each frame, (frames, size) uint8."""
        self.load(state)
        self.poke(pokes or {})
        return self.trace(pads)

    def after(self, state: bytes, pads: Sequence[int], pokes: Mapping[int, int] | None = None) -> Bytes:
        """Loads a savestate, pokes bytes and runs frames. Returns RAM after the last frame, (size,) uint8."""
        self.load(state)
        self.poke(pokes or {})
        self.run(pads)
        return self.snap()

    def picture(self, state: bytes | None = None) -> npt.NDArray[np.uint8]:
        """The picture one frame after a savestate; None: the present picture. (H, W, 3) uint8 RGB."""
        if state is not None:
            self.load(state)
            self.step()
        return self.console.frame()


def signed(difference: npt.NDArray[np.uint8]) -> npt.NDArray[np.int16]:
    """Differences of bytes as -128 to 127."""
    return difference.astype(np.int8).astype(np.int16)

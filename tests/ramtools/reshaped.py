"""Our Famicom cartridge as if it kept its state in other forms. A real core runs it, but its RAM is shown changed.

The shown bytes are computed from the real ones after each frame. What is poked into a shown byte is written to the real
one before the next frame, a cell's code in the real cell's form. So ``ram check`` can be tested with other codes,
strides and addresses without another cartridge.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from dataclasses import field as field_of

import numpy as np
import numpy.typing as npt
from ochibot.console import NES, HostedConsole, Ram, WrappedConsole

Bytes = npt.NDArray[np.uint8]

FIELD, MARKS = 0x303, 0x302


@dataclass
class Shape:
    """How RAM is shown. field: (address, row stride, column stride) of the shown field. code: makes a cell's shown byte
    from its real code and links. back: makes the real code from a shown byte. change: changes other shown bytes in
    place. real: by address, what makes the real byte of a byte that ``change`` shows otherwise. lags: whether the
    documented address shows the field of the frame before; ``field`` always shows the live one. hidden: the address of
    row 0's first cell, one byte per cell; None: row 0 lies above row 1.
    """

    field: tuple[int, int, int] = (FIELD, 16, 2)
    code: Callable[[int, int], int] = lambda code, links: code  # noqa: ARG005
    back: Callable[[int], int] = lambda byte: byte
    change: Callable[[Bytes, Bytes], None] = lambda real, shown: None  # noqa: ARG005
    real: Mapping[int, Callable[[int], int]] = field_of(default_factory=dict)
    lags: bool = False
    hidden: int | None = None


class Reshaped(WrappedConsole[HostedConsole]):
    """A console that shows its RAM in the form of ``shape``."""

    def __init__(self, console: HostedConsole, shape: Shape) -> None:
        super().__init__(console)
        self._shape = shape
        self._shown = Ram(np.zeros(2048, np.uint8), NES.ram)
        self._cells = [(FIELD + 16 * y + 2 * x, self._place(x, y)) for y in range(14) for x in range(6)]
        self._before = np.zeros(2048, np.uint8)
        self._old: list[int] = []
        self._show()

    def _place(self, x: int, y: int) -> int:
        base, row, column = self._shape.field
        if y == 0 and self._shape.hidden is not None:
            return self._shape.hidden + x
        return base + row * y + column * x

    @property
    def ram(self) -> Ram:
        return self._shown

    def _show(self) -> None:
        real = self._console.ram.raw
        shown = self._shown.raw
        shown[:] = real
        shape = self._shape
        now = [shape.code(int(real[place]), int(real[place - 1])) for place, _ in self._cells]
        if shape.field != (FIELD, 16, 2) or shape.hidden is not None:
            for place, _ in self._cells:
                shown[place] = shown[place - 1] = 0
        if shape.lags:
            for (place, _), byte in zip(self._cells, self._old or now, strict=True):
                shown[place] = byte
        for (_, place), byte in zip(self._cells, now, strict=True):
            shown[place] = byte
        self._old = now
        shape.change(real, shown)
        self._before = shown.copy()

    def _carry(self) -> None:
        changed = set(np.flatnonzero(self._shown.raw != self._before).tolist())
        for real, place in self._cells:
            if place in changed:
                self._console.ram.raw[real] = self._shape.back(int(self._shown.raw[place]))
        grid = {place for pair in self._cells for one in pair for place in (one, one - 1)}
        for place in changed - grid:
            made = self._shape.real.get(place, int)
            self._console.ram.raw[place] = made(int(self._shown.raw[place])) % 256

    def step(self, *pads: int) -> None:
        self._carry()
        self._console.step(*pads)
        self._show()

    def save(self) -> bytes:
        self._carry()
        return self._console.save()

    def load(self, state: bytes) -> None:
        self._console.load(state)
        self._old = []
        self._show()

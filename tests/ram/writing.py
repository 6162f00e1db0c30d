"""Writes grids into RAM, as a game would."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from ochibot.ram import BoundMap


def write_grid(bound: BoundMap, name: str, cells: npt.NDArray[np.uint8]) -> None:
    """Writes a grid of symbol numbers, (rows, columns), as the bytes that the map gives for them.

    Bits that the grid doesn't read keep their values.
    """
    entry, ram = bound.require(name, "is to be written"), bound._ram
    assert cells.shape == (entry.rows, entry.columns)
    back: dict[int, int] = {number: number for number in range(256)}
    if entry.table is not None:
        back = {symbol: there for there, symbol in reversed(bound._tables[entry.table].items())}
    numbers = [back[int(cell)] for cell in cells.reshape(-1)]
    where, width = entry.byte_addresses(bound.base(name)), entry.width
    for cell, (number, up) in enumerate(zip(numbers, entry.cell_shifts(), strict=True)):
        own = where[cell * width : (cell + 1) * width]
        if entry.planes is not None:
            for plane, address in enumerate(own):
                full = number >> plane & 1 if entry.binary else number == plane + 1
                ram[address] = ram[address] & ~(1 << up) & 255 | full << up
            continue
        bits, value = entry.field_bits << up, number << entry.shift << up
        for at, address in enumerate(own):
            part = bits >> 8 * at & 255
            ram[address] = ram[address] & ~part & 255 | value >> 8 * at & part

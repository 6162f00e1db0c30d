"""Reads and writes a game's grids. A cell is a byte, a word or part of a byte; a mask may select some of its bits."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np
import numpy.typing as npt

from ochibot.ram.entry import Entry

Cells = Callable[[], bytes]
"""Reads a grid's cells, row by row."""

ReadBytes = Callable[[Sequence[int]], Cells]
"""Makes a reader of bytes at CPU addresses."""


def lookup(entry: Entry, symbols: Mapping[int, int], unknown: int) -> npt.NDArray[np.uint8]:
    """The meaning of each number that a cell may hold, after mask, shift and table: (256,) or (65,536,) uint8.

    unknown: the meaning of numbers that the table lacks.
    """
    numbers = np.arange(1 << max(8, entry.cell_bits), dtype=np.int64)
    numbers = (numbers & entry.field_bits) >> entry.shift
    if entry.table is None:
        return numbers.astype(np.uint8)
    meant = np.full(1 << 16, unknown, np.uint8)
    for number, symbol in symbols.items():
        meant[number] = symbol
    return meant[numbers]


def is_plain(entry: Entry) -> bool:
    """Whether each cell is a byte, so that one table of 256 entries suffices."""
    return entry.width == 1 and entry.cells_per_byte == 1 and entry.planes is None


def cells_reader(entry: Entry, base: int | None, read: ReadBytes, table: npt.NDArray[np.uint8]) -> Cells:
    """A reader of the cells of a grid that isn't plain. ``table``: the result of ``lookup``."""
    raw = numbers_reader(entry, base, read)
    return lambda: table[raw()].tobytes()


def numbers_reader(entry: Entry, base: int | None, read: ReadBytes) -> Callable[[], npt.NDArray[np.uint16]]:
    """A reader of the cells' numbers before mask and shift, (rows x columns,) uint16."""
    where = entry.byte_addresses(base)
    if entry.planes is not None:
        bytes_of, count = read(where), len(entry.planes)
        up = np.array(entry.cell_shifts(), np.uint8)[:, None]
        return lambda: _first_set(np.frombuffer(bytes_of(), np.uint8).reshape(-1, count) >> up & np.uint8(1))
    if entry.width == 2:
        low, high = read(where[::2]), read(where[1::2])
        return lambda: _words(low()) | _words(high()) << np.uint16(8)
    whole = read(where)
    if entry.cells_per_byte == 1:
        return lambda: _words(whole())
    shifts = np.array(entry.cell_shifts(), np.uint8)
    bits = np.uint8((1 << entry.cell_bits) - 1)
    return lambda: (np.frombuffer(whole(), np.uint8) >> shifts & bits).astype(np.uint16)


def _first_set(bits: npt.NDArray[np.uint8]) -> npt.NDArray[np.uint16]:
    """1 + the index of the first bit of each row that is set, or 0. bits: (cells, planes)."""
    return np.where(bits.any(axis=1), bits.argmax(axis=1) + 1, 0).astype(np.uint16)


def _words(cells: bytes) -> npt.NDArray[np.uint16]:
    return np.frombuffer(cells, np.uint8).astype(np.uint16)

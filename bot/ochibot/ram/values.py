"""Converts the number stored in an entry's bytes to the entry's value, and back.

Grids are read and written cell by cell. A cell is a byte, a word or part of a byte; a mask may select some of its bits.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np
import numpy.typing as npt

from ochibot.ram.entry import Entry

_MOST_TRIED = 4096
"""The most numbers tried when many mean the same value. Some can't be stored, if the mask has gaps."""


def meaning(entry: Entry) -> Callable[[int], int]:
    """A function from a single value's bytes (as one number, lowest byte first, unsigned) to its meaning. Numbers that
    are added up follow one another.

    For an entry with a table, the function returns the number to look up in the table.
    """
    width, mask, shift = entry.width, entry.mask, entry.shift
    origin, scale, divide, modulo, offset = entry.origin, entry.scale, entry.divide, entry.modulo, entry.offset
    limit = 1 << 8 * width
    several = len(entry.plus)
    signed, digits, zero = entry.type.startswith("s"), entry.digits, entry.zero

    def plain(number: int) -> int:
        if digits == "decimal":
            number = _decimal(number, width, entry.field_bits, shift, zero)
        else:
            if signed and number >= limit >> 1:
                number -= limit
            if mask is not None:
                number &= mask
            number >>= shift
            if digits == "bcd":
                number = _bcd(number)
        return number

    def value(number: int) -> int:
        if several:
            number = sum(plain(number >> 8 * width * at & limit - 1) for at in range(several + 1))
        else:
            number = plain(number)
        found = (number - origin) * scale // divide
        return (found if modulo is None else found % modulo) + offset

    return value


def _decimal(number: int, width: int, bits: int, shift: int, zero: int) -> int:
    value = 0
    for at in range(width - 1, -1, -1):
        digit = ((number >> 8 * at & bits) >> shift) - zero
        value = 10 * value + (digit if 0 <= digit <= 9 else 0)
    return value


def _bcd(number: int) -> int:
    value, place = 0, 1
    while number:
        digit = number & 15
        value += place * (digit if digit <= 9 else 0)
        number, place = number >> 4, 10 * place
    return value


def stored(entry: Entry, value: int, before: int) -> int | None:
    """The number to store so that the entry reads as ``value``; None if there is none, as always with ``modulo`` or
    ``plus``.

    ``before`` is the number stored now; bits that the entry doesn't read are kept from it. If several numbers mean the
    same value (``divide``), the result is the least.
    """
    if entry.modulo is not None or entry.plus:
        return None
    for number in _undone(entry, value):
        found = _as_decimal(entry, number, before) if entry.digits == "decimal" else _as_bits(entry, number, before)
        if found is not None:
            return found
    return None


def _undone(entry: Entry, value: int) -> range:
    """The numbers for which (number - origin) x scale / divide + offset is the value, at most _MOST_TRIED.

    Numbers below the least that the entry's type can hold are left out.
    """
    least = (value - entry.offset) * entry.divide
    most = least + entry.divide - 1
    if entry.scale < 0:
        least, most = -most, -least
    scale = abs(entry.scale)
    first, last = -(-least // scale) + entry.origin, most // scale + entry.origin
    lowest = -(1 << 8 * entry.width - 1) if entry.type.startswith("s") and entry.mask is None else 0
    return range(max(first, lowest), last + 1)[:_MOST_TRIED]


def _as_bits(entry: Entry, number: int, before: int) -> int | None:
    if entry.digits == "bcd":
        number = int(str(number), 16)
    bits, limit = entry.field_bits, 1 << 8 * entry.width
    placed = number << entry.shift
    if entry.type.startswith("s") and entry.mask is None:
        if not -(limit >> 1) <= placed < limit >> 1:
            return None
        placed %= limit
    return None if placed & ~bits else before & ~bits | placed


def _as_decimal(entry: Entry, number: int, before: int) -> int | None:
    if not 0 <= number < 10**entry.width:
        return None
    bits, result = entry.field_bits, before
    for at in range(entry.width):
        digit = (number // 10**at % 10 + entry.zero) << entry.shift
        if digit & ~bits:
            return None
        result = result & ~(bits << 8 * at) | digit << 8 * at
    return result


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
        number_of = _digits if entry.binary else _first_set
        return lambda: number_of(np.frombuffer(bytes_of(), np.uint8).reshape(-1, count) >> up & np.uint8(1))
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


def _digits(bits: npt.NDArray[np.uint8]) -> npt.NDArray[np.uint16]:
    """The number whose binary digits are the bits of each row, the lowest first. bits: (cells, planes)."""
    places = np.arange(bits.shape[1], dtype=np.uint16)
    numbers: npt.NDArray[np.uint16] = (bits.astype(np.uint16) << places).sum(axis=1, dtype=np.uint16)
    return numbers


def _words(cells: bytes) -> npt.NDArray[np.uint16]:
    return np.frombuffer(cells, np.uint8).astype(np.uint16)

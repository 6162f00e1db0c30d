"""Kinds of values that a game may keep at an address, and functions that read them at all addresses at once.

Finds in which form a byte stores a value, from samples of the byte and the known value.

A *sample* is what a byte held and what it must have meant. The simplest form that is right for all samples wins: the
map's own, then an offset, a scale, a division, a bit field, a table of its own.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from ochibot.errors import UsageError
from ochibot.quoting import quoted
from ochibot.ramtools.image import Image

NO_VALUE: Final = -1
"""The number for "no value": the bytes would end beyond RAM, or half a byte isn't a decimal digit."""

Values = npt.NDArray[np.int64]


@dataclass(frozen=True)
class Kind:
    """How a number is stored. width: bytes. little: the lowest byte first. bcd: each half byte is a decimal digit."""

    name: str
    width: int
    little: bool = True
    bcd: bool = False

    @property
    def most(self) -> int:
        """The largest value."""
        return int(10 ** (2 * self.width) - 1 if self.bcd else 256**self.width - 1)

    def of_bytes(self, data: bytes) -> int:
        """The value of exactly ``width`` bytes; NO_VALUE when half a byte isn't a decimal digit."""
        number = int.from_bytes(data, "little" if self.little else "big")
        if not self.bcd:
            return number
        text = f"{number:0{2 * self.width}x}"
        return int(text) if text.isdecimal() else NO_VALUE

    def to_bytes(self, value: int) -> bytes:
        """The bytes of a value, as they stand in RAM. Raises UsageError when it doesn't fit."""
        if not 0 <= value <= self.most:
            raise UsageError(f"{quoted(value)} doesn't fit into {self.name}, which holds 0 to {self.most}")
        number = int(str(value), 16) if self.bcd else value
        return number.to_bytes(self.width, "little" if self.little else "big")

    def everywhere(self, image: Image) -> Values:
        """The value that begins at each address: (size,) int64, NO_VALUE if there is none."""
        cells = image.cells.astype(np.int64)
        size = len(cells)
        if size < self.width:
            return np.full(size, NO_VALUE, np.int64)
        values = np.zeros(size - self.width + 1, np.int64)
        good = np.ones(len(values), bool)
        for place in range(self.width):
            byte = cells[place : place + len(values)]
            power = place if self.little else self.width - 1 - place
            if self.bcd:
                high, low = byte >> 4, byte & 15
                good &= (high <= 9) & (low <= 9)
                values += (high * 10 + low) * 100**power
            else:
                values += byte << (8 * power)
        values[~good] = NO_VALUE
        for first, end in image.holes:
            values[max(first - image.base - self.width + 1, 0) : end - image.base] = NO_VALUE
        return np.concatenate([values, np.full(self.width - 1, NO_VALUE, np.int64)])


KINDS: Final = {
    kind.name: kind
    for kind in (
        Kind("u8", 1),
        Kind("u16le", 2),
        Kind("u16be", 2, little=False),
        Kind("u24le", 3),
        Kind("u24be", 3, little=False),
        Kind("u32le", 4),
        Kind("u32be", 4, little=False),
        Kind("bcd8", 1, bcd=True),
        Kind("bcd16le", 2, bcd=True),
        Kind("bcd16be", 2, little=False, bcd=True),
        Kind("bcd24le", 3, bcd=True),
        Kind("bcd24be", 3, little=False, bcd=True),
        Kind("bcd32le", 4, bcd=True),
        Kind("bcd32be", 4, little=False, bcd=True),
    )
}
"""The kinds by name. le: the lowest byte comes first; be: the highest does."""


def find_kind(name: str) -> Kind:
    """The kind of that name. Raises UsageError, naming the known ones."""
    try:
        return KINDS[name]
    except KeyError:
        raise UsageError(f"there is no kind of value {quoted(name)}; give one of {', '.join(KINDS)}") from None


def number_of(text: str) -> int:
    """A whole number as people type it: 303, 0x12f, $12f. Raises ValueError."""
    word = text.strip().replace("_", "")
    if len(word) > 20:
        raise ValueError("too long")
    if word.startswith("$"):
        return int(word[1:], 16)
    return int(word, 16) if word.lower().startswith("0x") else int(word, 10)


MOST_STEP: Final = 32
"""The most that a byte may change when its value changes by 1: the width of the widest cell, in pixels."""


@dataclass(frozen=True)
class Number:
    """The form of a number: value = ((byte & mask) >> shift) * scale // divide + offset."""

    offset: int = 0
    scale: int = 1
    divide: int = 1
    mask: int = 0xFF
    shift: int = 0

    def of(self, byte: int) -> int:
        """The value of a byte."""
        return ((byte & self.mask) >> self.shift) * self.scale // self.divide + self.offset

    def patch(self) -> dict[str, Any]:
        """The form as fields of a map's entry, without fields that have their default."""
        said = {"mask": self.mask, "shift": self.shift, "scale": self.scale, "divide": self.divide}
        said["offset"] = self.offset
        return {name: value for name, value in said.items() if value != getattr(Number(), name)}


def fit_number(samples: Sequence[tuple[int, int]]) -> Number | None:
    """The simplest form for (byte, value) samples; None when no form fits, or all have the same value."""
    for form in _number_forms(samples):
        if all(form.of(byte) == value for byte, value in samples):
            return form
    return None


def _number_forms(samples: Sequence[tuple[int, int]]) -> Iterator[Number]:
    byte, value = samples[0]
    other = next(((b, v) for b, v in samples if v != value), None)
    if other is None:
        return
    for mask, shift in ((0xFF, 0), *_fields()):
        first, second = (byte & mask) >> shift, (other[0] & mask) >> shift
        step, rest = divmod(second - first, other[1] - value)
        if rest or not 0 < abs(step) <= MOST_STEP:
            continue
        scale, divide = (1, step) if step > 0 else (-1, -step)
        yield Number(value - first * scale // divide, scale, divide, mask, shift)


def _fields() -> Iterator[tuple[int, int]]:
    """Bit fields: (mask, shift), the widest first."""
    for width in range(7, 1, -1):
        for shift in range(8 - width, -1, -1):
            yield ((1 << width) - 1) << shift, shift


@dataclass(frozen=True)
class Symbols:
    """The form of a symbol: symbol = table[(byte & mask) >> shift]. own: whether the table is new, not the map's."""

    table: Mapping[int, str]
    mask: int = 0xFF
    shift: int = 0
    own: bool = False

    def of(self, byte: int) -> str | None:
        """The symbol of a byte; None when the table hasn't got it."""
        return self.table.get((byte & self.mask) >> self.shift)

    def patch(self) -> dict[str, Any]:
        """The bit field as fields of a map's entry, without fields that have their default."""
        said = {"mask": self.mask, "shift": self.shift}
        return {name: value for name, value in said.items() if value != getattr(Symbols({}), name)}


def fit_symbols(
    samples: Sequence[tuple[int, str]], table: Mapping[int, str], mask: int = 0xFF, shift: int = 0
) -> Symbols | None:
    """The simplest form for (byte, symbol) samples. ``table``, ``mask``, ``shift``: as the map has it.

    The forms are tried in this order: the map's form; its table over other bit fields, the widest first; a new table
    over the map's bit field, over whole bytes, over other bit fields. A new table must give each number one symbol,
    and each symbol one number. None when no form fits.
    """
    pairs = sorted(set(samples))
    for bits, low in ((mask, shift), (0xFF, 0), *((0xFF, low) for low in range(1, 8)), *_fields()):
        form = Symbols(table, bits, low)
        if all(form.of(byte) == symbol for byte, symbol in pairs):
            return form
    for bits, low in ((mask, shift), (0xFF, 0), *_fields()):
        own = _own_table(pairs, bits, low)
        if own is not None:
            return Symbols(own, bits, low, own=True)
    return None


def _own_table(pairs: Sequence[tuple[int, str]], mask: int, shift: int) -> dict[int, str] | None:
    """A table of the symbol of each number; None when a number has two symbols, or a symbol two numbers."""
    table: dict[int, str] = {}
    for byte, symbol in pairs:
        if table.setdefault((byte & mask) >> shift, symbol) != symbol:
            return None
    return table if len(set(table.values())) == len(table) else None

"""Finds in which form a byte stores a value, from samples of the byte and the known value.

A *sample* is what a byte held and what it must have meant. The simplest form that is right for all samples wins: the
map's own, then an offset, a scale, a division, a bit field, a table of its own.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

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

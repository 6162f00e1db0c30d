"""Converts the number stored in an entry's bytes to the entry's value, and back."""

from __future__ import annotations

from collections.abc import Callable

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

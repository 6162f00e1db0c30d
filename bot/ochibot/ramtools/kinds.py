"""Kinds of values that a game may keep at an address, and functions that read them at all addresses at once."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

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

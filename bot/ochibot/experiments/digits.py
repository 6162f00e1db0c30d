"""How numbers are kept in RAM: binary, or as digits."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from ochibot.experiments.rig import Bytes

Numbers = npt.NDArray[np.int64]


@dataclass(frozen=True)
class Form:
    """How a number is kept. width: bytes. little: the lowest byte comes first. digits: ``decimal`` for one digit in a
    byte, ``bcd`` for two, empty for a binary number. zero: the byte that stands for the digit 0. Leading zeros of
    single digits may be blank: equal bytes that are no digits.
    """

    width: int
    little: bool
    digits: str = ""
    zero: int = 0

    @property
    def name(self) -> str:
        """The ``type`` of this width and byte order in a RAM map, such as ``u16le``. It doesn't give the digits."""
        if self.width == 1:
            return "u8"
        return f"u{8 * self.width}{'le' if self.little else 'be'}"

    @property
    def most(self) -> int:
        """The byte with the highest digit."""
        return {"decimal": self.zero + 9, "bcd": 0x99}.get(self.digits, 0xFF)

    def place(self, power: int) -> int:
        """Which of its bytes has this power, 0 for the lowest."""
        return power if self.little else self.width - 1 - power

    def read(self, ram: Bytes) -> Numbers:
        """The number that starts at each offset, (size,) int64; -1 where bytes aren't digits."""
        padded = np.concatenate([ram, np.zeros(self.width, np.uint8)])
        return self.read_all(np.lib.stride_tricks.sliding_window_view(padded, self.width)[: len(ram)])

    def read_all(self, parts: Bytes) -> Numbers:
        """The number that each row of bytes is, (rows,) int64; -1 where bytes aren't digits."""
        size = len(parts)
        total = np.zeros(size, np.int64)
        bad = np.zeros(size, bool)
        blank = np.full(size, -1)
        begun = np.zeros(size, bool)
        for power in range(self.width - 1, -1, -1):
            byte = parts[:, self.place(power)].astype(np.int64)
            if self.digits == "bcd":
                bad |= ((byte >> 4) > 9) | ((byte & 15) > 9)
                total += ((byte >> 4) * 10 + (byte & 15)) * 100**power
            elif self.digits == "decimal":
                digit = byte - self.zero
                is_digit = (digit >= 0) & (digit <= 9)
                is_blank = ~is_digit & ~begun & ((blank < 0) | (blank == byte))
                blank[is_blank] = byte[is_blank]
                begun |= is_digit
                bad |= ~is_digit & ~is_blank
                total += np.where(is_digit, digit, 0) * 10**power
            else:
                total += byte << (8 * power)
        total[bad] = -1
        return total

    def written(self, number: int) -> list[int]:
        """The bytes of a number, in the order of their addresses."""
        found = []
        for _ in range(self.width):
            if self.digits == "bcd":
                number, two = divmod(number, 100)
                found.append(two // 10 << 4 | two % 10)
            elif self.digits == "decimal":
                number, one = divmod(number, 10)
                found.append(self.zero + one)
            else:
                number, one = divmod(number, 256)
                found.append(one)
        return found if self.little else found[::-1]

    def digit(self, byte: int) -> int:
        """The digit that a byte stands for; 0 where it is none."""
        return byte - self.zero if 0 <= byte - self.zero <= 9 else 0


FORMS = (
    *(Form(width, little) for width in (4, 3, 2) for little in (True, False)),
    *(Form(width, little, "bcd") for width in (4, 3) for little in (True, False)),
    *(
        Form(width, little, "decimal", zero)
        for zero in range(0, 256, 16)
        for width in (8, 7, 6, 5)
        for little in (True, False)
    ),
)

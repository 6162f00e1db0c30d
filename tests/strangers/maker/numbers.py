"""How a score lies in RAM: little or big endian, BCD, digits; in tens or not."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from tests.strangers.maker.memory import Memory


@dataclass(frozen=True)
class NumberForm:
    """form: little, big, bcd or digits. size: bytes. low_first: of bcd and digits. zero: the byte of the digit 0.
    unit: how many points one of the stored number is.
    """

    form: str = "little"
    size: int = 3
    low_first: bool = False
    zero: int = 0
    unit: int = 1
    blank: int = -1
    """The byte of a leading zero, where those are not shown."""

    @property
    def most(self) -> int:
        """The largest value that fits, in points."""
        base, digits = {"bcd": (100, self.size), "digits": (10, self.size)}.get(self.form, (256, self.size))
        return (int(base**digits) - 1) * self.unit


class Number:
    """A number in memory."""

    def __init__(self, memory: Memory, form: NumberForm, where: Any = "zero", beside: int = 0) -> None:
        """beside: bytes behind the number (negative: before it) for somebody else; ``beside`` is their place."""
        self.form = form
        first = memory.take(form.size + abs(beside), where)
        self.at = first - min(0, beside)
        self.beside = first + form.size if beside > 0 else first
        self._mem = memory.bytes
        self._memory = memory

    def set(self, value: int) -> None:
        """Stores points; more than fits are cut off."""
        form = self.form
        left = min(value, form.most) // form.unit
        size = form.size
        if form.form in ("little", "big"):
            self._mem[self.at : self.at + size] = left.to_bytes(size, "little" if form.form == "little" else "big")
            return
        digits = []
        for _ in range(size):
            if form.form == "bcd":
                left, two = divmod(left, 100)
                digits.append(two // 10 << 4 | two % 10)
            else:
                left, one = divmod(left, 10)
                digits.append(one + form.zero if left or one or not digits or form.blank < 0 else form.blank)
        self._mem[self.at : self.at + size] = bytes(digits if form.low_first else digits[::-1])

    def get(self) -> int:
        """The points that are stored. Bytes that are no digits count as some number, as they do in a game."""
        form = self.form
        data = self._mem[self.at : self.at + form.size]
        if form.form in ("little", "big"):
            return int.from_bytes(data, "little" if form.form == "little" else "big") * form.unit
        value = 0
        for byte in data[::-1] if form.low_first else data:
            if form.form == "bcd":
                value = value * 100 + (byte >> 4) * 10 + (byte & 15)
            else:
                value = value * 10 + (0 if byte == form.blank else (byte - form.zero & 255) % 10)
        return value * form.unit

    def describe(self) -> dict[str, Any]:
        """Where and how the number lies in RAM."""
        form = self.form
        said: dict[str, Any] = {
            "address": self._memory.address(self.at),
            "form": form.form,
            "bytes": form.size,
            "unit": form.unit,
        }
        if form.form in ("bcd", "digits"):
            said |= {"low_first": form.low_first, "zero": form.zero, "blank": form.blank}
        return said

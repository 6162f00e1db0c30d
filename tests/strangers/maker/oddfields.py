"""Fields whose cells have no byte of their own at a fixed place: nibbles, row bit masks, rows that move about."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any

from tests.strangers.maker.codes import Codes, word
from tests.strangers.maker.fields import FieldForm
from tests.strangers.maker.memory import Memory, Where


class _Cells:
    """The whole field by single cells."""

    width: int
    height: int
    _places: Sequence[int] = ()

    def get(self, column: int, row: int) -> int:
        raise NotImplementedError

    def put(self, column: int, row: int, value: int, rests: bool = True) -> None:
        raise NotImplementedError

    def where(self, column: int, row: int) -> int:  # noqa: ARG002
        return -1

    def read(self) -> list[int]:
        get = self.get
        return [get(column, row) for row in range(self.height) for column in range(self.width)]

    def write(self, cells: Sequence[int]) -> None:
        at = 0
        for row in range(self.height):
            for column in range(self.width):
                if self.get(column, row) != cells[at]:
                    self.put(column, row, cells[at])
                at += 1

    def clean(self) -> None:
        for row in range(self.height):
            for column in range(self.width):
                self.put(column, row, 0)


class Nibbles(_Cells):
    """Two cells in a byte."""

    def __init__(self, memory: Memory, form: FieldForm, width: int, height: int, codes: Codes, area: Where) -> None:
        self.width, self.height, self._codes = width, height, codes
        self._mem, self._memory = memory.bytes, memory
        self._high_first = form.across == 2
        lines, along = (width, height) if form.by_columns else (height, width)
        self._line = (along + 1) // 2 + form.pad
        self._by_columns, self._up = form.by_columns, form.floor_up
        self._first = memory.take(self._line * lines, area)

    def _at(self, column: int, row: int) -> tuple[int, int]:
        if self._up:
            row = self.height - 1 - row
        line, to = (column, row) if self._by_columns else (row, column)
        return self._first + line * self._line + to // 2, 4 if (to & 1) ^ self._high_first else 0

    def get(self, column: int, row: int) -> int:
        place, shift = self._at(column, row)
        return self._codes.back[self._mem[place] >> shift & 15]

    def put(self, column: int, row: int, value: int, rests: bool = True) -> None:  # noqa: ARG002
        place, shift = self._at(column, row)
        self._mem[place] = self._mem[place] & ~(15 << shift) & 255 | self._codes.write[value & 15] << shift

    def describe(self) -> dict[str, Any]:
        cells = [self._at(column, row) for row in range(self.height) for column in range(self.width)]
        return {
            "form": "nibbles",
            "cells": [self._memory.address(place) for place, _ in cells],
            "shifts": [shift for _, shift in cells],
            "codes": self._codes.values(),
        }


class Masks(_Cells):
    """For each row and each kind of cell a mask of the columns that hold it: the leftmost column is the highest bit."""

    def __init__(self, memory: Memory, width: int, height: int, codes: Codes, area: Where) -> None:
        self.width, self.height = width, height
        self._mem, self._memory = memory.bytes, memory
        self._kinds = sorted({value & 15 for value, code in enumerate(codes.to) if code >= 0 and value & 15})
        self._bytes = (width + 7) // 8
        self._first = {kind: memory.take(height * self._bytes, area) for kind in self._kinds}

    def _bit(self, column: int) -> tuple[int, int]:
        return column >> 3, 0x80 >> (column & 7)

    def get(self, column: int, row: int) -> int:
        byte, bit = self._bit(column)
        at = row * self._bytes + byte
        for kind in self._kinds:
            if self._mem[self._first[kind] + at] & bit:
                return kind
        return 0

    def put(self, column: int, row: int, value: int, rests: bool = True) -> None:  # noqa: ARG002
        byte, bit = self._bit(column)
        at = row * self._bytes + byte
        for kind in self._kinds:
            place = self._first[kind] + at
            if kind == value & 15:
                self._mem[place] |= bit
            elif self._mem[place] & bit:
                self._mem[place] &= ~bit & 255

    def clean(self) -> None:
        for first in self._first.values():
            self._mem[first : first + self.height * self._bytes] = bytes(self.height * self._bytes)

    def describe(self) -> dict[str, Any]:
        return {
            "form": "masks",
            "planes": {word(kind): self._memory.address(first) for kind, first in self._first.items()},
            "bytes_per_row": self._bytes,
        }


class Moved(_Cells):
    """Rows of bytes that don't stay where they are: a ring (one byte says where it begins), or a table of pointers."""

    def __init__(
        self, memory: Memory, form: FieldForm, width: int, height: int, codes: Codes, area: Where, rng: Random
    ) -> None:
        self.width, self.height, self._codes = width, height, codes
        self._mem, self._memory = memory.bytes, memory
        self._line = width + form.pad
        self._first = memory.take(self._line * height, area)
        self._ring = form.form == "ring"
        self._head = memory.take(1) if self._ring else 0
        self._low = 0 if self._ring else memory.take(height, "main")
        self._high = 0 if self._ring else memory.take(height, "main")
        self._start = rng.randrange(height)
        self._order = rng.sample(range(height), height)

    def _row(self, row: int) -> int:
        mem = self._mem
        if self._ring:
            return self._first + (row + mem[self._head]) % self.height * self._line
        place = self._memory.place(mem[self._low + row] | mem[self._high + row] << 8)
        # a pointer that leads nowhere: the game reads something, wherever it is
        return place if place + self._line <= self._memory.hidden else 0

    def get(self, column: int, row: int) -> int:
        return self._codes.back[self._mem[self._row(row) + column]]

    def where(self, column: int, row: int) -> int:
        return self._row(row) + column

    def put(self, column: int, row: int, value: int, rests: bool = True) -> None:
        byte = self._codes.write[value]
        if value & 15 and rests:
            byte |= self._codes.rest
        self._mem[self._row(row) + column] = byte

    def write(self, cells: Sequence[int]) -> None:
        width = self.width
        rest = self._codes.rest
        for row in range(self.height):
            first = self._row(row)
            for column in range(width):
                byte, value = self._mem[first + column], cells[row * width + column]
                if self._codes.back[byte] != value or (rest and value & 15 and not byte & rest):
                    self.put(column, row, value)

    def remove(self, rows: Sequence[int]) -> None:
        """Takes full rows out and puts empty ones on top: pointers are exchanged, cells stay where they are."""
        if self._ring:
            kept = [
                self.read()[row * self.width : (row + 1) * self.width] for row in range(self.height) if row not in rows
            ]
            gone = self.height - len(kept)
            self._mem[self._head] = (self._mem[self._head] - gone) % self.height
            self.write([0] * gone * self.width + [value for row in kept for value in row])
            return
        mem = self._mem
        both = [(mem[self._low + row], mem[self._high + row]) for row in range(self.height)]
        order = [both[row] for row in rows] + [both[row] for row in range(self.height) if row not in rows]
        for row, (low, high) in enumerate(order):
            mem[self._low + row], mem[self._high + row] = low, high
        for row in range(len(rows)):
            for column in range(self.width):
                self.put(column, row, 0)

    def clean(self) -> None:
        if self._ring:
            self._mem[self._head] = self._start
        else:
            for row, to in enumerate(self._order):
                address = self._memory.address(self._first + to * self._line) or 0
                self._mem[self._low + row], self._mem[self._high + row] = address & 255, address >> 8
        super().clean()

    def describe(self) -> dict[str, Any]:
        said: dict[str, Any] = {
            "form": "ring" if self._ring else "pointers",
            "address": self._memory.address(self._first),
            "row_stride": self._line,
            "column_stride": 1,
            "mask": self._codes.mask,
            "codes": self._codes.values(),
        }
        if self._ring:
            return said | {"first_row_at": self._memory.address(self._head)}
        return said | {
            "pointers_low": self._memory.address(self._low),
            "pointers_high": self._memory.address(self._high),
        }

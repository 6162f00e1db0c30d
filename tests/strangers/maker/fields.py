"""How a grid of cells lies in RAM.

A store gives and takes single cells by column and row, both from 0, row 0 at the top, and the whole field as a list row
by row. It keeps nothing itself: each read is a read of RAM.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import Any, Protocol

from tests.strangers.maker.codes import Codes
from tests.strangers.maker.memory import Memory, Where


@dataclass(frozen=True)
class FieldForm:
    """form: table (any strides), ring, pointers, nibbles or masks. across: bytes from a cell to the one right of it, in
    ``table``; by_columns: columns one after another. border: cells around the field. floor_up: the floor comes first.
    split: none, rows (the hidden rows apart), halves (left and right apart), odd (odd columns apart). wide: cells of
    16 bits. beside: what lies before and behind looks like rows. pad: bytes at the end of a line.
    """

    form: str = "table"
    by_columns: bool = False
    across: int = 1
    pad: int = 0
    border: int = 0
    floor_up: bool = False
    right_left: bool = False
    split: str = "none"
    wide: bool = False
    beside: bool = False


class Store(Protocol):
    """A field in RAM."""

    def get(self, column: int, row: int) -> int:
        """The value of a cell."""

    def put(self, column: int, row: int, value: int, rests: bool = True) -> None:
        """Writes a cell."""

    def read(self) -> list[int]:
        """All values, row by row."""

    def write(self, cells: Sequence[int]) -> None:
        """Writes the cells that differ."""

    def clean(self) -> None:
        """Empties the field, and puts what stands around it."""

    def describe(self) -> dict[str, Any]:
        """Where and how the field lies in RAM."""

    def where(self, column: int, row: int) -> int:
        """The place of a cell; -1 where a cell has none of its own."""


class Table:
    """A store in which each cell has a byte of its own, at a place that never changes."""

    def __init__(
        self,
        memory: Memory,
        form: FieldForm,
        width: int,
        height: int,
        hidden: int,
        codes: Codes,
        area: Where,
        rng: Random,
    ) -> None:
        self.width, self.height, self.codes, self.form = width, height, codes, form
        self._mem, self._memory, self._clock = memory.bytes, memory, memory.clock
        unit = 2 if form.wide else 1
        self._second = rng.randrange(256)
        self._places = [0] * (width * height)
        self._around: list[int] = []
        self._besides: list[int] = []
        parts = _parts(width, height, hidden, form.split)
        for columns, rows in parts:
            self._lay(memory, columns, rows, unit, area)
        self.places = tuple(self._places)

    def _lay(self, memory: Memory, columns: Sequence[int], rows: Sequence[int], unit: int, area: Where) -> None:
        form = self.form
        edge = form.border
        lines, along = (columns, rows) if form.by_columns else (rows, columns)
        step = unit * form.across
        length = (len(along) + 2 * edge) * step + form.pad
        count = len(lines) + 2 * edge + (2 if form.beside else 0)
        first = memory.take(length * count, area)
        start = first + (length if form.beside else 0)
        down = form.floor_up
        for at, line in enumerate(lines):
            for to, cell in enumerate(along):
                column, row = (line, cell) if form.by_columns else (cell, line)
                i, j = (at, len(along) - 1 - to) if form.by_columns and down else (at, to)
                if down and not form.by_columns:
                    i = len(lines) - 1 - at
                if form.right_left:
                    i, j = (len(lines) - 1 - i, j) if form.by_columns else (i, len(along) - 1 - j)
                self._places[row * self.width + column] = start + (i + edge) * length + (j + edge) * step
        if edge:
            taken = set(self._places)
            size = length * (len(lines) + 2 * edge)
            walls = {start + i * length + j * step for i in range(len(lines) + 2) for j in range(len(along) + 2)}
            self._around += sorted(place for place in walls if place not in taken and place < start + size)
        if form.beside:
            self._besides += [first + j * step for j in range(len(along))]
            self._besides += [first + (count - 1) * length + j * step for j in range(len(along))]

    def get(self, column: int, row: int) -> int:
        return self.codes.back[self._mem[self.places[row * self.width + column]]]

    def where(self, column: int, row: int) -> int:
        return self.places[row * self.width + column]

    def put(self, column: int, row: int, value: int, rests: bool = True) -> None:
        self._set(self.places[row * self.width + column], value, rests)

    def _set(self, place: int, value: int, rests: bool) -> None:
        codes, mem = self.codes, self._mem
        byte = codes.write[value]
        if value & 15:
            if rests:
                byte |= codes.rest
            if codes.junk:
                byte |= mem[self._clock] * 0x55 & codes.junk
        mem[place] = byte
        if self.form.wide:
            mem[place + 1] = self._second ^ (value & 3)

    def read(self) -> list[int]:
        mem, back = self._mem, self.codes.back
        return [back[mem[place]] for place in self.places]

    def write(self, cells: Sequence[int]) -> None:
        mem, back = self._mem, self.codes.back
        rest = self.codes.rest
        for place, value in zip(self.places, cells, strict=True):
            byte = mem[place]
            if back[byte] != value or (rest and value & 15 and not byte & rest):
                self._set(place, value, True)

    def clean(self) -> None:
        for place in self.places:
            self._set(place, 0, True)
        wall = self.codes.to[7] if self.codes.to[7] >= 0 else 0xFF
        for place in self._around:
            self._mem[place] = wall
        for number, place in enumerate(self._besides):
            # looks like one more row of cells that never change
            self._mem[place] = self.codes.to[(0, 0, 1, 2)[number * 7 % 4]] & 255

    def describe(self) -> dict[str, Any]:
        memory = self._memory
        said: dict[str, Any] = {
            "form": "bytes",
            "cells": [memory.address(place) for place in self.places],
            "mask": self.codes.mask,
            "codes": self.codes.values(),
        }
        if self.codes.links:
            said["mask"] = 255
        lines = (self._places[self.width] - self._places[0]) if self.height > 1 else 0
        if all(
            self._places[row * self.width + column] == self._places[0] + row * lines + column * self.across
            for row in range(self.height)
            for column in range(self.width)
        ):
            said |= {"row_stride": lines, "column_stride": self.across}
        return said

    @property
    def across(self) -> int:
        """Bytes from a cell to the one right of it."""
        return self._places[1] - self._places[0]


def _parts(width: int, height: int, hidden: int, split: str) -> list[tuple[Sequence[int], Sequence[int]]]:
    """The parts of a field that lie apart, each as columns and rows."""
    every, rows = range(width), range(height)
    if split == "rows" and hidden:
        return [(every, range(hidden)), (every, range(hidden, height))]
    if split == "halves":
        return [(range(width // 2), rows), (range(width // 2, width), rows)]
    if split == "odd":
        return [(range(0, width, 2), rows), (range(1, width, 2), rows)]
    return [(every, rows)]


def make_store(
    memory: Memory, form: FieldForm, width: int, height: int, hidden: int, codes: Codes, area: Where, rng: Random
) -> Store:
    """Lays a field into memory."""
    from tests.strangers.maker.oddfields import Masks, Moved, Nibbles

    if form.form == "nibbles":
        return Nibbles(memory, form, width, height, codes, area)
    if form.form == "masks":
        return Masks(memory, width, height, codes, area)
    if form.form in ("ring", "pointers"):
        return Moved(memory, form, width, height, codes, area, rng)
    return Table(memory, form, width, height, hidden, codes, area, rng)

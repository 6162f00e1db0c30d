"""The field of a seat in all the forms in which RAM has it: the rules' own, what pieces land by, copies."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any

from tests.strangers.maker.codes import Codes
from tests.strangers.maker.fields import FieldForm, Store, Table, make_store
from tests.strangers.maker.memory import Memory, Where
from tests.strangers.maker.oddfields import Moved
from tests.strangers.maker.spec import Spec


class Board:
    """``store`` is the field that the rules read. ``width``, ``height``: with hidden rows."""

    def __init__(self, memory: Memory, spec: Spec, codes: Codes, rng: Random) -> None:
        self._mem, self._memory, self._spec = memory.bytes, memory, spec
        self.width, self.height = spec.width, spec.height
        area: Where = "cart" if spec.area == "cart" else "hidden" if spec.area == "hidden" else "main"
        size = spec.width, spec.height

        def make(form: FieldForm, where: Where) -> Store:
            return make_store(memory, form, *size, spec.hidden, codes, where, rng)

        self.store = make(spec.field, area)
        self.shown: Store | None = make(spec.mirror_form, "main") if spec.mirror == "shown" else None
        self.landing: Store | None = make(spec.mirror_form, area) if spec.landing == "mirror" else None
        self.heights = memory.take(spec.width) if spec.landing == "heights" else -1
        self._height_unit = spec.cell if spec.cell > 2 and rng.random() < 0.5 else 1
        self._from_top = rng.random() < 0.5
        self._height_zero = rng.choice((0, 0, 8, 16, 0xC5 % 64))
        self.copy = -1
        self.left = -1
        if spec.copy:
            self.copy = memory.take(spec.width * spec.height, "main")
            self.left = memory.take() if spec.copy == "late" else -1
        self._tiles = [rng.randrange(256) for _ in range(16)]
        self.get = self.store.get
        self.solid = self._solid()

    def _solid(self) -> Any:
        """The function that says whether a piece is stopped by a cell inside the field."""
        if self.landing is not None:
            get = self.landing.get
            return lambda column, row: get(column, row) & 15
        if self.heights >= 0:
            return lambda column, row: row >= self.height - self.height_of(column)
        get = self.store.get
        return lambda column, row: get(column, row) & 15

    def height_of(self, column: int) -> int:
        """What the cache says: rows that are taken, from the floor."""
        value = (self._mem[self.heights + column] - self._height_zero & 255) // self._height_unit
        return self.height - value if self._from_top else value

    def put(self, column: int, row: int, value: int, rests: bool = True) -> None:
        """Writes a cell of the rules' field."""
        self.store.put(column, row, value, rests)

    def changed(self) -> None:
        """After each change of what rests: what is shown follows."""
        if self.shown is not None:
            self.shown.write(self.store.read())
        if self.copy >= 0:
            if self.left >= 0:
                self._mem[self.left] = self.height
            else:
                self._copy(range(self.height))

    def settled(self) -> None:
        """After a lock has been worked off: what pieces land by is made anew."""
        if self.landing is not None:
            self.landing.write(self.store.read())
        if self.heights >= 0:
            cells, width = self.store.read(), self.width
            for column in range(width):
                top = next((row for row in range(self.height) if cells[row * width + column]), self.height)
                value = top if self._from_top else self.height - top
                self._mem[self.heights + column] = value * self._height_unit + self._height_zero & 255

    def _copy(self, rows: Sequence[int]) -> None:
        exact = self._spec.copy != "picture"
        width, store, mem = self.width, self.store, self._mem
        if len(rows) == self.height:
            if exact and isinstance(store, Table):
                data = bytes([mem[place] for place in store.places])
            else:
                data = bytes([self._tiles[value & 15] for value in store.read()])
            if not exact or isinstance(store, Table):
                mem[self.copy : self.copy + len(data)] = data
                return
        for row in rows:
            for column in range(width):
                place = store.where(column, row) if exact else -1
                value = mem[place] if place >= 0 else self._tiles[store.get(column, row) & 15]
                mem[self.copy + row * width + column] = value

    def late(self) -> None:
        """A frame's share of the late copy."""
        left = self._mem[self.left]
        if left:
            row = self.height - left if left <= self.height else 0
            self._mem[self.left] = left - 1
            self._copy((row,))

    def read(self) -> list[int]:
        """All cells, row by row."""
        return self.store.read()

    def write(self, cells: Sequence[int]) -> None:
        """Makes the field what is given."""
        self.store.write(cells)
        self.changed()

    def remove(self, cells: Sequence[int], rows: Sequence[int]) -> None:
        """The field after full rows went; rows behind pointers only change places."""
        if isinstance(self.store, Moved):
            self.store.remove(rows)
            self.changed()
        self.write(cells)

    def clean(self) -> None:
        """A new game."""
        for store in (self.store, self.shown, self.landing):
            if store is not None:
                store.clean()
        if self.copy >= 0:
            self._copy(range(self.height))
        self.settled()

    def describe(self) -> dict[str, Any]:
        """Where and how the field lies in RAM."""
        spec, address = self._spec, self._memory.address
        said: dict[str, Any] = {"rows": self.height, "columns": self.width, "hidden_rows": spec.hidden}
        said |= {"piece_inside": spec.inside}
        said["places"] = [{"role": "rules", "visible": spec.area != "hidden"} | self.store.describe()]
        if self.shown is not None:
            said["places"].append({"role": "shown"} | self.shown.describe())
        if self.landing is not None:
            said["places"].append({"role": "landing"} | self.landing.describe())
        if self.copy >= 0:
            role = {"exact": "copy", "late": "late copy", "picture": "picture"}[spec.copy]
            bytewise = isinstance(self.store, (Table, Moved)) and spec.copy != "picture"
            said["places"].append(
                {
                    "role": role,
                    "form": "bytes" if bytewise else "tiles",
                    "address": address(self.copy),
                    "row_stride": self.width,
                    "column_stride": 1,
                    "cells": [address(self.copy + at) for at in range(self.width * self.height)],
                }
                | ({key: self.store.describe()[key] for key in ("mask", "codes")} if bytewise else {})
            )
        if self.heights >= 0:
            said["heights"] = {
                "address": address(self.heights),
                "unit": self._height_unit,
                "zero": self._height_zero,
                "from_top": self._from_top,
            }
        return said

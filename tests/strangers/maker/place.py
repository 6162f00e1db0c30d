"""Where the falling piece is, as it lies in RAM: column, row, orientation and how far it has sunk into the next row.

The place is read back from RAM at each use. *Sunk* counts 0 to ``steps`` - 1; at the last one the piece stands level in
its row, and the next step needs the row below.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tests.strangers.maker.fields import Store
from tests.strangers.maker.memory import Memory
from tests.strangers.maker.rules_pairs import SIDES
from tests.strangers.maker.spec import Spec

WORDS = ("up", "right", "down", "left")


def said_turn(spec: Spec, turn: int) -> str | int:
    """An orientation as it is told: of pairs the side of the second half, of others the number of turns."""
    return WORDS[turn % 4] if spec.rules in ("pairs", "detonators", "bombs") else turn % 4


class Place:
    """The place of one seat's piece."""

    def __init__(self, memory: Memory, spec: Spec, store: Store, tell: Callable[[], int] | None) -> None:
        self._mem, self._memory, self._spec, self._store = memory.bytes, memory, spec, store
        self._tell = tell
        count = 2 if spec.place == "halves" else 1
        joined = spec.sub == "fraction" and count == 1 and spec.place == "axis" and spec.seed % 2
        if spec.place in ("cell", "pointer"):
            self.x = [memory.take(1 if spec.place == "cell" else 2)]
            self.y: list[int] = []
        else:
            self.x = [memory.take() for _ in range(count)]
            # a word of a fraction and a row, or bytes anywhere
            self.y = [memory.take(2) + 1] if joined else [memory.take() for _ in range(count)]
        self.turn = memory.take() if spec.orientation == "byte" and spec.place != "halves" else -1
        self.steps = spec.cell if spec.sub == "pixels" else 256 if spec.sub == "fraction" else 0
        self.sunk_at = self.y[0] - 1 if joined else memory.take() if spec.sub != "pixels" else -1
        """The timer or the fraction; pixels need no byte of their own."""
        self._back = {code: side for side, code in enumerate(spec.sides)}
        self._row = spec.width + spec.row_extra
        self._columns = tuple(self._column(byte) for byte in range(256))
        self._rows = tuple(self._row_of(byte)[0] for byte in range(256))
        self._sides = tuple(self._back.get(byte, 0) for byte in range(256))
        self._cells: dict[int, tuple[int, int]] = {}
        self.load = self._loader()

    def _x(self, column: int) -> int:
        spec = self._spec
        return spec.origin[0] + column * spec.cell & 255 if spec.cell > 2 else spec.origin[0] + column & 255

    def _y(self, row: int, sunk: int) -> int:
        spec = self._spec
        if spec.cell > 2:
            at = row * spec.cell + sunk
            return (spec.origin[1] - at if spec.count_up else spec.origin[1] + at) & 255
        return (spec.origin[1] - row if spec.count_up else spec.origin[1] + row) & 255

    def _column(self, byte: int) -> int:
        spec = self._spec
        at = byte - spec.origin[0] & 255
        at = at - 256 if at >= 224 else at
        return at // spec.cell if spec.cell > 2 else at

    def _row_of(self, byte: int) -> tuple[int, int]:
        spec = self._spec
        at = (spec.origin[1] - byte if spec.count_up else byte - spec.origin[1]) & 255
        at = at - 256 if at >= 240 - (spec.cell if spec.cell > 2 else 0) else at
        return divmod(at, spec.cell) if spec.cell > 2 else (at, 0)

    def _loader(self) -> Callable[[], tuple[int, int, int]]:
        """The function that reads column, row and orientation of the piece's first cell."""
        mem, spec = self._mem, self._spec
        columns, rows, sides = self._columns, self._rows, self._sides
        turn_at, x = self.turn, self.x[0]
        tell = self._tell if self._tell is not None else lambda: sides[mem[turn_at]]
        if spec.place == "cell":
            length = self._row

            def by_cell() -> tuple[int, int, int]:
                row, column = divmod(mem[x], length)
                return column, row, tell()

            return by_cell
        if spec.place == "pointer":
            return lambda: (*self._cell_at(mem[x] | mem[x + 1] << 8), tell())
        y = self.y[0]
        if spec.place == "halves":
            x2, y2 = self.x[1], self.y[1]
            ways = {side: turn for turn, side in enumerate(SIDES)}

            def by_halves() -> tuple[int, int, int]:
                column, row = columns[mem[x]], rows[mem[y]]
                return column, row, ways.get((columns[mem[x2]] - column, rows[mem[y2]] - row), 0)

            return by_halves
        if self._tell is None:
            return lambda: (columns[mem[x]], rows[mem[y]], sides[mem[turn_at]])
        return lambda: (columns[mem[x]], rows[mem[y]], tell())

    def _cell_at(self, address: int) -> tuple[int, int]:
        spec = self._spec
        if not self._cells:
            for row in range(spec.height):
                for column in range(spec.width):
                    self._cells[self._memory.address(self._store.where(column, row)) or 0] = column, row
        return self._cells.get(address, spec.spawn[:2])

    def store(self, column: int, row: int, turn: int, sunk: int) -> None:
        """Writes the place. ``sunk`` matters only where it is part of y."""
        mem, spec = self._mem, self._spec
        if spec.place == "cell":
            mem[self.x[0]] = row * self._row + column & 255
        elif spec.place == "pointer":
            address = self._memory.address(self._store.where(column, row)) or 0
            mem[self.x[0]], mem[self.x[0] + 1] = address & 255, address >> 8
        else:
            mem[self.x[0]], mem[self.y[0]] = self._x(column), self._y(row, sunk)
            if spec.place == "halves":
                dx, dy = SIDES[turn]
                mem[self.x[1]], mem[self.y[1]] = self._x(column + dx), self._y(row + dy, sunk)
        if self.turn >= 0:
            mem[self.turn] = spec.sides[turn]

    def deeper(self) -> bool:
        """Where y is in pixels: a pixel down if the piece is not level yet. False when it is."""
        mem, spec = self._mem, self._spec
        byte = mem[self.y[0]]
        if (spec.origin[1] - byte if spec.count_up else byte - spec.origin[1]) % spec.cell == spec.cell - 1:
            return False
        for at in self.y:
            mem[at] = mem[at] + (-1 if spec.count_up else 1) & 255
        return True

    def sunk(self) -> int:
        """How far the piece has sunk, where y is in pixels."""
        return self._row_of(self._mem[self.y[0]])[1]

    def describe(self) -> dict[str, Any]:
        """Where and how the place lies in RAM."""
        spec, address = self._spec, self._memory.address
        said: dict[str, Any] = {"form": spec.place}
        if spec.place == "cell":
            said |= {"address": address(self.x[0]), "cells_per_row": self._row}
        elif spec.place == "pointer":
            said |= {"address": address(self.x[0]), "bytes": 2}
        else:
            unit = spec.cell if spec.cell > 2 else 1
            said |= {"x": [address(at) for at in self.x], "y": [address(at) for at in self.y]}
            said |= {"x_origin": spec.origin[0], "y_origin": spec.origin[1], "pixels": unit}
            said["y_counts_up"] = spec.count_up
        if self.turn >= 0:
            said["orientation"] = {
                "address": address(self.turn),
                "codes": {code: said_turn(spec, turn) for turn, code in enumerate(spec.sides)},
            }
        if self.sunk_at >= 0:
            said["sunk"] = {"address": address(self.sunk_at), "form": spec.sub}
        return said

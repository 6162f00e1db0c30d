"""The row above the visible ones: a naive machine has it somewhere, and it is found there."""

from __future__ import annotations

from collections.abc import Mapping
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from ochibot.console import Button
from ochibot.errors import CalibrationError
from ochibot.experiments import measure
from ochibot.experiments.facts import Above, Rows
from ochibot.experiments.grid import Grid
from ochibot.experiments.rig import Bytes

X, Y, LOW, HIGH, ALSO = 0, 1, 2, 3, 4
SIZE, WIDTH, VISIBLE, FLOOR, COPY = 0x300, 6, 12, 0x100, 0x200
COLORS = (1, 2, 3, 4)


class Machine:
    """Pieces of two halves fall on what is written into the field. The upper half of one that comes to rest on a full
    column is in the row above, if the game has one; where: that row's first cell, and what a column adds. copied:
    whether another table shows the field with that row, too. pixels: how many of y a row has. slippery: whether a piece
    never gets over a high stack.
    """

    def __init__(
        self, where: tuple[int, int] | None, *, copied: bool = False, pixels: int = 1, slippery: bool = False
    ) -> None:
        self.where, self.copied, self.pixels, self.slippery = where, copied, pixels, slippery
        self.ram = np.zeros(SIZE, np.uint8)
        self.ram[[X, Y]] = 2, 200
        self.ram[ALSO] = 200 - pixels
        # other bytes hold colours, too
        self.ram[0x50:0x60] = [1, 2, 3, 4] * 4
        self.own, self.view = SIZE, None

    def cell(self, column: int, row: int) -> int | None:
        if row == VISIBLE:
            return None if self.where is None else self.where[0] + column * self.where[1]
        return FLOOR + column - WIDTH * row

    def snap(self) -> Bytes:
        return self.ram.copy()

    save = snap

    def load(self, state: Bytes) -> None:
        self.ram = state.copy()

    def peek(self, place: int) -> int:
        return int(self.ram[place])

    def poke(self, pokes: Mapping[int, int]) -> None:
        for place, value in pokes.items():
            self.ram[place] = value & 255

    def step(self, pad: int) -> None:
        column = int(self.ram[X]) + bool(pad & Button.RIGHT) - bool(pad & Button.LEFT)
        row = (200 - int(self.ram[Y])) // self.pixels
        free = 0 <= column < WIDTH and not (row < VISIBLE and self.ram[self.cell(column, row) or 0])
        if free and not self.slippery:
            self.ram[X] = column
        # it sinks all the time
        self.ram[Y] += self.pixels

    def fall(self, state: Bytes) -> Any:
        self.load(state)
        column = int(self.ram[X])
        row = next(row for row in range(VISIBLE + 1) if row == VISIBLE or not self.ram[self.cell(column, row) or 0])
        for at, kind in ((row, self.ram[LOW]), (row + 1, self.ram[HIGH])):
            place = self.cell(column, at) if at <= VISIBLE else None
            if place is not None:
                self.ram[place] = kind
                if self.copied and self.where is not None:
                    self.ram[COPY + column + WIDTH * at] = kind
        # a byte that only tells the last colour that locked
        self.ram[0x20] = self.ram[HIGH]
        return SimpleNamespace(ram=self.snap())


def grounded(machine: Machine, *, columns: int = WIDTH) -> Any:
    def painted(cells: Mapping[tuple[int, int], int] | None = None) -> dict[int, int]:
        return {
            FLOOR + column - WIDTH * row: (cells or {}).get((column, row), 0)
            for column in range(WIDTH)
            for row in range(VISIBLE)
        }

    def pads(button: int, times: int = 1) -> list[int]:
        return [int(button), 0] * times

    driver = SimpleNamespace(
        x=SimpleNamespace(offset=X), y=SimpleNamespace(offset=Y), first=(), fall=machine.fall,
        x_now=lambda: machine.peek(X), tap=SimpleNamespace(pads=pads),
    )  # fmt: skip
    return SimpleNamespace(
        rig=machine, driver=driver, state=machine.save(), painted=painted, columns=tuple(range(columns)),
        grid=Grid(FLOOR, 1, -WIDTH, WIDTH, 0), visible=VISIBLE, colors=COLORS, mask=0xFF, spawn_column=2,
        cell_y=-machine.pixels, floor_y=200,
    )  # fmt: skip


POKER: Any = SimpleNamespace(pokes=lambda low, high: {LOW: low, HIGH: high})
AXIS: Any = SimpleNamespace(partner=None, near_row=0)
NEXT_ROW = (FLOOR - WIDTH * VISIBLE, 1)


@pytest.mark.parametrize("pixels", [1, 8])
@pytest.mark.parametrize("copied", [False, True])
@pytest.mark.parametrize("where", [(0x240, 1), (0x30, 2), (0x2F0, -3), (0x61, 16), NEXT_ROW])
def test_a_row_is_found_wherever_it_is(where: tuple[int, int], copied: bool, pixels: int) -> None:
    if copied:
        # then there are two, and only the field's own next row is sure
        wanted = where if where == NEXT_ROW else None
    else:
        wanted = where
    machine = Machine(where, copied=copied, pixels=pixels)
    assert measure.find_row_apart(grounded(machine), AXIS, POKER) == wanted


def test_where_no_half_is_kept_up_there_no_row_is_found() -> None:
    assert measure.find_row_apart(grounded(Machine(None)), AXIS, POKER) is None
    assert measure.find_row_apart(grounded(Machine(NEXT_ROW, slippery=True)), AXIS, POKER) is None
    with pytest.raises(CalibrationError, match="over a high stack in column 6"):
        measure._over_the_stack(grounded(Machine(NEXT_ROW, slippery=True)), AXIS, {}, {}, 5)


def test_the_other_half_is_held_up_with_the_piece() -> None:
    """In games that keep the places of both halves."""
    machine = Machine(NEXT_ROW, pixels=4)
    both: Any = SimpleNamespace(partner=(9, ALSO), near_row=0)
    seen = set()
    step = machine.step

    def watched(pad: int) -> None:
        seen.add((machine.peek(Y), machine.peek(ALSO)))
        step(pad)

    machine.step = watched  # type: ignore[method-assign]
    assert measure.find_row_apart(grounded(machine), both, POKER) == NEXT_ROW
    assert seen == {(200 - 4 * (VISIBLE - 1), 200 - 4 * VISIBLE)}


@pytest.mark.parametrize(
    ("kept", "grouping", "appears", "apart", "moves", "above"),
    [
        (13, 12, 11, None, None, Above(1, "vanish", False, None, False)),
        (13, 12, 11, None, False, Above(1, "solid", False, None, True)),
        (13, 13, 11, None, True, Above(1, "vanish", True, None, True)),
        (12, 12, 11, None, True, Above(0, "vanish", False, None, True)),
        # an upright piece appears with its upper half above all rows
        (13, 12, 13, None, False, Above(1, "vanish", False, None, True)),
        # in a game with all rows of the family, no half locks above them
        (14, 12, 11, None, True, Above(2, "solid", False, None, True)),
        # a row that lies apart says nothing of what is above it, nor of groups
        (12, 12, 12, (0x240, 1), True, Above(1, "vanish", False, (0x240, 1), False)),
        # it is the field's next row after all
        (12, 12, 11, NEXT_ROW, False, Above(1, "solid", False, None, True)),
    ],
)
def test_what_is_above_the_visible_rows(
    kept: int,
    grouping: int,
    appears: int,
    apart: tuple[int, int] | None,
    moves: bool | None,
    above: Above,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(measure, "find_row_apart", lambda *_: apart)
    monkeypatch.setattr(measure, "_moves_up_there", lambda *_: moves)
    found = measure.measure_above(grounded(Machine(None)), AXIS, POKER, Rows(kept, grouping), appears)
    assert found == above


class Walled(Machine):
    """A game in which no half may be above the row ``most``."""

    most = 0
    stuck = False

    def step(self, pad: int) -> None:
        row = (200 - int(self.ram[Y])) // self.pixels
        before = self.ram[X]
        super().step(pad)
        if self.stuck or row + 1 > self.most:
            self.ram[X] = before


@pytest.mark.parametrize("pixels", [1, 8])
@pytest.mark.parametrize(
    ("most", "stuck", "moves"), [(13, False, True), (12, False, False), (11, False, None), (13, True, None)]
)
def test_an_upright_piece_moves_up_there_or_not(most: int, stuck: bool, moves: bool | None, pixels: int) -> None:
    machine = Walled(None, pixels=pixels)
    machine.most, machine.stuck = most, stuck
    # 13 rows are kept: in row 11 both halves are in the field, in row 12 the upper one is above it
    assert measure._moves_up_there(grounded(machine), AXIS, 13) is moves


def test_where_x_and_y_are_one_byte_nothing_can_be_held() -> None:
    one = grounded(Machine(None))
    one.driver.y.offset = X
    assert measure._moves_up_there(one, AXIS, 13) is None
    assert measure.measure_between(one, AXIS) is None


@pytest.mark.parametrize(("columns", "kept"), [(6, 14), (8, 16)])
def test_rows_beyond_those_of_a_family_count_where_the_field_is_none_of_its(columns: int, kept: int) -> None:
    grid = Grid(0x200, 1, -columns, columns, 0)

    class Poker:
        ground: Any = SimpleNamespace(
            colors=COLORS,
            grid=grid,
            place=SimpleNamespace(rows=16),
            rig=SimpleNamespace(size=SIZE),
            mask=0xFF,
            visible=13,
        )

        def lock(self, cells: Mapping[tuple[int, int], int], *_args: Any) -> Any:
            ram = np.zeros(SIZE, np.uint8)
            for number, (_, kind) in enumerate(sorted((place[1], kind) for place, kind in cells.items())):
                ram[grid.cell(columns - 1, number)] = kind
            return SimpleNamespace(ram=ram)

    found = measure.measure_rows(Poker(), 5)  # type: ignore[arg-type]
    assert found.kept == kept

"""Plain fields anywhere in RAM, and x and y of all kinds, are found in what naive pieces leave."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
from ochibot.errors import CalibrationError
from ochibot.experiments.fields import Field, came, field_of, inside, lifted
from ochibot.experiments.grid import Grid
from ochibot.experiments.landings import Landing
from ochibot.experiments.lattice import Lattice, find_lattices, spots_of
from ochibot.experiments.likely import likely_fields, likeness, steady_cells

SIZE, QUIET = 0x200, np.zeros(0x200, bool)


@dataclass(frozen=True)
class Game:
    """Where a game has its field, and how raw x and y go. codes: those of cells, the first for nothing."""

    grid: Grid
    rows: int = 10
    left_x: int = 0
    step_x: int = 1
    floor_y: int = 12
    unit: int = 1
    down: int = 1
    codes: tuple[int, ...] = (0, 1, 2, 3, 4)

    def landings(self, pieces: int = 60, *, cells: int = 2) -> list[Landing]:
        """Pieces of so many cells that land upright or lying side by side, each column of them by itself; a new game
        begins when one has no room. x and y are those of the lowest cell of the left column.
        """
        dice = np.random.default_rng(5)
        begun = np.full(SIZE, self.codes[0], np.uint8)
        begun[[at for at in range(SIZE) if at % 7 == 3]] = 77
        for column in range(self.grid.columns):
            for row in range(self.rows):
                begun[self.grid.cell(column, row)] = self.codes[0]
        found: list[Landing] = []
        heights, ram, game = [0] * self.grid.columns, begun.copy(), 0
        while len(found) < pieces:
            lying = bool(dice.integers(2))
            column = int(dice.integers(self.grid.columns - lying))
            columns = [column, column + 1] if lying else [column] * cells
            if max(heights[one] for one in columns) + cells > self.rows:
                heights, ram, game = [0] * self.grid.columns, begun.copy(), game + 1
            row, before = heights[column], ram.copy()
            for one in columns:
                ram[self.grid.cell(one, heights[one])] = self.codes[int(dice.integers(1, len(self.codes)))]
                heights[one] += 1
            x = self.left_x + column * self.step_x & 255
            y = self.floor_y - self.down * self.unit * row & 255
            top = self.floor_y - self.down * self.unit * (self.rows + 1) & 255
            after = ram.copy()
            found.append(Landing(b"", before, after, after, x, y, top, int(lying), game))
        return found

    def columns(self) -> list[int]:
        return [self.left_x + column * self.step_x & 255 for column in range(self.grid.columns)]


GAMES = {
    "from the first byte": Game(Grid(0, 1, 6, 6, 0)),
    "up to the last byte": Game(Grid(SIZE - 6, 1, -6, 6, 0)),
    "the top row first": Game(Grid(0x100 + 9 * 6, 1, -6, 6, 0)),
    "the top row at the first byte": Game(Grid(9 * 6, 1, -6, 6, 0)),
    "column after column": Game(Grid(0x80, 10, 1, 6, 0)),
    "column after column, from the top, up to the last byte": Game(Grid(SIZE - 51, 10, -1, 6, 0)),
    "the rightmost cell first": Game(Grid(0x165, -1, -8, 6, 0)),
    "cells apart": Game(Grid(0x40, 3, 24, 6, 0)),
    "lines of 16": Game(Grid(0x80, 1, 16, 8, 0), rows=12),
    "pixels": Game(Grid(0x100, 1, 6, 6, 0), left_x=24, step_x=16, floor_y=200, unit=16),
    "pixels of eight, y from the floor up": Game(
        Grid(0x100, 1, 6, 6, 0), left_x=8, step_x=8, floor_y=16, unit=8, down=-1
    ),
    "columns from the right": Game(Grid(0x100, 1, 6, 6, 0), left_x=7, step_x=-1),
    "y goes through zero": Game(Grid(0x100, 1, 6, 6, 0), floor_y=4),
    "other codes": Game(Grid(0x100, 1, 6, 6, 255), codes=(255, 16, 0, 32, 48)),
    "four columns": Game(Grid(0x100, 1, 4, 4, 0)),
}


@pytest.mark.parametrize("name", GAMES)
def test_a_plain_field_is_found(name: str) -> None:
    game = GAMES[name]
    landings = game.landings()
    share, field = likely_fields(landings, game.columns(), game.down * game.unit, QUIET, SIZE)[0]
    # where columns are unlike, one half may come to rest far above the other
    assert share >= 0.95
    assert (field.grid, field.unit, field.down) == (game.grid, game.unit, game.down)
    assert (field.left_x, field.step_x, field.floor_y) == (game.left_x, game.step_x, game.floor_y)
    assert {code for code, _ in field.codes} == set(game.codes[1:])
    assert 80 <= sum(times for _, times in field.codes) <= 2 * len(landings)
    # as high as the heap became
    high = max(row for one in landings for _, row in game_cells(game, one))
    assert field.rows == high + 1
    assert (field.seen, field.of) == (60, 60)
    for one in landings:
        left = came(field, one)
        assert left.gone == 0
        assert len(left.cells) == 2
        assert field.spot(one.x, one.y) in left.spots
    # nearly all pieces have their own cell, and those that stand, if they are many, one more
    upright = sum(not one.turns for one in landings) / len(landings)
    assert steady_cells(field, landings) == pytest.approx(1 + (upright if upright > 0.45 else 0))


def game_cells(game: Game, one: Landing) -> set[tuple[int, int]]:
    return {
        (column, row)
        for column in range(game.grid.columns)
        for row in range(game.rows)
        if one.after[game.grid.cell(column, row)] != game.codes[0]
    }


@pytest.mark.parametrize("size", [SIZE - 6, SIZE - 1])
def test_a_field_ends_where_ram_does(size: int) -> None:
    game = GAMES["up to the last byte"]
    found = likely_fields(game.landings(), game.columns(), 1, QUIET, size)
    assert all(max(field.offsets()) < size for _, field in found)
    assert all(field.grid != game.grid for _, field in found)


@pytest.mark.parametrize(("rows", "sure"), [(1, False), (2, False), (3, True), (4, True)])
def test_three_heights_tell_how_high_a_row_is(rows: int, sure: bool) -> None:
    ram = np.zeros(4, np.uint8)
    seen = [Landing(b"", ram, ram, ram, at % 6, 200 - 16 * (at % rows), 8, 0, 0) for at in range(48)]
    found = spots_of(seen, range(6), 16)
    assert [spots.unit for spots in found] == ([16] if sure else [])
    for spots in found:
        assert spots.rows.tolist() == [at % rows for at in range(48)]
        assert spots.columns.tolist() == [at % 6 for at in range(48)]
        assert spots.floor_y == 200


@pytest.mark.parametrize(("wrong", "sure"), [(5, True), (6, False)])
def test_one_piece_in_ten_may_rest_between_two_rows(wrong: int, sure: bool) -> None:
    ram = np.zeros(4, np.uint8)
    away = [7] * wrong + [0] * (50 - wrong)
    seen = [Landing(b"", ram, ram, ram, 0, 200 - 16 * (at % 5) - off, 8, 0, 0) for at, off in enumerate(away)]
    assert (16 in [spots.unit for spots in spots_of(seen, range(6), 1)]) is sure


def lattice(first: int, across: int, up: int) -> Lattice:
    return Lattice(first, across, up, 1, 12, 60, 60, (((0, 0), 60), ((0, 1), 30), ((1, 0), 30)))


@pytest.mark.parametrize(
    ("first", "across", "up", "why"),
    [
        # cells that share bytes, or that nothing fills
        (0x100, 1, 2, "share bytes|makes no sense|keep what lands"),
        (0x1C0, 1, -6, "no landing changes"),
    ],
)
def test_other_steps_through_ram_are_no_field(first: int, across: int, up: int, why: str) -> None:
    game = GAMES["lines of 16"]
    landings = game.landings()
    with pytest.raises(CalibrationError, match=why):
        field_of(lattice(first, across, up), landings, game.columns(), 1, SIZE)


def test_copies_of_a_field_are_found_beside_it() -> None:
    game = Game(Grid(0x20, 1, 6, 6, 0))
    landings = game.landings()
    for one in landings:
        for ram in (one.before, one.after):
            ram[0x100 : 0x100 + 60] = ram[0x20 : 0x20 + 60]
    found = find_lattices(landings, game.columns(), 1)
    assert {one.first for one in found if (one.across, one.up, one.votes) == (1, 6, 60)} == {0x20, 0x100}
    floors = [field.grid.floor for _, field in likely_fields(landings, game.columns(), 1, QUIET, SIZE)]
    assert sorted(floors[:2]) == [0x20, 0x100]
    # bytes that change by themselves are no cells
    restless = QUIET.copy()
    restless[0x100:0x140] = True
    found = find_lattices(landings, game.columns(), 1, restless)
    assert {one.first for one in found if one.votes == 60} == {0x20}


def test_the_own_column_of_a_piece_is_that_in_which_every_piece_has_a_cell() -> None:
    """Halves part where columns are of unequal height. In a game for the Master System, pieces appeared lying, and most
    of them left their other half in the row of x and y, but not the half at x and y.
    """
    dice = np.random.default_rng(2)
    grid, heights, ram = Grid(0x100, 1, 10, 8, 0), [0] * 8, np.zeros(SIZE, np.uint8)
    landings: list[Landing] = []
    while len(landings) < 48:
        column, turns = int(dice.integers(8)), int(dice.choice([*[0] * 8, 1, 2, 3]))
        columns = [column, column + (1, 0, -1, 0)[turns]]
        lower = turns == 0 and columns[1] < 8 and heights[column] >= heights[columns[1]]
        if not 0 <= columns[1] < 8 or (lower and dice.integers(4)):
            continue
        if max(heights[one] for one in columns) > 9:
            heights, ram = [0] * 8, np.zeros(SIZE, np.uint8)
        row = max(heights[one] + (turns == 3) for one in columns)
        before, ram = ram, ram.copy()
        for one in columns:
            ram[grid.cell(one, heights[one])] = dice.integers(1, 5)
            heights[one] += 1
        landings.append(Landing(b"", before, ram, ram, column, 15 - row, 2, turns, 0))
    _, field = likely_fields(landings, range(8), 1, QUIET, SIZE)[0]
    assert (field.grid, field.left_x, field.floor_y) == (grid, 0, 15)


def test_a_field_that_is_cut_off_explains_fewer_landings() -> None:
    game = GAMES["the top row first"]
    landings = game.landings()
    _, field = likely_fields(landings, game.columns(), 1, QUIET, SIZE)[0]
    assert likeness(field, landings) >= 0.95
    short = lifted(field, 2)
    assert (short.grid.floor, short.rows) == (field.grid.floor - 12, field.rows - 2)
    assert short.spot(3, 10) == (3, 0)
    below = sum(min(row for _, row in came(field, one).spots) < 2 for one in landings)
    assert likeness(short, landings) == pytest.approx(1 - below / 60, abs=0.05)
    assert lifted(short, -2) == field


@pytest.mark.parametrize(
    ("grid", "rows"),
    [
        (Grid(0, 1, 6, 6, 0), SIZE // 6),
        (Grid(2, 1, 6, 6, 0), (SIZE - 2) // 6),
        (Grid(60, 1, -6, 6, 0), 11),
        # the rows above the eighth are the next column's
        (Grid(0x80, 8, 1, 6, 0), 8),
    ],
)
def test_rows_are_inside_ram_up_to_some(grid: Grid, rows: int) -> None:
    assert [inside(grid, row, SIZE) for row in range(rows + 1)] == [True] * rows + [False]


def test_cells_are_those_that_are_not_empty() -> None:
    field = Field(Grid(0x100, 1, 6, 6, 9), 3, 1, 12, 0, 1, 1, (), 0, 0)
    ram: Any = np.full(SIZE, 9, np.uint8)
    ram[[0xFF, 0x100, 0x105, 0x106, 0x111, 0x112]] = [1, 2, 3, 0, 5, 6]
    assert field.cells(ram) == {(0, 0): 2, (5, 0): 3, (0, 1): 0, (5, 2): 5}

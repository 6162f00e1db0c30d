"""Chains into which the next board is written, in a naive game that resolves its field frame by frame."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from ochibot.console import Button
from ochibot.errors import CalibrationError
from ochibot.experiments.chains import SETTLED, STEP_FRAMES, Board, board, long_chain, play, rises
from ochibot.experiments.colors import ColorByte
from ochibot.experiments.digits import Form
from ochibot.experiments.driver import Driver, Place
from ochibot.experiments.effects import Poker
from ochibot.experiments.known import Ground
from ochibot.experiments.score import Score
from ochibot.experiments.setting import Setting

from tests.experiments.board import (
    CODES,
    COLUMNS,
    FLOOR_Y,
    LEFT_X,
    ROWS,
    SPAWN,
    STEP_X,
    STEP_Y,
    UP,
    Spot,
    field_at,
    groups_of,
)
from tests.experiments.frames import Frames

X, Y, HELD, NEAR, FAR, STEP, FRESH, OWED, PART, SCORE, WAIT, FIELD = 0, 1, 2, 3, 4, 6, 7, 8, 10, 12, 14, 0x20
POWERS = (1, 8, 16, 32, 64)
"""What steps are worth beside their bonuses; further ones are worth as much as the last."""
COLORS = (0, 0, 3, 6, 12)


@dataclass
class Game(Frames):
    """size: how many cells vanish. lag: frames between two looks at the field, in which cells vanish or fall.
    parts: in how many frames a step's points arrive. first: the piece must first be released by A. soft: points for
    a row that is fallen with DOWN held. keeps: the score is the game's own, not a copy of its sum.
    """

    size: int = 4
    lag: int = 12
    parts: int = 1
    first: bool = False
    soft: int = 0
    keeps: bool = True
    deaf: bool = False
    ram: Any = field(default_factory=lambda: np.zeros(0x100, np.uint8))
    sum: int = 0
    steps: list[tuple[tuple[int, ...], int]] = field(default_factory=list)
    frames: int = 0

    def __post_init__(self) -> None:
        self.appear()

    def appear(self) -> None:
        self.ram[[X, Y, NEAR, FAR, STEP]] = LEFT_X + STEP_X * SPAWN, FLOOR_Y - 11 * STEP_Y, 1, 2, 0
        self.ram[FRESH] = self.first

    def save(self) -> Any:
        return self.ram.copy(), self.sum

    def load(self, state: Any) -> None:
        self.ram, self.sum = state[0].copy(), state[1]

    def cells(self) -> dict[Spot, int]:
        every = {(c, r): int(self.ram[FIELD + c + UP * r]) >> 4 for r in range(ROWS + 2) for c in range(COLUMNS)}
        return {spot: kind for spot, kind in every.items() if kind}

    def put(self, cells: dict[Spot, int]) -> None:
        for r in range(ROWS + 2):
            for c in range(COLUMNS):
                self.ram[FIELD + c + UP * r] = cells.get((c, r), 0) << 4

    def word(self, at: int) -> int:
        return int(self.ram[at]) + 256 * int(self.ram[at + 1])

    def write(self, at: int, number: int) -> None:
        self.ram[[at, at + 1]] = number & 255, number >> 8 & 255

    def add(self, points: int) -> None:
        self.sum += points
        self.write(SCORE, self.word(SCORE) + points if self.keeps else self.sum)

    def step(self, pad: int = 0) -> None:
        ram = self.ram
        self.frames += 1
        if owed := self.word(OWED):
            part = min(owed, self.word(PART))
            self.add(part)
            self.write(OWED, owed - part)
        pressed, ram[HELD] = pad & ~(int(ram[HELD]) << 4), pad >> 4 & 255
        if wait := self.word(WAIT):
            self.write(WAIT, wait - 1)
            if wait == 1:
                self.look()
            return
        if ram[FRESH]:
            ram[FRESH] = not pressed & Button.A
            return
        side = bool(pressed & Button.RIGHT) - bool(pressed & Button.LEFT)
        column = max(0, min(COLUMNS - 1, (int(ram[X]) - LEFT_X) // STEP_X + (0 if self.deaf else side)))
        ram[X] = LEFT_X + STEP_X * column
        cells = self.cells()
        height = max((r + 1 for c, r in cells if c == column), default=0)
        lowest = FLOOR_Y - STEP_Y * height
        ram[Y] = min(lowest, int(ram[Y]) + (4 if pad & Button.DOWN else 1))
        if pad & Button.DOWN and ram[Y] % STEP_Y == 0 and self.soft:
            self.add(self.soft)
        if ram[Y] == lowest:
            self.put({**cells, (column, height): int(ram[NEAR]), (column, height + 1): int(ram[FAR])})
            self.write(WAIT, self.lag)

    def look(self) -> None:
        """Cells fall, or groups vanish, or the next piece appears."""
        cells = self.cells()
        fallen: dict[Spot, int] = {}
        for column in range(COLUMNS):
            heap = [cells[column, row] for row in range(ROWS + 2) if (column, row) in cells]
            fallen |= {(column, row): kind for row, kind in enumerate(heap)}
        groups = [group for group in groups_of(fallen) if len(group) >= self.size]
        doomed = {spot for group in groups for spot in group}
        self.put({spot: kind for spot, kind in fallen.items() if spot not in doomed})
        if not groups:
            self.appear()
            return
        colors = len({fallen[min(group)] for group in groups})
        sizes = tuple(sorted((len(group) for group in groups), reverse=True))
        self.steps.append((sizes, colors))
        points = worth(int(self.ram[STEP]), sizes, colors, self.size)
        self.ram[STEP] += 1
        self.write(OWED, points)
        self.write(PART, -(-points // self.parts))
        self.write(WAIT, self.lag)


def worth(step: int, sizes: tuple[int, ...], colors: int, size: int) -> int:
    """The points of a step, by the game's own tables. ``step`` counts from 0."""
    bonus = sum(one - size for one in sizes) + COLORS[colors]
    return sum(sizes) * (POWERS[min(step, len(POWERS) - 1)] + bonus)


def poker_of(game: Game, *, pause: int = 0, agree: int = 1, kind: str = "cells") -> Poker:
    rig: Any = game
    rig.view = None
    driver = Driver(rig, Place(X, STEP_X), Place(Y, STEP_Y))
    driver.first = (int(Button.A),) if game.first else ()
    place = field_at(FIELD)
    columns = tuple(LEFT_X + STEP_X * column for column in range(COLUMNS))
    near, far = (ColorByte(at, 0xFF, {code: code >> 4 for code in CODES}, followed=True) for at in (NEAR, FAR))
    unused: Any = None
    known = Ground(rig, driver, rig.save(), columns, place.grid, place, Setting(kind), unused, FLOOR_Y, -STEP_Y, ROWS,
                   SPAWN, 0xF0, CODES, pause, agree)  # fmt: skip
    return Poker(known, near, far, near_below=True)


def score_of(game: Game) -> Score:
    return Score(SCORE, Form(2, little=True), 1, kept=game.keeps)


@settings(max_examples=25)
@given(
    st.sampled_from([3, 4, 5]),
    st.lists(st.sampled_from(["group", "larger", "two", "colours", "largest"]), max_size=6),
    st.sampled_from([1, 3, 5]),
    st.booleans(),
    st.integers(0, 8),
    st.integers(0, 2),
)
def test_each_step_of_a_written_chain_is_worth_what_the_game_pays(
    size: int, kinds: list[str], parts: int, keeps: bool, pause: int, soft: int
) -> None:
    game = Game(size, parts=parts, keeps=keeps, soft=soft, first=pause % 2 == 1)
    poker = poker_of(game, pause=pause)
    shapes = {"group": ([size], 1), "larger": ([size + 2], 1), "two": ([size] * 2, 1),
              "colours": ([size] * 3, 3), "largest": ([11], 1)}  # fmt: skip
    boards: list[Board] = []
    for kind in kinds:
        made = board(poker.ground, *shapes[kind])
        assert made is not None
        boards.append(made)
    game.steps.clear()
    found = rises(poker, score_of(game), size, boards)
    assert game.steps[0] == ((size,), 1)
    assert game.steps[1:] == [(tuple(sorted(one.groups, reverse=True)), one.colors) for one in boards]
    assert list(found) == [worth(step, *told, size) for step, told in enumerate(game.steps)]


def test_a_chain_may_have_more_steps_than_a_field_has_room_for() -> None:
    game = Game()
    poker = poker_of(game)
    found = long_chain(poker, score_of(game), 4, 24)
    assert list(found) == [4 * POWERS[min(step, 4)] for step in range(24)]
    watched: list[int] = []
    one = board(poker.ground, [4])
    assert one is not None
    game.sum = 0
    ram = play(poker, 4, [one] * 3, lambda: watched.append(game.frames))
    # each frame since the piece was in its column is looked at, and the score comes to its end
    assert watched == list(range(watched[0], game.frames + 1))
    assert game.word(SCORE) == game.sum == 4 * (1 + 8 + 16 + 32)
    assert (ram == game.snap()).all()
    # what stays of a board is there, and nothing of the piece but what fell
    assert set(poker.ground.kinds(ram)) <= {*one.cells, (0, 0), (0, 1), (5, 0), (4, 0), (SPAWN, 11), (SPAWN, 12)}
    assert game.frames - watched[-SETTLED] == SETTLED - 1


def test_a_chain_that_goes_on_otherwise_is_none() -> None:
    game = Game()
    poker = poker_of(game)
    score = score_of(game)
    one = board(poker.ground, [4])
    assert one is not None
    # two cells alone don't vanish, so the next piece comes and lands
    lonely = Board({(0, 0): CODES[0], (1, 0): CODES[0]}, (2,), 1, ((0, 0), (1, 0)))
    with pytest.raises(CalibrationError, match="step 3 of the chain comes only when the next piece lands"):
        rises(poker, score, 4, [one, lonely, one])
    game.lag = STEP_FRAMES - 20
    slow = poker_of(game)
    assert rises(slow, score, 4, [one]) == (4, 32)
    # the game looks at two cells for so long that the next piece is hardly there when the time is up
    with pytest.raises(CalibrationError, match="step 2 of the chain doesn't come"):
        rises(slow, score, 4, [lonely])
    deaf = Game(deaf=True)
    with pytest.raises(CalibrationError, match="the piece doesn't get to the first column"):
        rises(poker_of(deaf), score_of(deaf), 4, [one])
    with pytest.raises(CalibrationError, match="cells can't be written while a chain goes on"):
        rises(poker_of(Game(), kind="none"), score, 4, [one])
    # four equal cells don't vanish in a game that wants nine
    with pytest.raises(CalibrationError, match="step 1 of the chain doesn't come"):
        rises(poker_of(Game(size=9)), score, 4, [one])


def test_cells_are_gone_when_so_many_of_the_fields_are_empty() -> None:
    """A copy that the game never empties: the chain goes on with one of two, and never if both must agree."""
    game = Game()
    for agree in (1, 2):
        poker = poker_of(game, agree=agree)
        ground = poker.ground
        copy = type(ground.grid)(0x90, 1, UP, COLUMNS, 0)
        object.__setattr__(ground, "setting", Setting("mirror", (copy,)))
        if agree == 1:
            one = board(ground, [4])
            assert one is not None
            assert rises(poker, score_of(game), 4, [one]) == (4, 32)

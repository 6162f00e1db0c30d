"""A naive game of pairs, fall by fall: what a driver and a rig do, without frames between."""

from __future__ import annotations

from collections.abc import Mapping
from types import SimpleNamespace
from typing import Any, Final

import numpy as np
from ochibot.console import Button
from ochibot.errors import CalibrationError
from ochibot.experiments.driver import Fallen
from ochibot.experiments.fields import Field
from ochibot.experiments.grid import Grid
from ochibot.experiments.known import Ground
from ochibot.experiments.landings import Landing
from ochibot.experiments.rig import Bytes
from ochibot.experiments.setting import Setting
from ochibot.experiments.turning import Turning

from tests.experiments.frames import Frames

X, Y, SIDE, NEAR, FAR, NEXT, NEXT2, SPRITE, NUMBER, SCORE, CLOCK = 0, 1, 2, 4, 5, 6, 8, 10, 12, 0x30, 0x34
NOISE: Final = slice(0x40, 0x80)
FLOOR, COPY, HEIGHTS, SIZE = 0x100, 0x200, 0x2C0, 0x300
COLUMNS, ROWS, UP, SPAWN = 6, 12, 8, 2
LEFT_X, STEP_X, FLOOR_Y, STEP_Y = 16, 8, 200, 8
CODES: Final = (0x10, 0x20, 0x30, 0x40)
"""The codes of cells of the four colours; a byte of the piece holds the number of the colour, from 1."""

Spot = tuple[int, int]


def turning_at(place: int | None) -> Turning:
    """A turning whose orientation is one byte there; None: no byte tells it."""
    return Turning(Button.A, None, place, ())


class Board(Frames):
    """lands: what pieces land on. ``cells``: the field's own; ``either``: those of the field or of its copy;
    ``heights``: a row of bytes, from the field when a piece locks; ``hidden``: a copy that the field is made anew from;
    ``moved``: the field's cells as they were when the piece appeared or moved to a side.
    size: how many equal cells vanish; links: whether a bit of a cell tells its equal neighbours. tall: rows that hold
    cells.
    """

    def __init__(self, lands: str = "cells", *, size: int = 99, links: bool = False, tall: int = ROWS + 2) -> None:
        self.lands, self.size_of_group, self.links, self.tall = lands, size, links, tall
        self.ram = np.zeros(SIZE, np.uint8)
        self.own, self.size, self.view = SIZE, SIZE, None
        self.dealt = np.random.default_rng(3).integers(1, 5, 4000).tolist()
        self.frames = 0
        self.falls: list[tuple[int | None, tuple[int, ...], int | None, bool]] = []
        """The columns, turns, pads and whether frames were kept, of all falls."""
        self.ram[[NEAR, FAR, NEXT, NEXT + 1, NEXT2, NEXT2 + 1]] = self.dealt[:6]
        self.appear()

    def appear(self) -> None:
        number = int(self.ram[NUMBER])
        self.ram[[X, Y, SIDE]] = LEFT_X + STEP_X * SPAWN, FLOOR_Y - STEP_Y * 11, 0
        self.ram[SPRITE : SPRITE + 2] = self.ram[NEAR : NEAR + 2]
        self.ram[NOISE] = np.random.default_rng(number).integers(0, 256, NOISE.stop - NOISE.start)

    # -- what a rig does

    def save(self) -> Any:
        return self.ram.copy()

    def load(self, state: Bytes) -> None:
        self.ram = state.copy()

    def step(self, pad: int = 0) -> None:
        side = bool(pad & Button.RIGHT) - bool(pad & Button.LEFT)
        self.ram[X] = int(self.ram[X]) + STEP_X * side
        self.ram[CLOCK] = int(self.ram[CLOCK]) + 1 & 255
        # the picture's copies are made anew
        self.ram[SPRITE : SPRITE + 2] = self.ram[NEAR : NEAR + 2]
        self.frames += 1

    # -- the game

    def filled(self, column: int, row: int) -> bool:
        at = column + UP * row
        if self.lands == "heights":
            return bool(row < self.ram[HEIGHTS + column])
        if self.lands == "moved":
            return bool(self.seen[FLOOR + at])
        copy = bool(self.ram[COPY + at]) if self.lands in ("either", "hidden") else False
        return copy or (self.lands != "hidden" and bool(self.ram[FLOOR + at]))

    def kinds(self) -> dict[Spot, int]:
        """The colours of the cells, from 1."""
        base = COPY if self.lands == "hidden" else FLOOR
        every = {(c, r): int(self.ram[base + c + UP * r]) >> 4 for c in range(COLUMNS) for r in range(self.tall)}
        return {spot: kind for spot, kind in every.items() if kind}

    def put(self, cells: Mapping[Spot, int]) -> None:
        """The field and its copies with these colours alone."""
        for column in range(COLUMNS):
            for row in range(self.tall):
                kind = cells.get((column, row), 0)
                near = [cells.get((column + 1, row)), cells.get((column, row + 1))]
                near += [cells.get((column - 1, row)), cells.get((column, row - 1))]
                code = kind << 4 | (self.links and kind in near and kind > 0)
                self.ram[[FLOOR + column + UP * row, COPY + column + UP * row]] = code
            self.ram[HEIGHTS + column] = max((row + 1 for c, row in cells if c == column), default=0)

    def resolve(self) -> int:
        """Groups vanish and cells fall, until none does. Returns how many cells vanished."""
        gone = 0
        while True:
            cells = self.kinds()
            fallen: dict[Spot, int] = {}
            for column in range(COLUMNS):
                heap = [cells[column, row] for row in range(self.tall) if (column, row) in cells]
                fallen |= {(column, row): kind for row, kind in enumerate(heap)}
            groups = groups_of({spot: kind for spot, kind in fallen.items() if spot[1] < ROWS and kind < 5})
            away = {spot for group in groups if len(group) >= self.size_of_group for spot in group}
            gone += len(away)
            # nuisance goes with what vanishes beside it
            away |= {
                (c, r) for (c, r), kind in fallen.items()
                if kind == 5 and away & {(c + 1, r), (c - 1, r), (c, r + 1), (c, r - 1)}
            }  # fmt: skip
            self.put({spot: kind for spot, kind in fallen.items() if spot not in away})
            if not away:
                return gone

    def fall(
        self, state: Bytes, *, column: int | None = None, turns: tuple[int, ...] = (),
        pokes: Mapping[int, int] | None = None, keep: bool = False, pad: int | None = None, **_: Any,
    ) -> Fallen:  # fmt: skip
        self.load(state)
        self.seen = self.ram.copy()
        self.poke(pokes or {})
        if column not in (None, int(self.ram[X])):
            self.seen = self.ram
        self.falls.append((column, turns, pad, keep))
        if column is not None:
            self.ram[X] = max(0, min(255, column))
        # walls stop it
        across = max(0, min(COLUMNS - 1, (int(self.ram[X]) - LEFT_X) // STEP_X))
        self.ram[X] = LEFT_X + STEP_X * across
        if self.filled(SPAWN, 11):
            raise CalibrationError("no next piece comes after this one")
        # the axis is the lower half, or the left one after a turn
        side = len(turns) % 4
        other = across + (1, 0, -1)[side - 1] if side else across
        height = {one: max((row + 1 for row in range(self.tall) if self.filled(one, row)), default=0)
                  for one in {across, other}}  # fmt: skip
        spots = [(across, height[across]), (other, height[other] + (other == across))]
        if side == 2:
            spots.reverse()
        flying = self.snap()
        top = int(self.ram[Y])
        self.ram[Y] = FLOOR_Y - STEP_Y * spots[0][1]
        lowest, x = int(self.ram[Y]), int(self.ram[X])
        fell = dict(zip(spots, (int(self.ram[NEAR]), int(self.ram[FAR])), strict=True))
        gone = 0
        if self.lands == "either":
            # each cell is written twice, and nothing else is
            for (one, row), kind in fell.items():
                self.ram[[FLOOR + one + UP * row, COPY + one + UP * row]] = kind << 4
        else:
            self.put({spot: kind for spot, kind in {**self.kinds(), **fell}.items() if spot[1] < self.tall})
            gone = self.resolve()
        points = int(self.ram[SCORE]) + 256 * int(self.ram[SCORE + 1]) + gone
        self.ram[[SCORE, SCORE + 1]] = points & 255, points >> 8 & 255
        self.ram[NEAR : NEAR + 4] = self.ram[NEXT : NEXT + 4]
        number = self.ram[NUMBER] = int(self.ram[NUMBER]) + 1
        self.ram[NEXT2 : NEXT2 + 2] = self.dealt[2 * number + 4 : 2 * number + 6]
        self.appear()
        trace = np.array([flying, self.snap()]) if keep else None
        return Fallen(self.save(), self.snap(), lowest, 20, top, 30, x, flying, trace)

    @property
    def driver(self) -> Any:
        return SimpleNamespace(
            rig=self, fall=self.fall, x_now=lambda: self.peek(X), y_now=lambda: self.peek(Y),
            x=SimpleNamespace(offset=X, step=STEP_X), y=SimpleNamespace(offset=Y, step=STEP_Y), drawn=None, first=(),
        )  # fmt: skip


def groups_of(cells: Mapping[Spot, int]) -> list[set[Spot]]:
    """The groups of equal cells that touch."""
    left, found = set(cells), []
    while left:
        group = {left.pop()}
        grown = True
        while grown:
            near = {(c + dc, r + dr) for c, r in group for dc, dr in ((1, 0), (-1, 0), (0, 1), (0, -1))} & left
            more = {spot for spot in near if cells[spot] == cells[min(group)]}
            group |= more
            left -= more
            grown = bool(more)
        found.append(group)
    return found


def field_at(first: int, rows: int = ROWS, codes: tuple[int, ...] = CODES) -> Field:
    times = tuple((code, 9) for code in codes)
    return Field(Grid(first, 1, UP, COLUMNS, 0), rows, STEP_Y, FLOOR_Y, LEFT_X, STEP_X, 1, times, 30, 30)


def landings(board: Board, pieces: int = 30) -> list[Landing]:
    """Pieces that are dropped into columns at random, one after another; a new game begins where none has room."""
    dice, begun, found = np.random.default_rng(1), board.save(), []
    state, game = begun, 0
    for number in range(pieces):
        column = int(dice.integers(0, COLUMNS))
        heights = [sum(c == column for c, _ in board.kinds()) for column in range(COLUMNS)]
        if max(heights) > ROWS - 4:
            state, game = begun.copy(), game + 1
            state[NUMBER] = number
        before = state.copy()
        fallen = board.fall(state, column=LEFT_X + STEP_X * column)
        found.append(Landing(state, before, fallen.flying, fallen.ram, fallen.x, fallen.lowest, fallen.top, 0, game))
        state = fallen.state
    board.load(begun)
    return found


def ground(board: Board, **said: Any) -> Ground:
    """What experiments know of a board, as a Ground."""
    field = field_at(FLOOR)
    usual: dict[str, Any] = {
        "rig": board, "driver": board.driver, "state": board.save(), "grid": field.grid, "place": field,
        "columns": tuple(LEFT_X + STEP_X * column for column in range(COLUMNS)), "setting": Setting("cells"),
        "turning": None, "floor_y": FLOOR_Y, "cell_y": -STEP_Y, "visible": ROWS, "spawn_column": SPAWN,
        "mask": 0xF0, "colors": CODES,
    }  # fmt: skip
    return Ground(**{**usual, **said})

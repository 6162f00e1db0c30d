"""The falling pair: its colours, where it is, and the places where it can lock.

Rows of the falling pair are counted from the top, as in the game's RAM: 0 is the hidden row above the grid, 1 the top
row of the grid, 12 the floor. Columns are 1..7.

How the falling pair moves: what fits where, what a press does, where a drop ends.

These are our own game's rules: those of our Famicom game, on 7 columns and 13 rows, and with needles. The sources on
the original game only say that pairs move and turn.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntEnum
from typing import Final, NamedTuple

from ochibot.errors import FieldError
from ochibot.falling.orientation import STEP, Orientation
from ochibot.nyaa.rules.grid import CELLS, COLORS, COLUMNS, ROWS, SYMBOLS, Grid
from ochibot.quoting import quoted

HIDDEN_ROWS: Final = 1
"""Rows above the grid, for the falling pair only."""


class Action(IntEnum):
    """What one press can do to the pair. NEEDLE turns both halves into needles, or back into blocks."""

    LEFT = 0
    RIGHT = 1
    ROTATE_CW = 2
    ROTATE_CCW = 3
    DOWN = 4
    NEEDLE = 5


class Pair(NamedTuple):
    """The colours (1..4) of a pair: the axis, which turns on the spot, and the partner, which turns around it."""

    axis: int
    partner: int

    @classmethod
    def parse(cls, text: str) -> Pair:
        """Reads two of the letters rgby, the axis first. Raises FieldError for anything else."""
        codes = [SYMBOLS.find(symbol) for symbol in text]
        if len(codes) != 2 or not all(code in COLORS for code in codes):
            raise FieldError(f"{quoted(text)} is not a pair: give two of the letters {SYMBOLS[1:5]}, such as rg")
        return cls(*codes)

    def __str__(self) -> str:
        return "".join(SYMBOLS[code] for code in self)


class NyaaState(NamedTuple):
    """Where the falling pair is.

    x, y: the axis's column (1..7) and row (0 hidden, 12 floor). orientation: where the partner lies, seen from the
    axis. needle: whether both halves are needles.
    """

    x: int
    y: int
    orientation: Orientation
    needle: bool = False

    def __str__(self) -> str:
        needles = ", needles" if self.needle else ""
        return f"column {self.x}, row {self.y}, partner {self.orientation.name.lower()}{needles}"


SPAWN: Final = NyaaState(4, 1, Orientation.UP)
"""Where pairs appear by the shipped rules: the axis in the middle of the top row, the partner above it, in the hidden
row. By other rules the column may be another (``Rules.spawn_column``)."""


@dataclass(frozen=True, slots=True)
class Placement:
    """A lock: the axis's cell, the orientation, and whether the halves are needles when the pair locks.

    path: the fewest presses that bring the pair to this column and orientation, as needles or as blocks. It doesn't
    include the straight drop at the end. It has DOWN only where the pair must sink on the way.
    """

    x: int
    y: int
    orientation: Orientation
    needle: bool = False
    path: tuple[Action, ...] = ()


def halves(state: NyaaState | Placement) -> tuple[tuple[int, int], tuple[int, int]]:
    """The (x, y) of the axis and of the partner, y from the top."""
    dx, dy = STEP[state.orientation]
    return (state.x, state.y), (state.x + dx, state.y + dy)


Cells = Sequence[Sequence[int]]
"""Cell codes of the grid and the hidden row above it, indexed [y][x - 1]; see ``cells_of``."""

ALL_ROWS: Final = HIDDEN_ROWS + ROWS
_ORIENTATIONS: Final = tuple(Orientation)


def cells_of(grid: Grid) -> list[list[int]]:
    """The grid's cell codes in 13 rows of 7. The first row is the hidden one, which is empty."""
    rows = [list(grid.codes[i : i + COLUMNS]) for i in range(0, CELLS, COLUMNS)]
    return [[0] * COLUMNS for _ in range(HIDDEN_ROWS)] + rows


def _free(cells: Cells, x: int, y: int) -> bool:
    return 1 <= x <= COLUMNS and 0 <= y < ALL_ROWS and not cells[y][x - 1]


def fits(cells: Cells, state: NyaaState) -> bool:
    """Whether both halves are on empty cells inside the 13 rows."""
    dx, dy = STEP[state.orientation]
    return _free(cells, state.x, state.y) and _free(cells, state.x + dx, state.y + dy)


def move(cells: Cells, state: NyaaState, action: Action) -> NyaaState:
    """The pair's state after one press; the same state when the press does nothing. ``state`` itself is not checked.

    If the cell to which the partner turns isn't free, the axis is pushed one cell the other way (off walls, floor,
    stack and ceiling). If that cell isn't free either, nothing happens. NEEDLE always acts.
    """
    x, y, orientation, needle = state
    if action is Action.NEEDLE:
        return state._replace(needle=not needle)
    if action is Action.LEFT or action is Action.RIGHT:
        after = state._replace(x=x + (1 if action is Action.RIGHT else -1))
        return after if fits(cells, after) else state
    if action is Action.DOWN:
        after = state._replace(y=y + 1)
        return after if fits(cells, after) else state
    turned = _ORIENTATIONS[(orientation + (1 if action is Action.ROTATE_CW else -1)) % 4]
    after = NyaaState(x, y, turned, needle)
    if fits(cells, after):
        return after
    dx, dy = STEP[turned]
    pushed = NyaaState(x - dx, y - dy, turned, needle)
    return pushed if fits(cells, pushed) else state


def dropped(cells: Cells, state: NyaaState) -> NyaaState:
    """Where the pair comes to rest when it falls straight down from ``state``."""
    while fits(cells, below := state._replace(y=state.y + 1)):
        state = below
    return state

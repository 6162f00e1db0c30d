"""How the falling pair moves: what fits where, what a press does, where a drop ends.

These are our own game's rules: those of our Famicom game, on 7 columns and 13 rows, and with needles. The sources on
the original game only say that pairs move and turn.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from ochibot.falling.orientation import STEP, Orientation
from ochibot.nyaa.rules.grid import CELLS, COLUMNS, ROWS, Grid
from ochibot.nyaa.rules.pair import HIDDEN_ROWS, Action, NyaaState

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

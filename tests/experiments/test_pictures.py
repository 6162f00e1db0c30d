"""The field is found in the game's picture, and its grid and the piece's halves are drawn where they are."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from ochibot.errors import CalibrationError
from ochibot.experiments.facts import Look
from ochibot.experiments.pictures import AXIS, GRID, PARTNER, SCALE, drawn, find_look

COLUMNS, VISIBLE = 6, 10


def ground_of(cell: int, left: int, top: int, *, shown: bool = True, odd: int = 0) -> Any:
    """A game whose pieces lie on the floor as two cells, the upper one smaller by a row of pixels. odd: pixels that
    each column is farther to the right than cells are wide. Elsewhere, a clock runs.
    """

    def drop(column: int) -> Any:
        picture = np.full((200, 240, 3), 30, np.uint8)
        picture[5, 5] = 40 + column
        x = left + column * (cell + odd)
        bottom = top + VISIBLE * cell
        if shown:
            picture[bottom - 2 * cell + 1 : bottom, x : x + cell] = 90, 10, 200
        return SimpleNamespace(state=picture)

    rig = SimpleNamespace(picture=lambda state: state)
    return SimpleNamespace(rig=rig, grid=SimpleNamespace(columns=COLUMNS), visible=VISIBLE, drop=drop)


@pytest.mark.parametrize(("cell", "left", "top"), [(16, 32, 24), (8, 100, 3), (4, 0, 0)])
def test_the_field_is_found_by_locks_in_opposite_corners(cell: int, left: int, top: int) -> None:
    look = find_look(ground_of(cell, left, top))
    assert (look.left, look.top, look.cell) == (left, top, cell)


@pytest.mark.parametrize("wrong", [{"shown": False}, {"cell": 3}])
def test_where_locks_do_not_show_no_field_is_found(wrong: dict[str, Any]) -> None:
    with pytest.raises(CalibrationError):
        find_look(ground_of(**{"cell": 16, "left": 32, "top": 24, **wrong}))


def test_the_grid_and_the_halves_are_drawn_over_the_cells() -> None:
    cell, left, top = 8, 20, 10
    ground = ground_of(cell, left, top)
    picture = np.random.default_rng(1).integers(0, 200, (120, 100, 3), dtype=np.uint8)
    shown = np.asarray(drawn(picture, Look(left=left, top=top, cell=cell), ground, [(1, 2), (1, 3)]))
    wanted = np.repeat(np.repeat(picture, SCALE, axis=0), SCALE, axis=1)

    def outline(column: int, row: int, color: tuple[int, int, int], wide: int) -> None:
        size = cell * SCALE
        x, y = (left + column * cell) * SCALE, (top + (VISIBLE - 1 - row) * cell) * SCALE
        for at in range(size):
            for inset in range(wide):
                for one, other in ((at, inset), (at, size - 1 - inset), (inset, at), (size - 1 - inset, at)):
                    wanted[y + one, x + other] = color

    for column in range(COLUMNS):
        for row in range(VISIBLE):
            outline(column, row, GRID, 1)
    outline(1, 2, AXIS, 3)
    outline(1, 3, PARTNER, 3)
    assert (shown == wanted).all()
    assert AXIS[0] > 2 * max(AXIS[1:])
    assert PARTNER[2] > PARTNER[1] > PARTNER[0]
    plain = np.asarray(drawn(picture, None, ground, [(1, 2), (1, 3)]))
    assert (plain == np.repeat(np.repeat(picture, SCALE, axis=0), SCALE, axis=1)).all()

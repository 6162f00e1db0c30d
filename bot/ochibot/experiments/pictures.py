"""Pictures for the report: the field's grid over the game's own picture, found by locks in opposite corners."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
from PIL import Image, ImageDraw

from ochibot.errors import CalibrationError
from ochibot.experiments.facts import Look
from ochibot.experiments.known import Ground

Picture = npt.NDArray[np.uint8]

GRID = (255, 255, 255)
AXIS = (255, 64, 64)
PARTNER = (64, 160, 255)
SCALE = 3


def find_look(ground: Ground) -> Look:
    """Finds the field in the picture by locks in opposite corners. Raises CalibrationError where they don't show."""
    last = ground.grid.columns - 1
    left, right, middle = (ground.rig.picture(ground.drop(column=column).state) for column in (0, last, last // 2))
    box_left = _blob(left, middle, right)
    box_right = _blob(right, middle, left)
    if box_left is None or box_right is None:
        raise CalibrationError("the picture doesn't show where pieces lock")
    width = (box_right[0] - box_left[0]) / last
    cell = round(width)
    if cell < 4 or abs(width - cell) > 0.3:
        raise CalibrationError("cells of the field aren't equally wide in the picture")
    bottom = round((box_left[3] + box_right[3]) / 2)
    return Look(left=box_left[0], top=bottom - cell * ground.visible, cell=cell)


def _blob(one: Picture, *others: Picture) -> tuple[int, int, int, int] | None:
    """The box (left, top, right, bottom) in which a picture differs from all others: the piece that only it shows."""
    if any(other.shape != one.shape for other in others):
        return None
    differs = np.ones(one.shape[:2], bool)
    for other in others:
        differs &= (one != other).any(axis=2)
    rows, columns = np.flatnonzero(differs.sum(axis=1) > 1), np.flatnonzero(differs.sum(axis=0) > 1)
    if not len(rows) or not len(columns):
        return None
    return int(columns[0]), int(rows[0]), int(columns[-1]) + 1, int(rows[-1]) + 1


def drawn(picture: Picture, look: Look | None, ground: Ground, halves: list[tuple[int, int]]) -> Any:
    """The picture, enlarged, with the field's grid and the piece's halves drawn on it. ``halves``: (column, row from
    the floor), the axis first.
    """
    shown = Image.fromarray(picture).resize(
        (picture.shape[1] * SCALE, picture.shape[0] * SCALE), Image.Resampling.NEAREST
    )
    if look is None or not look.cell:
        return shown
    draw = ImageDraw.Draw(shown)

    def box(column: int, row: int) -> tuple[int, int, int, int]:
        left = (look.left + look.cell * column) * SCALE
        top = (look.top + look.cell * (ground.visible - 1 - row)) * SCALE
        return left, top, left + look.cell * SCALE - 1, top + look.cell * SCALE - 1

    for column in range(ground.grid.columns):
        for row in range(ground.visible):
            draw.rectangle(box(column, row), outline=GRID)
    for (column, row), color in zip(halves, (AXIS, PARTNER), strict=False):
        for inset in range(3):
            left, top, right, bottom = box(column, row)
            draw.rectangle((left + inset, top + inset, right - inset, bottom - inset), outline=color)
    return shown

"""The AI's plan as a ghost over the field: where each part of the falling piece is meant to come to rest."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import numpy.typing as npt
from PIL import Image, ImageDraw

from ochibot.games.protocols import Look
from ochibot.overlay.picture import Picture
from ochibot.overlay.standing import Cells

INSIDE = 80
"""How much of a ghost's inside is its colour, of 255."""


def draw_ghost(picture: Picture, look: Look[Any, Any], seat: int, cells: Cells) -> list[tuple[int, int, int]]:
    """Draw into the game's own picture, unscaled; left, top and size of each cell drawn.

    Cells that the game doesn't show are left out, and so is what lies outside the picture.
    """
    height, width = picture.shape[:2]
    drawn = []
    for x, y, code in sorted(cells):
        box = look.box(seat, x, y, (width, height))
        if box is None:
            continue
        left, top, size = box
        # parts of a slice before the picture's edge would count from its other end
        from_x, from_y = max(-left, 0), max(-top, 0)
        to_x, to_y = min(width - left, size), min(height - top, size)
        if from_x >= to_x or from_y >= to_y:
            continue
        under = picture[top + from_y : top + to_y, left + from_x : left + to_x]
        mask = _patch(size)[from_y:to_y, from_x:to_x]
        under[:] = (under * (255 - mask) + np.array(look.color(code), np.uint16) * mask) // 255
        drawn.append(box)
    return drawn


@cache
def _patch(size: int) -> npt.NDArray[np.uint16]:
    """How much of each pixel of a cell is the ghost's colour, of 255: a frame with round corners, faint inside."""
    patch = Image.new("L", (size, size))
    ImageDraw.Draw(patch).rounded_rectangle((1, 1, size - 2, size - 2), size * 5 // 16, INSIDE, 255)
    return np.asarray(patch, np.uint16)[..., None]

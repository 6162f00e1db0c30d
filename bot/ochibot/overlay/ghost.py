"""Draws the AI's plan as a ghost over the field: where each part of the falling piece should come to rest."""

from __future__ import annotations

from functools import cache
from math import cos, pi, sin
from typing import Any

import numpy as np
import numpy.typing as npt
from PIL import Image, ImageDraw

from ochibot.games.protocols import Look, ThornyLook
from ochibot.overlay.layout import Picture
from ochibot.overlay.standing import Cells

INSIDE = 80
"""The opacity of a ghost's inside, 0 to 255."""

LIT = (255, 255, 255)
"""The colour of a needle's middle, and of its arrows to the blocks that it lights."""

FINE = 4
"""Stars are drawn this many times as large and then reduced, which makes their edges smooth."""


def draw_ghost(picture: Picture, look: Look[Any, Any], seat: int, cells: Cells) -> list[tuple[int, int, int]]:
    """Draws the ghost into the game's own, unscaled picture. Returns left, top and size of each cell drawn.

    A part that lands as a block is a frame in its colour. A needle (``ThornyLook``) is a star with eight points, with a
    bright arrow to each block beside it that it lights. Cells that the game doesn't show are left out, as is anything
    outside the picture.
    """
    height, width = picture.shape[:2]
    drawn = []
    for x, y, code in sorted(cells):
        box = look.box(seat, x, y, (width, height))
        if box is None:
            continue
        left, top, size = box
        # a negative index into the picture would count from its other end
        from_x, from_y = max(-left, 0), max(-top, 0)
        to_x, to_y = min(width - left, size), min(height - top, size)
        if from_x >= to_x or from_y >= to_y:
            continue
        under = picture[top + from_y : top + to_y, left + from_x : left + to_x]
        thorns = look.thorns(code) if isinstance(look, ThornyLook) else None
        masks = _block(size) if thorns is None else _needle(size, thorns)
        for mask, color in zip(masks, (look.color(code), LIT), strict=False):
            part = mask[from_y:to_y, from_x:to_x]
            under[:] = (under * (255 - part) + np.array(color, np.uint16) * part) // 255
        drawn.append(box)
    return drawn


Mask = npt.NDArray[np.uint16]


@cache
def _block(size: int) -> tuple[Mask, ...]:
    """A block's ghost as a mask: how strongly each pixel of the cell has the ghost's colour, 0 to 255.

    It is a frame with round corners, faint inside.
    """
    patch = Image.new("L", (size, size))
    ImageDraw.Draw(patch).rounded_rectangle((1, 1, size - 2, size - 2), size * 5 // 16, INSIDE, 255)
    return (np.asarray(patch, np.uint16)[..., None],)


@cache
def _needle(size: int, sides: int) -> tuple[Mask, ...]:
    """A needle's ghost as two masks: a star that is faint inside, and the bright parts (its middle and the arrows)."""
    whole, middle = size * FINE, size * FINE / 2
    star, bright = Image.new("L", (whole, whole)), Image.new("L", (whole, whole))
    points = []
    for corner in range(16):
        far = middle * (0.55 if corner % 2 else 0.98)
        points.append((middle + far * cos(corner * pi / 8), middle + far * sin(corner * pi / 8)))
    ImageDraw.Draw(star).polygon(points, INSIDE, 255, width=FINE * 3 // 2)
    pen = ImageDraw.Draw(bright)
    pen.circle((middle, middle), middle * 0.22, 255)
    for side, (across, down) in enumerate(((0, -1), (1, 0), (0, 1), (-1, 0))):
        if sides & 1 << side:
            tip = middle + middle * across, middle + middle * down
            foot = middle + middle * 0.5 * across, middle + middle * 0.5 * down
            wide = middle * 0.4
            pen.polygon(
                [
                    tip,
                    (foot[0] + wide * down, foot[1] + wide * across),
                    (foot[0] - wide * down, foot[1] - wide * across),
                ],
                255,
            )
    return tuple(
        np.asarray(part.resize((size, size), Image.Resampling.BOX), np.uint16)[..., None] for part in (star, bright)
    )

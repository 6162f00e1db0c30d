"""Pairs as a picture: each with its axis below and its partner above, in rows of thirty-two."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from PIL import Image, ImageDraw

COLORS: Final = {
    0: (226, 62, 68),
    1: (240, 196, 46),
    2: (60, 180, 84),
    3: (60, 180, 84),
    4: (160, 82, 208),
    5: (62, 120, 230),
}
"""The colours of the codes of a pool."""

BACKGROUND: Final = (28, 28, 40)
PUYO: Final = 24
GAP: Final = 6
PER_ROW: Final = 32
FINE: Final = 4
"""It is drawn so many times as large and then made smaller: its edges become smooth."""


def place_of(number: int, half: int) -> tuple[int, int]:
    """The pixel (x, y) in the middle of a puyo. number: of the pair, from 0; half: 0 the axis, 1 the partner."""
    row, column = divmod(number, PER_ROW)
    x = GAP + column * (PUYO + GAP) + PUYO // 2
    y = GAP + row * (2 * PUYO + 2 * GAP) + (1 - half) * PUYO + PUYO // 2
    return x, y


def strip(pairs: Sequence[tuple[int, int]]) -> Image.Image:
    """The picture of pairs of colour codes, at least one; the first is at the upper left."""
    rows = -(-len(pairs) // PER_ROW)
    across = min(len(pairs), PER_ROW)
    image = Image.new("RGB", (GAP + across * (PUYO + GAP), GAP + rows * (2 * PUYO + 2 * GAP) - GAP), BACKGROUND)
    puyos = {code: _puyo(color) for code, color in COLORS.items()}
    for number, pair in enumerate(pairs):
        for half, code in enumerate(pair):
            x, y = place_of(number, half)
            image.paste(puyos[code], (x - PUYO // 2, y - PUYO // 2))
    return image


def _puyo(color: tuple[int, int, int]) -> Image.Image:
    size = PUYO * FINE
    image = Image.new("RGB", (size, size), BACKGROUND)
    draw = ImageDraw.Draw(image)
    draw.ellipse((2, 2, size - 3, size - 3), color)
    for x in (0.31, 0.69):  # the eyes stand above the middle, which keeps the plain colour
        draw.ellipse(_around(x, 0.36, 0.13, size), (255, 255, 255))
        draw.ellipse(_around(x, 0.38, 0.06, size), (24, 24, 32))
    return image.resize((PUYO, PUYO), Image.Resampling.LANCZOS)


def _around(x: float, y: float, radius: float, size: int) -> tuple[float, float, float, float]:
    return (x - radius) * size, (y - radius) * size, (x + radius) * size, (y + radius) * size

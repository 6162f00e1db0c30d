"""Draws pairs as a picture: rows of sixteen, each pair with its axis below and its partner above."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from PIL import Image, ImageDraw

from ochibot.overlay.text import font, width_of

Color = tuple[int, int, int]

COLORS: Final = {
    0: (226, 62, 68),
    1: (240, 196, 46),
    2: (60, 180, 84),
    3: (60, 180, 84),
    4: (160, 82, 208),
    5: (62, 120, 230),
}
"""The colour in which each colour code of a pool is drawn, RGB."""

BACKGROUND: Final = (26, 27, 38)
CARD: Final = (41, 43, 59)
NUMBER: Final = (139, 144, 170)
PUYO: Final = 34
PAD: Final = 5
"""Pixels between a pair and the edge of its card."""
GAP: Final = 8
"""Pixels between two cards."""
MARGIN: Final = 46
"""Pixels to the left of a row's first card, where the number of its first pair stands."""
PER_ROW: Final = 16
FINE: Final = 4
"""A puyo is drawn this many times as large and then reduced, which makes its edges smooth."""

_WIDTH: Final = PUYO + 2 * PAD
_HEIGHT: Final = 2 * PUYO + 2 * PAD


def place_of(number: int, half: int) -> tuple[int, int]:
    """The pixel (x, y) in the middle of a puyo. ``number``: the pair's, from 0. ``half``: 0 the axis, 1 the partner."""
    left, top = _card(number)
    return left + _WIDTH // 2, top + PAD + (1 - half) * PUYO + PUYO // 2


def strip(pairs: Sequence[tuple[int, int]]) -> Image.Image:
    """The picture of the pairs, given as colour codes; the first is at the upper left. There must be at least one."""
    rows = -(-len(pairs) // PER_ROW)
    across = min(len(pairs), PER_ROW)
    size = MARGIN + across * (_WIDTH + GAP), GAP + rows * (_HEIGHT + GAP)
    image = Image.new("RGB", size, BACKGROUND)
    card, puyos = _rounded(), {code: _puyo(color) for code, color in COLORS.items()}
    draw = ImageDraw.Draw(image)
    for row in range(rows):
        words = str(row * PER_ROW + 1)
        top = _card(row * PER_ROW)[1]
        draw.text((MARGIN - 10 - width_of(words, 14), top + _HEIGHT // 2 - 8), words, NUMBER, font(14))
    for number, pair in enumerate(pairs):
        image.paste(card, _card(number))
        for half, code in enumerate(pair):
            x, y = place_of(number, half)
            image.paste(puyos[code], (x - PUYO // 2, y - PUYO // 2))
    return image


def _card(number: int) -> tuple[int, int]:
    """The upper left corner (x, y) of the card of pair ``number`` (from 0)."""
    row, column = divmod(number, PER_ROW)
    return MARGIN + column * (_WIDTH + GAP), GAP + row * (_HEIGHT + GAP)


def _rounded() -> Image.Image:
    size = _WIDTH * FINE, _HEIGHT * FINE
    image = Image.new("RGB", size, BACKGROUND)
    ImageDraw.Draw(image).rounded_rectangle((0, 0, size[0] - 1, size[1] - 1), 10 * FINE, CARD)
    return image.resize((_WIDTH, _HEIGHT), Image.Resampling.LANCZOS)


def _puyo(color: Color) -> Image.Image:
    """The picture of a puyo: a drop, darker below and lit from above. Its eyes leave the middle free."""
    size = PUYO * FINE
    image = Image.new("RGB", (size, size), CARD)
    draw = ImageDraw.Draw(image)
    draw.ellipse(_around(0.5, 0.52, 0.46, size), _mixed(color, (0, 0, 0), 0.35))
    draw.ellipse(_around(0.5, 0.49, 0.44, size), color)
    draw.ellipse((0.24 * size, 0.09 * size, 0.62 * size, 0.26 * size), _mixed(color, (255, 255, 255), 0.45))
    for x in (0.32, 0.68):
        draw.ellipse(_around(x, 0.40, 0.135, size), (255, 255, 255))
        draw.ellipse(_around(x + (0.5 - x) * 0.2, 0.42, 0.07, size), (24, 24, 32))
    return image.resize((PUYO, PUYO), Image.Resampling.LANCZOS)


def _mixed(color: Color, other: Color, share: float) -> Color:
    red, green, blue = (round(one + (another - one) * share) for one, another in zip(color, other, strict=True))
    return red, green, blue


def _around(x: float, y: float, radius: float, size: int) -> tuple[float, float, float, float]:
    return (x - radius) * size, (y - radius) * size, (x + radius) * size, (y + radius) * size

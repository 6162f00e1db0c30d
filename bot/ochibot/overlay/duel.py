"""Draws two fields side by side from plain values, for matches without a console, such as simulated ones.

All the art is our own: round blocks with faces that join their neighbours, grey nuisance, needles as stars.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from math import cos, pi, sin
from typing import Final

import numpy as np
import numpy.typing as npt
from PIL import Image, ImageDraw

from ochibot.overlay.layout import Picture
from ochibot.overlay.panel import BACKGROUND
from ochibot.overlay.standing import Color, Standing

CELL: Final = 16
"""A cell's width and height in pixels, before the picture is scaled."""
NUISANCE: Final = 7
NEEDLE: Final = 10
"""A needle's code is its colour plus this number."""

COLORS: Final[dict[int, Color]] = {
    1: (232, 66, 58),
    2: (66, 190, 84),
    3: (70, 116, 245),
    4: (243, 196, 62),
    5: (190, 80, 220),
    6: (54, 205, 205),
    NUISANCE: (140, 142, 156),
}
_GROUND: Final[Color] = (24, 25, 40)
_GRID: Final[Color] = (30, 32, 50)
_WALL: Final[Color] = (74, 78, 110)
_EDGE: Final = 8
_TRAY: Final = 22
"""The height, in pixels, of the strip above a field where waiting nuisance is shown."""
_BETWEEN: Final = 20
_FINE: Final = 6
_BLINK: Final = 4
"""Cells being cleared are bright for this many frames, then normal for as many, and so on."""
_MOST_SHOWN: Final = 6
_BATCHES: Final = (30, 6, 1)
"""The amounts of nuisance for which there are signs above a field, the largest first."""


@dataclass(frozen=True)
class DuelScene:
    """One side at one moment.

    rows: the codes of the visible cells, the top row first. clearing: (row, column) of the cells that are being
    cleared. falling: (row, column, code) of the falling halves; their rows may be fractions. waiting: nuisance that
    waits above. standing: what the panel shows.
    """

    rows: Sequence[Sequence[int]]
    standing: Standing
    clearing: frozenset[tuple[int, int]] = frozenset()
    falling: tuple[tuple[float, int, int], ...] = ()
    waiting: int = 0


class DuelPicture:
    """Draws the scenes of two sides. Both fields have the same size."""

    def __init__(self, rows: int, columns: int) -> None:
        self._rows, self._columns = rows, columns
        self._width, self._height = columns * CELL, rows * CELL
        self.size = 2 * (_EDGE + self._width) + _BETWEEN, _TRAY + self._height + _EDGE
        """The picture's width and height."""
        self._empty = self._background()

    def _left(self, side: int) -> int:
        return _EDGE + side * (self._width + _BETWEEN)

    def _background(self) -> Picture:
        image = Image.new("RGB", self.size, BACKGROUND)
        draw = ImageDraw.Draw(image)
        for side in range(2):
            left, bottom = self._left(side), _TRAY + self._height
            draw.rectangle((left - 2, _TRAY, left + self._width + 1, bottom + 1), _WALL)
            draw.rectangle((left, _TRAY, left + self._width - 1, bottom - 1), _GROUND)
            for column in range(1, self._columns):
                draw.line((left + CELL * column, _TRAY, left + CELL * column, bottom - 1), _GRID)
        return np.array(image)

    def draw(self, scenes: Sequence[DuelScene], frame: int) -> Picture:
        """The picture of both sides; ``frame`` determines the phase of blinking."""
        picture = self._empty.copy()
        for side, scene in enumerate(scenes):
            left = self._left(side)
            self._draw_field(picture[_TRAY : _TRAY + self._height, left : left + self._width], scene, frame)
            signs, left_over = [], scene.waiting
            for size in _BATCHES:
                signs += [size] * (left_over // size)
                left_over %= size
            for place, size in enumerate(signs[:_MOST_SHOWN]):
                at = left + place * CELL
                _put(picture[_TRAY - CELL - 2 : _TRAY - 2, at : at + CELL], _sign(size))
        return picture

    def _draw_field(self, area: Picture, scene: DuelScene, frame: int) -> None:
        bright = frame // _BLINK % 2 == 0
        rows = scene.rows
        for row, codes in enumerate(rows):
            for column, code in enumerate(codes):
                if not code:
                    continue
                lit = (row, column) in scene.clearing and bright
                joined = 0
                if code < NUISANCE:
                    below = row + 1 < len(rows) and rows[row + 1][column] == code
                    right = column + 1 < len(codes) and codes[column + 1] == code
                    above = row > 0 and rows[row - 1][column] == code
                    left = column > 0 and codes[column - 1] == code
                    joined = above + 2 * right + 4 * below + 8 * left
                self._put_at(area, row, column, _block(code, joined, lit))
        for place, column, code in scene.falling:
            self._put_at(area, place, column, _block(code, 0, False))

    def _put_at(self, area: Picture, row: float, column: int, sprite: npt.NDArray[np.uint16]) -> None:
        top, left = round(row * CELL), column * CELL
        cut = max(-top, 0)
        if cut < CELL and 0 <= left < self._width and top < self._height:
            part = area[top + cut : min(top + CELL, self._height), left : left + CELL]
            _put(part, sprite[cut : cut + len(part)])


def _put(under: Picture, sprite: npt.NDArray[np.uint16]) -> None:
    """Blends a sprite, (H, W, 4), over a part of a picture."""
    cover = sprite[: len(under), : under.shape[1], 3:]
    under[:] = (under * (255 - cover) + sprite[: len(under), : under.shape[1], :3] * cover) // 255


@cache
def _block(code: int, joined: int, lit: bool) -> npt.NDArray[np.uint16]:
    """A cell as (16, 16, 4). joined: the sides on which it joins its own colour, as bits: above, right, below, left."""
    whole = CELL * _FINE
    image = Image.new("RGBA", (whole, whole))
    draw = ImageDraw.Draw(image)
    middle = whole / 2
    color = COLORS.get(code - NEEDLE if code > NEEDLE else code, (255, 255, 255))
    fill = tuple((part + 2 * 255) // 3 for part in color) if lit else color
    dark = tuple(part * 6 // 10 for part in fill)
    if code > NEEDLE:
        points = []
        for corner in range(16):
            far = middle * (0.5 if corner % 2 else 0.97)
            points.append((middle + far * cos(corner * pi / 8), middle + far * sin(corner * pi / 8)))
        draw.polygon(points, (*fill, 255), (*dark, 255), _FINE)
        draw.circle((middle, middle), middle * 0.25, (255, 255, 255, 235))
        return _finished(image)
    radius = middle * (0.84 if code == NUISANCE else 0.93)
    thick = middle * 0.62
    for side, box in enumerate(
        (
            (middle - thick, 0, middle + thick, middle),
            (middle, middle - thick, whole, middle + thick),
            (middle - thick, middle, middle + thick, whole),
            (0, middle - thick, middle, middle + thick),
        )
    ):
        if joined & 1 << side:
            draw.rectangle(box, (*fill, 255))
    draw.circle((middle, middle), radius, (*fill, 255), None if joined else (*dark, 255), _FINE)
    draw.ellipse((middle * 0.45, middle * 0.28, middle * 1.1, middle * 0.62), (255, 255, 255, 255))
    shine = Image.new("RGBA", image.size)
    ImageDraw.Draw(shine).circle((middle, middle), radius, (*fill, 175))
    image = Image.alpha_composite(image, shine)
    draw = ImageDraw.Draw(image)
    pixel = _FINE
    for across in (-3, 3):
        # the eyes lie on whole pixels of the finished picture, so that both look alike
        at, height = middle + across * pixel, middle + pixel
        if code == NUISANCE:
            draw.rectangle((at - pixel, height - pixel, at + pixel - 1, height - 1), (50, 52, 66, 255))
        else:
            draw.circle((at, height), 2.1 * pixel, (255, 255, 255, 255))
            draw.rectangle((at - pixel, height - pixel, at + pixel - 1, height + pixel - 1), (20, 20, 30, 255))
    return _finished(image)


@cache
def _sign(size: int) -> npt.NDArray[np.uint16]:
    """The sign above a field for one amount of waiting nuisance."""
    whole = CELL * _FINE
    image = Image.new("RGBA", (whole, whole))
    draw = ImageDraw.Draw(image)
    middle = whole / 2
    radius = middle * {30: 0.92, 6: 0.8, 1: 0.5}[size]
    fill = (214, 92, 78) if size == 30 else (176, 178, 192)
    draw.circle((middle, whole - radius - _FINE), radius, (*fill, 255), (60, 62, 80, 255), _FINE)
    draw.circle((middle - radius * 0.3, whole - radius * 1.35), radius * 0.25, (255, 255, 255, 190))
    return _finished(image)


def _finished(image: Image.Image) -> npt.NDArray[np.uint16]:
    return np.asarray(image.resize((CELL, CELL), Image.Resampling.BOX), np.uint16)

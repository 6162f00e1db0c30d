"""Draws the measurement of a generator's pools as a picture of four charts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

import numpy as np
from PIL import Image, ImageDraw

from ochibot.lab.plots.strip import COLORS
from ochibot.overlay.text import font, width_of

if TYPE_CHECKING:
    from ochibot.puyo.pairs.claims import Claims

RGB = tuple[int, int, int]
SIZE: Final = (1240, 892)
PAPER: Final = (250, 250, 252)
INK: Final = (40, 42, 54)
FAINT: Final = (214, 216, 226)
GRAY: Final = (150, 154, 170)
OURS: Final = (62, 120, 230)
FAIR: Final = (240, 160, 60)
BAND: Final = (228, 230, 240)
FINE: Final = 2
"""The picture is drawn this many times as large and then reduced, which makes lines smooth."""

SMOOTHED: Final = 8
"""Each point of the chart of colours by place in the pool combines this many neighbouring places."""


class Chart:
    """One chart of the picture. corner: its upper left pixel. xs, ys: the ends of both axes, in the data's units."""

    def __init__(
        self,
        draw: ImageDraw.ImageDraw,
        corner: tuple[int, int],
        title: str,
        xs: tuple[float, float],
        ys: tuple[float, float],
    ) -> None:
        self.draw, self.xs, self.ys = draw, xs, ys
        left, top = corner
        self.left, self.top, self.right, self.bottom = left + 70, top + 62, left + 580, top + 350
        self.text((left + 8, top + 8), title, 17)

    def at(self, x: float, y: float) -> tuple[float, float]:
        """The pixel, in the enlarged picture, of a point given in the data's units."""
        across = (x - self.xs[0]) / (self.xs[1] - self.xs[0])
        up = (y - self.ys[0]) / (self.ys[1] - self.ys[0])
        return (
            FINE * (self.left + across * (self.right - self.left)),
            FINE * (self.bottom - up * (self.bottom - self.top)),
        )

    def text(self, place: tuple[float, float], words: str, size: int = 13, color: RGB = INK) -> None:
        """Writes words; their upper left corner is at the pixel ``place`` of the final picture."""
        self.draw.text((FINE * place[0], FINE * place[1]), words, color, font(size * FINE))

    def axes(self, xs: Sequence[tuple[float, str]], ys: Sequence[tuple[float, str]], below: str) -> None:
        """Draws marks with labels along both axes, and the words ``below`` under the x axis."""
        for y, words in ys:
            self.draw.line((*self.at(self.xs[0], y), *self.at(self.xs[1], y)), FAINT, FINE)
            height = self.at(0, y)[1] / FINE
            self.text((self.left - 8 - width_of(words, 13), height - 8), words)
        for x, words in xs:
            middle = self.at(x, self.ys[0])[0] / FINE
            self.text((middle - width_of(words, 13) / 2, self.bottom + 6), words)
        middle = (self.left + self.right) / 2
        self.text((middle - width_of(below, 13) / 2, self.bottom + 26), below, color=GRAY)
        self.draw.line((*self.at(self.xs[0], self.ys[0]), *self.at(self.xs[1], self.ys[0])), INK, FINE)

    def legend(self, names: Sequence[tuple[str, RGB]]) -> None:
        """Writes names with their colours in a line above the chart."""
        x = self.left
        for name, color in names:
            self.draw.rounded_rectangle(
                (FINE * x, FINE * (self.top - 21), FINE * (x + 12), FINE * (self.top - 9)), FINE * 3, color
            )
            self.text((x + 18, self.top - 23), name)
            x += 18 + width_of(name, 13) + 20

    def bars(self, values: Sequence[float], first: float, share: tuple[float, float], color: RGB) -> None:
        """Draws bars at x = first, first + 1, … ``share``: a bar's left and right edge relative to its x,
        -0.5 to 0.5.
        """
        for number, value in enumerate(values):
            left, top = self.at(first + number + share[0], value)
            right, bottom = self.at(first + number + share[1], max(self.ys[0], 0))
            self.draw.rectangle((left, min(top, bottom), right, bottom), color)

    def line(self, points: Sequence[tuple[float, float]], color: RGB) -> None:
        """Draws a line through points."""
        self.draw.line([self.at(*point) for point in points], color, 2 * FINE, joint="curve")


def charts(claims: Claims) -> Image.Image:
    """The picture: shares of the colours, streaks, halves of the pool, and colours by place in the pool."""
    image = Image.new("RGB", (SIZE[0] * FINE, SIZE[1] * FINE), PAPER)
    draw = ImageDraw.Draw(image)
    noun = "seeds" if claims.generator == "modern" else "states"
    title = f"{claims.generator}: the {claims.colors}-colour pools of {claims.states:,} {noun}"
    if claims.generator == "puyo1":
        title += f", player {claims.player}"
    draw.text((FINE * 28, FINE * 18), title, INK, font(24 * FINE))
    _by_color(draw, claims, (20, 70))
    _streaks(draw, claims, (630, 70))
    _halves(draw, claims, (20, 470))
    _by_place(draw, claims, (630, 470))
    return image.resize(SIZE, Image.Resampling.LANCZOS)


def _by_color(draw: ImageDraw.ImageDraw, claims: Claims, corner: tuple[int, int]) -> None:
    from ochibot.puyo.pairs.claims import CODES

    most = max(float(np.max(claims.by_color)) * 1.15, 0.1)
    chart = Chart(draw, corner, "How many of all puyos have each colour", (-0.6, 4.6), (0, most))
    names = ("red", "yellow", "green", "purple", "blue")
    steps = [step / 20 for step in range(int(most * 20) + 1)]
    chart.axes(list(enumerate(names)), [(y, f"{y:.0%}") for y in steps], "")
    for number, (code, share) in enumerate(zip(CODES, claims.by_color.tolist(), strict=True)):
        chart.bars([share], number, (-0.32, 0.32), COLORS[code])
        if share:
            words = f"{share:.1%}"
            x, y = chart.at(number, share)
            chart.text((x / FINE - width_of(words, 13) / 2, y / FINE - 20), words)
    even = 1 / np.count_nonzero(claims.by_color)
    chart.text((chart.left, chart.top - 23), f"equal shares would be {even:.1%}", color=GRAY)


def _streaks(draw: ImageDraw.ImageDraw, claims: Claims, corner: tuple[int, int]) -> None:
    count = len(claims.streaks)
    chart = Chart(draw, corner, "Streaks of one colour (share of all, logarithmic)", (0.4, count + 0.6), (-6, 0))
    labels = [(k, f"{k}" if k < count else f"{k}+") for k in range(1, count + 1)]
    marks = [(-5, "0.001%"), (-4, "0.01%"), (-3, "0.1%"), (-2, "1%"), (-1, "10%"), (0, "100%")]
    chart.axes(labels, marks, "puyos in the streak")
    for values, share, color in ((claims.streaks, (-0.36, 0), OURS), (claims.fair_streaks, (0, 0.36), FAIR)):
        for number, value in enumerate(values.tolist()):
            if value > 0:
                left, top = chart.at(number + 1 + share[0], max(np.log10(value), -6))
                right, bottom = chart.at(number + 1 + share[1], -6)
                draw.rectangle((left, top, right, bottom), color)
    chart.legend([(claims.generator, OURS), ("fair shuffle", FAIR)])


def _halves(draw: ImageDraw.ImageDraw, claims: Claims, corner: tuple[int, int]) -> None:
    there = np.flatnonzero((claims.halves > 1e-4) | (claims.fair_halves > 1e-4))
    first, last = int(there[0]), int(there[-1])
    most = max(float(np.max(claims.halves)), float(np.max(claims.fair_halves))) * 1.1
    chart = Chart(
        draw, corner, "How many puyos of a colour are in the pool's first half", (first - 1, last + 1), (0, most)
    )
    xs = [(float(x), str(x)) for x in range(-(-first // 5) * 5, last + 1, 5)]
    chart.axes(xs, [(step / 50, f"{step / 50:.0%}") for step in range(int(most * 50) + 1)], "puyos")
    chart.bars(claims.halves[first : last + 1].tolist(), first, (-0.4, 0.4), OURS)
    chart.line(list(enumerate(claims.fair_halves[first : last + 1].tolist(), first)), FAIR)
    chart.legend([(claims.generator, OURS), ("fair shuffle", FAIR)])


def _by_place(draw: ImageDraw.ImageDraw, claims: Claims, corner: tuple[int, int]) -> None:
    from ochibot.puyo.pairs.claims import CODES, TREATED

    sigmas = claims.by_place_sigmas[:, TREATED:]
    kernel = np.ones(SMOOTHED) / SMOOTHED**0.5
    lines = {code: np.convolve(row, kernel, "valid") for code, row in zip(CODES, sigmas, strict=True) if np.any(row)}
    most = max(4.5, *(float(np.max(np.abs(line))) * 1.1 for line in lines.values()))
    chart = Chart(draw, corner, f"Does a place prefer a colour? ({SMOOTHED} places together)", (0, 256), (-most, most))
    draw.rectangle((*chart.at(0, 2), *chart.at(256, -2)), BAND)
    step = 2 if most < 12 else 10 * (1 + int(most // 60))
    steps = range(-int(most // step) * step, int(most) + 1, step)
    chart.axes(
        [(x, str(x)) for x in range(0, 257, 32)], [(y, f"{y:+d}" if y else "0") for y in steps], "place in the pool"
    )
    for code, line in lines.items():
        chart.line([(TREATED + k + SMOOTHED / 2, float(value)) for k, value in enumerate(line)], COLORS[code])
    chart.text((chart.left, chart.top - 23), "in standard errors; the band holds 95 % of what chance does", color=GRAY)

"""The panel beside the field: who plays, how the game goes, and how the AI values its plan, term by term.

A picture and its panels are joined into one picture here.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from PIL import Image, ImageDraw

from ochibot.falling.player import Judgement
from ochibot.overlay.layout import Picture, arrange, scaled
from ochibot.overlay.standing import ShownDecision, Standing
from ochibot.overlay.text import Color, fitted, width_of, write

BACKGROUND: Color = (14, 14, 24)
TEXT: Color = (230, 230, 240)
FAINT: Color = (150, 150, 175)
GOOD: Color = (90, 200, 120)
BAD: Color = (225, 95, 90)
LINE: Color = (50, 50, 75)
CALL: Color = (245, 190, 60)

# Sizes in this module are in pixels of the game's picture, before the panel is enlarged.
EDGE = 5
BIG, SMALL = 10, 8
TITLE_ROW, ROW, HEADING, RULE = 12, 9, 10, 5
DISC = 7
"""The diameter of a disc that shows one half of the next piece."""
BAR = 2
"""The least height of a bar including its margins."""
GAP = 4
"""The gap between a name and its value."""

LEAST_SCALE = 10.0
"""Half a panel's width stands for this value at least, so that small values make short bars."""

HUGE = 1e7
"""Values from here on are shown as powers of ten: the panel has no room for their digits."""

LOST = -1e8
"""Values of this or less mean a lost game."""


class Panels:
    """The panels of one window or video, by seat. Each is drawn anew only when its contents change."""

    def __init__(self) -> None:
        self._known: dict[int, tuple[Standing, tuple[int, int], int, Picture]] = {}

    def of(self, seat: int, standing: Standing, size: tuple[int, int], scale: int) -> Picture:
        """The picture that ``draw_panel`` draws. While nothing changes, it is the same object: don't write into it."""
        known = self._known.get(seat)
        if known is None or known[:3] != (standing, size, scale):
            known = self._known[seat] = standing, size, scale, draw_panel(size, scale, standing)
        return known[3]


def draw_panel(size: tuple[int, int], scale: int, standing: Standing) -> Picture:
    """The whole panel; ``size`` is its width and height. Rows that find no room at the bottom are left out."""
    image = Image.new("RGB", size, BACKGROUND)
    pen = _Pen(ImageDraw.Draw(image), scale, size[0] // scale - 2 * EDGE, size[1] // scale - EDGE)
    # a call such as "2-chain!" replaces the second line, so that nothing below it moves
    lines = [*standing.title[:1], "", *standing.title[2:]] if standing.call else standing.title
    for number, line in enumerate(lines):
        if number == 1 and standing.call:
            pen.banner(standing.call)
        elif line:
            pen.line(line, SMALL if number else BIG, FAINT if number else TEXT)
    pen.rule()
    if standing.pieces is not None:
        pen.pair("pieces", f"{standing.pieces:,}")
    if standing.best is not None:
        pen.pair(f"best {standing.best_of}", f"{standing.best:,}")
    if standing.score is not None:
        pen.pair("score", f"{standing.score:,}")
    for number, (name, value) in enumerate(standing.rows):
        if number in standing.lit:
            pen.pair(name, value, CALL, CALL)
        else:
            pen.pair(name, value)
    if standing.following:
        pen.discs("next", standing.following)
    if standing.plan is not None:
        _draw_plan(pen, standing.plan)
    elif standing.thinking:
        pen.rule()
        pen.line("thinking …", SMALL, FAINT)
    return np.array(image)


def _draw_plan(pen: _Pen, plan: ShownDecision) -> None:
    pen.rule()
    for what, how in plan.words:
        pen.pair(what, how)
    pen.pair("value", signed(plan.value))
    took = "" if plan.seconds is None else milliseconds(plan.seconds)
    if plan.leaves is not None:
        pen.pair(f"{plan.leaves:,} fields", took)
    elif took:
        pen.pair("thought for", took)
    if plan.judgement is not None:
        _draw_judgement(pen, plan.judgement)


def _draw_judgement(pen: _Pen, judgement: Judgement) -> None:
    terms = judgement.terms
    pen.rule()
    row = ROW + BAR
    room = pen.bottom - pen.y - (ROW + 1)
    if HEADING + row * len(terms) <= room:
        pen.line("the field it leads to", SMALL, FAINT)
        pen.y += HEADING - ROW
        room -= HEADING
        # the remaining room separates the bars from the names, above and below
        row = min(room // max(len(terms), 1), row + 4)
    # if not all terms fit, only the largest are shown, in the order of ``terms``
    places = sorted(range(len(terms)), key=lambda place: -abs(terms[place][1]))[: max(room // row, 0)]
    # one scale for all bars: the largest term fills half the width
    most = max([LEAST_SCALE, *(abs(value) for _, value in terms if math.isfinite(value))])
    for name, value in (terms[place] for place in sorted(places)):
        pen.pair(name, signed(value))
        pen.bar(value, most, row - ROW)
    pen.y += 1
    pen.pair("sum", signed(judgement.total), TEXT)


@dataclass
class _Pen:
    """Draws items one below the other. ``y``: the top of the next item. ``bottom``: where the free space ends.

    Lengths are in pixels of the game's picture.
    """

    draw: ImageDraw.ImageDraw
    scale: int
    width: int
    bottom: int
    y: int = EDGE - 1

    def line(self, text: str, size: int, color: Color) -> None:
        """A line of text."""
        height = TITLE_ROW if size == BIG else ROW
        if self._has(height):
            self._write(fitted(text, size * self.scale, self.width * self.scale), 0, size, color)
            self.y += height

    def pair(self, name: str, value: str, color: Color = FAINT, value_color: Color = TEXT) -> None:
        """A name on the left, its value on the right, each in its colour.

        If there isn't room for both, the name is cut first, down to a third of the width.
        """
        if not self._has(ROW):
            return
        size, whole, gap = SMALL * self.scale, self.width * self.scale, GAP * self.scale
        kept = min(width_of(name, size), whole // 3)
        shown = fitted(value, size, whole - kept - gap)
        taken = width_of(shown, size)
        self._write(shown, whole - taken, SMALL, value_color)
        self._write(fitted(name, size, whole - taken - gap if shown else whole), 0, SMALL, color)
        self.y += ROW

    def banner(self, text: str) -> None:
        """A line of text in the middle, dark on a bright ground."""
        if not self._has(ROW):
            return
        size, whole = SMALL * self.scale, self.width * self.scale
        self._fill(0, whole, self.y * self.scale, ROW * self.scale, CALL)
        shown = fitted(text, size, whole - 2 * self.scale)
        self._write(shown, (whole - width_of(shown, size)) // 2, SMALL, BACKGROUND)
        self.y += ROW

    def discs(self, name: str, colors: Sequence[Color]) -> None:
        """A name on the left; on the right a disc of each colour, one below the other."""
        height = max(ROW, (DISC + 1) * len(colors))
        if not self._has(height):
            return
        size, scale = SMALL * self.scale, self.scale
        self._write(fitted(name, size, (self.width - DISC - GAP) * scale), 0, SMALL, FAINT)
        left = (EDGE + self.width - DISC) * scale
        for place, color in enumerate(colors):
            top = (self.y + 1 + (DISC + 1) * place) * scale
            self.draw.ellipse((left, top, left + DISC * scale - 1, top + DISC * scale - 1), color)
        self.y += height + 1

    def rule(self) -> None:
        """A horizontal line."""
        if self._has(RULE + ROW):
            thick = max(self.scale // 2, 1)
            self._fill(0, self.width * self.scale, (self.y + 2) * self.scale, thick, LINE)
            self.y += RULE

    def bar(self, value: float, most: float, room: int) -> None:
        """A bar from the middle to the right, or to the left for values below 0.

        ``most``: the value whose bar fills half the width. ``room``: the height of the bar with its margins.
        """
        whole, middle = self.width * self.scale, self.width * self.scale // 2
        thick = max(3 * self.scale // 2, 1) if room == BAR else 2 * self.scale
        top = self.y * self.scale + (0 if room == BAR else self.scale)
        self._fill(0, whole, top, thick, LINE)
        if value and math.isfinite(value):
            length = max(round(abs(value) / most * middle), self.scale)
            self._fill(middle if value > 0 else middle - length, length, top, thick, GOOD if value > 0 else BAD)
        self.y += room

    def _has(self, height: int) -> bool:
        return self.y + height <= self.bottom

    def _write(self, text: str, left: int, size: int, color: Color) -> None:
        """Writes a text. ``left`` is in pixels of the panel; the baseline leaves room for descenders."""
        baseline = round((self.y + 0.8 * size + 0.4) * self.scale)
        write(self.draw, text, (EDGE * self.scale + left, baseline), size * self.scale, color)

    def _fill(self, left: int, width: int, top: int, height: int, color: Color) -> None:
        """Fills a rectangle, given in pixels of the panel."""
        left += EDGE * self.scale
        self.draw.rectangle((left, top, left + width - 1, top + height - 1), color)


def signed(value: float) -> str:
    """An evaluation as text, with its sign; "game over" for the value of a lost game."""
    if value <= LOST:
        return "game over"
    # adding 0.0 turns minus zero into plus zero
    return f"{round(value, 1) + 0.0:+,.1f}" if abs(value) < HUGE else f"{value:+.2e}"


def milliseconds(seconds: float) -> str:
    """A thinking time as text: in milliseconds, or in seconds if it is at least 1 s."""
    return f"{1000 * seconds:,.2f} ms" if seconds < 1 else f"{seconds:,.1f} s"


def beside(picture: Picture, standings: Mapping[int, Standing], scale: int, panels: Panels) -> Picture:
    """The picture, scaled, with a panel for each seat (1 or 2)."""
    place = arrange((picture.shape[1], picture.shape[0]), standings, scale)
    whole = np.empty((place.size[1], place.size[0], 3), np.uint8)
    left, top, width, height = place.picture
    whole[top : top + height, left : left + width] = scaled(picture, scale)
    for seat, standing in standings.items():
        left, top, width, height = place.panels[seat]
        whole[top : top + height, left : left + width] = panels.of(seat, standing, (width, height), scale)
    return whole

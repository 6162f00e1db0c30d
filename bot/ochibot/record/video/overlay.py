"""The AI's plan on the game's picture, as a ghost, and beside it what the AI thinks: drawn with Pillow."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import numpy as np
import numpy.typing as npt
from PIL import Image, ImageDraw, ImageFont

from ochibot.games.protocols import Look
from ochibot.record.video.shots import Picture, scaled
from ochibot.record.video.story import Plan, Standing, Story
from ochibot.ui.layout import PANEL

Color = tuple[int, int, int]

# the window's colours (ochibot.ui.panel)
BACKGROUND: Color = (14, 14, 24)
TEXT: Color = (225, 225, 235)
FAINT: Color = (130, 130, 155)
GOOD: Color = (90, 200, 120)
BAD: Color = (225, 95, 90)
LINE: Color = (50, 50, 75)

_FILL = 80
"""How much of the ghost's inside is its colour, of 255."""


class Overlay:
    """Draws on the pictures of one record, in order of frames. ``ghosts``: whether the plan is drawn on the game."""

    def __init__(self, stories: list[Story], scale: int, *, ghosts: bool) -> None:
        self._stories = stories
        self._scale = scale
        self._ghosts = ghosts
        self._panels: dict[int, tuple[Standing, Picture]] = {}

    def draw(self, frame: int, picture: Picture) -> Picture:
        """The picture, scaled, with the ghosts on it and a panel at the side of each AI's seat."""
        standings = [(story, story.at(frame)) for story in self._stories]
        size = picture.shape[1], picture.shape[0]
        for story, standing in standings:
            if standing.plan is not None and self._ghosts:
                _ghost(picture, story.seat.look, story.seat.port, standing.plan, size)
        parts: list[Picture] = [scaled(picture, self._scale)]
        for story, standing in standings:
            panel = self._panel(story.seat.port, standing, size[1])
            parts.insert(0 if story.seat.port == 0 else len(parts), panel)
        return np.concatenate(parts, axis=1)

    def _panel(self, port: int, standing: Standing, height: int) -> Picture:
        """Drawn anew only when there is something else to tell."""
        known = self._panels.get(port)
        if known is None or known[0] != standing:
            size = PANEL * self._scale, height * self._scale
            known = self._panels[port] = standing, draw_panel(size, self._scale, standing)
        return known[1]


def _ghost(picture: Picture, look: Look, port: int, plan: Plan, size: tuple[int, int]) -> None:
    """Draw the cells of a plan on the game's own picture, unscaled."""
    for x, y, code in sorted(plan.cells):
        box = look.box(port, x, y, size)
        if box is None:
            continue
        left, top, width = box
        under = picture[max(top, 0) : top + width, max(left, 0) : left + width]
        mask = _patch(width)[max(-top, 0) :, max(-left, 0) :][: under.shape[0], : under.shape[1], None]
        color = np.array(look.color(code), np.uint16)
        under[:] = (under * (255 - mask) + color * mask) // 255


@cache
def _patch(width: int) -> npt.NDArray[np.uint16]:
    """How much of each pixel of a ghost's cell is its colour, of 255: a frame with round corners, faint inside."""
    patch = Image.new("L", (width, width))
    box = (1, 1, width - 2, width - 2)
    ImageDraw.Draw(patch).rounded_rectangle(box, radius=5, fill=_FILL, outline=255)
    return np.asarray(patch, np.uint16)


@cache
def _font(size: int) -> ImageFont.ImageFont | ImageFont.FreeTypeFont:
    return ImageFont.load_default(size)


@dataclass
class _Pen:
    """Writes downwards on a panel; ``y`` is where the next thing goes."""

    draw: ImageDraw.ImageDraw
    scale: int
    edge: int
    width: int
    y: int

    def line(self, text: str, size: int, color: Color) -> None:
        """A line of text, ``size`` in pixels of the game's."""
        self.draw.text((self.edge, self.y), text, color, _font(size * self.scale))
        self.y += (size + 2) * self.scale

    def pair(self, name: str, value: str, color: Color = FAINT) -> None:
        """A name on the left, its value on the right."""
        # Pillow's font has no such dash
        shown = value.replace("–", "-")
        self.draw.text((self.edge + self.width, self.y), shown, TEXT, _font(7 * self.scale), anchor="ra")
        self.line(name, 7, color)

    def rule(self) -> None:
        """A line across."""
        self.y += 2 * self.scale
        self.draw.rectangle((self.edge, self.y, self.edge + self.width, self.y + max(self.scale // 2, 1) - 1), LINE)
        self.y += 3 * self.scale

    def bar(self, value: float, most: float) -> None:
        """From the middle to the right, or to the left when it is less than 0."""
        height, middle = 2 * self.scale, self.edge + self.width // 2
        self.draw.rectangle((self.edge, self.y, self.edge + self.width, self.y + height - 1), LINE)
        length = max(round(abs(value) / most * self.width / 2), self.scale if value else 0)
        if value:
            left = middle if value > 0 else middle - length
            self.draw.rectangle((left, self.y, left + length - 1, self.y + height - 1), GOOD if value > 0 else BAD)
        self.y += 4 * self.scale


def draw_panel(size: tuple[int, int], scale: int, standing: Standing) -> Picture:
    """The whole panel, (height, width, 3)."""
    image = Image.new("RGB", size, BACKGROUND)
    edge = 5 * scale
    pen = _Pen(ImageDraw.Draw(image), scale, edge, size[0] - 2 * edge, 4 * scale)
    name, speed = standing.title
    pen.line(name, 9, TEXT)
    if speed:
        pen.line(speed, 7, FAINT)
    pen.rule()
    pen.pair("pieces", f"{standing.pieces:,}")
    pen.pair(f"best {standing.best_of}", str(standing.best_chain))
    pen.pair("score", f"{standing.score:,}")
    plan = standing.plan
    if plan is None:
        return np.array(image)
    pen.rule()
    for what, how in plan.told:
        pen.pair(what, how)
    pen.pair("value", signed(plan.value))
    if plan.thought is None:
        return np.array(image)
    pen.rule()
    pen.line("the field it leads to", 7, FAINT)
    pen.y += scale
    terms = plan.thought.terms
    # one scale for all bars: what weighs most fills half the width
    most = max(10.0, *(abs(value) for _, value in terms))
    for metric, value in terms:
        pen.pair(metric, signed(value))
        pen.bar(value, most)
    pen.pair("sum", signed(plan.thought.total), TEXT)
    return np.array(image)


def signed(value: float) -> str:
    """An evaluation, with its sign; values of lost games as words. (Adding 0.0 makes a plus of minus zero.)"""
    return "game over" if value <= -1e8 else f"{round(value, 1) + 0.0:+.1f}"

"""What a coach shows, as plain values and as a picture: the person's field with the best places, and lines of text."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from PIL import Image, ImageDraw

from ochibot.falling.advice import DEADLY, NOTE, STONE, Advice, Adviser
from ochibot.games.protocols import AnySeat
from ochibot.overlay.layout import Picture
from ochibot.overlay.panel import BACKGROUND, BAD, CALL, FAINT, GOOD, TEXT
from ochibot.overlay.text import Color, fitted, width_of, write

CELL: Final = 12
"""A cell's width and height in pixels, before the picture is enlarged."""
EDGE: Final = 6
TEXT_WIDTH: Final = 150
LINE: Final = 11
SMALL: Final = 8

OPEN: Final = 0.1
"""A chance this near one half isn't shown as a number."""

_STONE: Final[Color] = (140, 142, 156)
_GROUND: Final[Color] = (24, 25, 40)
_WALL: Final[Color] = (74, 78, 110)
_PLANNED: Final = ("plan", "as")
"""The labels of ``Look.in_words`` that say where a piece goes."""


@dataclass(frozen=True, slots=True)
class CoachLine:
    """A line of text. indent: whether it belongs to the line before it."""

    text: str
    color: Color = TEXT
    indent: bool = False


@dataclass(frozen=True, slots=True)
class Ghost:
    """A cell of one of the best places. number: which place, from 1."""

    row: int
    column: int
    color: Color
    number: int


@dataclass(frozen=True, slots=True)
class CoachView:
    """What is shown at a moment. rows: the colours of the visible cells, the top row first; None for empty ones."""

    rows: tuple[tuple[Color | None, ...], ...]
    ghosts: tuple[Ghost, ...] = ()
    lines: tuple[CoachLine, ...] = ()


def view_of(seat: AnySeat, adviser: Adviser | None, advice: Advice | None, *, places: bool, title: str) -> CoachView:
    """What is shown of an advice. places: whether its places are shown. title: the first line."""
    lines = [CoachLine(title, FAINT)]
    if advice is None:
        return CoachView((), (), (*lines, CoachLine("waiting for the next piece", FAINT)))
    look = seat.look
    for danger in advice.dangers:
        lines.append(CoachLine(str(danger), BAD if danger.grave == DEADLY else FAINT if danger.grave == NOTE else CALL))
    if advice.chance is not None:
        # nobody can say much before half of a match (docs/lab.md), so nothing exact is said of an open one
        is_open = abs(advice.chance - 0.5) < OPEN
        lines.append(CoachLine("the match is open" if is_open else f"chance of winning about {advice.chance:.0%}"))
    ghosts = []
    if places:
        if advice.fire:
            lines.append(CoachLine(advice.fire, CALL))
        for number, place in enumerate(advice.places, 1):
            words = ", ".join(text for label, text in look.in_words(place.decision) if label in _PLANNED)
            lines.append(CoachLine(f"{number}  {words}", GOOD if number == 1 else TEXT))
            lines += [CoachLine(text, FAINT, indent=True) for text in (place.now, place.towards) if text]
            if adviser is not None:
                ghosts += [
                    Ghost(adviser.row_of(y), x - 1, look.color(code), number)
                    for x, y, code in sorted(place.cells)
                    if adviser.row_of(y) >= 0
                ]
    rows = () if adviser is None else _colored(adviser.rows(advice.snapshot), seat)
    return CoachView(rows, tuple(ghosts), tuple(lines))


def _colored(rows: Sequence[Sequence[int]], seat: AnySeat) -> tuple[tuple[Color | None, ...], ...]:
    def color(code: int) -> Color | None:
        return None if not code else _STONE if code == STONE else seat.look.color(code)

    return tuple(tuple(color(code) for code in row) for row in rows)


def size_of(rows: int, columns: int, scale: int) -> tuple[int, int]:
    """The picture's width and height for a field of so many visible cells."""
    return (2 * EDGE + columns * CELL + EDGE + TEXT_WIDTH) * scale, (2 * EDGE + rows * CELL) * scale


def draw_coach(view: CoachView, size: tuple[int, int], scale: int) -> Picture:
    """The picture of a view, (H, W, 3). Of several places in one cell, the best one is drawn on top."""
    image = Image.new("RGB", size, BACKGROUND)
    draw = ImageDraw.Draw(image)
    cell, edge = CELL * scale, EDGE * scale
    columns = len(view.rows[0]) if view.rows else 0
    if columns:
        right, bottom = edge + columns * cell, edge + len(view.rows) * cell
        draw.rectangle((edge - scale, edge - scale, right + scale - 1, bottom + scale - 1), _WALL)
        draw.rectangle((edge, edge, right - 1, bottom - 1), _GROUND)
    for y, row in enumerate(view.rows):
        for x, color in enumerate(row):
            if color is not None:
                box = _box(y, x, scale)
                draw.rounded_rectangle(box, 4 * scale, color, tuple(part * 2 // 3 for part in color), scale)
    for ghost in reversed(view.ghosts):
        _draw_ghost(draw, ghost, scale)
    left = edge + (columns * cell + edge if columns else 0)
    _write_lines(draw, view.lines, left, size, scale)
    return np.array(image)


def _box(row: int, column: int, scale: int) -> tuple[int, int, int, int]:
    left, top = (EDGE + column * CELL) * scale, (EDGE + row * CELL) * scale
    return (
        left + scale // 2,
        top + scale // 2,
        left + CELL * scale - 1 - scale // 2,
        top + CELL * scale - 1 - scale // 2,
    )


def _draw_ghost(draw: ImageDraw.ImageDraw, ghost: Ghost, scale: int) -> None:
    box = _box(ghost.row, ghost.column, scale)
    dark = tuple(part // (3 if ghost.number == 1 else 5) for part in ghost.color)
    draw.rounded_rectangle(box, 4 * scale, dark, ghost.color, max(1, scale * (2 if ghost.number == 1 else 1)))
    size = SMALL * scale
    text = str(ghost.number)
    at = (box[0] + box[2] - width_of(text, size)) // 2 + 1, box[1] + round(0.82 * CELL * scale) - scale
    write(draw, text, at, size, TEXT)


def _write_lines(
    draw: ImageDraw.ImageDraw, lines: Sequence[CoachLine], left: int, size: tuple[int, int], scale: int
) -> None:
    """Writes the lines one below the other, broken where they are too long, as far as there is room."""
    baseline, font = (EDGE + LINE - 3) * scale, SMALL * scale
    for line in lines:
        begin = left + (8 * scale if line.indent else 0)
        for part in wrapped(line.text, font, size[0] - EDGE * scale - begin):
            if baseline > size[1] - 2 * scale:
                return
            write(draw, part, (begin, baseline), font, line.color)
            baseline += LINE * scale


def wrapped(text: str, size: int, width: int) -> list[str]:
    """The text in lines of at most ``width`` pixels, broken at spaces; a word that is too long is cut."""
    lines: list[str] = []
    for word in text.split(" "):
        longer = f"{lines[-1]} {word}" if lines else word
        if lines and width_of(longer, size) <= width:
            lines[-1] = longer
        else:
            lines.append(fitted(word, size, width))
    return lines

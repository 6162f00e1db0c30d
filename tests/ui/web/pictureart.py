"""Screens of games that don't exist, drawn here with art and colours of our own, for tests of the picture reader."""

from __future__ import annotations

import math
import random
from dataclasses import dataclass

from PIL import Image, ImageDraw

Color = tuple[int, int, int]


@dataclass(frozen=True)
class Art:
    """A game's look: the well, the frame, and the colour of each letter of ``rgbyo``."""

    well: Color
    frame: Color
    ground: Color
    colors: dict[str, Color]
    round: bool


USUAL = Art(
    (20, 22, 40),
    (150, 110, 220),
    (60, 50, 90),
    {"r": (214, 50, 60), "g": (50, 180, 70), "b": (60, 110, 240), "y": (240, 200, 40), "o": (225, 225, 230)},
    round=False,
)
"""Colours that everybody names alike."""
STRANGE = Art(
    (236, 226, 200),
    (70, 40, 20),
    (170, 150, 110),
    {"r": (240, 130, 30), "g": (30, 170, 180), "b": (130, 60, 160), "y": (230, 110, 170), "o": (90, 80, 70)},
    round=True,
)
"""A light well with an orange, a teal, a purple and a pink piece, and dark nuisance."""


def random_board(seed: int, needles: int = 3, columns: int = 7, rows: int = 12) -> str:
    """Rows of letters: all pieces stand on the floor, with needles on top of some columns."""
    chance = random.Random(seed)
    board = [["."] * columns for _ in range(rows)]
    for x in range(columns):
        for y in range(chance.randrange(2, 9)):
            board[rows - 1 - y][x] = chance.choice("rrggbbyyo")
    for x in chance.sample(range(columns), needles):
        top = next(y for y in range(rows) if board[y][x] != ".")
        board[top - 1][x] = chance.choice("RGBY")
    return "\n".join("".join(row) for row in board)


def _piece(pen: ImageDraw.ImageDraw, letter: str, x: float, y: float, cell: float, art: Art) -> None:
    color = art.colors[letter.lower()]
    dark: Color = (color[0] * 6 // 10, color[1] * 6 // 10, color[2] * 6 // 10)
    middle = (x + cell / 2, y + cell / 2)
    if letter.isupper():
        corners = []
        for at in range(16):
            radius = cell * (0.46 if at % 2 else 0.22)
            angle = math.pi * at / 8
            corners.append((middle[0] + radius * math.sin(angle), middle[1] + radius * math.cos(angle)))
        pen.polygon(corners, fill=color, outline=dark)
        return
    box = (x + cell * 0.08, y + cell * 0.08, x + cell * 0.92, y + cell * 0.92)
    if art.round:
        pen.ellipse(box, fill=color, outline=dark, width=max(1, round(cell / 14)))
    else:
        pen.rounded_rectangle(box, cell / 5, fill=color, outline=dark, width=max(1, round(cell / 14)))
    for side in (-1, 1):
        eye = (middle[0] + side * cell * 0.16, middle[1] - cell * 0.05)
        size = cell * 0.07
        pen.ellipse((eye[0] - size, eye[1] - size, eye[0] + size, eye[1] + size), fill=dark)


def screen(boards: list[str], art: Art = USUAL, cell: float = 32) -> Image.Image:
    """A game's screen with one or two boards (rows of letters, top row first), and a box with the next pair."""
    rows = boards[0].split()
    width, height = cell * len(rows[0]), cell * len(rows)
    step = width + cell * 5
    size = (round(step * len(boards) + cell), round(height + cell * 3))
    image = Image.new("RGB", size, art.ground)
    pen = ImageDraw.Draw(image)
    for at, board in enumerate(boards):
        left, top = cell * 1.5 + at * step, cell * 1.5
        edge = cell / 4
        pen.rectangle((left - edge, top - edge, left + width + edge - 1, top + height + edge - 1), fill=art.frame)
        pen.rectangle((left, top, left + width - 1, top + height - 1), fill=art.well)
        for row, letters in enumerate(board.split()):
            for column, letter in enumerate(letters):
                if letter != ".":
                    _piece(pen, letter, left + column * cell, top + row * cell, cell, art)
        _piece(pen, "g", left + width + cell, top, cell, art)
        _piece(pen, "r", left + width + cell, top + cell, cell, art)
    return image

"""Letters: small ones of 8 x 8 pixels, large ones of 16 x 16, and the logo's."""

from __future__ import annotations

from pathlib import Path

from formats import Picture
from puyos import BLACK, PLACE, WHITE, own
from raster import Point, Shape, render, stroke, union

BIG = "ACEHILNOPRSUW!0123456789"
"""The large letters that signs need."""


def read_font(path: Path) -> dict[str, list[str]]:
    """Reads 5 x 7 letters. Each is a block of rows below a line "[char X]"; the zero is drawn as the letter O."""
    found: dict[str, list[str]] = {}
    rows: list[str] = []
    for line in path.read_text(encoding="ascii").splitlines():
        if line.startswith("[char "):
            rows = found.setdefault(line[6], [])
        elif line and not line.startswith("# "):
            rows.append(line)
    found["0"] = found["O"]
    return found


def small(rows: list[str], first: int) -> Picture:
    """A letter with a black rim: white above, then the shades ``first`` + 3 to ``first`` + 1 downwards."""
    out = [[0] * 8 for _ in range(8)]
    lit = {(1 + x, y) for y, row in enumerate(rows) for x, sign in enumerate(row) if sign == "#"}
    for x, y in lit:
        for dx in (-1, 0, 1):
            for dy in (-1, 0, 1):
                if 0 <= x + dx < 8 and 0 <= y + dy < 8:
                    out[y + dy][x + dx] = BLACK
    for x, y in lit:
        out[y][x] = WHITE if y < 2 else first + 3 if y < 4 else first + 2 if y < 6 else first + 1
    return out


_STROKES: dict[str, tuple[tuple[Point, ...], ...]] = {
    "A": (((1, 10), (4, 0), (5, 0), (8, 10)), ((2.4, 6.8), (6.6, 6.8))),
    "C": (((8, 2), (6, 0), (3, 0), (1, 2.4), (1, 7.6), (3, 10), (6, 10), (8, 8)),),
    "D": (((1, 0), (1, 10)), ((1, 0), (5, 0), (8, 3), (8, 7), (5, 10), (1, 10))),
    "E": (((8, 0), (1, 0), (1, 10), (8, 10)), ((1, 5), (6, 5))),
    "H": (((1, 0), (1, 10)), ((8, 0), (8, 10)), ((1, 5), (8, 5))),
    "I": (((4.5, 0), (4.5, 10)),),
    "J": (((7, 0), (7, 7.6), (5, 10), (3, 10), (1, 8)),),
    "L": (((1, 0), (1, 10), (8, 10)),),
    "M": (((0.6, 10), (0.6, 0), (4.5, 6), (8.4, 0), (8.4, 10)),),
    "N": (((1, 10), (1, 0), (8, 10), (8, 0)),),
    "O": (((3, 0), (6, 0), (8, 2.4), (8, 7.6), (6, 10), (3, 10), (1, 7.6), (1, 2.4), (3, 0)),),
    "P": (((1, 10), (1, 0), (6, 0), (8, 1.6), (8, 4), (6, 5.6), (1, 5.6)),),
    "R": (((1, 10), (1, 0), (6, 0), (8, 1.6), (8, 4), (6, 5.4), (1, 5.4)), ((4.6, 5.4), (8, 10))),
    "S": (((8, 1.6), (6, 0), (3, 0), (1, 1.8), (1, 3.4), (3, 5), (6, 5), (8, 6.6), (8, 8.2), (6, 10), (3, 10),
           (1, 8.4)),),
    "U": (((1, 0), (1, 7.6), (3, 10), (6, 10), (8, 7.6), (8, 0)),),
    "W": (((0.4, 0), (2.4, 10), (4.5, 4), (6.6, 10), (8.6, 0)),),
    "!": (((4.5, 0), (4.5, 6)), ((4.5, 9.6), (4.5, 10))),
    "0": (((3, 0), (6, 0), (8, 2.4), (8, 7.6), (6, 10), (3, 10), (1, 7.6), (1, 2.4), (3, 0)),),
    "1": (((2.4, 2), (5, 0), (5, 10)),),
    "2": (((1, 2), (3, 0), (6, 0), (8, 2), (8, 3.6), (1, 10), (8, 10)),),
    "3": (((1, 1), (3, 0), (6, 0), (8, 2), (8, 3), (6, 5), (4, 5)), ((6, 5), (8, 7), (8, 8), (6, 10), (3, 10), (1, 9))),
    "4": (((6.4, 10), (6.4, 0), (1, 7), (8.4, 7)),),
    "5": (((8, 0), (1.4, 0), (1, 5), (5.6, 4.4), (8, 6.2), (8, 8), (6, 10), (3, 10), (1, 9)),),
    "6": (((7, 0), (3.4, 1.6), (1, 5.6), (1, 8), (3, 10), (6, 10), (8, 8), (8, 6.6), (6, 5), (3, 5), (1, 6.4)),),
    "7": (((1, 0), (8, 0), (4, 10)),),
    "8": (((3, 0), (6, 0), (8, 1.8), (8, 3.2), (6, 5), (3, 5), (1, 3.2), (1, 1.8), (3, 0)),
          ((3, 5), (6, 5), (8, 6.8), (8, 8.2), (6, 10), (3, 10), (1, 8.2), (1, 6.8), (3, 5))),
    "9": (((8, 3.6), (6, 5), (3, 5), (1, 3.4), (1, 2), (3, 0), (6, 0), (8, 2), (8, 5), (6, 9), (3, 10)),),
}  # fmt: skip


def outline(letter: str, radius: float, x: float, y: float, wide: float, high: float) -> Shape:
    """The letter's strokes in a box of ``wide`` x ``high`` pixels, whose upper left corner is (x, y)."""
    return union(
        *(stroke([(x + px * wide / 9, y + py * high / 10) for px, py in line], radius) for line in _STROKES[letter])
    )


def large(letter: str) -> Picture:
    """A large letter of 16 x 16 pixels in the shades 7 to 10: gold in palette 0, blue in palette 1."""
    shape = outline(letter, 2.9, 3.4, 3.2, 8.8, 9.4)

    def paint(x: float, y: float) -> int:
        depth = shape(x, y)
        if depth <= 0:
            return 0
        if depth < 1.4:
            return BLACK
        return WHITE if y < 4.4 else 10 if y < 7.4 else 9 if y < 10.6 else 8

    return render(paint, 16, 16, own(1))


LOGO = (("N", 0, 5), ("I", 1, 3), ("J", 2, 4), ("I", 4, 3), ("D", 3, 5), ("A", 0, 5), ("M", 1, 5), ("A", 4, 5))
"""Each letter, the kind of puyo whose shades it has, and its width in tiles."""
LOGO_HEIGHT = 7
"""The logo's height in tiles."""


def logo_letter(letter: str, kind: int, width: int) -> Picture:
    """A letter of the logo, like a balloon, in the shades of that kind of puyo. width: in tiles."""
    first = PLACE[kind][1]
    wide, high = 8.0 * width, 8.0 * LOGO_HEIGHT
    shape = outline(letter, 6.6, 8.4, 8.6, wide - 16.8 if width > 3 else 7.2, high - 17.2)

    def paint(x: float, y: float) -> int:
        depth = shape(x, y)
        if depth <= 0:
            return 0
        if depth < 1.6:
            return BLACK
        if depth < 2.5:
            return WHITE
        if depth > 3.2 and shape(x - 2.6, y - 3.0) < 2.9:
            return WHITE if y < high * 0.3 else first + 3
        return first + (3 if y < high * 0.24 else 2 if y < high * 0.56 else 1)

    return render(paint, 8 * width, 8 * LOGO_HEIGHT, own(kind))

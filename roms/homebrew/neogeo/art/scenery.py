"""Everything around the blocks: letters, frames, the panels of the fields, the backdrop, the logo."""

from __future__ import annotations

from pathlib import Path

from formats import Picture, Rgb
from raster import Point, Shape, circle, render, stroke, union

# ---- fix layer --------------------------------------------------------------------------------------------------

BOX = (40, 16, 72)
INK = ((255, 255, 255), (216, 216, 240), (152, 160, 208))


def _ink(top: Rgb, middle: Rgb, bottom: Rgb) -> list[Rgb]:
    return [(0, 0, 0), top, middle, bottom, (16, 8, 40), BOX]


FIX_PALETTE_NAMES = ("WHITE", "GOLD", "PINK", "BLUE", "GREEN", "DIM", "FRAME", "TAIL")
FIX_PALETTES: list[list[Rgb]] = [
    _ink(*INK),
    _ink((255, 255, 200), (255, 216, 72), (240, 144, 24)),
    _ink((255, 224, 232), (255, 136, 168), (224, 64, 120)),
    _ink((216, 248, 255), (112, 200, 255), (48, 120, 240)),
    _ink((232, 255, 208), (128, 232, 104), (40, 168, 80)),
    _ink((160, 152, 200), (128, 120, 176), (96, 88, 152)),
    [(0, 0, 0), BOX, (88, 48, 136), (136, 88, 192), (192, 144, 240), (232, 208, 255), (255, 216, 96)],
    _ink((255, 255, 255), (255, 248, 160), (255, 224, 64)),
] + [[(0, 0, 0)]] * 8


def read_font(path: Path) -> dict[str, list[str]]:
    """Reads 5 x 7 letters. Each is a block of rows below a line "[char X]"."""
    found: dict[str, list[str]] = {}
    rows: list[str] = []
    for line in path.read_text(encoding="ascii").splitlines():
        if line.startswith("[char "):
            rows = found.setdefault(line[6], [])
        elif line and not line.startswith("# "):
            rows.append(line)
    return found


def letter(rows: list[str]) -> Picture:
    """A letter in three shades from above to below, with a shadow to its lower right."""
    out = [[0] * 8 for _ in range(8)]
    for y, row in enumerate(rows):
        for x, sign in enumerate(row):
            if sign == "#":
                for sx, sy in ((1, 1), (1, 0), (0, 1)):
                    if not out[min(7, y + sy)][1 + x + sx]:
                        out[min(7, y + sy)][1 + x + sx] = 4
    for y, row in enumerate(rows):
        for x, sign in enumerate(row):
            if sign == "#":
                out[y][1 + x] = 1 if y < 3 else 2 if y < 5 else 3
    return out


def tall_digit(rows: list[str]) -> tuple[Picture, Picture]:
    """A digit of 8 x 16 pixels, outlined on all sides: upper and lower half."""
    big = [[0] * 8 for _ in range(16)]
    lit = [
        (1 + x, 1 + 2 * y + half)
        for y, row in enumerate(rows)
        for x, s in enumerate(row)
        if s == "#"
        for half in (0, 1)
    ]
    wide = {(x + dx, y) for x, y in lit for dx in (0, 1)}
    for x, y in wide:
        for dx in (-1, 0, 1):
            for dy in (-1, 0, 1):
                if 0 <= x + dx < 8 and 0 <= y + dy < 16:
                    big[y + dy][x + dx] = 4
    for x, y in wide:
        big[y][x] = 1 if y < 6 else 2 if y < 11 else 3
    return big[:8], big[8:]


def _lines(big: Picture, cell: int) -> list[Picture]:
    """A picture's tiles, column by column."""
    across, down = range(0, len(big[0]), cell), range(0, len(big), cell)
    return [[row[x : x + cell] for row in big[y : y + cell]] for x in across for y in down]


def paired(letters: dict[str, list[str]], number: int) -> list[Picture]:
    """A number below 100 in tall digits, in the middle of 24 x 16 pixels."""
    figures = [tall_digit(letters[figure]) for figure in str(number)]
    whole = [[value for figure in figures for value in figure[y // 8][y % 8]] for y in range(16)]
    side = [0] * ((24 - len(whole[0])) // 2)
    return _lines([[*side, *row, *side] for row in whole], 8)


WORD_TILES = 6
"""The width in tiles of the gap between the two fields."""

WORDS: list[tuple[str, int, list[tuple[int, int, str]]]] = [
    ("NEXT", 8, [(0, 7, "NEXT")]),
    ("MOST", 24, [(4, 7, "MOST"), (14, 6, "BRANCH")]),
    ("DUE", 8, [(0, 7, "DUE")]),
    ("WINS", 8, [(0, 7, "WINS")]),
    ("PAUSE", 8, [(0, 7, "PAUSE")]),
]
"""The words in the gap: name, height in pixels, lines. A line: its top row, pixels from letter to letter, text."""


def word(letters: dict[str, list[str]], _: str, height: int, lines: list[tuple[int, int, str]]) -> list[Picture]:
    """A word's tiles, column by column. Its letters are centred, and closer together than tiles are."""
    big = [[0] * (8 * WORD_TILES) for _ in range(height)]
    for top, pitch, text in lines:
        left = (8 * WORD_TILES - pitch * (len(text) - 1) - 8) // 2
        for i, sign in enumerate(text):
            for y, row in enumerate(letter(letters[sign])[: height - top]):
                for x, value in enumerate(row):
                    at = left + pitch * i + x
                    if value and big[top + y][at] in (0, 4):
                        big[top + y][at] = value
    return _lines(big, 8)


# Frame pieces, in the order of FRAME + n: 0 upper left, 1 top, 2 upper right, 3 left, 4 right, 5 lower left, 6 bottom,
# 7 lower right, 8 a filled cell, 9 a star (a round won), 10 an empty star.
EDGE = (1, 5, 4, 4, 3, 3, 2, 1)  # palette indices across a bar, from the left or from above


def _bar(vertical: bool) -> Picture:
    return [[EDGE[x if vertical else y] for x in range(8)] for y in range(8)]


def _corner(right: bool, low: bool) -> Picture:
    """Where two bars meet: each pixel belongs to the bar whose outer side is nearer."""
    picture = []
    for y in range(8):
        row = []
        for x in range(8):
            across, down = (7 - x if right else x), (7 - y if low else y)
            row.append(EDGE[x] if across < down else EDGE[y])
        picture.append(row)
    return picture


STAR = ("...6....", "...6....", "..666...", "6666666.", ".66666..", "..666...", ".66.66..", ".6...6..")
HOLLOW = tuple(row.replace("6", "2") for row in STAR)


def frame_tiles() -> list[Picture]:
    def of(rows: tuple[str, ...]) -> Picture:
        return [[0 if sign == "." else int(sign) for sign in row] for row in rows]

    filled = [[1] * 8 for _ in range(8)]
    return [
        _corner(False, False),
        _bar(False),
        _corner(True, False),
        _bar(True),
        _bar(True),
        _corner(False, True),
        _bar(False),
        _corner(True, True),
        filled,
        of(STAR),
        of(HOLLOW),
    ]


# ---- sprites ----------------------------------------------------------------------------------------------------

SPRITE_PALETTE_NAMES = ("PANEL", "BACKDROP", "LOGO")
SPRITE_PALETTES: list[list[Rgb]] = [
    [(0, 0, 0), (8, 8, 24), (16, 16, 40), (24, 24, 56), (96, 16, 48), (160, 32, 64), (48, 16, 40), BOX],
    [(0, 0, 0), (32, 16, 64), (40, 24, 80), (48, 32, 96), (56, 40, 112), (64, 48, 128)],
    [
        (0, 0, 0), (40, 0, 24), (120, 8, 40), (176, 24, 32), (224, 56, 24), (248, 104, 24), (255, 152, 40),
        (255, 200, 72), (255, 240, 144), (255, 255, 232), (72, 72, 96), (152, 160, 184), (232, 240, 255),
    ],
]  # fmt: skip


def panel_tiles() -> list[Picture]:
    """Three background tiles: for a plain cell, for the cell that ends the game (crossed thorns), and for a box."""
    plain = [[3 if x == 0 or y == 0 else 2 if (x + y) % 8 == 0 else 1 for x in range(16)] for y in range(16)]
    cross = union(stroke([(3, 3), (13, 13)], 1.3), stroke([(13, 3), (3, 13)], 1.3))
    marked = [list(row) for row in plain]
    for y in range(16):
        for x in range(16):
            depth = cross(x + 0.5, y + 0.5)
            if depth > 0:
                marked[y][x] = 5 if depth > 0.6 else 4
            elif depth > -1:
                marked[y][x] = 6
    return [plain, marked, [[7] * 16 for _ in range(16)]]


def backdrop() -> Picture:
    """A pattern of 64 x 64 pixels, to be repeated: thorny balls on a dark weave."""
    balls = [(16.0, 16.0), (48.0, 48.0)]

    def shape_at(cx: float, cy: float) -> Shape:
        rays = [
            stroke([(cx - dx, cy - dy), (cx + dx, cy + dy)], 1.6)
            for dx, dy in ((14.0, 0.0), (0.0, 14.0), (10.0, 10.0), (10.0, -10.0))
        ]
        return union(circle(cx, cy, 8.5), *rays)

    shapes = [shape_at(*at) for at in balls]
    inner = [circle(x, y, 5.0) for x, y in balls]
    out = []
    for y in range(64):
        row = []
        for x in range(64):
            weave = 1 if (x // 4 + y // 4) % 2 else 2
            px, py = x + 0.5, y + 0.5
            inside = any(shape(px, py) > 0 for shape in shapes)
            row.append(4 if any(shape(px, py) > 0 for shape in inner) else 3 if inside else weave)
        out.append(row)
    return out


def _arc(cx: float, cy: float, rx: float, ry: float, first: int, last: int) -> list[Point]:
    """Points on an ellipse from step ``first`` to ``last``, 16 steps a turn: 0 is right, 4 below, 8 left, 12 above."""
    quarter = ((1.0, 0.0), (0.9239, 0.3827), (0.7071, 0.7071), (0.3827, 0.9239))
    points = []
    for step in range(first, last + 1):
        x, y = quarter[step % 4]
        for _ in range(step // 4 % 4):
            x, y = -y, x
        points.append((cx + rx * x, cy + ry * y))
    return points


# Letters as strokes in a box 24 wide, 32 high.
STROKES: dict[str, list[list[Point]]] = {
    "T": [[(1, 2), (23, 2)], [(12, 2), (12, 30)]],
    "O": [_arc(12, 16, 11, 14, 0, 16)],
    "G": [[(23, 18), *_arc(12, 16, 11, 14, 2, 14)], [(23, 25), (23, 18), (14, 18)]],
    "E": [[(22, 2), (3, 2), (3, 30), (22, 30)], [(3, 16), (18, 16)]],
    "A": [[(1, 30), (12, 2), (23, 30)], [(6, 21), (18, 21)]],
    "M": [[(1, 30), (3, 2), (12, 20), (21, 2), (23, 30)]],
}


def logo() -> Picture:
    """The name in thick strokes, 288 x 64 pixels, with thorns on top of some letters."""
    parts: list[tuple[float, Shape]] = []
    thorns: list[Shape] = []
    for i, name in enumerate("TOGETAMA"):
        left, top = 8.0 + 35 * i, 20.0 + (3 if i % 2 else 0)
        lines = [[(left + x, top + y) for x, y in line] for line in STROKES[name]]
        parts.append((left - 12, union(*(stroke(line, 5.4) for line in lines))))
        if name in "OA":
            for dx, lean in ((4, -5), (12, 0), (20, 5)):
                foot = top + (2 if dx == 12 else 6)
                thorns.append(stroke([(left + dx, foot), (left + dx + lean, top - 11 + abs(lean) * 0.6)], 1.7))

    def paint(x: float, y: float) -> int:
        near = [shape(x, y) for left, shape in parts if left < x < left + 48]
        depth = max(near, default=-9.0)
        if depth > 0:
            if depth > 4.0:
                return 9
            return max(2, min(8, 2 + int((56 - y) / 5.6))) if depth > 0.8 else 2
        spike = max(thorn(x, y) for thorn in thorns) if y < 30 else -9.0
        if spike > 0:
            return 12 if spike > 0.9 else 11
        return 1 if max(depth, spike) > -2.6 else 0

    return render(paint, 288, 64, SPRITE_PALETTES[2])

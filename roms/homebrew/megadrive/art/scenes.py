"""The backgrounds of the screens, 320 x 224 pixels each: title, menu, two players, endless. They use palette 2 only."""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt

from formats import Picture, Rgb

WIDTH, HEIGHT = 320, 224
_BAYER = ((0, 8, 2, 10), (12, 4, 14, 6), (3, 11, 1, 9), (15, 7, 13, 5))

RAINBOW = (7, 8, 9, 10, 11)
SKY = (1, 2, 3, 4, 5, 6)


@dataclass
class Scene:
    name: str
    picture: Picture
    palette: list[Rgb]
    logo: bool = False


DUSK: list[Rgb] = [
    (0, 0, 0),
    (20, 12, 72), (48, 24, 112), (92, 40, 148), (156, 64, 164), (228, 108, 156), (255, 180, 144),  # 1-6 sky
    (252, 72, 80), (255, 156, 56), (255, 232, 92), (88, 216, 96), (72, 164, 255),  # 7-11 rainbow
    (24, 64, 60), (44, 116, 72), (104, 180, 84),  # 12-14 hills
    (255, 248, 220),  # 15 stars, moon
]  # fmt: skip
DAY: list[Rgb] = [
    (0, 0, 0),
    (32, 88, 200), (52, 124, 232), (92, 168, 255), (148, 208, 255), (204, 236, 255), (255, 255, 255),  # 1-6
    (252, 72, 80), (255, 176, 56), (120, 60, 20), (88, 200, 96), (36, 132, 72),  # 7-11: 8 gold, 9 wood, 10 11 grass
    (8, 8, 40), (16, 16, 60), (28, 28, 84),  # 12-14 the fields' ground
    (200, 116, 36),  # 15 wood, light
]  # fmt: skip


def _sky(x: int, y: int, top: int, bottom: int, shades: tuple[int, ...]) -> int:
    """The pixel (x, y) of a dithered gradient from the first shade, at ``top``, to the last, at ``bottom``."""
    place = (y - top) * (len(shades) - 1) * 16 // (bottom - top)
    place = max(0, min((len(shades) - 1) * 16 - 1, place))
    step, rest = divmod(place, 16)
    return shades[step + (rest > _BAYER[y & 3][x & 3])]


def _hill(x: int, centre: float, wide: float, top: float, high: float) -> float:
    u = (x - centre) / wide
    return top + high * u * u


def _rainbow(x: int, y: int, cx: float, cy: float, outer: float, band: float) -> int:
    far = sqrt((x - cx) ** 2 + (y - cy) ** 2)
    ring = int((outer - far) / band)
    return RAINBOW[ring] if outer > far and ring < len(RAINBOW) else 0


def title() -> Scene:
    stars = {
        (13, 9),
        (60, 21),
        (107, 6),
        (150, 14),
        (203, 10),
        (262, 17),
        (301, 6),
        (31, 60),
        (288, 66),
        (84, 90),
        (236, 96),
    }
    rows = []
    for y in range(HEIGHT):
        row = []
        for x in range(WIDTH):
            value = _sky(x, y, 0, 176, SKY)
            if any(abs(x - sx) + abs(y - sy) <= 1 for sx, sy in stars):
                value = 15
            value = _rainbow(x, y, 160, 214, 132, 5.0) or value
            back = min(_hill(x, 70, 90, 158, 26), _hill(x, 250, 84, 154, 30))
            front = min(_hill(x, 40, 110, 172, 20), _hill(x, 284, 110, 172, 20), 196)
            if y >= back:
                value = 12 if y - back > 2 else 13
            if y >= front:
                value = 14 if y - front < 3 else 13 if (y - front) < 12 or (x + y) & 1 else 12
            row.append(value)
        rows.append(row)
    return Scene("title", rows, DUSK, True)


def _box(rows: Picture, left: int, top: int, wide: int, high: int, ground: int, rim: tuple[int, int, int]) -> None:
    """Draws a box, whose place and size are given in tiles, and a rim of 8 pixels around it."""
    for y in range(top * 8 - 8, (top + high) * 8 + 8):
        for x in range(left * 8 - 8, (left + wide) * 8 + 8):
            if not (0 <= y < HEIGHT and 0 <= x < WIDTH):
                continue
            dx = max(left * 8 - x, x - (left + wide) * 8 + 1, 0)
            dy = max(top * 8 - y, y - (top + high) * 8 + 1, 0)
            far = sqrt(dx * dx + dy * dy)
            if far == 0:
                rows[y][x] = ground
            elif far <= 7.4:
                rows[y][x] = (
                    rim[0]
                    if far > 6 or far < 1.6
                    else rim[2]
                    if (dx and x < left * 8) or (dy and y < top * 8)
                    else rim[1]
                )


def menu() -> Scene:
    rows = [
        [
            _sky(x, y, 0, 224, (1, 2, 3)) if (x // 16 + y // 16) & 1 else _sky(x, y, 0, 224, (2, 3, 4))
            for x in range(WIDTH)
        ]
        for y in range(HEIGHT)
    ]
    _box(rows, 8, 9, 24, 11, 1, (12, 10, 9))
    _box(rows, 14, 21, 12, 2, 1, (12, 10, 9))
    return Scene("menu", rows, DUSK, True)


def _cloud(x: int, y: int, cx: int, cy: int, size: float) -> bool:
    puffs = ((-1.4, 0.2, 0.9), (-0.5, -0.4, 1.0), (0.6, -0.2, 0.9), (1.4, 0.3, 0.7))
    return y < cy + size * 0.7 and any(
        (x - cx - dx * size) ** 2 + (y - cy - dy * size) ** 2 < (r * size) ** 2 for dx, dy, r in puffs
    )


def _day() -> Picture:
    rows = []
    for y in range(HEIGHT):
        row = []
        for x in range(WIDTH):
            value = _sky(x, y, 0, 180, (1, 2, 3, 4, 5))
            for cx, cy, size in ((136, 78, 8), (184, 106, 9), (140, 150, 7)):
                if _cloud(x, y, cx, cy, size):
                    value = 6 if y < cy else 5
            if y >= _hill(x, 140, 60, 176, 14):
                value = 10 if (x * 3 + y * 5) % 11 else 11
            if y >= _hill(x, 186, 60, 186, 12):
                value = 11 if (x * 3 + y * 5) % 11 else 10
            row.append(value)
        rows.append(row)
    return rows


def _ground(rows: Picture, left: int) -> None:
    """A field's dark ground: 12 rows of 6 cells, edges lighter in the lower half, a cross on the cell to keep free."""
    for y in range(16, 208):
        for x in range(left, left + 96):
            lit = 13 if ((x - left) // 16 + (y - 16) // 16) & 1 else 12
            if ((x - left) % 16 == 15 or (y - 16) % 16 == 15) and y > 112:
                lit = 14
            rows[y][x] = lit
    for i in range(-5, 6):
        for j in (-1, 0, 1):
            rows[24 + i][left + 40 + i + j] = 7
            rows[24 + i][left + 40 - i + j] = 7


def _field(rows: Picture, left: int) -> None:
    _box(rows, left // 8, 2, 12, 24, 12, (9, 15, 8))
    _ground(rows, left)
    for y in range(16):
        for x in range(left - 8, left + 104):
            rows[y][x] = 12 if y > 0 and left <= x < left + 96 else 15 if y < 15 else 9
    for y in range(208, 224):
        for x in range(left - 8, left + 104):
            rows[y][x] = 9 if y in (208, 223) or x in (left - 8, left + 103) else 15 if y < 211 else 13


def _next_box(rows: Picture, column: int) -> None:
    _box(rows, column, 3, 2, 9, 13, (9, 15, 8))


def versus() -> Scene:
    rows = _day()
    for left in (16, 208):
        _field(rows, left)
    _next_box(rows, 16)
    _next_box(rows, 22)
    _box(rows, 15, 24, 10, 3, 13, (9, 15, 8))
    return Scene("versus", rows, DAY)


def endless() -> Scene:
    rows = _day()
    _field(rows, 16)
    _next_box(rows, 16)
    _box(rows, 26, 3, 12, 22, 13, (9, 15, 8))
    return Scene("endless", rows, DAY)

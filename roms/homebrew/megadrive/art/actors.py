"""The two characters, 48 x 48 pixels in four poses each: calm, breathing in, cheering, wincing.

Kogane is a fox cub with a scarf, Mokumo a cloud spirit with a lantern. Both share one palette.
"""

from __future__ import annotations

from formats import Picture, Rgb
from raster import Shape, circle, ellipse, polygon, render, stroke, union

PALETTE: list[Rgb] = [
    (0, 0, 0),
    (40, 16, 48),  # 1 ink
    (255, 255, 255),  # 2
    (188, 84, 12),  # 3 fur, dark
    (236, 140, 36),  # 4
    (255, 192, 84),  # 5
    (255, 236, 188),  # 6 cream
    (176, 24, 60),  # 7 scarf
    (240, 72, 88),  # 8
    (255, 152, 164),  # 9 cheek
    (96, 120, 200),  # 10 cloud, dark
    (148, 176, 240),  # 11
    (204, 224, 255),  # 12
    (255, 224, 72),  # 13 lantern
    (72, 40, 132),  # 14 robe, dark
    (120, 80, 196),  # 15 robe
]
POSES = ("calm", "breath", "cheer", "wince")
Layer = tuple[Shape, tuple[int, int, int]]
"""A shape and its shades: rim, dark, light."""


def _eyes(pose: str, y: float, left: float, right: float) -> list[Layer]:
    ink = (1, 1, 1)
    if pose == "cheer":
        return [(stroke([(x - 2.4, y + 1), (x, y - 1.6), (x + 2.4, y + 1)], 0.95), ink) for x in (left, right)]
    if pose == "wince":
        return [
            (stroke([(left - 2.2, y - 2), (left + 1.6, y), (left - 2.2, y + 2)], 0.95), ink),
            (stroke([(right + 2.2, y - 2), (right - 1.6, y), (right + 2.2, y + 2)], 0.95), ink),
        ]
    eyes: list[Layer] = []
    for x in (left, right):
        eyes += [(ellipse(x, y, 2.3, 3.1), ink), (circle(x - 0.6, y - 1.2, 0.95), (2, 2, 2))]
    return eyes


def _mouth(pose: str, x: float, y: float) -> list[Layer]:
    if pose == "cheer":
        return [(ellipse(x, y + 0.6, 3.4, 2.7), (1, 7, 8))]
    if pose == "wince":
        return [(stroke([(x - 3, y + 1.4), (x - 1, y), (x + 1, y + 1.4), (x + 3, y)], 0.7), (1, 1, 1))]
    return [(stroke([(x - 2.2, y), (x, y + 1.2), (x + 2.2, y)], 0.7), (1, 1, 1))]


def fox(pose: str) -> list[Layer]:
    """The fox's layers. Later ones cover earlier ones."""
    up = {"calm": 0.0, "breath": -1.0, "cheer": -1.5, "wince": 1.5}[pose]
    fur, cream = (1, 4, 5), (1, 6, 6)
    head = 19 + up
    layers: list[Layer] = [
        (union(stroke([(34, 40), (42, 34 + up), (41, 27 + up)], 4.8)), fur),
        (ellipse(41, 25.5 + up, 3.4, 4.2), cream),
        (ellipse(23, 38, 10.4, 9.4 - up * 0.4), fur),
        (ellipse(23, 40, 6, 6.4), (6, 6, 6)),
        (ellipse(16.5, 45, 5.2, 2.8), fur),
        (ellipse(29.5, 45, 5.2, 2.8), fur),
    ]
    if pose == "cheer":
        layers += [(stroke([(14, 34), (6, 25)], 3.4), fur), (stroke([(32, 34), (40, 25)], 3.4), fur)]
    elif pose == "wince":
        layers += [(stroke([(14, 35), (11, 28)], 3.4), fur), (stroke([(32, 35), (35, 28)], 3.4), fur)]
    else:
        layers += [(stroke([(14, 35), (12, 41)], 3.4), fur), (stroke([(32, 35), (34, 41)], 3.4), fur)]
    ear = 0 if pose != "wince" else 4
    layers += [
        (polygon((6.5 - ear, 2 + up + ear), (18, 9 + up), (9, 18 + up)), fur),
        (polygon((39.5 + ear, 2 + up + ear), (37, 18 + up), (28, 9 + up)), fur),
        (polygon((9 - ear, 6 + up + ear), (15, 10 + up), (10, 15 + up)), (7, 7, 8)),
        (polygon((37 + ear, 6 + up + ear), (36, 15 + up), (31, 10 + up)), (7, 7, 8)),
        (ellipse(23, head, 16.2, 12.6), fur),
        (ellipse(15.5, head + 5.2, 7, 6), (6, 6, 6)),
        (ellipse(30.5, head + 5.2, 7, 6), (6, 6, 6)),
        (ellipse(23, head + 6.4, 6, 5.4), (6, 6, 6)),
        (ellipse(11.4, head + 4.6, 2.4, 1.6), (9, 9, 9)),
        (ellipse(34.6, head + 4.6, 2.4, 1.6), (9, 9, 9)),
        (ellipse(23, head + 3.2, 1.9, 1.4), (1, 1, 1)),
        *_eyes(pose, head - 0.4, 16, 30),
        *_mouth(pose, 23, head + 6.6),
        (stroke([(13.4, 31.4 + up), (23, 33.4 + up), (32.6, 31.4 + up)], 2.9), (1, 7, 8)),
        (stroke([(29, 33.4 + up), (33, 40 + up)], 2.5), (1, 7, 8)),
    ]
    return layers


def cloud(pose: str) -> list[Layer]:
    up = {"calm": 0.0, "breath": -1.2, "cheer": -2.0, "wince": 1.6}[pose]
    puff = (1, 11, 12)
    y = 20 + up
    robe = (1, 14, 15)
    arm = {"cheer": 22, "wince": 30}.get(pose, 38)
    layers: list[Layer] = [
        (polygon((17, 30), (31, 30), (37, 46), (11, 46)), robe),
        (ellipse(24, 45, 13, 3), robe),
        (stroke([(24, 33), (24, 45)], 0.8), (13, 13, 13)),
        (stroke([(31, 34), (39, arm + 1)], 3.2), robe),
        (stroke([(17, 34), (10, arm)], 3.2), robe),
        (circle(9.4, arm - 1, 2.6), puff),
        (circle(40, arm, 2.6), puff),
        (stroke([(40, arm), (42.5, arm + 3)], 0.9), (1, 1, 1)),
        (ellipse(43, arm + 6.4, 4.0, 4.6), (1, 13, 13)),
        (stroke([(40, arm + 3), (46, arm + 3)], 0.9), (7, 7, 7)),
        (stroke([(40.4, arm + 10), (45.6, arm + 10)], 0.9), (7, 7, 7)),
        (
            union(
                circle(24, y - 1, 12.6), circle(12.5, y + 1, 8.4), circle(35.5, y + 1, 8.4),
                circle(16, y - 9.5, 7.4), circle(26, y - 12, 6.8), circle(33, y - 8.5, 6.6), circle(24, y + 5, 9.4),
            ),
            puff,
        ),
        (ellipse(24, y + 2.6, 11.4, 8.8), (2, 2, 2)),
        (ellipse(14.6, y + 5, 2.3, 1.5), (9, 9, 9)),
        (ellipse(33.4, y + 5, 2.3, 1.5), (9, 9, 9)),
        *_eyes(pose, y + 1.4, 18.4, 29.6),
        *_mouth(pose, 24, y + 6.6),
    ]  # fmt: skip
    if pose == "wince":
        layers.append((union(circle(40, 7, 1.9), polygon((40, 2), (41.7, 6.2), (38.3, 6.2))), (10, 11, 12)))
    return layers


def _flatten(layers: list[Layer], size: int):  # type: ignore[no-untyped-def]
    by = size / 48
    above = list(reversed(layers))

    def paint(px: float, py: float) -> int:
        x, y = px / by, py / by
        for shape, (rim, dark, light) in above:
            depth = shape(x, y)
            if depth > 0:
                if depth < 1.15 and rim != light:
                    return rim
                return light if depth > 3.2 or shape(x + 1.8, y + 2.2) > 1.6 else dark
        return 0

    return paint


def actor(which: int, pose: str, size: int = 48) -> Picture:
    """Draws a character. which: 0 for the fox, 1 for the cloud."""
    return render(_flatten((fox, cloud)[which](pose), size), size, size, PALETTE)

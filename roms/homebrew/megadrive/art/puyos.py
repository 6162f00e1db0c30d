"""The puyos: five colours with a face each, joined to their neighbours in 16 ways; nuisance; bursts; the tray's signs.

All share two palettes: 0 holds red, yellow and green, 1 purple, blue and grey; each also black, white and a cheek's
pink.
"""

from __future__ import annotations

from formats import Picture, Rgb
from raster import Shape, circle, ellipse, overlay, polygon, render, stroke, union

BLACK, WHITE, PINK = 1, 2, 15
NAMES = ("red", "yellow", "green", "purple", "blue", "nuisance")
PLACE = ((0, 3), (0, 7), (0, 11), (1, 3), (1, 7), (1, 11))
"""For each kind: its palette, and the first of its four shades there."""

_INK: Rgb = (28, 12, 52)
_SHADES: tuple[tuple[Rgb, Rgb, Rgb, Rgb], ...] = (
    ((128, 0, 32), (216, 28, 52), (252, 88, 84), (255, 172, 150)),
    ((148, 84, 0), (236, 164, 0), (255, 216, 44), (255, 248, 160)),
    ((0, 92, 44), (24, 164, 64), (92, 220, 76), (188, 255, 140)),
    ((84, 12, 132), (148, 48, 204), (196, 104, 244), (236, 180, 255)),
    ((8, 52, 160), (20, 108, 228), (72, 172, 255), (172, 224, 255)),
    ((72, 72, 108), (140, 144, 176), (200, 204, 224), (244, 244, 255)),
)


def palette(which: int) -> list[Rgb]:
    """The 16 colours of palette 0 or 1."""
    shades = [rgb for kind in range(6) if PLACE[kind][0] == which for rgb in _SHADES[kind]]
    return [(0, 0, 0), _INK, (255, 255, 255), *shades, (255, 132, 156)]


def own(kind: int) -> list[Rgb]:
    """A kind's palette for ``render``. Pink and the other kinds' shades become a colour that no pixel is near."""
    which, first = PLACE[kind]
    far = (9999, 9999, 9999)
    return [rgb if i in (BLACK, WHITE) or first <= i < first + 4 else far for i, rgb in enumerate(palette(which))]


FACES: tuple[tuple[str, ...], ...] = (
    (  # red: cross
        "kk........kk",
        ".kkk....kkk.",
        ".wwkk..kkww.",
        ".wkkw..wkkw.",
        ".wkkw..wkkw.",
        "..ww....ww..",
        "....kkkk....",
    ),
    (  # yellow: laughing
        "............",
        "..kk....kk..",
        ".k..k..k..k.",
        "............",
        "c..kkkkkk..c",
        "....kwwk....",
        ".....kk.....",
    ),
    (  # green: wide-eyed
        "..ww....ww..",
        ".wwww..wwww.",
        ".wkkw..wkkw.",
        ".wkkw..wkkw.",
        "..ww....ww..",
        "............",
        "....kkkk....",
    ),
    (  # purple: one large eye
        "...wwwwww...",
        "..wwwwwwww..",
        "..wwkkkkww..",
        "..wwkwkkww..",
        "..wwkkkkww..",
        "...wwwwww...",
        ".....kk.....",
    ),
    (  # blue: sleepy
        "............",
        ".wwww..wwww.",
        ".kkkk..kkkk.",
        ".wkkw..wkkw.",
        "..ww....ww..",
        "c..........c",
        ".....kk.....",
    ),
    (  # nuisance: bored
        "............",
        ".kk......kk.",
        "...kk..kk...",
        "............",
        "............",
        "...kkkkkk...",
        "............",
    ),
)
STARTLED = (
    ".wwww..wwww.",
    "wwwwwwwwwwww",
    "wwkkwwwwkkww",
    "wwkkwwwwkkww",
    ".wwww..wwww.",
    "....kkkk....",
    "....kkkk....",
)
SLEEPY = (
    "............",
    "............",
    ".kkkk..kkkk.",
    "..kk....kk..",
    "............",
    "............",
    ".....kk.....",
)
SIGNS = {"w": WHITE, "k": BLACK, "c": PINK}
_TOP = (4, 4, 4, 4, 4, 5)
_HAT = (
    union(polygon((2.2, 1.0), (6.6, 3.4), (2.6, 7.0)), polygon((13.8, 1.0), (13.4, 7.0), (9.4, 3.4))),
    polygon((8, -0.6), (11, 4), (8, 6), (5, 4)),
    union(circle(3.6, 3.2, 2.4), circle(12.4, 3.2, 2.4)),
    union(stroke([(5.6, 4), (4.6, 0.6)], 1.1), stroke([(10.4, 4), (11.4, 0.6)], 1.1)),
    polygon((9.4, -0.8), (12.2, 6.2), (8, 8), (4.2, 5.6)),
    union(circle(4, 5, 3.6), circle(12, 5, 3.6), circle(4.2, 11.4, 3.6), circle(11.8, 11.4, 3.6)),
)


def _body(kind: int, links: int, rx: float = 7.5, ry: float = 7.2) -> Shape:
    """A puyo's outline. links: the sides on which it is joined: 1 up, 2 right, 4 down, 8 left."""
    parts = [ellipse(8, 15.7 - ry if not links else 8.3, rx, ry)]
    neck = 5.4
    for bit, end in ((1, (8, -2.0)), (2, (18.0, 8)), (4, (8, 18.0)), (8, (-2.0, 8))):
        if links & bit:
            parts.append(stroke([(8, 8), end], neck))
    if not links and rx == 7.5:
        parts.append(_HAT[kind])
    return union(*parts)


def _paint(shape: Shape, first: int, rim: bool = True):  # type: ignore[no-untyped-def]
    def paint(x: float, y: float) -> int:
        depth = shape(x, y)
        if depth <= 0:
            return 0
        if depth < 0.95 and rim:
            return BLACK
        u, v = (x - 5.2) / 8, (y - 4.6) / 8
        far = u * u + v * v
        if far < 0.055:
            return WHITE
        return first + (3 if far < 0.30 else 2 if far < 0.95 else 1 if far < 1.75 else 0)

    return paint


def puyo(kind: int, links: int = 0, face: tuple[str, ...] | None = None) -> Picture:
    body = render(_paint(_body(kind, links), PLACE[kind][1]), 16, 16, own(kind))
    return overlay(body, face or FACES[kind], SIGNS, 2, _TOP[kind] + (0 if links else 1))


def squashed(kind: int, flat: bool) -> Picture:
    """A puyo that has just landed: first it is flat (``flat``), then tall."""
    rx, ry = (7.9, 5.9) if flat else (6.5, 7.8)
    body = render(_paint(_body(kind, 0, rx, ry), PLACE[kind][1]), 16, 16, own(kind))
    return overlay(body, FACES[kind], SIGNS, 2, 7 if flat else 4)


def burst(kind: int, late: bool) -> Picture:
    """What is left of a popped puyo: drops that fly apart. ``late``: smaller and farther apart."""
    far, size = (6.6, 1.5) if late else (4.4, 2.6)
    near = far * 0.7
    places = ((far, 0), (near, near), (0, far), (-near, near), (-far, 0), (-near, -near), (0, -far), (near, -near))
    drops = union(*(circle(8 + dx, 8 + dy, size if i % 2 else size * 0.7) for i, (dx, dy) in enumerate(places)))
    first = PLACE[kind][1]

    def paint(x: float, y: float) -> int:
        depth = drops(x, y)
        return 0 if depth <= 0 else first + 1 if depth < 0.5 else first + 2 if depth < 1.2 else first + 3

    return render(paint, 16, 16, own(kind))


def glow() -> Picture:
    """The white ring around the axis puyo."""
    ring = circle(8, 8, 8.0)

    def paint(x: float, y: float) -> int:
        depth = ring(x, y)
        return WHITE if 0 < depth < 1.1 else 0

    return render(paint, 16, 16, own(5))


def _icon(shape: Shape, kind: int) -> Picture:
    return render(_paint(shape, PLACE[kind][1]), 16, 16, own(kind))


def tray() -> list[Picture]:
    """The tray's pictures: the empty place, then the signs for 720, 360, 180, 30, 6 and 1 pending nuisance."""
    rows = [[11 if (x + y) % 8 == 0 and y < 15 else BLACK for x in range(16)] for y in range(16)]
    rows = [[BLACK] * 16 if y in (0, 15) else row for y, row in enumerate(rows)]
    empty = [[BLACK if value == BLACK else 11 for value in row] for row in rows]
    crown = polygon((1.4, 14.2), (1, 4.2), (5.2, 8.2), (8, 2), (10.8, 8.2), (15, 4.2), (14.6, 14.2))
    # ``polygon`` draws convex shapes only, so the crown is made of convex parts
    crown = union(
        polygon((1.2, 4.0), (6.2, 9.0), (6.2, 14.2), (1.8, 14.2)),
        polygon((8, 1.6), (11.4, 9.0), (11.4, 14.2), (4.6, 14.2), (4.6, 9.0)),
        polygon((14.8, 4.0), (14.2, 14.2), (9.8, 14.2), (9.8, 9.0)),
    )
    whole, bite = circle(7.4, 8, 7.2), circle(11.6, 6.4, 5.8)

    def moon(x: float, y: float) -> float:
        return min(whole(x, y), -bite(x, y))

    star = union(
        circle(8, 8.6, 4.6),
        polygon((8, 0.2), (11.0, 6.6), (8, 9), (5.0, 6.6)),
        polygon((15.7, 6.0), (11.4, 10.6), (7.4, 9), (9.6, 5.8)),
        polygon((12.7, 15.2), (6.8, 12.7), (7.2, 8), (11.6, 9)),
        polygon((3.3, 15.2), (4.4, 9), (8.8, 8), (9.2, 12.7)),
        polygon((0.3, 6.0), (6.4, 5.8), (8.6, 9), (4.6, 10.6)),
    )
    boulder = polygon((4.6, 1.4), (11.6, 1.2), (15.2, 6.4), (14, 13.6), (8.4, 15.2), (2, 13.4), (0.8, 6.8))
    signs = [_icon(crown, 1), _icon(moon, 4), _icon(star, 1), _icon(boulder, 0)]
    large = puyo(5)
    small = overlay(
        render(_paint(circle(8, 10.4, 4.6), 11), 16, 16, own(5)), ("kk..kk", "......", "..kk.."), SIGNS, 5, 9
    )
    return [_on_tray(empty, picture) for picture in (None, *signs, large, small)]


def _on_tray(ground: Picture, picture: Picture | None) -> Picture:
    """A sign on black (None: only black). It can't be on the tray's pattern, because signs have other palettes."""
    if picture is None:
        return [[BLACK] * 16 for _ in range(16)]
    return [[value or BLACK for value in row] for row in picture] if ground else picture

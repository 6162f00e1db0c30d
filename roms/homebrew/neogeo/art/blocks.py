"""The blocks: four colours, each with a shape of its own, nuisance, needles, bursts, and the mascot."""

from __future__ import annotations

from formats import Picture, Rgb
from raster import FAR, Paint, Shape, circle, ellipse, overlay, polygon, render, scaled, stroke, union

# palette indices that all block palettes share
OUTLINE, DARKEST, SHINE, WHITE, BLACK, CHEEK, STEEL_DARK, STEEL, STEEL_LIGHT, FLASH = 1, 2, 7, 8, 9, 10, 11, 12, 13, 14

BODIES: dict[int, tuple[Rgb, Rgb]] = {
    1: ((122, 8, 30), (255, 112, 96)),  # darkest and lightest of the body
    2: ((0, 84, 44), (120, 240, 104)),
    3: ((24, 40, 152), (112, 192, 255)),
    4: ((160, 88, 0), (255, 240, 96)),
    5: ((96, 96, 128), (248, 248, 255)),
}


def palette(kind: int) -> list[Rgb]:
    dark, light = BODIES[kind]
    ramp = [
        (
            dark[0] + (light[0] - dark[0]) * step // 4,
            dark[1] + (light[1] - dark[1]) * step // 4,
            dark[2] + (light[2] - dark[2]) * step // 4,
        )
        for step in range(5)
    ]
    return [
        (0, 0, 0),
        (dark[0] // 3, dark[1] // 3, dark[2] // 3),
        *ramp,
        ((light[0] + 510) // 3, (light[1] + 510) // 3, (light[2] + 510) // 3),
        (255, 255, 255),
        (16, 8, 24),
        (255, 128, 144),
        (72, 72, 96),
        (152, 160, 184),
        (232, 240, 255),
        (255, 248, 200),
        (255, 160, 64),
    ]


def _cat() -> Shape:
    ears = union(polygon((1.2, 0.6), (6.6, 4.0), (2.0, 8.0)), polygon((14.8, 0.6), (14.0, 8.0), (9.4, 4.0)))
    return union(ellipse(8, 9.1, 7.6, 6.7), ears)


def _hexagon() -> Shape:
    return polygon((4.4, 0.6), (11.6, 0.6), (15.6, 8), (11.6, 15.4), (4.4, 15.4), (0.4, 8))


def _square() -> Shape:
    def depth(x: float, y: float) -> float:
        dx, dy = (x - 8) / 7.5, (y - 8) / 7.5
        return (1 - (dx**4 + dy**4)) * 2.4

    return depth


def _drop() -> Shape:
    tip = polygon((8, -0.2), (13.4, 7.4), (8, 12), (2.6, 7.4))
    return union(circle(8, 9.3, 6.5), tip)


def _star() -> Shape:
    rays = (
        polygon((8, 0.0), (11.2, 6.4), (8, 9), (4.8, 6.4)),
        polygon((15.9, 5.9), (11.6, 10.8), (7.2, 9), (9.6, 5.6)),
        polygon((12.9, 15.5), (6.8, 12.9), (7, 8), (11.9, 8.8)),
        polygon((3.1, 15.5), (4.1, 8.8), (9, 8), (9.2, 12.9)),
        polygon((0.1, 5.9), (6.4, 5.6), (8.8, 9), (4.4, 10.8)),
    )
    return union(circle(8, 8.6, 5.6), *rays)


def _cloud() -> Shape:
    puffs = ((4.6, 5, 3.8), (11.2, 4.6, 3.9), (12, 10.6, 3.7), (4.2, 11, 3.8), (8, 8, 6.4))
    return union(*(circle(x, y, r) for x, y, r in puffs))


SHAPES: dict[int, Shape] = {1: _cat(), 2: _square(), 3: _drop(), 4: _star(), 5: _cloud()}

FACES: dict[int, tuple[str, ...]] = {
    1: (  # a cat
        "..ww....ww..",
        ".wkkw..wkkw.",
        ".wkkw..wkkw.",
        "..ww....ww..",
        "c....kk....c",
        ".....kk.....",
        "....k..k....",
    ),
    2: (  # calm
        "............",
        "..kk....kk..",
        "..kk....kk..",
        "..kk....kk..",
        "............",
        "c..k....k..c",
        "....kkkk....",
    ),
    3: (  # one eye
        "....wwww....",
        "...wwwwww...",
        "...wwkkww...",
        "...wwkkww...",
        "....wwww....",
        "............",
        "....kkkk....",
    ),
    4: (  # laughing
        "............",
        "...k....k...",
        "..k.k..k.k..",
        "............",
        "..c.kkkk.c..",
        "....krrk....",
        ".....kk.....",
    ),
    5: (  # in a bad mood
        "..k......k..",
        "..kkk..kkk..",
        "...kk..kk...",
        "............",
        "....kkkk....",
        "...k....k...",
        "............",
    ),
}
ANGRY = (
    ".kk......kk.",
    ".wwkk..kkww.",
    ".wwkw..wkww.",
    "..ww....ww..",
    "............",
    "...kwkwkw...",
    "....kkkk....",
)
SLEEPY = (
    "............",
    "............",
    ".kkkk..kkkk.",
    "............",
    "............",
    "....kkkk....",
    "............",
)
SIGNS = {"w": WHITE, "k": BLACK, "c": CHEEK, "r": 15}

THORNS = (
    polygon((8, -0.4), (10.2, 5), (8, 6), (5.8, 5)),
    polygon((16.4, 8), (11, 10.2), (10, 8), (11, 5.8)),
    polygon((8, 16.4), (5.8, 11), (8, 10), (10.2, 11)),
    polygon((-0.4, 8), (5, 5.8), (6, 8), (5, 10.2)),
    polygon((15.0, 1.0), (12.8, 6.4), (10, 6), (9.6, 3.2)),
    polygon((15.0, 15.0), (9.6, 12.8), (10, 10), (12.8, 9.6)),
    polygon((1.0, 15.0), (3.2, 9.6), (6, 10), (6.4, 12.8)),
    polygon((1.0, 1.0), (6.4, 3.2), (6, 6), (3.2, 6.4)),
)


def _body(shape: Shape, size: float) -> Paint:
    """Paints a shape lit from the upper left, with an outline a pixel wide. size: the width of the picture."""

    def paint(x: float, y: float) -> int:
        depth = shape(x, y)
        if depth <= 0:
            return 0
        if depth < 0.9:
            return OUTLINE
        dx, dy = (x / size - 0.36) * 2, (y / size - 0.30) * 2
        if dx * dx + dy * dy < 0.06:
            return SHINE
        far = dx * dx * 0.8 + dy * dy
        step = 4 - int(far * 2.3)
        return DARKEST + max(0, min(4, step))

    return paint


UP, RIGHT, DOWN, LEFT = 1, 2, 4, 8
"""The neighbours of the same colour that a block is joined to: bits of its tile's number."""

NECK = 5.0
"""Half the width of the neck that joins two blocks, in pixels."""


def _neck(side: int) -> Shape:
    """A bar from the middle of the cell through that side. Its depth is the distance from the two long edges."""

    def depth(x: float, y: float) -> float:
        if side in (LEFT, RIGHT):
            return NECK - abs(y - 8.5) if (x < 8) == (side == LEFT) else -FAR
        return NECK - abs(x - 8) if (y < 8) == (side == UP) else -FAR

    return depth


def _joined(kind: int, sides: int) -> Paint:
    """A block's body with necks to those sides, and one outline around all of them."""
    shape, lit = SHAPES[kind], _body(SHAPES[kind], 16)
    necks = [(side, _neck(side)) for side in (UP, RIGHT, DOWN, LEFT) if sides & side]

    def paint(x: float, y: float) -> int:
        inside = shape(x, y)
        if inside >= 0.9:
            return lit(x, y)
        best, wide = max(((neck(x, y), side) for side, neck in necks), default=(-FAR, 0))
        if best >= 0.9:
            # a rounded bar, lit from above or from the left
            across = y - 8.5 if wide in (LEFT, RIGHT) else x - 8
            return DARKEST + max(1, min(3, int(2.6 - across * 0.55)))
        return OUTLINE if max(inside, best) > 0 else 0

    return paint


def block(kind: int, face: tuple[str, ...] | None = None, sides: int = 0) -> Picture:
    body = render(_joined(kind, sides), 16, 16, palette(kind))
    top = {1: 6, 2: 5, 3: 6, 4: 5, 5: 4}[kind]
    return overlay(body, face or FACES[kind], SIGNS, 2, top)


def joined(face: tuple[str, ...] | None = None) -> list[Picture]:
    """All blocks with this face (None: their own): 16 of each colour, by the sides that are joined, then nuisance."""
    return [*(block(kind, face, sides) for kind in range(1, 5) for sides in range(16)), block(5, face)]


# The needle form at a cell's size, pixel by pixel: l, s, d steel from light to dark, o outline, 1 to 5 the body.
SPIKY = (
    ".......ll.......",
    ".l....ollo....s.",
    ".llo..ollo..oss.",
    "..lloo5554oosso.",
    "...oo555444oso..",
    "..oo55544444oo..",
    ".oo5554444443oo.",
    "llo5554444443oss",
    "sso5444444333odd",
    ".oo4444443333oo.",
    "..oo44444333oo..",
    "..oso444333odo..",
    ".osso.3333oddoo.",
    ".sso..osdo..odd.",
    ".s....osdo....d.",
    ".......dd.......",
)
BODY_SIGNS = {"l": STEEL_LIGHT, "s": STEEL, "d": STEEL_DARK, "o": OUTLINE, "w": WHITE, "k": BLACK}
GLARE = ("kk....kk", ".wk..kw.", ".wk..kw.", "........", "..kwwk..", "...kk...")


def needle() -> Picture:
    """A ball with eight steel thorns and evil eyes, easily told from a block. The palette in use sets its colour."""
    signs = {**BODY_SIGNS, **{str(step): DARKEST + step - 1 for step in range(1, 6)}}
    return overlay(overlay([[0] * 16 for _ in range(16)], SPIKY, signs), GLARE, SIGNS, 4, 5)


def thorny(kind: int, size: int) -> Picture:
    """The mascot: a large ball with thorns and a face."""
    by = size / 16
    thorns = scaled(union(*THORNS), by)
    ball = scaled(circle(8, 8, 5.4), by)
    lit = _body(ball, size)

    def paint(x: float, y: float) -> int:
        if ball(x, y) > 0:
            return lit(x, y)
        depth = thorns(x, y)
        if depth <= 0:
            return 0
        if depth < 1.1:
            return OUTLINE
        return STEEL_LIGHT if x + y < size * 0.95 else STEEL if x + y < size * 1.25 else STEEL_DARK

    return render(_with_face(paint, by), size, size, palette(kind))


def _with_face(below: Paint, by: float) -> Paint:
    """Paints the mascot's face over ``below``: eyes, brows, a grin with teeth. by: the scale of the face."""
    whites = scaled(union(ellipse(6.1, 7.6, 1.25, 1.35), ellipse(9.9, 7.6, 1.25, 1.35)), by)
    pupils = scaled(union(circle(6.6, 7.9, 0.6), circle(9.4, 7.9, 0.6)), by)
    brows = scaled(union(stroke([(4.6, 5.6), (7.3, 6.9)], 0.45), stroke([(11.4, 5.6), (8.7, 6.9)], 0.45)), by)
    mouth = scaled(ellipse(8, 10.5, 2.6, 1.3), by)
    upper = scaled(ellipse(8, 9.4, 3.2, 1.0), by)
    cheeks = scaled(union(ellipse(4.4, 9.8, 0.8, 0.5), ellipse(11.6, 9.8, 0.8, 0.5)), by)

    def paint(x: float, y: float) -> int:
        if brows(x, y) > 0:
            return BLACK
        if whites(x, y) > 0:
            return BLACK if pupils(x, y) > 0 or whites(x, y) < 0.5 else WHITE
        depth = mouth(x, y)
        if depth > 0 and upper(x, y) < 0:
            if depth < 0.7:
                return BLACK
            return WHITE if upper(x, y) > -1.6 and int(x / 2.4) % 3 else DARKEST
        if cheeks(x, y) > 0:
            return CHEEK
        return below(x, y)

    return paint


def flashes() -> list[Picture]:
    """The blocks of ``joined`` at the moment they are lit: all in the flash colour, but for their outlines."""
    return [[[FLASH if value > 1 else value for value in row] for row in picture] for picture in joined()]


def burst(kind: int, age: int) -> Picture:
    """What is left of a popped block: a ring of drops that fly apart."""
    far, size = ((4.6, 2.3), (6.6, 1.5))[age]
    diagonal = far * 0.7
    drops = union(
        *(
            circle(8 + dx, 8 + dy, size if i % 2 else size * 0.75)
            for i, (dx, dy) in enumerate(
                (
                    (far, 0),
                    (diagonal, diagonal),
                    (0, far),
                    (-diagonal, diagonal),
                    (-far, 0),
                    (-diagonal, -diagonal),
                    (0, -far),
                    (diagonal, -diagonal),
                )
            )
        )
    )

    def paint(x: float, y: float) -> int:
        depth = drops(x, y)
        return 0 if depth <= 0 else 4 if depth < 0.6 else 6 if depth < 1.4 else SHINE

    return render(paint, 16, 16, palette(kind))

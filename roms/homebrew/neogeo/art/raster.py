"""Draws shapes into pictures. A shape is a function that takes a point (x to the right, y down, in pixels) and returns
its depth: roughly the distance from the shape's edge in pixels, positive inside. Shapes are computed with + - * / and
sqrt only, which give the same results on every machine.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise
from math import sqrt

from formats import Picture, Rgb

Point = tuple[float, float]
Shape = Callable[[float, float], float]
Paint = Callable[[float, float], int]
SAMPLES = 3
FAR = 9.0


def circle(cx: float, cy: float, radius: float) -> Shape:
    return lambda x, y: radius - sqrt((x - cx) ** 2 + (y - cy) ** 2)


def ellipse(cx: float, cy: float, rx: float, ry: float) -> Shape:
    small = min(rx, ry)
    return lambda x, y: (1 - sqrt(((x - cx) / rx) ** 2 + ((y - cy) / ry) ** 2)) * small


def polygon(*points: Point) -> Shape:
    """A convex polygon. Its points go clockwise on the screen."""
    edges = []
    for (ax, ay), (bx, by) in zip(points, (*points[1:], points[0]), strict=True):
        length = sqrt((bx - ax) ** 2 + (by - ay) ** 2)
        edges.append((ax, ay, (bx - ax) / length, (by - ay) / length))
    return lambda x, y: min((y - ay) * dx - (x - ax) * dy for ax, ay, dx, dy in edges)


def stroke(points: Sequence[Point], radius: float) -> Shape:
    """A line through the points with round ends. Far outside, its depth is just -FAR."""
    parts = []
    for (ax, ay), (bx, by) in pairwise(points):
        parts.append((ax, ay, bx - ax, by - ay, (bx - ax) ** 2 + (by - ay) ** 2 or 1.0))

    far = radius + FAR
    left, right = min(x for x, _ in points) - far, max(x for x, _ in points) + far
    top, bottom = min(y for _, y in points) - far, max(y for _, y in points) + far

    def depth(x: float, y: float) -> float:
        if not (left < x < right and top < y < bottom):
            return -FAR
        best = 1e9
        for ax, ay, dx, dy, square in parts:
            t = min(1.0, max(0.0, ((x - ax) * dx + (y - ay) * dy) / square))
            best = min(best, (x - ax - t * dx) ** 2 + (y - ay - t * dy) ** 2)
        return radius - sqrt(best)

    return depth


def rounded(shape: Shape, by: float) -> Shape:
    """The shape grown outwards by ``by`` pixels. A polygon's corners stay sharp; a line's ends stay round."""
    return lambda x, y: shape(x, y) + by


def union(*shapes: Shape) -> Shape:
    return lambda x, y: max(shape(x, y) for shape in shapes)


def scaled(shape: Shape, by: float) -> Shape:
    return lambda x, y: shape(x / by, y / by) * by


def _nearest(rgb: tuple[float, float, float], palette: Sequence[Rgb]) -> int:
    best, found = 1e9, 1
    for index, colour in enumerate(palette):
        if index:
            far = sum((a - b) ** 2 for a, b in zip(rgb, colour, strict=True))
            if far < best:
                best, found = far, index
    return found


def render(paint: Paint, width: int, height: int, palette: Sequence[Rgb]) -> Picture:
    """Samples ``paint`` (the palette index at a point, 0 for nothing) in SAMPLES x SAMPLES points of each pixel.

    A pixel gets the palette colour nearest to its samples' mean, or 0 where most of them are 0.
    """
    rows: Picture = []
    for py in range(height):
        row: list[int] = []
        for px in range(width):
            seen = [
                paint(px + (i + 0.5) / SAMPLES, py + (j + 0.5) / SAMPLES)
                for j in range(SAMPLES)
                for i in range(SAMPLES)
            ]
            solid = [index for index in seen if index]
            if 2 * len(solid) < len(seen):
                row.append(0)
            elif len(set(solid)) == 1:
                row.append(solid[0])
            else:
                mixed = [sum(palette[index][k] for index in solid) / len(solid) for k in range(3)]
                row.append(_nearest((mixed[0], mixed[1], mixed[2]), palette))
        rows.append(row)
    return rows


def overlay(below: Picture, above: Sequence[str], colours: dict[str, int], x: int = 0, y: int = 0) -> Picture:
    """Lays text art over a picture; where the text has '.', the picture shows through."""
    out = [list(row) for row in below]
    for j, line in enumerate(above):
        for i, sign in enumerate(line):
            if sign != ".":
                out[y + j][x + i] = colours[sign]
    return out

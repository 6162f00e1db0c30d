"""The Mega Drive's picture formats: colours, tiles. Pictures are rows of palette indices 0..15."""

from __future__ import annotations

from formats import Picture, Rgb


def colour_word(rgb: Rgb) -> int:
    """A colour as a palette word: 3 bits for each of blue, green, red."""
    r, g, b = (min(7, (part + 18) * 7 // 255) for part in rgb)
    return b << 9 | g << 5 | r << 1


def tile(picture: Picture) -> bytes:
    """Converts 8 x 8 pixels to 32 bytes; of two pixels, the left one is the high nibble."""
    return bytes(row[x] << 4 | row[x + 1] for row in picture for x in range(0, 8, 2))


def part(picture: Picture, x: int, y: int) -> Picture:
    """The 8 x 8 pixels whose upper left corner is (x, y)."""
    return [row[x : x + 8] for row in picture[y : y + 8]]


def upright(picture: Picture) -> list[Picture]:
    """A sprite's picture cut into tiles: column by column, each from the top down."""
    return [part(picture, x, y) for x in range(0, len(picture[0]), 8) for y in range(0, len(picture), 8)]

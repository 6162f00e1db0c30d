"""The Neo Geo's picture formats: colours, fix tiles, sprite tiles. Pictures are rows of palette indices 0..15."""

from __future__ import annotations

from collections.abc import Sequence

Picture = list[list[int]]
Rgb = tuple[int, int, int]


def colour_word(rgb: Rgb) -> int:
    """A palette word: 5 bits for each of red, green, blue, the lowest ones in bits 14, 13, 12."""
    r, g, b = (part >> 3 for part in rgb)
    return (r & 1) << 14 | (g & 1) << 13 | (b & 1) << 12 | (r >> 1) << 8 | (g >> 1) << 4 | b >> 1


def fix_tile(picture: Sequence[Sequence[int]]) -> bytes:
    """Converts 8 x 8 pixels to 32 bytes: column pairs 4-5, 6-7, 0-1, 2-3; the left pixel is the low nibble."""
    return bytes(row[x] | row[x + 1] << 4 for x in (4, 6, 0, 2) for row in picture)


def sprite_tile(picture: Sequence[Sequence[int]]) -> tuple[bytes, bytes]:
    """Converts 16 x 16 pixels to 64 bytes for C1 (bit planes 0, 1) and 64 for C2 (2, 3): the right half first."""
    low, high = bytearray(), bytearray()
    for left in (8, 0):
        for row in picture:
            planes = [sum((row[left + x] >> plane & 1) << x for x in range(8)) for plane in range(4)]
            low += bytes(planes[:2])
            high += bytes(planes[2:])
    return bytes(low), bytes(high)


def cut(picture: Picture, size: int) -> list[list[Picture]]:
    """A picture cut into square tiles, row by row."""
    return [
        [[row[x : x + size] for row in picture[y : y + size]] for x in range(0, len(picture[0]), size)]
        for y in range(0, len(picture), size)
    ]

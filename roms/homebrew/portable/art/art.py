"""Draws all tiles, and writes them and the palettes as C: ``python3 art/art.py CONSOLE FOLDER``. Standard library only.

A picture is a list of rows of palette numbers. A blob (a puyo) is 16 x 12 pixels, so two blobs, one above the other,
take 2 x 3 tiles of 8 x 8. The tiles in the middle show the lower part of one blob and the upper part of another.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

Picture = list[list[int]]
HERE = Path(__file__).resolve().parent

NIGHT, BLACK, WHITE, STEEL = 0, 1, 2, 15
RED, GREEN, BLUE, YELLOW = 3, 6, 9, 12
"""Each colour's dark shade; the plain one and the light one follow."""
KINDS = (RED, GREEN, BLUE, YELLOW)
EMPTY, POPPING, NUISANCE = 0, 5, 8
ALONE = (EMPTY, 1, 2, 3, 4, POPPING)
"""What a cell may look like on a console with one pad."""
TWO_SEATS = (EMPTY, 1, 2, 3, 4, NUISANCE, POPPING)

PALETTE = (
    (0x18, 0x14, 0x38), (0x08, 0x06, 0x18), (0xFF, 0xFF, 0xFF),
    (0xA0, 0x18, 0x30), (0xF0, 0x38, 0x48), (0xFF, 0x90, 0x90),
    (0x10, 0x78, 0x40), (0x38, 0xC8, 0x58), (0xA8, 0xF0, 0x98),
    (0x20, 0x38, 0xB0), (0x48, 0x78, 0xF8), (0x98, 0xC0, 0xFF),
    (0xB0, 0x68, 0x08), (0xF8, 0xC0, 0x28), (0xFF, 0xF0, 0x90),
    (0x80, 0x78, 0xB8),
)  # fmt: skip
"""Red, green and blue of each number."""

PAIRS = ((1, 2), (3, 4), (1, 3), (2, 4), (1, 4), (2, 3))
"""The Game Boy Color's palettes 0 to 5: two kinds of blobs. A tile of the middle may show both."""
PLAIN, FRAME = 6, 7
"""Its palettes for text and for frames."""
LETTERS = "KODAM"
LETTER_KINDS = (1, 2, 3, 4, 1)


def blank(width: int, height: int, color: int = NIGHT) -> Picture:
    return [[color] * width for _ in range(height)]


def inside(x: float, y: float, width: float, height: float) -> bool:
    """Whether a point lies in the ellipse that fills a box, a little squarer than an ellipse and flat at its foot."""
    u, v = abs(2 * x / width - 1), abs(2 * y / height - 1)
    return u**2.4 + v ** (2.4 if y < height / 2 else 3.2) <= 1


def blob(kind: int, width: int = 16, height: int = 12, scale: int = 1) -> Picture:
    """A blob of a kind (1 to 4, NUISANCE or POPPING) on the night."""
    if kind == NUISANCE:
        dark, plain, light = BLACK, STEEL, WHITE
    elif kind == POPPING:
        dark, plain, light = WHITE, NIGHT, NIGHT
    else:
        dark, plain, light = KINDS[kind - 1], KINDS[kind - 1] + 1, KINDS[kind - 1] + 2
    picture = blank(width, height)
    for y in range(height):
        for x in range(width):
            if not inside(x + 0.5, y + 0.5, width, height):
                continue
            deep = all(inside(x + 0.5 + u, y + 0.5 + v, width, height) for u, v in ((-1, 0), (1, 0), (0, -1), (0, 1)))
            lit = math.hypot((x + 0.5) / width - 0.38, (y + 0.5) / height - 0.3) < 0.27
            low = y > height * 0.72
            picture[y][x] = dark if not deep or (low and kind != POPPING) else light if lit else plain
    if kind != POPPING:
        for y in range(2 * scale, 4 * scale):
            for x in range(3 * scale, 6 * scale):
                if (x >= 5 * scale) != (y >= 3 * scale):
                    picture[y][x] = WHITE
    eye(picture, width // 2 - 4 * scale, height // 2 - scale, scale, 1)
    eye(picture, width // 2 + scale, height // 2 - scale, scale, 0)
    return picture


def eye(picture: Picture, left: int, top: int, scale: int, pupil: int) -> None:
    """An eye of 3 x 4 dots with a pupil of 2 x 3, which begins ``pupil`` dots from the left."""
    for v in range(4 * scale):
        for u in range(3 * scale):
            x, y = u // scale, v // scale
            dark = pupil <= x < pupil + 2 and y >= 1
            picture[top + v][left + u] = BLACK if dark else WHITE


def middle(upper: int, lower: int) -> Picture:
    """16 x 8 pixels: the lowest 4 rows of one blob, the highest 4 of another. EMPTY is the night."""
    return [*look(upper)[8:], *look(lower)[:4]]


def look(kind: int) -> Picture:
    return blank(16, 12) if kind == EMPTY else blob(kind)


def font() -> dict[str, list[str]]:
    """The letters: 7 rows of 5 signs each, # for ink."""
    found: dict[str, list[str]] = {}
    name = ""
    for line in (HERE / "font.txt").read_text(encoding="ascii").splitlines():
        if line.startswith("[char "):
            name = line[6]
            found[name] = []
        elif name and line:
            found[name].append(line)
    return found


def letter(rows: Sequence[str]) -> Picture:
    """White, on the night, with 1 pixel of shade."""
    picture = blank(8, 8)
    for ink, shift in ((BLACK, 1), (WHITE, 0)):
        for y, row in enumerate(rows):
            for x, sign in enumerate(row):
                if sign == "#":
                    picture[y + shift][x + 1 + shift] = ink
    return picture


def large(rows: Sequence[str], kind: int) -> Picture:
    """A bold letter of twice the size in the colours of a kind, light above and dark at its foot."""
    picture = blank(16, 16)
    dark = KINDS[kind - 1]
    for shift in (1, 0):
        for y in range(14):
            for x in range(10):
                if rows[y // 2][x // 2] == "#":
                    for u in range(3):
                        shade = BLACK if shift else WHITE if y == 0 else dark + 2 if y < 4 else dark + 1
                        picture[y + shift][x + 1 + shift + u] = shade if y < 11 or shift else dark
    return picture


def ground() -> Picture:
    """What is beside the fields: lozenges."""
    return [[BLUE if abs(x - 3.5) + abs(y - 3.5) in (3, 4) else NIGHT for x in range(8)] for y in range(8)]


def edge(sides: str) -> Picture:
    """A piece of a frame: a bar along the sides (of l, r, t, b) that face the field."""
    picture = blank(8, 8, NIGHT)
    for y in range(8):
        for x in range(8):
            deep = min({"l": x, "r": 7 - x, "t": y, "b": 7 - y}[side] for side in sides)
            if len(sides) == 2:
                deep = max({"l": x, "r": 7 - x, "t": y, "b": 7 - y}[side] for side in sides)
            picture[y][x] = (BLACK, STEEL, WHITE, STEEL, STEEL, BLACK, NIGHT, NIGHT)[deep]
    return picture


def cut(picture: Picture) -> Iterator[Picture]:
    """The tiles of a picture, row by row."""
    for y in range(0, len(picture), 8):
        for x in range(0, len(picture[0]), 8):
            yield [row[x : x + 8] for row in picture[y : y + 8]]


def all_tiles(looks: Sequence[int]) -> list[tuple[Picture, tuple[int, ...]]]:
    """Each tile, and what decides its palette on a Game Boy Color: its kinds of blobs, or one of PLAIN and FRAME."""
    found: list[tuple[Picture, tuple[int, ...]]] = []
    for kind in looks:
        found += ((tile, (kind,)) for tile in cut(look(kind)[:8]))
    for upper in looks:
        for lower in looks:
            found += ((tile, (upper, lower)) for tile in cut(middle(upper, lower)))
    for kind in looks:
        found += ((tile, (kind,)) for tile in cut(look(kind)[4:]))
    letters = font()
    for code in range(32, 96):
        found.append((letter(letters.get(chr(code), [])), (PLAIN,)))
    for sign, kind in zip(LETTERS, LETTER_KINDS, strict=True):
        found += ((tile, (kind,)) for tile in cut(large(letters[sign], kind)))
    found.append((ground(), (FRAME,)))
    found += ((edge(sides), (FRAME,)) for sides in ("r", "l", "b", "t", "rb", "lb", "rt", "lt"))
    found += ((tile, (2,)) for tile in cut(blob(2, 32, 32, 2)))
    return found


def color_of(number: int, kinds: tuple[int, ...]) -> tuple[int, int]:
    """The palette of a tile on a Game Boy Color, and there the number of one of our colours."""
    if kinds in ((PLAIN,), (FRAME,)):
        return kinds[0], {NIGHT: 0, BLACK: 0, WHITE: 1, STEEL: 2, BLUE: 3}[number]
    real = {kind for kind in kinds if kind not in (EMPTY, POPPING)}
    palette = next(at for at, pair in enumerate(PAIRS) if real <= set(pair))
    if number < RED:
        return palette, int(number == WHITE)
    return palette, 2 + PAIRS[palette].index((number - RED) // 3 + 1)


def gray_of(number: int, y: int) -> int:
    """A colour's number on a Game Boy without colours: 0 black, 1 white, 2 and 3 grays. Yellow blobs are striped."""
    if number < RED or number == STEEL:
        return {NIGHT: 0, BLACK: 0, WHITE: 1, STEEL: 2}[number]
    kind, shade = divmod(number - RED, 3)
    return ((3, 3, 3), (2, 2, 2), (2, 1, 1), (3, 1 if y & 1 else 3, 1 if y & 1 else 3))[kind][shade]


def planes(rows: Picture, first: int, count: int) -> bytes:
    """``count`` planes of a tile from plane ``first`` on; each byte is a row of a plane, its left pixel is bit 7."""
    return bytes(
        sum((row[x] >> plane & 1) << (7 - x) for x in range(8)) for row in rows for plane in range(first, first + count)
    )


def packed(rows: Picture) -> bytes:
    """Two pixels in a byte, the left one in the low bits (Game Boy Advance)."""
    return bytes(row[x] | row[x + 1] << 4 for row in rows for x in range(0, 8, 2))


def bgr(color: tuple[int, int, int]) -> int:
    """15 bits, red in the lowest (Game Boy Color, Game Boy Advance, Super Famicom)."""
    red, green, blue = (part >> 3 for part in color)
    return red | green << 5 | blue << 10


def words(numbers: Sequence[int]) -> bytes:
    return b"".join(number.to_bytes(2, "little") for number in numbers)


def gameboy() -> dict[str, bytes]:
    drawn = all_tiles(ALONE)
    colored, gray, palettes = bytearray(), bytearray(), bytearray()
    for tile, kinds in drawn:
        mapped = [[color_of(number, kinds)[1] for number in row] for row in tile]
        palettes.append(color_of(NIGHT, kinds)[0])
        colored += planes(mapped, 0, 2)
        gray += planes([[gray_of(number, y) for number in row] for y, row in enumerate(tile)], 0, 2)
    plain = [KINDS[kind - 1] + 1 for kind in range(1, 5)]
    colors = [(NIGHT, WHITE, plain[a - 1], plain[b - 1]) for a, b in PAIRS]
    colors += [(NIGHT, WHITE, STEEL, BLUE), (NIGHT, WHITE, STEEL, BLUE)]
    shades = words([bgr(PALETTE[number]) for palette in colors for number in palette])
    return {"tiles": bytes(colored), "tiles_gray": bytes(gray), "tile_palette": bytes(palettes), "palette": shades}


def with_tiles(looks: Sequence[int], tile: Callable[[Picture], bytes], palette: bytes) -> dict[str, bytes]:
    return {"tiles": b"".join(tile(rows) for rows, _ in all_tiles(looks)), "palette": palette}


def split_planes(rows: Picture) -> bytes:
    return planes(rows, 0, 2) + planes(rows, 2, 2)


def pcengine_color(color: tuple[int, int, int]) -> int:
    red, green, blue = (part >> 5 for part in color)
    return green << 6 | red << 3 | blue


CONSOLES: dict[str, Callable[[], dict[str, bytes]]] = {
    "gb": gameboy,
    "sms": lambda: with_tiles(
        TWO_SEATS, lambda rows: planes(rows, 0, 4), bytes(r >> 6 | g >> 6 << 2 | b >> 6 << 4 for r, g, b in PALETTE)
    ),
    "gg": lambda: with_tiles(
        ALONE, lambda rows: planes(rows, 0, 4), words([r >> 4 | g >> 4 << 4 | b >> 4 << 8 for r, g, b in PALETTE])
    ),
    "pce": lambda: with_tiles(TWO_SEATS, split_planes, words([pcengine_color(color) for color in PALETTE])),
    "snes": lambda: with_tiles(TWO_SEATS, split_planes, words([bgr(color) for color in PALETTE])),
    "gba": lambda: with_tiles(ALONE, packed, words([bgr(color) for color in PALETTE])),
}


def main(console: str, folder: str) -> None:
    parts = CONSOLES[console]()
    lines = ["/* made by art/art.py */"]
    for name, data in parts.items():
        lines.append(f"const unsigned char {name}[{len(data)}] = {{")
        lines += ("    " + ", ".join(map(str, data[at : at + 24])) + "," for at in range(0, len(data), 24))
        lines.append("};")
    Path(folder, "tiles.c").write_text("\n".join(lines) + "\n", encoding="ascii")
    sizes = [f"#define {name.upper()}_SIZE {len(data)}" for name, data in parts.items()]
    assembly = [f"{name.upper()}_SIZE = {len(data)}" for name, data in parts.items()]
    Path(folder, "tiles.inc").write_text("\n".join(assembly) + "\n", encoding="ascii")
    names = [f"extern const unsigned char {name}[{len(data)}];" for name, data in parts.items()]
    Path(folder, "tiles.h").write_text("\n".join([*sizes, *names]) + "\n", encoding="ascii")


if __name__ == "__main__":
    main(*sys.argv[1:])

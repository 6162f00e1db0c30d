"""Draw the game's tiles.

    python3 art.py FONT_FILE OUTPUT_FOLDER

writes s.bin (fix tiles), c1.bin and c2.bin (sprite tiles), tiles.h and tiles.c (tile numbers, maps and palettes).
Needs only the standard library; the same sources always give the same bytes.
"""

from __future__ import annotations

import sys
from pathlib import Path

import blocks
import scenery
from formats import Picture, Rgb, colour_word, cut, fix_tile, sprite_tile

BLANK, TALL, FRAME, BOXED, LONE, PAIRED, WORDS = 0xFF, 0x100, 0x140, 0x200, 0x280, 0x340, 0x5A0
S_SIZE, C_SIZE = 0x20000, 0x10000


class Sheet:
    """Sprite tiles, and maps of large pictures made of them. Names become constants in tiles.h."""

    def __init__(self) -> None:
        self.tiles: list[Picture] = [[[0] * 16 for _ in range(16)]]
        self.names: dict[str, int] = {}
        self.maps: dict[str, list[list[int]]] = {}

    def add(self, name: str, *pictures: Picture) -> None:
        self.names[name] = len(self.tiles)
        self.tiles += pictures

    def add_map(self, name: str, picture: Picture) -> None:
        """Adds a large picture: its tiles, unless the sheet has equal ones, and a map of their numbers, row by row."""
        arranged = []
        for row in cut(picture, 16):
            numbers = []
            for tile in row:
                if tile not in self.tiles:
                    self.tiles.append(tile)
                numbers.append(self.tiles.index(tile))
            arranged.append(numbers)
        self.maps[name] = arranged


def fix_rom(font: Path) -> bytes:
    tiles = bytearray(S_SIZE)
    drawn: dict[int, Picture] = {}
    letters = scenery.read_font(font)
    letters["0"] = letters["O"]
    for letter, rows in letters.items():
        drawn[ord(letter)] = scenery.letter(rows)
        if letter.isdigit():
            upper, lower = scenery.tall_digit(rows)
            drawn[TALL + 2 * int(letter)] = upper
            drawn[TALL + 2 * int(letter) + 1] = lower
            whole = [[0] * 4 + row + [0] * 4 for row in (*upper, *lower)]
            for part, (x, y) in enumerate(((0, 0), (0, 8), (8, 0), (8, 8))):
                drawn[LONE + 4 * int(letter) + part] = [row[x : x + 8] for row in whole[y : y + 8]]
    for number in range(100):  # one or two tall digits, in the middle of 3 x 2 tiles
        for part, picture in enumerate(scenery.paired(letters, number)):
            drawn[PAIRED + 6 * number + part] = picture
    for part, picture in enumerate(tile for word in scenery.WORDS for tile in scenery.word(letters, *word)):
        drawn[WORDS + part] = picture
    for number, picture in enumerate(scenery.frame_tiles()):
        drawn[FRAME + number] = picture
    nothing = [[0] * 8 for _ in range(8)]
    for code in range(0x20, 0x60):  # the same letters on a box's background colour
        drawn[BOXED + code] = [[value or 5 for value in row] for row in drawn.get(code, nothing)]
    for code in range(TALL, TALL + 20):
        drawn[BOXED + code] = [[value or 5 for value in row] for row in drawn[code]]
    for at, picture in drawn.items():
        tiles[at * 32 : at * 32 + 32] = fix_tile(picture)
    return bytes(tiles)


def sprites() -> Sheet:
    sheet = Sheet()
    sheet.add("BLOCKS", *blocks.joined())
    sheet.add("SLEEPY", *blocks.joined(blocks.SLEEPY))
    sheet.add("THORNY", blocks.needle())
    sheet.add("FLASHES", *blocks.flashes())
    sheet.add("BURSTS", blocks.burst(1, 0), blocks.burst(1, 1))
    sheet.add("PANEL", *scenery.panel_tiles())
    sheet.add_map("backdrop", scenery.backdrop())
    sheet.add_map("logo", scenery.logo())
    sheet.add_map("mascot", blocks.thorny(1, 80))
    return sheet


def palettes() -> list[list[Rgb]]:
    sprite_palettes = [blocks.palette(kind) for kind in range(1, 6)]
    return [*scenery.FIX_PALETTES, *sprite_palettes, *scenery.SPRITE_PALETTES]


def header(sheet: Sheet, words: int) -> str:
    lines = ["/* Made by art.py: numbers of tiles and palettes. */", "#ifndef TILES_H", "#define TILES_H", ""]
    lines += [
        f"#define {name} {value:#x}"
        for name, value in (
            ("BLANK", BLANK), ("TALL", TALL), ("FRAME", FRAME), ("BOXED", BOXED), ("LONE", LONE), ("PAIRED", PAIRED),
        )
    ]  # fmt: skip
    at = WORDS
    for name, height, *_ in scenery.WORDS:
        lines += [f"#define WORD_{name} {at:#x}", f"#define WORD_{name}_ROWS {height // 8}"]
        at += scenery.WORD_TILES * height // 8
    lines += [f"#define {name} {value:#x}" for name, value in sheet.names.items()]
    for name, rows in sheet.maps.items():
        lines += [f"#define {name.upper()}_WIDTH {len(rows[0])}", f"#define {name.upper()}_HEIGHT {len(rows)}"]
        lines += [f"extern const unsigned short {name}_map[{len(rows)}][{len(rows[0])}];"]
    first = len(scenery.FIX_PALETTES)
    lines += ["", f"#define PALETTE_BLOCK {first - 1}   /* + kind, 1..5 */"]
    lines += [f"#define PALETTE_{name} {first + 5 + i}" for i, name in enumerate(scenery.SPRITE_PALETTE_NAMES)]
    lines += [f"#define INK_{name} {i}" for i, name in enumerate(scenery.FIX_PALETTE_NAMES)]
    lines += [
        "",
        f"#define PALETTE_WORDS {words}",
        f"extern const unsigned short palette_words[{words}];",
        "",
        "#endif",
    ]
    return "\n".join(lines) + "\n"


def tables(sheet: Sheet, words: list[int]) -> str:
    lines = ["/* Made by art.py. */", '#include "tiles.h"', ""]
    lines += [f"const unsigned short palette_words[{len(words)}] = {{"]
    lines += ["    " + ", ".join(f"{word:#06x}" for word in words[i : i + 16]) + "," for i in range(0, len(words), 16)]
    lines += ["};"]
    for name, rows in sheet.maps.items():
        lines += [f"const unsigned short {name}_map[{len(rows)}][{len(rows[0])}] = {{"]
        lines += ["    { " + ", ".join(str(number) for number in row) + " }," for row in rows] + ["};"]
    return "\n".join(lines) + "\n"


def main() -> None:
    font, out = Path(sys.argv[1]), Path(sys.argv[2])
    sheet = sprites()
    c1, c2 = bytearray(), bytearray()
    for tile in sheet.tiles:
        low, high = sprite_tile(tile)
        c1 += low
        c2 += high
    if len(c1) > C_SIZE:
        sys.exit(f"{len(sheet.tiles)} sprite tiles are too many for {C_SIZE:#x} bytes")
    (out / "c1.bin").write_bytes(c1.ljust(C_SIZE, b"\0"))
    (out / "c2.bin").write_bytes(c2.ljust(C_SIZE, b"\0"))
    (out / "s.bin").write_bytes(fix_rom(font))
    words = [colour_word(rgb) for palette in palettes() for rgb in [*palette, *[(0, 0, 0)] * (16 - len(palette))]]
    (out / "tiles.h").write_text(header(sheet, len(words)), encoding="ascii")
    (out / "tiles.c").write_text(tables(sheet, words), encoding="ascii")


if __name__ == "__main__":
    main()

"""Draw the game's tiles.

    python3 art.py FONT_FILE OUTPUT_FOLDER        (PYTHONPATH must name the Neo Geo game's art folder)

writes tiles.h and tiles.c: the tiles and their numbers, the scenes and the palettes. Needs only the standard library;
the same sources always give the same bytes.
"""

from __future__ import annotations

import sys
from pathlib import Path

import actors
import letters
import puyos
import scenes
from formats import Picture, Rgb
from mdformat import colour_word, part, tile, upright

MOST_TILES = 1536


class Sheet:
    """The tiles that all screens share. Names become constants in tiles.h."""

    def __init__(self) -> None:
        self.tiles: list[bytes] = [bytes(32)]
        self.names: dict[str, int] = {}

    def name(self, name: str) -> None:
        self.names[name] = len(self.tiles)

    def add(self, picture: Picture) -> None:
        self.tiles += [tile(piece) for piece in upright(picture)]


def common(font: Path) -> Sheet:
    sheet = Sheet()
    drawn = letters.read_font(font)
    for name, first in (("T_FONT", 7), ("T_FONT2", 11)):
        sheet.name(name)
        for code in range(32, 96):
            sheet.add(letters.small(drawn.get(chr(code), []), first))
    colours, kinds = range(5), range(6)
    sheet.name("T_PUYO")
    for kind in colours:
        for links in range(16):
            sheet.add(puyos.puyo(kind, links))
    sheet.name("T_NUISANCE")
    sheet.add(puyos.puyo(5))
    sheet.name("T_STARTLED")
    for kind in kinds:
        sheet.add(puyos.puyo(kind, 0, puyos.STARTLED))
    sheet.name("T_SLEEPY")
    for kind in colours:
        sheet.add(puyos.puyo(kind, 0, puyos.SLEEPY))
    for name, flat in (("T_FLAT", True), ("T_TALL", False)):
        sheet.name(name)
        for kind in kinds:
            sheet.add(puyos.squashed(kind, flat))
    sheet.name("T_BURST")
    for kind in kinds:
        for late in (False, True):
            sheet.add(puyos.burst(kind, late))
    sheet.name("T_GLOW")
    sheet.add(puyos.glow())
    sheet.name("T_TRAY")
    for picture in puyos.tray():
        sheet.add(picture)
    sheet.name("T_BIG")
    for letter in letters.BIG:
        sheet.add(letters.large(letter))
    sheet.name("T_ACTOR")
    for which in (0, 1):
        for pose in actors.POSES:
            picture = actors.actor(which, pose)
            for y in (0, 24):
                for x in (0, 24):
                    sheet.add([row[x : x + 24] for row in picture[y : y + 24]])
    return sheet


class SceneTiles:
    """A scene's own tiles, each kept once. A mirror image of a kept tile is shown by flipping that tile."""

    def __init__(self, first: int) -> None:
        self.first = first
        self.tiles: list[bytes] = []
        self.places: dict[bytes, int] = {}

    def word(self, picture: Picture, palette: int) -> int:
        """Adds an 8 x 8 picture. Returns its word for the map: palette, flip bits, tile number; 0 for a blank one."""
        if not any(any(row) for row in picture):
            return 0
        for flip, looked in ((0, picture), (0x0800, [row[::-1] for row in picture]), (0x1000, picture[::-1])):
            found = self.places.get(tile(looked))
            if found is not None:
                return palette << 13 | flip | found
        self.places[tile(picture)] = self.first + len(self.tiles)
        self.tiles.append(tile(picture))
        return palette << 13 | self.places[tile(picture)]

    def map(self, picture: Picture, palette: int) -> list[int]:
        return [
            self.word(part(picture, x, y), palette)
            for y in range(0, len(picture), 8)
            for x in range(0, len(picture[0]), 8)
        ]


def logo_map(tiles: SceneTiles) -> list[int]:
    """The logo's map words, row by row. Each letter uses the palette that holds its shades."""
    rows: list[list[int]] = [[] for _ in range(letters.LOGO_HEIGHT)]
    for letter, kind, width in letters.LOGO:
        words = tiles.map(letters.logo_letter(letter, kind, width), puyos.PLACE[kind][0])
        for y, row in enumerate(rows):
            row += words[width * y : width * y + width]
    return [word for row in rows for word in row]


def table(kind: str, name: str, values: list[int], width: int = 4) -> list[str]:
    lines = [f"const {kind} {name}[{len(values)}] = {{"]
    lines += [
        "    " + ", ".join(f"{value:#0{width + 2}x}" for value in values[i : i + 16]) + ","
        for i in range(0, len(values), 16)
    ]
    return [*lines, "};"]


def words_of(tiles: list[bytes]) -> list[int]:
    data = b"".join(tiles)
    return [data[i] << 8 | data[i + 1] for i in range(0, len(data), 2)]


def palette_words(second: list[Rgb]) -> list[int]:
    four = (puyos.palette(0), puyos.palette(1), second, actors.PALETTE)
    return [colour_word(rgb) for palette in four for rgb in palette]


def main() -> None:
    font, out = Path(sys.argv[1]), Path(sys.argv[2])
    sheet = common(font)
    first = len(sheet.tiles)
    header = ["/* Made by art.py. */", "#ifndef TILES_H", "#define TILES_H", '#include "video.h"', ""]
    header += [f"#define {name} {value}" for name, value in sheet.names.items()]
    header += [f"#define COMMON_TILES {first}", f"#define SCENE_TILE {first}"]
    width = sum(tiles for _, _, tiles in letters.LOGO)
    header += [f"#define LOGO_WIDTH {width}", f"#define LOGO_HEIGHT {letters.LOGO_HEIGHT}"]
    header += ["extern const u16 common_tiles[];", "extern const char big_letters[];"]
    body = ["/* Made by art.py. */", '#include "tiles.h"', ""]
    body += table("u16", "common_tiles", words_of(sheet.tiles))
    body += [f'const char big_letters[] = "{letters.BIG}";']
    for scene in (scenes.title(), scenes.menu(), scenes.versus(), scenes.endless()):
        tiles = SceneTiles(first)
        words = tiles.map(scene.picture, 2)
        logo = logo_map(tiles) if scene.logo else []
        if first + len(tiles.tiles) > MOST_TILES:
            sys.exit(f"scene {scene.name}: {first} + {len(tiles.tiles)} tiles are more than {MOST_TILES}")
        print(f"{scene.name}: {first} + {len(tiles.tiles)} tiles")
        name = scene.name
        body += table("u16", f"{name}_tiles", words_of(tiles.tiles)) + table("u16", f"{name}_map", words)
        body += table("u16", f"{name}_palette", palette_words(scene.palette))
        if logo:
            body += table("u16", f"{name}_logo", logo)
        body += [
            f"const struct scene scene_{name} = {{ {name}_palette, {name}_tiles, {len(tiles.tiles)}, {name}_map, "
            f"{f'{name}_logo' if logo else 'NULL'} }};"
        ]
        header.append(f"extern const struct scene scene_{name};")
    header += ["", "#endif"]
    (out / "tiles.h").write_text("\n".join(header) + "\n", encoding="ascii")
    (out / "tiles.c").write_text("\n".join(body) + "\n", encoding="ascii")


if __name__ == "__main__":
    main()

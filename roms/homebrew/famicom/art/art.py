"""Turn the text drawings of this folder into tiles.chr and the screens' .bin files.

    python3 art.py OUTPUT_FOLDER

Needs only the standard library; the same text always gives the same bytes.
"""

from __future__ import annotations

import sys
from pathlib import Path

HERE = Path(__file__).parent
Picture = list[str]  # rows of digits 0..3

# Tile numbers that the game's sources contain, too (data.s, items.c, show.c).
COLOURS, MISC, STARTLED = 0x40, 0xA0, 0xB0  # background
SPR_ROUND, SPR_FLAT, SPR_TALL, SPR_NUISANCE, LOGO = 0x40, 0x58, 0x70, 0x88, 0xA0  # sprites
SPR_CARBUNCLE, SPR_BIG, SPR_LID, SPR_DIGIT, SPR_CHAIN = 0x8C, 0x90, 0x98, 0xD5, 0xE9  # sprites
BIG_SMALL, CARBUNCLE = 0xC3, 0xEC  # background; the tiles of a picture's quarters are 4 numbers apart
LARGE, ROCK = (0x0D, 0x0F, 0x1A, 0x1F), (0x1E, 0x20, 0x2A, 0x31)  # background: 6 and 30 pending nuisance (duel.c)
FONT_FIRST, FONT_COUNT = 32, 64
MASCOT = 0xD0  # background, to 0xFF
NAMES = ".RGBYPC"
PALETTE = [3, 0, 2, 1, 0, 2, 1]
BODY = {1: "1", 2: "2", 3: "1", 4: "2", 5: "1", 6: "2"}  # odd puyo colours use the first colour of their palette
SHADE = {1: "1", 2: "2", 3: "1", 4: "1", 5: "1", 6: "1"}


def blocks(name: str) -> dict[str, Picture]:
    """The drawings of a text file, by the [name] above each. Each drawing named "sign" gets a number of its own."""
    found: dict[str, Picture] = {}
    rows: Picture = []
    for line in (HERE / name).read_text(encoding="ascii").splitlines():
        if line.startswith("[") and line.endswith("]"):
            rows = found.setdefault(line[1:-1] + ("" if line != "[sign]" else str(len(found))), [])
        elif line and not line.startswith("# ") and line != "#":
            rows.append(line)
    return found


def mirror(rows: Picture) -> Picture:
    return [row[::-1] for row in rows]


def paint(rows: Picture, colour: int) -> Picture:
    table = str.maketrans({".": "0", "k": "0", "w": "3", "b": BODY[colour], "s": SHADE[colour]})
    return [row.translate(table) for row in rows]


def double(rows: Picture) -> Picture:
    """Doubles the size and smooths edges: a pixel's corner takes its two neighbours' colour where they agree."""
    height, width = len(rows), len(rows[0])

    def at(y: int, x: int) -> str:
        return rows[y][x] if 0 <= y < height and 0 <= x < width else "."

    out: Picture = []
    for y in range(height):
        upper, lower = "", ""
        for x in range(width):
            here, up, down, left, right = at(y, x), at(y - 1, x), at(y + 1, x), at(y, x - 1), at(y, x + 1)
            upper += up if left == up and left != down and up != right else here
            upper += up if up == right and up != left and right != down else here
            lower += left if down == left and down != right and left != up else here
            lower += right if right == down and right != up and down != left else here
        out += [upper, lower]
    return out


def treble(rows: Picture) -> Picture:
    """Trebles the size and smooths edges as ``double`` does."""
    height, width = len(rows), len(rows[0])

    def at(y: int, x: int) -> str:
        return rows[y][x] if 0 <= y < height and 0 <= x < width else "."

    out: Picture = []
    for y in range(height):
        lines = ["", "", ""]
        for x in range(width):
            (a, b, c), (d, e, f), (g, h, i) = ([at(y + j, x + k) for k in (-1, 0, 1)] for j in (-1, 0, 1))
            if b == h or d == f:
                lines = [line + 3 * e for line in lines]
                continue
            lines[0] += (
                (d if d == b else e) + (b if (d == b and e != c) or (b == f and e != a) else e) + (f if b == f else e)
            )
            lines[1] += (d if (d == b and e != g) or (d == h and e != a) else e) + e
            lines[1] += f if (b == f and e != i) or (h == f and e != c) else e
            lines[2] += (
                (d if d == h else e) + (h if (d == h and e != i) or (h == f and e != g) else e) + (f if h == f else e)
            )
        out += lines
    return out


def overlay(body: Picture, face: Picture) -> Picture:
    return ["".join(b if f == "-" else f for b, f in zip(*pair, strict=True)) for pair in zip(body, face, strict=True)]


def puyo(shapes: dict[str, Picture], up: bool, right: bool, down: bool, left: bool) -> Picture:
    """The 16 x 16 body, joined to the neighbours on the given sides."""

    def quarter(vertical: bool, side: bool) -> Picture:
        return shapes["quarter " + ("both" if vertical and side else "up" if vertical else "side" if side else "alone")]

    top = [a + b for a, b in zip(quarter(up, left), mirror(quarter(up, right)), strict=True)]
    bottom = [a + b for a, b in zip(quarter(down, left), mirror(quarter(down, right)), strict=True)]
    return top + bottom[::-1]


def glint(body: Picture) -> Picture:
    """The body with a light spot on its upper left."""
    rows = [list(row) for row in body]
    for y, x in ((2, 4), (2, 5), (3, 3), (4, 2)):
        if rows[y][x] == "b":
            rows[y][x] = "w"
    return ["".join(row) for row in rows]


def quarters(picture: Picture) -> list[Picture]:
    """The 8 x 8 quarters of a picture: upper left, upper right, lower left, lower right."""
    return [[row[x : x + 8] for row in picture[y : y + 8]] for y in (0, 8) for x in (0, 8)]


def tile_bytes(rows: Picture) -> bytes:
    low = bytes(sum((int(c) & 1) << (7 - i) for i, c in enumerate(row)) for row in rows)
    high = bytes(sum((int(c) >> 1) << (7 - i) for i, c in enumerate(row)) for row in rows)
    return low + high


def squash(picture: Picture) -> Picture:
    """A 16 x 16 picture squashed to a height of 13 lines, standing on its lower edge."""
    keep = [y for y in range(16) if y not in (3, 8, 12)]
    return ["0" * 16] * 3 + [picture[y] for y in keep]


def stretch(picture: Picture) -> Picture:
    """A 16 x 16 picture made narrower by two columns, with an empty column on each side."""
    return ["0" + row[:3] + row[4:12] + row[13:] + "0" for row in picture]


class Table:
    """One pattern table of 256 tiles."""

    def __init__(self) -> None:
        self.tiles: dict[int, bytes] = {}

    def put(self, number: int, rows: Picture) -> None:
        if number in self.tiles:
            raise SystemExit(f"tile ${number:02X} is drawn twice")
        self.tiles[number] = tile_bytes(rows)

    def share(self, rows: Picture, first: int) -> int:
        """Adds a tile, unless it is blank or there is an equal one from `first` on. Returns its number, 0 for blank."""
        wanted = tile_bytes(rows)
        if not any(wanted):
            return 0
        number = first
        while number in self.tiles and self.tiles[number] != wanted:
            number += 1
        if number > 255:
            raise SystemExit("no room for more tiles")
        self.tiles[number] = wanted
        return number

    def data(self) -> bytes:
        return b"".join(self.tiles.get(i, bytes(16)) for i in range(256))


def font(background: Table, sprites: Table) -> None:
    """Adds characters and frame tiles. Letters are white above and light below, digits white.

    Characters stand on the panels' colour in the background table, for the game, and on black in the sprite table,
    for the title.
    """
    for name, rows in blocks("font.txt").items():
        kind, c = name.split()
        if kind == "char":
            ink = ["3"] * 6 if c.isdigit() else ["3"] * 4 + ["2"] * 2
            drawn = ["." + row.replace("#", color) for row, color in zip(rows, ink, strict=True)]
            drawn = ["." * 8, *drawn, "." * 8]
            background.put(ord(c) - FONT_FIRST, [row.replace(".", "1") for row in drawn])
            sprites.put(ord(c) - FONT_FIRST, [row.replace(".", "0") for row in drawn])
    for name, rows in blocks("frame.txt").items():
        drawn = [row.replace(".", "0") for row in rows]
        background.put(ord(name[5]) - FONT_FIRST, drawn)
        if name[5] == "<":
            sprites.put(ord("<") - FONT_FIRST, drawn)


def puyos(background: Table, sprites: Table) -> None:
    art = blocks("puyos.txt")
    faces = {int(name.split()[1]): rows for name, rows in art.items() if name.startswith("face")}
    startled = {int(name.split()[1]): rows for name, rows in art.items() if name.startswith("startled")}
    for colour, face in faces.items():
        for joint in range(4):
            vertical, side = bool(joint & 1), bool(joint & 2)
            body = glint(puyo(art, vertical, side, vertical, side))
            for n, quarter in enumerate(quarters(paint(overlay(body, face), colour))):
                background.put(COLOURS + 16 * (colour - 1) + 4 * n + joint, quarter)
        lid = next(rows for name, rows in art.items() if name.startswith(f"lid {colour} "))
        sprites.put(SPR_LID + colour - 1, paint(lid, colour))
        alone = glint(puyo(art, False, False, False, False))
        picture = paint(overlay(alone, face), colour)
        for n in range(4):
            sprites.put(SPR_ROUND + 4 * (colour - 1) + n, quarters(picture)[n])
            sprites.put(SPR_FLAT + 4 * (colour - 1) + n, quarters(squash(picture))[n])
            sprites.put(SPR_TALL + 4 * (colour - 1) + n, quarters(stretch(picture))[n])
        fright = paint(overlay(alone, startled[colour]), colour)
        for n, quarter in enumerate(quarters(fright)):
            background.put(STARTLED + 16 * ((colour - 1) // 4) + (colour - 1) % 4 + 4 * n, quarter)
    nuisance = [row.translate(str.maketrans(".kbw", "0032")) for row in art["nuisance"]]
    for numbers, name, inks in ((LARGE, "nuisance", "1032"), (ROCK, "rock", "1023")):
        picture = [row.translate(str.maketrans(".kbw", inks)) for row in art[name]]
        for number, quarter in zip(numbers, quarters(picture), strict=True):
            background.put(number, quarter)
    for n, quarter in enumerate(quarters(paint(art["spawn mark"], 1))):
        background.put(STARTLED + 16 + 2 + 4 * n, quarter)
    for slot, picture in enumerate([paint(art["empty"], 1), nuisance, paint(art["burst"], 1), paint(art["burst"], 2)]):
        for n, quarter in enumerate(quarters(picture)):
            background.put(MISC + slot + 4 * n, quarter)
    for n, quarter in enumerate(quarters(nuisance)):
        sprites.put(SPR_NUISANCE + n, quarter)


def items(background: Table, sprites: Table) -> None:
    art = {name: [row.replace(".", "0") for row in rows] for name, rows in blocks("puyos.txt").items()}
    for n, quarter in enumerate(quarters(art["carbuncle"])):
        sprites.put(SPR_CARBUNCLE + n, quarter)
        background.put(CARBUNCLE + 4 * n, quarter)
    for n, quarter in enumerate(quarters(art["big small"])):
        background.put(BIG_SMALL + 4 * n, quarter)
    for n in range(8):  # the left half only: the sprites of the right half are flipped
        y, x = 8 * (n // 2), 8 * (n % 2)
        sprites.put(SPR_BIG + n, [row[x : x + 8] for row in art["big left"][y : y + 8]])


def logo(table: Table, letters: str) -> list[int]:
    """Adds the logo. Returns its tile numbers. Letters are 24 x 32: yellow above, red below, a white upper edge."""
    art = blocks("logo.txt")
    rows = ["".join(parts) for parts in zip(*(double(art[letter]) for letter in letters), strict=True)]
    drawn = [list("0" * len(rows[0])) for _ in rows]
    for y, row in enumerate(rows):
        for x, c in enumerate(row):
            if c == "#":
                top = y == 0 or rows[y - 1][x] != "#"
                fade = y > 18 or (y > 14 and (x + y) % 2 == 0)
                drawn[y][x] = "3" if top else "1" if fade else "2"
    picture = ["".join(row) for row in drawn]
    return cut(table, picture, LOGO)


def mascot(table: Table) -> list[list[int]]:
    """Adds the mascot, a drop of 48 x 48 pixels in each mood. Equal tiles are shared. Returns each mood's numbers."""
    moods = (treble(rows) for rows in blocks("mascot.txt").values())
    return [cut(table, [row.replace(".", "0") for row in picture], MASCOT) for picture in moods]


def outline(rows: Picture, colour: str) -> Picture:
    """Draws a line of that colour round everything drawn, which makes it readable on any background."""
    height, width = len(rows), len(rows[0])

    def near(y: int, x: int) -> bool:
        around = ((y + j, x + k) for j in (-1, 0, 1) for k in (-1, 0, 1))
        return any(0 <= a < height and 0 <= b < width and rows[a][b] != "." for a, b in around)

    return [
        "".join(c if c != "." else colour if near(y, x) else "0" for x, c in enumerate(row))
        for y, row in enumerate(rows)
    ]


def signs(table: Table) -> None:
    """Adds the chain sign's sprites: digits of 8 x 16 pixels, white above and yellow below, and the word CHAIN."""
    letters = blocks("font.txt")
    for n in range(10):
        tall = ["." * 8] + [f".{row}.." for row in letters[f"tall {n}"] for _ in (0, 1)] + ["." * 8]
        tall = [row.replace("#", "3" if y < 8 else "2") for y, row in enumerate(tall)]
        figure = outline(tall, "1")
        table.put(SPR_DIGIT + 2 * n, figure[:8])
        table.put(SPR_DIGIT + 2 * n + 1, figure[8:])
    word = outline(blocks("puyos.txt")["chain"], "1")
    for n in range(3):
        table.put(SPR_CHAIN + n, [row[8 * n : 8 * n + 8] for row in word])


def cut(table: Table, picture: Picture, first: int) -> list[int]:
    """Adds the tiles of a large picture. Returns their numbers in reading order."""
    return [
        table.share([row[x : x + 8] for row in picture[y : y + 8]], first)
        for y in range(0, len(picture), 8)
        for x in range(0, len(picture[0]), 8)
    ]


def tile_row(text: str) -> bytes:
    return bytes(ord(c) - FONT_FIRST for c in text.strip("|"))


def screen(name: str, runs: dict[str, list[int]], puyo_tile: dict[tuple[int, int], int]) -> bytes:
    """A nametable from a text file: 30 lines of tiles, then 15 lines of 16 cells: palette numbers or puyos (RGBYPC).

    A letter of `runs` in the tile lines stands for the next tile of its list. puyo_tile[colour, quarter] is the tile
    of a puyo's quarter.
    """
    lines = [line for line in (HERE / name).read_text(encoding="ascii").splitlines() if not line.startswith("# ")]
    feeds = {letter: iter(tiles) for letter, tiles in runs.items()}
    rows = [[next(feeds[c]) if c in feeds else ord(c) - FONT_FIRST for c in line.strip("|")] for line in lines[:30]]
    palettes = [[3] * 16 for _ in range(16)]
    for y, line in enumerate(lines[30:45]):
        for x, c in enumerate(line):
            if c.isdigit():
                palettes[y][x] = int(c)
                continue
            colour = NAMES.index(c)
            palettes[y][x] = PALETTE[colour]
            for n in range(4):
                rows[2 * y + n // 2][2 * x + n % 2] = puyo_tile[colour, n]
    attributes = bytes(
        palettes[y][x] | palettes[y][x + 1] << 2 | palettes[y + 1][x] << 4 | palettes[y + 1][x + 1] << 6
        for y in range(0, 16, 2)
        for x in range(0, 16, 2)
    )
    data = bytes(tile for row in rows for tile in row) + attributes
    if len(data) != 1024:
        raise SystemExit(f"{name}: {len(data)} bytes instead of 1024")
    return data


def main() -> None:
    out = Path(sys.argv[1])
    background, sprites = Table(), Table()
    font(background, sprites)
    puyos(background, sprites)
    items(background, sprites)
    signs(sprites)
    moods = mascot(background)
    runs = {"l": logo(sprites, "OCHIDAMA"), "m": moods[0]}
    on_title = {(c, n): SPR_ROUND + 4 * (c - 1) + n for c in range(1, 7) for n in range(4)}
    in_game = {(c, n): COLOURS + 16 * (c - 1) + 4 * n for c in range(1, 7) for n in range(4)}
    (out / "tiles.chr").write_bytes(background.data() + sprites.data())
    for name, tiles in (("title", on_title), ("menu", in_game), ("endless", in_game), ("versus", in_game)):
        (out / f"{name}.bin").write_bytes(screen(f"{name}.txt", runs, tiles))
    boards = b"".join(b"".join(map(tile_row, rows)) for rows in blocks("signs.txt").values())
    (out / "signs.bin").write_bytes(boards)
    (out / "moods.bin").write_bytes(b"".join(map(bytes, moods)))


if __name__ == "__main__":
    main()

"""Builds the strangers, test games unlike ours (see README.md): ``python3 tests/strangers/build.py [NAME ...]``.

Needs only cc65 and Python's standard library. ``truth.yaml`` is made from the linker's labels and ``STRANGERS`` below.
"""

from __future__ import annotations

import hashlib
import re
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).resolve().parent.parent.parent))
from tests.strangers import parameters

HERE: Final = Path(__file__).resolve().parent
SOURCES: Final = HERE / "src"


@dataclass(frozen=True)
class Stranger:
    """A test game.

    places: the addresses that calibration should find, each as a linker label and an offset. facts: other true values.
    source: the name of its C file (empty: ``name``). symbols: defined (-D) for the compiler and assembler.
    """

    name: str
    places: Mapping[str, tuple[str, int]]
    facts: Mapping[str, int]
    source: str = ""
    symbols: tuple[str, ...] = ()


STRANGERS: Final = (
    Stranger(
        "twins",
        {
            "x": ("two", 0),
            "y": ("two", 1),
            "axis": ("two", 2),
            "partner_x": ("two", 3),
            "partner_y": ("two", 4),
            "partner": ("two", 5),
            "next_axis": ("nxt", 0),
            "next_partner": ("nxt", 1),
            "score": ("digits", 0),
            "phase": ("mode", 0),
            "field": ("colr", 0),
        },
        {"rows": 13, "columns": 6, "row_stride": 1, "column_stride": 16, "clear_size": 4, "control": 3, "over": 5},
    ),
    Stranger(
        "gems",
        {
            "x": ("px", 0),
            "y": ("py", 0),
            "cell3": ("jewel", 0),
            "cell2": ("jewel", 1),
            "cell1": ("jewel", 2),
            "next_cell3": ("coming", 0),
            "next_cell2": ("coming", 1),
            "field": ("f", 0),
        },
        {"rows": 16, "columns": 6, "row_stride": 8, "column_stride": 1},
    ),
    Stranger(
        "quad",
        {
            "x": ("bx", 0),
            "y": ("by", 0),
            "piece": ("kind", 0),
            "next_piece": ("nextk", 0),
            "orientation": ("rot", 0),
            "field": ("grid", 0),
        },
        {"rows": 20, "columns": 10, "row_stride": 10, "column_stride": 1},
    ),
    Stranger(
        "lanterns",
        {
            "x": ("piece", 2),
            "y": ("piece", 1),
            "y_fraction": ("piece", 0),
            "orientation": ("rot", 0),
            "axis": ("piece", 3),
            "partner": ("piece", 4),
            "ring": ("pairs", 0),
            "ring_head": ("head", 0),
            "score": ("digits", 0),
            "phase": ("state", 0),
            "field": ("board", 13 * 16 + 1),
        },
        {
            **{"rows": 13, "columns": 6, "row_stride": -16, "column_stride": 1, "clear_size": 4, "settled_bit": 0x80},
            **{"up": 0, "left": 1, "down": 2, "right": 3, "control": 3, "over": 6, "score_digits": 6},
        },
    ),
    Stranger(
        "crates",
        {
            "x": ("px", 0),
            "y": ("py", 0),
            "orientation": ("rot", 0),
            "axis": ("color", 0),
            "partner": ("color", 1),
            "next": ("preview", 0),
            "score": ("bcd", 0),
            "phase": ("state", 0),
            "field": ("kind", 0),
            "links": ("join", 0),
        },
        {
            **{"rows": 12, "columns": 6, "row_stride": 8, "column_stride": 1, "clear_size": 4},
            **{"right": 0, "up": 1, "left": 2, "down": 3, "control": 3, "over": 6, "score_bytes": 4},
        },
        source="lanterns",
        symbols=("CRATES", "BATTERY"),
    ),
)


def tiles() -> bytes:
    """The 8 KiB of tile pictures: stripes and boxes that differ from tile to tile."""
    found = bytearray(0x2000)
    for number in range(1, 256):
        for plane in range(2):
            for row in range(8):
                if number >= 16:
                    value = number * 73 + row * 29 * (number % 7 + 1) + plane * 57 & 255
                else:
                    value = 0xFF if number >> plane & 1 else 0x81 if number & 4 else 0x3C if number & 8 else 0
                found[number * 16 + plane * 8 + row] = found[0x1000 + number * 16 + plane * 8 + row] = value
    return bytes(found)


def build(one: Stranger, folder: Path) -> None:
    """Builds a game and writes NAME.nes and truth.yaml into ``folder``."""
    with tempfile.TemporaryDirectory() as made:
        work = Path(made)
        (work / "tiles.chr").write_bytes(tiles())
        for source in SOURCES.glob("*.*"):
            (work / source.name).write_bytes(source.read_bytes())

        def tool(*words: str) -> None:
            subprocess.run(words, cwd=work, check=True)

        defined = [word for symbol in one.symbols for word in ("-D", symbol)]
        tool("cc65", "-t", "none", "-Oirs", *defined, "-o", "game.s", f"{one.source or one.name}.c")
        tool("ca65", "-g", "-o", "game.o", "game.s")
        tool("ca65", *defined, "-o", "rt.o", "rt.s")
        tool("ld65", "-C", "nrom.cfg", "-Ln", "labels", "-o", "game.nes", "game.o", "rt.o", "none.lib")
        rom = (work / "game.nes").read_bytes()
        found = re.findall(r"^al (\w+) \._(\w+)$", (work / "labels").read_text(), re.MULTILINE)
    by_name = {name: int(address, 16) for address, name in found}
    lines = [f"name: {one.name}", f"sha1: {hashlib.sha1(rom).hexdigest()}", "places:"]
    lines += [f"  {name}: 0x{by_name[label] + more:04X}" for name, (label, more) in one.places.items()]
    lines += [f"{name}: {value}" for name, value in one.facts.items()]
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"{one.name}.nes").write_bytes(rom)
    (folder / "truth.yaml").write_text("\n".join(lines) + "\n", encoding="utf-8")


def build_family(folder: Path) -> None:
    """Builds the program that plays the maker's games, with an empty block of parameters: family.nes."""
    with tempfile.TemporaryDirectory() as made:
        work = Path(made)
        (work / "tiles.chr").write_bytes(tiles())
        (work / "params.h").write_text(parameters.header_for_c(), encoding="ascii")
        (work / "params.inc").write_text(parameters.header_for_assembler(), encoding="ascii")
        for source in (SOURCES / "family").iterdir():
            (work / source.name).write_bytes(source.read_bytes())
        parts = sorted(path.stem for path in work.glob("*.c"))
        for part in parts:
            subprocess.run(["cc65", "-t", "none", "-Oirs", "-Cl", "-o", f"{part}.s", f"{part}.c"], cwd=work, check=True)
        for part in ("family", *parts):
            subprocess.run(["ca65", "-o", f"{part}.o", f"{part}.s"], cwd=work, check=True)
        objects = [f"{part}.o" for part in ("family", *parts)]
        subprocess.run(["ld65", "-C", "family.cfg", "-o", "game.nes", *objects, "none.lib"], cwd=work, check=True)
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "family.nes").write_bytes((work / "game.nes").read_bytes())


def main(names: Sequence[str]) -> int:
    """Builds the named games, or all if no name is given. Returns the exit code."""
    for one in STRANGERS:
        if not names or one.name in names:
            build(one, HERE / one.name)
    if not names or "family" in names:
        build_family(HERE / "family")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

"""The public maps of the Mega Drive games have every published address, and read the values at these addresses.

Sources: Puyo Nexus wiki (Puyo Puyo Tsu); public disassemblies (Puyo Puyo, Mean Bean Machine).
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from ochibot.console import MEGADRIVE, Ram
from ochibot.data import data_path
from ochibot.puyo.pairs.generators import LETTERS
from ochibot.puyo.pairs.tsu import POWER_ON, tsu
from ochibot.puyo.rules.field import SYMBOLS
from ochibot.ram import BoundMap, RamMap, load_map

CODES = {name: code for code, name in enumerate(("empty", "red", "green", "blue", "yellow", "purple", "cyan"))}
CODES |= {"nuisance": 7, "wall": 8}


def grid(base: int, rows: int, columns: int, row: int, column: int = 1) -> list[int]:
    return [base + row * y + column * x for y in range(rows) for x in range(columns)]


def field(base: int) -> list[int]:
    return grid(base, 14, 6, 12, 2)


def pool(base: int) -> list[int]:
    return list(range(base, base + 256))


def long(address: int) -> list[int]:
    """The addresses of a big-endian 32-bit number's bytes, the lowest byte first, as a map lists them."""
    return list(range(address + 3, address - 1, -1))


def nexts(base: int) -> dict[str, list[int]]:
    names = [f"{which}_{half}" for which in ("next", "next2", "next3") for half in ("axis", "partner")]
    return {name: [base + at] for at, name in enumerate(names)}


TSU = {
    "pool3": pool(0xFFAD00),
    "pool4": pool(0xFFAE00),
    "pool5": pool(0xFFAF00),
    "color_set": list(range(0xFFA4E2, 0xFFA4EA)),
    "random": long(0xFFA134),
}


def puyo1_objects() -> dict[str, list[int]]:
    found: dict[str, list[int]] = {}
    for number in (0, 1):
        at = 0xFFE000 + 0x40 * number
        found |= {f"object{number}_chain": [at + 9], f"object{number}_score": long(at + 0xA)}
        found |= {
            f"object{number}_waiting": [at + 0x15, at + 0x14],
            f"object{number}_multiplier": [at + 0x1F, at + 0x1E],
        }
        found |= {f"object{number}_side": [at + 0x2A], f"object{number}_level": [at + 0x2B]}
    return found


PUYO1 = {"repeat": [0xFF1109, 0xFF1108], "random": long(0xFF1116), "mode": [0xFF1882], **puyo1_objects()}
BEAN = {"random": long(0xFF1116), "mode": [0xFF1964], "level": [0xFF0112]}

PUBLISHED = {
    ("tsu", 1): {**TSU, **nexts(0xFF85A0), "field": field(0xFF8000), "marks": field(0xFF8001)},
    ("tsu", 2): {**TSU, **nexts(0xFF8DA0), "field": field(0xFF8800), "marks": field(0xFF8801)},
    ("puyo1", 1): {
        **PUYO1,
        **{"field": field(0xFF1C80), "marks": field(0xFF1C81), "pool": pool(0xFF111C), "pad": [0xFF110A]},
        **{"next_axis": [0xFFE166], "next_partner": [0xFFE167]},
    },
    ("puyo1", 2): {
        **PUYO1,
        **{"field": field(0xFF1FEA), "marks": field(0xFF1FEB), "pool": pool(0xFF121C), "pad": [0xFF1110]},
        **{"next_axis": [0xFFE226], "next_partner": [0xFFE227]},
    },
    ("mean_bean", 1): {
        **BEAN,
        **{"field": field(0xFF1D62), "marks": field(0xFF1D63), "pool": pool(0xFF123E), "pad": [0xFF110A]},
        "count": [0xFF1D62 + 0x29D, 0xFF1D62 + 0x29C],
    },
    ("mean_bean", 2): {
        **BEAN,
        **{"field": field(0xFF20CC), "marks": field(0xFF20CD), "pool": pool(0xFF133E), "pad": [0xFF1110]},
        "count": [0xFF20CC + 0x29D, 0xFF20CC + 0x29C],
    },
}


def shipped(folder: str, name: str) -> RamMap:
    path: Path = data_path(f"ram_maps/{folder}/{name}.yaml")
    return load_map(path, CODES, "megadrive")


@pytest.mark.parametrize("folder", ["tsu", "puyo1", "mean_bean"])
@pytest.mark.parametrize(("name", "seat"), [("player1", 1), ("player12", 1), ("player2", 2)])
def test_the_maps_hold_what_is_published_and_say_so(folder: str, name: str, seat: int) -> None:
    loaded = shipped(folder, name)
    public = loaded.public()
    assert {key: entry.byte_addresses() for key, entry in public.entries.items()} == PUBLISHED[folder, seat]
    assert loaded.sources()["calibrated"] == 0
    assert (loaded.game, loaded.seat) == (folder, seat)
    assert all(table.source == "documented" for table in loaded.codes.values())
    assert folder == "tsu" or loaded.entries == public.entries
    # player1 is for the 1-player mode; the two other maps are for the same 2-player mode
    assert (loaded.mode == shipped(folder, "player2").mode) == (name != "player1")


def memory() -> Ram:
    return Ram(np.zeros(0x10000, np.uint8), MEGADRIVE.ram)


def test_the_map_of_tsu_reads_pools_as_the_generator_makes_them() -> None:
    """The pool's bytes are written at the 68000's addresses, which don't depend on the byte order in the core."""
    ram, pools = memory(), tsu(POWER_ON)
    for base, codes in ((0xFFAD00, pools.pool3), (0xFFAE00, pools.pool4), (0xFFAF00, pools.pool5)):
        for at, code in enumerate(codes):
            ram[base + at] = code
    for at, code in enumerate(pools.color_set):
        ram[0xFFA4E2 + at] = code
    for at, byte in enumerate(pools.state.to_bytes(4, "big")):
        ram[0xFFA134 + at] = byte
    bound = BoundMap(shipped("tsu", "player2").public(), ram, CODES)
    assert bound.value("random") == pools.state
    for colors in (3, 4, 5):
        assert bound.raw_grid(f"pool{colors}").tobytes() == pools.pool(colors)
    assert bound.raw_grid("color_set").tobytes() == bytes(pools.color_set)


def test_sprites_of_all_shapes_are_puyos_and_the_codes_are_the_generators() -> None:
    ram = memory()
    bound = BoundMap(shipped("tsu", "player1").public(), ram, CODES)
    letters = {0x8: "R", 0x9: "Y", 0xA: "G", 0xB: "G", 0xC: "P", 0xD: "B", 0xE: "o"}
    for high, letter in letters.items():
        for low in range(16):
            ram[0xFF8000 + 12 * 13 + 2 * 5] = high << 4 | low
            assert SYMBOLS[bound.grid("field")[13, 5]] == letter
    assert bound.grid("field")[0, 0] == 0
    for code, letter in enumerate(LETTERS):
        ram[0xFF85A1] = code
        assert SYMBOLS[bound.value("next_partner")] == letter

"""The rules of Kodama, compiled for this machine, with one seat or with two."""

from __future__ import annotations

import ctypes
import random
import shutil
import subprocess
from pathlib import Path
from typing import Any

from ochibot.data import data_path
from ochibot.falling.orientation import Orientation
from ochibot.puyo import load_rules
from ochibot.puyo.rules.field import COLUMNS, NUISANCE, ROWS, Field
from ochibot.puyo.rules.motion import fits
from ochibot.puyo.rules.pair import Pair, PairState

SOURCES = data_path("roms/homebrew/portable/src")
COMPILER = shutil.which("cc") or shutil.which("gcc")
RULES = load_rules("tsu")
SPAWN, CONTROL, SETTLE, CLEAR, LOST = 1, 2, 3, 4, 5
WALL = 8

CODE = 5
"""Nuisance in a cell."""

LAYER = """
#include "core.h"
struct state game;
u8 pad, fresh;
void sound(u8 which) { (void)which; }
#if SEATS == 2
struct state game2;
u8 pad2, fresh2, searched;
void put(u8 column, u8 row, u8 tile) { (void)column; (void)row; (void)tile; }
void say(u8 column, u8 row, const char *text) { (void)column; (void)row; (void)text; }
void blobs(u8 column, u8 row, u8 upper, u8 lower) { (void)column; (void)row; (void)upper; (void)lower; }
void window(u8 column, u8 row, u8 columns, u8 rows) { (void)column; (void)row; (void)columns; (void)rows; }
void fill(u8 column, u8 row, u8 columns, u8 rows, u8 tile) { window(column, row, columns, rows); (void)tile; }
#endif
"""


class Alone(ctypes.Structure):
    """``struct state`` of src/core.h, with one seat."""

    _fields_ = (
        *((name, ctypes.c_uint8) for name in ("state", "menu_row", "level", "colors", "phase", "x", "y")),
        *((name, ctypes.c_uint8) for name in ("orientation", "axis", "partner", "next_axis", "next_partner")),
        *((name, ctypes.c_uint8) for name in ("next2_axis", "next2_partner", "drop_timer", "lock_budget")),
        *((name, ctypes.c_uint8) for name in ("spawn_delay", "held", "chain", "best_chain", "soft", "grounded")),
        *((name, ctypes.c_uint8) for name in ("stage", "timer")),
        *((name, ctypes.c_uint16) for name in ("random", "locks", "frame", "factor")),
        ("score", ctypes.c_uint8 * 8),
        ("field", ctypes.c_uint8 * 120),
    )


class OfTwo(Alone):
    """``struct state`` with two seats."""

    _fields_ = (
        *((name, ctypes.c_uint8) for name in ("players", "loser", "fallen", "all_clear")),
        *((name, ctypes.c_uint16) for name in ("pending", "sent_in_all")),
        ("gained", ctypes.c_uint32),
        *((name, ctypes.c_uint8) for name in ("points", "target")),
        *((name, ctypes.c_uint16) for name in ("time", "noise")),
    )


class Rules:
    """The compiled rules. ``game``: the first seat's state; ``second``: the other one's, with two seats."""

    def __init__(self, folder: Path, seats: int = 1) -> None:
        layer, library = folder / "layer.c", folder / "rules.so"
        layer.write_text(LAYER)
        assert COMPILER is not None
        words = [COMPILER, "-shared", "-fPIC", "-O1", "-Wall", "-Wextra", "-Werror", f"-I{SOURCES}"]
        words += [f"-DSEATS={seats}", "-DSCREEN_COLUMNS=32", "-DSCREEN_ROWS=24"]
        sources = ("game.c",) if seats == 1 else ("game.c", "nuisance.c", "seat2.c")
        subprocess.run([*words, *(str(SOURCES / one) for one in sources), str(layer), "-o", str(library)], check=True)
        self.library = ctypes.CDLL(str(library))
        kind = Alone if seats == 1 else OfTwo
        self.game: Any = kind.in_dll(self.library, "game")
        self.second: Any = None if seats == 1 else kind.in_dll(self.library, "game2")
        self.pad = ctypes.c_uint8.in_dll(self.library, "pad")
        self.fresh = ctypes.c_uint8.in_dll(self.library, "fresh")
        self.searched: Any = None if seats == 1 else ctypes.c_uint8.in_dll(self.library, "searched")

    def begin(self, seed: int, colors: int = 4, level: int = 1) -> None:
        self.game.random, self.game.colors, self.game.level = seed, colors, level
        self.library.round_begin()

    def frame(self, pad: int = 0) -> None:
        self.fresh.value = self.pad.value = pad
        if self.searched is not None:
            self.searched.value = 0
        self.library.round_frame()

    def put(self, field: Field) -> None:
        for y, row in enumerate(field.cells.tolist()):
            self.game.field[8 * y + 1 : 8 * y + 7] = [CODE if code == NUISANCE else code for code in row]

    def field(self) -> Field:
        cells = bytes(self.game.field)
        rows = [cells[8 * y : 8 * y + 8] for y in range(ROWS)]
        assert all(row[0] == row[7] == WALL for row in rows)
        assert cells[8 * ROWS :] == bytes([WALL] * 8)
        return Field(bytes(NUISANCE if code == CODE else code for row in rows for code in row[1:7]))

    def score(self) -> int:
        return int("".join(map(str, self.game.score)))

    def hold(self, pair: Pair, state: PairState) -> None:
        """Makes this the falling pair, under control."""
        game = self.game
        game.phase, game.x, game.y, game.orientation = CONTROL, state.x, state.y, state.orientation
        game.axis, game.partner, game.lock_budget, game.drop_timer, game.soft = *pair, 28, 40, 0

    def where(self) -> tuple[int, int, int]:
        return self.game.x, self.game.y, self.game.orientation


def random_field(dice: random.Random) -> Field:
    """A settled field with a free spawn cell. Few colours make large groups; without colours there are none."""
    colors = dice.choice(((1, 2, 3, 4), (1, 2), (1, 2, 3), (4, 4, 1), ()))
    low, high = dice.choice(((0, 3), (2, 9), (8, 13)))
    rows = [[0] * COLUMNS for _ in range(ROWS)]
    for x in range(COLUMNS):
        for y in range(dice.randint(low, min(high, 11) if x == 2 else high)):
            rows[ROWS - 1 - y][x] = dice.choice(colors) if colors else 1 + (x + 2 * y) % 4
    return Field(bytes(code for row in rows for code in row))


def random_state(dice: random.Random, field: Field) -> PairState:
    cells = field.cells.tolist()
    while True:
        state = PairState(dice.randint(1, COLUMNS), dice.randint(1, 13), Orientation(dice.randrange(4)))
        if fits(cells, state, None, RULES):
            return state

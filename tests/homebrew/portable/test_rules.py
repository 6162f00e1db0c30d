"""The rules of Kodama, compiled for this machine, beside ``ochibot.puyo``: locks, chains, scores, moves, dealing."""

from __future__ import annotations

import ctypes
import random
import shutil
import subprocess
from collections import Counter
from pathlib import Path

import pytest
from ochibot.data import data_path
from ochibot.falling.orientation import Orientation
from ochibot.puyo import load_rules
from ochibot.puyo.rules.field import COLUMNS, ROWS, Field
from ochibot.puyo.rules.motion import dropped, fits, move
from ochibot.puyo.rules.pair import Action, Pair, PairState, Placement
from ochibot.puyo.rules.resolve import place

SOURCES = data_path("roms/homebrew/portable/src")
COMPILER = shutil.which("cc") or shutil.which("gcc")
RULES = load_rules("tsu")
SPAWN, CONTROL, SETTLE, CLEAR, LOST = 1, 2, 3, 4, 5
PADS = {Action.LEFT: 1, Action.RIGHT: 2, Action.ROTATE_CW: 16, Action.ROTATE_CCW: 32}
WALL = 8

pytestmark = pytest.mark.skipif(COMPILER is None, reason="not installed: a C compiler (gcc)")

LAYER = """
#include "core.h"
struct game game;
u8 pad, fresh;
void sound(u8 which) { (void)which; }
"""


class Game(ctypes.Structure):
    """``struct game`` of src/core.h."""

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


class Rules:
    """The compiled rules."""

    def __init__(self, folder: Path) -> None:
        layer, library = folder / "layer.c", folder / "rules.so"
        layer.write_text(LAYER)
        assert COMPILER is not None
        words = [COMPILER, "-shared", "-fPIC", "-O1", "-Wall", "-Wextra", "-Werror", f"-I{SOURCES}"]
        subprocess.run([*words, str(SOURCES / "game.c"), str(layer), "-o", str(library)], check=True)
        self.library = ctypes.CDLL(str(library))
        self.game = Game.in_dll(self.library, "game")
        self.pad = ctypes.c_uint8.in_dll(self.library, "pad")
        self.fresh = ctypes.c_uint8.in_dll(self.library, "fresh")

    def begin(self, seed: int, colors: int = 4, level: int = 1) -> None:
        self.game.random, self.game.colors, self.game.level = seed, colors, level
        self.library.round_begin()

    def frame(self, pad: int = 0) -> None:
        self.fresh.value = self.pad.value = pad
        self.library.round_frame()

    def put(self, field: Field) -> None:
        for y, row in enumerate(field.cells.tolist()):
            self.game.field[8 * y + 1 : 8 * y + 7] = row

    def field(self) -> Field:
        cells = bytes(self.game.field)
        rows = [cells[8 * y : 8 * y + 8] for y in range(ROWS)]
        assert all(row[0] == row[7] == WALL for row in rows)
        assert cells[8 * ROWS :] == bytes([WALL] * 8)
        return Field(b"".join(row[1:7] for row in rows))

    def score(self) -> int:
        return int("".join(map(str, self.game.score)))

    def hold(self, pair: Pair, state: PairState) -> None:
        """Makes this the falling pair, under control."""
        game = self.game
        game.phase, game.x, game.y, game.orientation = CONTROL, state.x, state.y, state.orientation
        game.axis, game.partner, game.lock_budget, game.drop_timer, game.soft = *pair, 28, 40, 0

    def where(self) -> tuple[int, int, int]:
        return self.game.x, self.game.y, self.game.orientation


@pytest.fixture(scope="module")
def rules(tmp_path_factory: pytest.TempPathFactory) -> Rules:
    return Rules(tmp_path_factory.mktemp("portable"))


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


def test_locks_end_as_the_rules_say(rules: Rules) -> None:
    dice, seen = random.Random(1), Counter[str]()
    for _ in range(1500):
        rules.begin(dice.randint(1, 65535))
        field = random_field(dice)
        state = dropped(field.cells.tolist(), random_state(dice, field), None, RULES)
        pair = Pair(dice.randint(1, 4), dice.randint(1, 4))
        rules.put(field)
        rules.hold(pair, state)
        rules.game.lock_budget = 1
        rules.frame()
        assert rules.game.phase == SETTLE
        frames = 0
        while rules.game.phase in (SETTLE, CLEAR):
            rules.frame()
            frames += 1
            assert frames < 2000
        outcome = place(field, pair, Placement(*state), RULES)
        assert (rules.field(), rules.score(), rules.game.chain) == (outcome.field, outcome.score, outcome.chain)
        assert (rules.game.phase == LOST) == outcome.game_over
        seen[f"chain {min(outcome.chain, 3)}"] += 1
        seen["lost"] += outcome.game_over
    assert min(seen[f"chain {n}"] for n in range(4)) > 10
    assert seen["lost"]


def test_presses_move_the_pair_as_the_rules_say(rules: Rules) -> None:
    dice, moved = random.Random(2), Counter[Action]()
    for _ in range(4000):
        rules.begin(1)
        field = random_field(dice)
        state = random_state(dice, field)
        action = dice.choice(list(PADS))
        rules.put(field)
        rules.hold(Pair(1, 2), state)
        rules.frame(PADS[action])
        expected = move(field.cells.tolist(), state, action, None, RULES)
        assert rules.where() == tuple(expected)
        moved[action] += expected != state
    assert min(moved[action] for action in PADS) > 300


def test_down_sinks_a_row_in_two_frames_and_counts_it(rules: Rules) -> None:
    rules.begin(1)
    rules.hold(Pair(1, 2), PairState(3, 2, RULES.spawn.orientation))
    for _ in range(20):
        rules.frame(8)
    assert rules.where() == (3, 12, 2)
    assert rules.game.soft == 10
    while rules.game.phase != SPAWN:
        rules.frame(8)
    assert rules.score() == 11


def test_the_score_stays_at_its_highest_number(rules: Rules) -> None:
    rules.begin(1)
    rules.game.score[:] = [9] * 7 + [8]
    rules.hold(Pair(1, 2), PairState(3, 2, RULES.spawn.orientation))
    while rules.game.phase != SPAWN:
        rules.frame(8)
    assert rules.score() == RULES.score_cap


@pytest.mark.parametrize("colors", [3, 4])
def test_all_colors_are_dealt_equally_often(rules: Rules, colors: int) -> None:
    seen = Counter[int]()
    rules.begin(12345, colors)
    for _ in range(3000):
        shown = rules.game.next_axis, rules.game.next_partner, rules.game.next2_axis, rules.game.next2_partner
        rules.hold(Pair(1, 2), PairState(1, 12, RULES.spawn.orientation))
        rules.put(Field.empty())
        rules.game.lock_budget = 1
        while rules.game.phase != SPAWN:
            rules.frame()
        assert shown == (rules.game.axis, rules.game.partner, rules.game.next_axis, rules.game.next_partner)
        seen.update((rules.game.axis, rules.game.partner))
    assert sorted(seen) == list(range(1, colors + 1))
    assert all(abs(n - 6000 / colors) < 300 for n in seen.values())


@pytest.mark.parametrize(("level", "frames"), list(enumerate((40, 32, 24, 18, 11), start=1)))
def test_a_row_takes_as_long_as_the_level_says(rules: Rules, level: int, frames: int) -> None:
    rules.begin(1, level=level)
    for _ in range(12 + frames - 1):
        rules.frame()
    assert rules.game.y == 2
    rules.frame()
    assert rules.game.y == 3

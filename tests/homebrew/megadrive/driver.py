"""Plays the Mega Drive cartridge for the checks, in the real core: begins games, and writes fields and pairs to RAM."""

from __future__ import annotations

import random
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import pytest
from ochibot.console import MEGADRIVE, Button, Console, find_core, find_cores, load_megadrive_rom
from ochibot.data import data_path
from ochibot.puyo.rules.field import COLUMNS, NUISANCE, ROWS, Field
from ochibot.puyo.rules.pair import Pair

ROM = data_path("roms/homebrew/megadrive/nijidama.bin")
TITLE, MENU, PLAYING, PAUSED, OVER = 1, 2, 3, 4, 5
SPAWNING, CONTROL, SETTLING, CLEARING, LOST = 1, 2, 3, 4, 5
ENDLESS, VERSUS = 0, 1
DIFFICULTY_ROW, MARGIN_ROW, MUSIC_ROW = 2, 3, 4
RANDOM_STATE, COLOR_SET, POOLS = 0xFFA134, 0xFFA4E2, 0xFFAD00
FIELDS, NEXTS = (0xFF8000, 0xFF8800), (0xFF85A0, 0xFF8DA0)
GAME, SEATS = 0xFFB000, (0xFFB100, 0xFFB200)
# name: offset, number of bytes (from the README's table)
GAME_VALUES = {
    "state": (0x00, 1), "mode": (0x01, 1), "difficulty": (0x02, 1), "menu_row": (0x03, 1), "frame": (0x04, 4),
    "overruns": (0x08, 2), "loser": (0x0A, 1), "music": (0x0B, 1), "seed": (0x0C, 4), "rounds": (0x10, 2),
    "busy": (0x12, 1), "colors": (0x13, 1), "time": (0x14, 2), "target": (0x16, 2), "before": (0x18, 2),
    "margins": (0x1A, 1), "margin": (0x1B, 1), "late": (0x1C, 2), "latest": (0x1E, 2),
}  # fmt: skip
SEAT_VALUES = {
    "phase": (0x00, 1), "spawning": (0x01, 1), "spawn_delay": (0x02, 1), "grounded": (0x03, 1), "x": (0x04, 1),
    "y": (0x05, 1), "orientation": (0x06, 1), "chain": (0x07, 1), "axis": (0x08, 1), "partner": (0x09, 1),
    "drop_timer": (0x0A, 1), "lock_budget": (0x0B, 1), "spawns": (0x0C, 2), "locks": (0x0E, 2), "pending": (0x10, 2),
    "fallen": (0x12, 1), "wins": (0x13, 1), "held": (0x14, 1), "all_clear": (0x15, 1), "points": (0x16, 2),
    "score": (0x18, 4), "gained": (0x1C, 4), "sent": (0x20, 2), "offset": (0x22, 2), "dealt": (0x24, 1),
    "best_chain": (0x25, 1), "rests": (0x26, 2), "cleared": (0x28, 2), "soft": (0x2A, 2), "sent_in_all": (0x2C, 2),
    "offset_in_all": (0x2E, 2), "fallen_in_all": (0x30, 2),
}  # fmt: skip
PUYO = {1: 0x80, 2: 0xB0, 3: 0xD0, 4: 0x90, 5: 0xC0, NUISANCE: 0xE0}
"""For each of the family's codes (red, green, blue, yellow, purple, nuisance), the byte of a cell without links."""
COLOR = {1: 0, 2: 3, 3: 5, 4: 1, 5: 4}
"""The number of each colour in pairs and pools. They have two numbers for green, 2 and 3; this is the second."""
CODE = {0x0: 0, 0x8: 1, 0xA: 2, 0xB: 2, 0xD: 3, 0x9: 4, 0xC: 5, 0xE: NUISANCE}

needs_core = pytest.mark.skipif(
    not find_cores("genesis_plus_gx"), reason="no genesis_plus_gx core here (it comes with stable-retro)"
)


class Cartridge:
    """The running game."""

    def __init__(self, console: Console) -> None:
        self.console = console

    def read(self, address: int, size: int = 1) -> int:
        value = 0
        for at in range(address, address + size):
            value = value << 8 | self.console.ram[at]
        return value

    def write(self, address: int, size: int, value: int) -> None:
        for at in range(size):
            self.console.ram[address + at] = value >> 8 * (size - 1 - at) & 0xFF

    def game(self, name: str) -> int:
        offset, size = GAME_VALUES[name]
        return self.read(GAME + offset, size)

    def seat(self, seat: int, name: str) -> int:
        offset, size = SEAT_VALUES[name]
        return self.read(SEATS[seat] + offset, size)

    def set_game(self, name: str, value: int) -> None:
        offset, size = GAME_VALUES[name]
        self.write(GAME + offset, size, value)

    def set_seat(self, seat: int, **values: int) -> None:
        for name, value in values.items():
            offset, size = SEAT_VALUES[name]
            self.write(SEATS[seat] + offset, size, value)

    def bytes_at(self, address: int, size: int) -> bytes:
        return bytes(self.console.ram[address + i] for i in range(size))

    def step(self, *pads: int) -> None:
        """Runs one frame. During play and after a round, asserts that the frame's logic has ended in time."""
        self.console.step(*pads)
        assert self.game("state") not in (PLAYING, OVER) or self.game("busy") == 0

    def tap(self, *pads: int) -> None:
        for frame in range(4):
            self.step(*(pads if frame < 2 else ()))

    def to_menu(self, mode: int = ENDLESS, difficulty: int = 3) -> None:
        """Goes from power-on or the title to the menu, sets the difficulty, and puts the cursor on the mode."""
        for _ in range(200):
            if self.game("state") == TITLE:
                break
            self.step()
        for _ in range(50):
            if self.game("state") == MENU:
                break
            self.tap(Button.START)
        while self.game("menu_row") != DIFFICULTY_ROW:
            self.tap(Button.DOWN)
        while self.game("difficulty") != difficulty:
            self.tap(Button.RIGHT)
        while self.game("menu_row") != mode:
            self.tap(Button.UP)

    def begin(self, state: int) -> None:
        """Goes from the menu to the first frame of a round whose pairs are made from the random state ``state``."""
        rounds = self.game("rounds")
        self.write(RANDOM_STATE, 4, state)
        while self.game("rounds") == rounds:
            self.console.step(Button.START)
        while self.game("state") != PLAYING:
            self.console.step()

    def pools(self) -> tuple[bytes, bytes, bytes]:
        first, second, third = (self.bytes_at(POOLS + 256 * n, 256) for n in range(3))
        return first, second, third

    def cells(self, seat: int) -> list[int]:
        """The cells' bytes. Asserts that RAM holds each of them twice."""
        data = self.bytes_at(FIELDS[seat], 2 * ROWS * COLUMNS)
        assert data[::2] == data[1::2]
        return list(data[::2])

    def field(self, seat: int) -> Field:
        return Field.from_codes(bytes(CODE[cell >> 4] for cell in self.cells(seat)))

    def put_field(self, seat: int, field: Field) -> None:
        for at, code in enumerate(np.asarray(field.cells).reshape(-1).tolist()):
            self.write(FIELDS[seat] + 2 * at, 2, 0x101 * PUYO[code] if code else 0)

    def put_pair(self, seat: int, pair: Pair, x: int, y: int, orientation: int) -> None:
        """Writes the colours and the position of the falling pair."""
        self.set_seat(seat, axis=COLOR[pair.axis], partner=COLOR[pair.partner], x=x, y=y, orientation=orientation)

    def lock_now(self, seat: int) -> None:
        """Makes a pair that stands on something lock on the second frame from now."""
        self.set_seat(seat, spawn_delay=1, lock_budget=1)

    def hold(self, seat: int) -> None:
        """Keeps a pair that has just spawned from coming under control."""
        if self.seat(seat, "phase") == SPAWNING:
            self.set_seat(seat, spawn_delay=200)


@contextmanager
def cartridge(rom: Path = ROM, core: str = "genesis_plus_gx") -> Iterator[Cartridge]:
    """The game at power-on."""
    with Console.open(find_core("megadrive", core), load_megadrive_rom(rom), options=MEGADRIVE.options) as console:
        console.keep_video(False)
        yield Cartridge(console)


def random_field(dice: random.Random) -> Field:
    """A random settled field with a free spawn cell. Its colours and heights vary; few colours make large groups."""
    colors = dice.choice(((1, 2, 3), (1, 2, 3, 4), (1, 2, 3, 4, 5), (2, 2, 4, NUISANCE), (1, 5)))
    low, high = dice.choice(((0, 3), (0, 1), (2, 9), (8, 13)))
    rows = [[0] * COLUMNS for _ in range(ROWS)]
    for x in range(COLUMNS):
        for y in range(dice.randint(low, min(high, 10) if x == 2 else high)):
            rows[ROWS - 1 - y][x] = dice.choice(colors) if dice.random() < 0.9 else dice.choice((1, 3, NUISANCE))
    return Field(bytes(code for row in rows for code in row))


def presses(dice: random.Random) -> Iterator[int]:
    """Yields a pad's buttons, frame by frame, as an impatient player would press them."""
    buttons = (
        Button.LEFT, Button.RIGHT, Button.DOWN, Button.DOWN, Button.A, Button.B, Button.Y, Button.UP,
        Button.DOWN | Button.LEFT,
    )  # fmt: skip
    while True:
        pad = dice.choice(buttons)
        for _ in range(dice.choice((1, 1, 2, 3, 15))):
            yield pad
        for _ in range(dice.choice((0, 1, 2))):
            yield 0

"""Plays the Neo Geo cartridge for the checks, in the real core: begins games, and writes fields and pairs to RAM."""

from __future__ import annotations

import random
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest
from ochibot.console import NEOGEO, Button, Console, find_core, find_cores, load_romdata
from ochibot.data import data_path
from ochibot.falling.orientation import Orientation
from ochibot.nyaa import Grid
from ochibot.nyaa.rules.pair import SPAWN, Pair
from ochibot.ram import BoundMap, load_map

from tests.ram.writing import write_grid

ROM = data_path("roms/homebrew/neogeo/togetama.zip")
TITLE, MENU, PLAYING, PAUSED, OVER = 1, 2, 3, 4, 5
SPAWNING, CONTROL, WAVE, LOST = 1, 2, 4, 5
SOLO, VERSUS = 0, 1
LEVEL_ROW, MUSIC_ROW = 2, 3
SYMBOLS = {
    "empty": 0, "red": 1, "green": 2, "blue": 3, "yellow": 4, "nuisance": 5,
    "red_needle": 6, "green_needle": 7, "blue_needle": 8, "yellow_needle": 9, "wall": 10,
}  # fmt: skip
"""The codes of ``ochibot.nyaa.Grid``, and one for the wall, which no field can hold."""

needs_fbneo = pytest.mark.skipif(not find_cores("fbneo"), reason="no fbneo core here (it comes with stable-retro)")

Cells = npt.NDArray[np.uint8]


class Cartridge:
    """The running game. ``seats``: the mode's seats, read through their maps. ``state``: reads what both seats share.
    ``begun_at``: the frame counter after the START that began the last game."""

    def __init__(self, console: Console, mode: int) -> None:
        self.console = console
        self.mode = mode
        names = ("player12", "player2") if mode == VERSUS else ("player1",)
        maps = [load_map(data_path(f"ram_maps/nyaa_homebrew/{name}.yaml"), SYMBOLS) for name in names]
        self.seats = [BoundMap(ram_map, console.ram, SYMBOLS) for ram_map in maps]
        self.state = self.seats[0]
        self.begun_at = 0

    def step(self, *pads: int) -> None:
        """Runs one frame. From the title on, asserts that the frame's logic has ended in time."""
        self.console.step(*pads)
        assert self.state.value("state") < TITLE or self.state.value("busy") == 0

    def tap(self, *pads: int) -> None:
        for frame in range(4):
            self.step(*(pads if frame < 2 else ()))

    def start(self, level: int = 1, wait: int = 0) -> None:
        """Goes from power-on, a menu or a game's end to the first frame of play. ``wait``: frames before START."""
        value = self.state.value
        for _ in range(400):
            if value("state") in (TITLE, MENU):
                break
            self.step()
        for _ in range(wait):
            self.step()
        while value("state") != MENU:
            self.tap(Button.START)
        if self.mode == SOLO:
            while value("menu_row") != LEVEL_ROW:
                self.tap(Button.DOWN)
            while value("level") != level:
                self.tap(Button.RIGHT)
        while value("menu_row") != self.mode:
            self.tap(Button.DOWN)
        rounds = value("rounds")
        while value("rounds") == rounds:
            self.step(Button.START)
            self.begun_at = value("frame")
            self.step()
        while value("state") != PLAYING:
            self.step()

    def next_round(self) -> None:
        """After a lost round, presses START until the first frame of the next round."""
        while self.state.value("state") != PLAYING or any(seat.value("phase") == LOST for seat in self.seats):
            self.step(Button.START)
            self.step()

    def grid(self, seat: int) -> Grid:
        """The field as RAM has it; raises FieldError when a cell holds something that no field can."""
        return Grid(self.seats[seat].grid("field").tobytes())

    def pair(self, seat: int, which: str = "") -> Pair:
        read = self.seats[seat].value
        return Pair(read(f"{which}axis"), read(f"{which}partner"))

    def put_grid(self, seat: int, grid: Grid) -> None:
        write_grid(self.seats[seat], "field", np.frombuffer(grid.codes, np.uint8).reshape(12, 7))

    def put_pair(self, seat: int, pair: Pair, x: int, y: int, orientation: int, needle: bool) -> None:
        """Writes the colours and the position of the falling pair, and whether it is needles."""
        ram, at = self.console.ram, self.seats[seat].map.entries
        for name, value in (
            ("axis", pair.axis), ("partner", pair.partner), ("x", x), ("y", y),
            ("orientation", orientation), ("needle", int(needle)),
        ):  # fmt: skip
            ram[at[name].byte_addresses()[0]] = value

    def hold(self, seat: int) -> None:
        """Keeps a pair that has just spawned from coming under control."""
        if self.seats[seat].value("phase") == SPAWNING:
            self.seats[seat].write("spawn_delay", 200)

    def lock_now(self, seat: int) -> None:
        """Makes a pair that stands on something lock in two frames."""
        self.seats[seat].write("spawn_delay", 1)
        self.seats[seat].write("lock_budget", 1)


@contextmanager
def cartridge(mode: int, rom: Path = ROM) -> Iterator[Cartridge]:
    """The game at power-on."""
    with Console.open(find_core("neogeo"), load_romdata(rom), options=NEOGEO.options) as console:
        console.keep_video(False)
        yield Cartridge(console, mode)


def random_grid(dice: random.Random) -> Grid:
    """A random settled field with a free top centre. Its colours and heights vary; few colours make large ignitions."""
    colors = dice.choice(((1,), (1, 2), (1, 2, 3, 4), (3, 4, 4, 4), (2, 2, 2, 5)))
    low, high = dice.choice(((0, 3), (2, 9), (7, 11)))
    cells = np.zeros((12, 7), np.uint8)
    for column in range(7):
        height = dice.randint(low, min(high, 10) if column == SPAWN.x - 1 else high)
        for row in range(height):
            cells[11 - row, column] = dice.choice(colors) if dice.random() < 0.9 else dice.randint(1, 5)
    return Grid(cells.tobytes())


def random_lock(dice: random.Random, grid: Grid) -> tuple[Pair, int, int, Orientation, bool]:
    """A random pair that stands on something: colours, x and y of the axis, orientation, whether it is needles."""
    heights = [sum(code != 0 for code in grid.codes[column::7]) for column in range(7)]
    while True:
        orientation = Orientation(dice.randrange(4))
        x = dice.randint(1, 7)
        across = {1: -1, 3: 1}.get(int(orientation), 0)
        if not 1 <= x + across <= 7:
            continue
        y = 12 - max(heights[x - 1], heights[x + across - 1]) - (orientation == Orientation.DOWN)
        if y >= (1 if orientation == Orientation.UP else 0):
            colors = [code for code in grid.codes if 0 < code < 5] or [1]
            pair = Pair(dice.choice(colors), dice.choice([*colors, 1, 2, 3, 4]))
            return pair, x, y, orientation, dice.random() < 0.85


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

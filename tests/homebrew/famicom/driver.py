"""Plays the cartridge for the checks: from power-on into a game, then with random presses and fields that pop.

Works on anything with ``ram`` and ``step``: the simulated machine and the real cores.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from typing import Protocol

from ochibot.console import Button

SPAWN_FLAG, MODE, LEVEL, FIELD, SPAWN_DELAY = 0x4A, 0x6F, 0x70, 0x300, 0x615
STATE, COLORS, FRAME, MENU_ROW, OVERRUN, OVERFLOW = 0x700, 0x701, 0x702, 0x709, 0x70A, 0x70C
ITEMS, INTERVAL, MUSIC, LIMIT = 0x70E, 0x70F, 0x714, 0x71B
TITLE, MENU, PLAYING, PAUSED, OVER = 1, 2, 3, 4, 5
OPTION_ROWS = {LEVEL: 2, COLORS: 3, ITEMS: 4, LIMIT: 5, MUSIC: 6}

Bytes = Mapping[int, int]


class Memory(Protocol):
    def __getitem__(self, address: int) -> int: ...

    def __setitem__(self, address: int, value: int) -> None: ...


class Steps(Protocol):
    @property
    def ram(self) -> Memory: ...

    def step(self, *pads: int) -> None: ...


def frame_count(ram: Memory) -> int:
    """The game's own frame counter."""
    return ram[FRAME] | ram[FRAME + 1] << 8 | ram[FRAME + 2] << 16


def tap(machine: Steps, button: Button) -> None:
    for frame in range(6):
        machine.step(button if frame < 2 else 0)


def start(machine: Steps, options: Bytes, two_players: bool = False) -> None:
    """Goes from power-on, the title or the end of a game into play, with these option bytes."""
    ram = machine.ram
    while ram[STATE] not in (TITLE, MENU):
        machine.step(0)
    while ram[STATE] != MENU:
        tap(machine, Button.START)
    for address, value in options.items():
        while ram[address] != value:
            tap(machine, Button.RIGHT if ram[MENU_ROW] == OPTION_ROWS[address] else Button.DOWN)
    while ram[MENU_ROW] != int(two_players):
        tap(machine, Button.DOWN)
    while ram[STATE] != PLAYING:
        machine.step(Button.START)
        machine.step(0)


def presses(dice: random.Random) -> Iterator[int]:
    """Yields a pad's buttons, frame by frame, as an impatient player would press them."""
    choice = (Button.LEFT, Button.RIGHT, Button.DOWN, Button.DOWN, Button.A, Button.B, Button.DOWN | Button.LEFT)
    while True:
        pad = dice.choice(choice)
        for _ in range(dice.choice((1, 1, 2, 3, 15))):
            yield pad
        for _ in range(dice.choice((0, 1, 2))):
            yield 0


def fill(ram: Memory, dice: random.Random, seat: int = 0) -> None:
    """Writes a high field with large groups into a seat, in one of five patterns."""
    manner = dice.randrange(5)
    for column in range(1, 7):
        height = dice.choice((13, 12, 11, 9)) if column != 3 else 10
        for row in range(14):
            cell = (
                dice.randint(1, 2),
                dice.randint(1, 7),
                1,
                (row // 2 + column // 2) % 3 + 1,
                1 if row % 4 else 7,
            )[manner]
            at = FIELD + 0x100 * seat + 16 * row + 2 * column
            ram[at + 1] = cell if 13 - row < height else 0


class Stress:
    """Plays game after game, and writes high fields into RAM at random spawns."""

    def __init__(self, machine: Steps, seed: int, options: Bytes, two_players: bool = False) -> None:
        self.machine, self.options, self.two_players = machine, options, two_players
        self.dice = random.Random(seed)
        self.pads = [presses(self.dice), presses(self.dice)]
        self.games = 0
        self._begin()

    def _begin(self) -> None:
        start(self.machine, self.options, self.two_players)
        self.machine.ram[INTERVAL] = 3
        self.games += 1

    def frame(self) -> None:
        ram, dice = self.machine.ram, self.dice
        seats = range(2 if self.two_players else 1)
        for seat in seats:
            if ram[SPAWN_DELAY + seat] == 6 and dice.random() < 0.6:
                fill(ram, dice, seat)
        pads = [next(self.pads[seat]) for seat in seats]
        if dice.random() < 0.002 or (ram[STATE] == PAUSED and dice.random() < 0.1):
            pads[0] = Button.START
        self.machine.step(*pads)
        if ram[STATE] in (TITLE, MENU):
            self._begin()
        elif ram[STATE] == OVER and self.two_players and dice.random() < 0.01:
            tap(self.machine, Button.START)

"""Bits of cells that mean nothing, and how the other half of a piece is found, on naive machines."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any, cast

import numpy as np
import pytest
from ochibot.console import Button
from ochibot.errors import CalibrationError
from ochibot.experiments import stance
from ochibot.experiments.stance import CLOCKWISE, OPPOSITE, idle_bits, standing, upright_state

from tests.experiments.board import turning_at

SPAWN, TOP, EMPTY = 2, 10, 0


@dataclass
class Machine:
    """A piece of two cells that falls a row every ``every`` frames, faster with DOWN if ``soft``. clock: which bits of
    the frame on which it lands are in its cells' bits ``where``. drawn: what is added to its cells as it flies. pixels:
    how many of y a row has.
    """

    soft: bool = True
    every: int = 16
    clock: int = 0
    where: int = 0
    drawn: int = 0
    pixels: int = 1
    codes: tuple[int, int] = (1, 2)
    frames: int = 0
    deeper: int = 0
    failing: bool = False
    tried: list[tuple[int, int, int]] = field(default_factory=list)

    def ground(self) -> Any:
        rig = SimpleNamespace(load=self.load, run=self.run, save=lambda: None, peek=lambda _: 100, poke=self.poke)
        return SimpleNamespace(
            rig=rig, state=b"", spawn_column=SPAWN, cell_y=-self.pixels, drop=self.drop,
            driver=SimpleNamespace(y=SimpleNamespace(offset=7)), cells=lambda ram: dict(ram),
            place=SimpleNamespace(codes=((5, 9), (6, 9), (1, 3))), grid=SimpleNamespace(empty=EMPTY),
        )  # fmt: skip

    def load(self, _: bytes) -> None:
        self.frames = self.deeper = 0

    def run(self, pads: list[int]) -> None:
        self.frames += len(pads)

    def poke(self, pokes: Mapping[int, int]) -> None:
        self.deeper = pokes[7] - 100

    def drop(self, _: object, under: Mapping[tuple[int, int], int]) -> Any:
        height = len(under)
        assert all(column == SPAWN for column, _ in under)
        assert set(under.values()) <= {5, 6}, "cells of codes that landings left"
        self.tried.append((self.frames, height, self.deeper))
        if self.failing and self.frames:
            raise CalibrationError("no next piece comes")
        rows = TOP - height - self.deeper / self.pixels
        # without a soft drop the piece sinks all the time, so that it lands when it lands
        lands = self.frames + 20 + 2 * height if self.soft else int(self.every * rows)
        bits = (lands >> self.clock & 0x1F) * self.where & (0xF0 if self.where else 0)
        rest = {(SPAWN, height + at): code | bits for at, code in enumerate(self.codes)}
        flying = {(SPAWN, TOP + at): code | bits | self.drawn for at, code in enumerate(self.codes)}
        return SimpleNamespace(frames=lands - self.frames, ram={**under, **rest}, flying={**under, **flying})


@pytest.mark.parametrize("clock", [0, 1, 2])
def test_bits_that_go_with_time_mean_nothing(clock: int) -> None:
    machine = Machine(clock=clock, where=0x10)
    # the waits are up to 71 frames
    assert idle_bits(machine.ground()) == 0xF0
    assert {height for _, height, _ in machine.tried} == {0}


def test_in_games_without_a_soft_drop_pieces_land_at_other_times_on_other_heights() -> None:
    machine = Machine(soft=False, clock=4, where=0x10)
    assert idle_bits(machine.ground()) & 0x30 == 0x30
    assert [height for wait, height, _ in machine.tried if height] == [1, 2, 3, 5]
    assert all(not deeper for *_, deeper in machine.tried)
    assert idle_bits(Machine(soft=False).ground()) == 0


def test_where_y_is_in_pixels_pieces_land_some_pixels_sooner() -> None:
    machine = Machine(soft=False, every=16, clock=0, where=0x10, pixels=8)
    assert idle_bits(machine.ground()) != 0
    assert [deeper for *_, deeper in machine.tried if deeper] == [1, 2, 3]
    plain = Machine(soft=False, every=16, clock=0, where=0x10, pixels=1)
    # a multiple of 16 frames always shows the same bits
    assert idle_bits(plain.ground()) == 0


def test_bits_of_a_piece_that_flies_alone_mean_nothing() -> None:
    assert idle_bits(Machine(drawn=0x80).ground()) == 0x80
    assert idle_bits(Machine().ground()) == 0


def test_bits_without_which_a_cell_would_be_empty_mean_something() -> None:
    # the game adds them to the colour 0
    assert idle_bits(Machine(clock=0, where=0x10, codes=(0, 1)).ground()) == 0


def test_pieces_that_can_not_be_dropped_are_left_out() -> None:
    machine = Machine(clock=0, where=0x10, failing=True)
    assert idle_bits(machine.ground()) == 0
    assert [frames for frames, height, _ in machine.tried if not height] == list(stance.WAITS)


@pytest.mark.parametrize("first", [(), (int(Button.A),), (int(Button.B), int(Button.B))])
def test_a_piece_is_stood_upright(first: tuple[int, ...]) -> None:
    pads: list[int] = []
    rig = SimpleNamespace(load=lambda _: pads.clear(), run=pads.extend, save=lambda: bytes(len(pads)))
    driver = SimpleNamespace(first=first, tap=SimpleNamespace(pads=lambda button: [button, 0]))
    ground: Any = SimpleNamespace(rig=rig, driver=driver)
    found = upright_state(ground, b"state")
    assert found == (bytes(2 * len(first)) if first else b"state")
    assert [pad for pad in pads if pad] == list(first)


@pytest.mark.parametrize("denotes", ["axis", "partner"])
@pytest.mark.parametrize("word", CLOCKWISE)
def test_how_a_piece_stands_is_read_from_both_halves(word: str, denotes: str) -> None:
    across, up = stance.STEPS[word]
    x, y, px, py = 0, 1, 5, 6
    ram = np.zeros(8, np.uint8)
    # 16 pixels a column, and y counts from the top; some pixels of a turn aren't finished
    ram[[x, y, px, py]] = [48, 100, 48 + 16 * across & 255, 100 - 8 * up & 255]
    driver = SimpleNamespace(x=SimpleNamespace(offset=x, step=16), y=SimpleNamespace(offset=y))
    ground: Any = SimpleNamespace(driver=driver, cell_y=-8)
    how: Any = SimpleNamespace(turning=turning_at(None), partner=(px, py), denotes=denotes, symbols={})
    assert standing(ground, how, ram) == (word if denotes == "axis" else OPPOSITE[word])
    far = ram.copy()
    far[px] += 48
    assert standing(ground, how, far) is None
    how.partner = None
    assert standing(ground, how, ram) is None
    how.turning, how.symbols = turning_at(3), {0: "left"}
    assert standing(ground, how, ram) == "left"


# -- the other half's place


@dataclass
class Halves:
    """A piece whose halves have places of their own: x, y at 0 and 1, the other half's at 2 and 3. strict: the game
    refuses halves that lie apart. renewed: bytes that the game writes anew on every frame. copies: of the other x.
    """

    up: int
    strict: bool = False
    renewed: tuple[int, ...] = ()
    ram: list[int] = field(default_factory=lambda: [40, 100, 40, 0, 0, 0])

    def __post_init__(self) -> None:
        self.ram[3] = 100 - 8 * self.up
        self.ram[4] = self.ram[2]
        self.ram[5] = self.ram[3]
        self.begun = list(self.ram)

    def load(self, state: Any) -> None:
        self.ram = list(state)

    def after(self, state: Any, pads: list[int], pokes: Mapping[int, int] | None = None) -> Any:
        self.load(state)
        for place, value in (pokes or {}).items():
            self.ram[place] = value & 255
        self.run(pads)
        return np.array(self.ram, np.uint8)

    def run(self, pads: list[int]) -> None:
        for _ in pads:
            # copies for the picture
            self.ram[4], self.ram[5] = self.ram[2], self.ram[3]
            for place in self.renewed:
                self.ram[place] = self.begun[place]

    def peek(self, place: int) -> int:
        return self.ram[place]

    def save(self) -> Any:
        return list(self.ram)

    def drop(self, state: Any, pokes: Mapping[int, int] | None = None) -> Any:
        now = self.after(state, [0], pokes)
        x, y, px, py = (int(value) for value in now[:4])
        if self.strict and abs(x - px) + abs(y - py) != 8:
            raise CalibrationError("the piece doesn't come down")
        columns = {x // 8, px // 8}
        cells = {(column, 0): 1 for column in columns}
        if len(columns) == 1:
            cells[x // 8, 1] = 2
        return SimpleNamespace(ram=cells)

    def ground(self) -> Any:
        driver = SimpleNamespace(x=SimpleNamespace(offset=0, step=8), y=SimpleNamespace(offset=1), first=(5,))
        return SimpleNamespace(rig=self, driver=driver, cell_y=-8, drop=self.drop, cells=lambda ram: dict(ram))


@pytest.mark.parametrize("up", [1, -1])
@pytest.mark.parametrize("strict", [False, True])
def test_the_other_half_s_place_is_the_one_that_moves_it(up: int, strict: bool) -> None:
    game = Halves(up, strict)
    ground = game.ground()
    state = cast("bytes", list(game.ram))
    assert stance._obeyed(ground, state, [4, 2], [5, 3], up) == (2, 3)
    assert ground.driver.first == (5,)
    # copies alone move nothing
    assert stance._obeyed(ground, state, [4, 5], [5, 3], up) is None


def test_where_both_halves_are_written_anew_only_one_pair_of_bytes_may_be_left() -> None:
    game = Halves(1, renewed=(2, 3))
    state = cast("bytes", list(game.ram))
    assert stance._obeyed(game.ground(), state, [2], [3], 1) == (2, 3)
    assert stance._obeyed(game.ground(), state, [2, 4], [3], 1) is None
    assert stance._obeyed(game.ground(), state, [2], [3, 5], 1) is None

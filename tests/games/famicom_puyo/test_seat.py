"""Tests of the game adapter, with the cartridge running in real cores."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from ochibot.console import NES, Button, Console, Ram, check_console, find_core, find_cores, load_nes_rom
from ochibot.data import data_path
from ochibot.errors import MapError
from ochibot.games.check import check_game
from ochibot.play.seat import SeatPlayer
from ochibot.play.speed import speed_of
from ochibot.puyo.search import TwoPly, load_player

from tests import titles as game
from tests.puyo import FAMICOM, SPAWN
from tests.titles import PUYO as GAME


@pytest.fixture(params=["fceumm", "nestopia"])
def core(request: pytest.FixtureRequest) -> Path:
    if not find_cores(request.param):
        pytest.skip(f"no {request.param} core here (apt package libretro-nestopia; see docs/install.md)")
    return find_core("nes", request.param)


def power_on(core: Path) -> Console:
    return Console.open(core, load_nes_rom(data_path(game.HOMEBREW_ROM)))


@pytest.fixture
def console() -> Iterator[Console]:
    with power_on(find_core("nes")) as opened:
        yield opened


def test_both_cores_are_fit_for_use_with_the_cartridge(core: Path) -> None:
    assert check_console(lambda: power_on(core)) == []


def test_the_cartridge_does_what_the_map_says(core: Path) -> None:
    with power_on(core) as opened:
        assert check_game(opened, GAME, game.load_seat_map("player1"), game.RULES) == []


@pytest.mark.parametrize(("level", "colors"), [(1, 4), (4, 4), (2, 6), (3, 5)])
def test_options_are_set_on_the_menu(console: Console, level: int, colors: int) -> None:
    seat = game.famicom_seat(game.load_seat_map("player1"), console.ram)
    game.reach(console, seat, "endless", {"level": level, "colors": colors})
    assert seat.spawned
    assert (seat.level(), seat.map.value("colors"), seat.map.value("mode")) == (level, colors, 0)
    assert seat.snapshot().state == SPAWN


def test_the_map_of_player_1_does_not_serve_an_unknown_option(console: Console) -> None:
    seat = game.famicom_seat(game.load_seat_map("player1"), console.ram)
    with pytest.raises(MapError, match="no entry 'handicap'"):
        game.reach(console, seat, "endless", {"handicap": 1})


class MovedToSeat2:
    """The running cartridge as if its player 1 sat in seat 2.

    Player 1's state is copied to player 2's addresses; player 1's own bytes and 004A are overwritten with EE.
    """

    PAIRS = (
        *((address, address + 1) for address in (0x605, 0x615, 0x631, 0x645, 0x64D, 0x669, 0x66D, 0x679, 0x67D)),
        *((0x6D5, 0x6D6), (0x705, 0x706), (0x707, 0x708), (0x67, 0x69), (0x68, 0x6A)),
        *((0x7A + i, 0x7D + i) for i in range(3)),
        *((0x300 + i, 0x400 + i) for i in range(0xE0)),
    )

    def __init__(self, console: Console) -> None:
        self.console = console
        self.ram = Ram(np.zeros(2048, np.uint8), NES.ram)
        self.follow()

    def follow(self) -> None:
        self.ram.raw[:] = self.console.ram.raw
        for one, two in self.PAIRS:
            self.ram[two], self.ram[one] = self.console.ram[one], 0xEE
        self.ram[0x4A] = 0xEE
        self.ram[0x6F] = 2

    def step(self, *pads: int) -> None:
        self.console.step(pads[1] if len(pads) > 1 else Button.NONE)
        self.follow()


@pytest.mark.long
def test_seat_2_plays_the_real_game_with_004a_masked(console: Console) -> None:
    first = game.famicom_seat(game.load_seat_map("player1"), console.ram)
    game.reach(console, first, "endless", {"level": 4, "colors": 5})
    moved = MovedToSeat2(console)
    player = TwoPly(load_player(data_path("configs/players/article.yaml")), FAMICOM)
    hands = SeatPlayer(game.famicom_seat(game.load_seat_map("player2"), moved.ram), player, speed_of(10))
    hands.spawn()
    pad = Button.NONE
    while hands.tally.pieces < 60:
        moved.step(Button.NONE, pad)
        pad = hands.frame()
        assert console.ram[0x700] == 3, "the game must go on"
    assert hands.tally.agreement == 1.0
    assert hands.tally.compared == 60


def test_documented_rows_are_live(console: Console) -> None:
    """In play, the bytes of the public RAM table change as the table describes them."""
    ram = console.ram
    seat = game.famicom_seat(game.load_seat_map("player1"), ram)
    game.reach(console, seat, "endless", {"level": 4, "colors": 4})
    assert (ram[0x4A], ram[0x605], ram[0x66D], ram[0x669], ram[0x6D5]) == (1, 1, 1, 3, 2)
    delay = ram[0x615]
    console.step()
    assert ram[0x615] == delay - 1
    while ram[0x4A]:
        console.step()
    assert ram[0x605] == 0
    for row in range(14):
        walls = [ram[0x300 + 16 * row + at] for at in (0, 1, 14, 15)]
        assert walls == [0, 8, 0, 8], f"row {row}"
    sprite = ram[0x645]
    console.step(Button.RIGHT)
    console.step()
    assert ram[0x669] == 4
    console.step()
    assert ram[0x645] != sprite
    console.step(Button.A)
    console.step()
    assert ram[0x6D5] == 3
    console.step(Button.B)
    console.step()
    assert ram[0x6D5] == 2
    timers, rows, heights = set(), set(), set()
    for _ in range(60):
        console.step(Button.DOWN)
        timers.add(ram[0x631])
        rows.add(ram[0x66D])
        heights.add(ram[0x64D])
        if ram[0x4A]:
            break
    assert len(timers) > 2
    assert rows >= set(range(2, 14))
    assert len(heights) > 12
    player = TwoPly(load_player(data_path("configs/players/article.yaml")), FAMICOM)
    hands = SeatPlayer(seat, player, speed_of(10))
    seat.resync()
    pad = Button.NONE
    while hands.tally.pieces < 40:
        console.step(pad)
        pad = hands.frame()
    for _ in range(8):
        console.step()
    blocks = ram[0x695] + 256 * ram[0x699]
    score = int.from_bytes(bytes(ram[0x7A + i] for i in range(3)), "little")
    on_field = seat.field().count()
    # the pair dropped above, the one that was falling when ``hands`` began, and the forty that ``hands`` placed
    assert blocks + on_field == 2 * 42
    assert score >= blocks >= 4
    digits = [ram[0x87 + i] for i in range(9)]
    assert all(digit <= 9 for digit in digits)

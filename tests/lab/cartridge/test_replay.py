"""Compares the simulated match with the cartridge in the core: whole rounds, and both seats losing in one frame."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from ochibot.console import Button, Console, find_core
from ochibot.errors import UsageError
from ochibot.play.battle import Contestant
from ochibot.puyo import Field, Orientation, Placement
from ochibot.puyo.sim.match import Deal, Match
from ochibot.puyo.sim.timed import TimedMatch

from tests.homebrew.famicom import driver
from tests.lab.cartridge import record as cartridge
from tests.lab.cartridge.replay import compare, prove
from tests.lab.cartridge.report import Report
from tests.lab.cartridge.settings import Setting
from tests.puyo import FAMICOM
from tests.titles import PUYO as GAME


@pytest.fixture(scope="module")
def console() -> Iterator[Console]:
    with Console.open(find_core(GAME.system), GAME.open_rom(None)) as machine:
        machine.keep_video(False)
        yield machine


ROUNDS = (
    Setting(11, {"level": 4, "colors": 5, "limit": 6, "items": 0}, (2, 1), (2, 1), (10, 8)),
    Setting(13, {"level": 4, "colors": 5, "limit": 6, "items": 3}, (2, 1), (2, 1), (10, 10)),
    Setting(14, {"level": 4, "colors": 4, "limit": 0, "items": 0}, (2, 1), (2, 2), (10, 7)),
    # slow hands at the highest level: both players choose only among the placements that they can reach in time
    Setting(17, {"level": 4, "colors": 4, "limit": 6, "items": 0}, (2, 1), (1, 2), (5, 2)),
)


@pytest.mark.long
@pytest.mark.parametrize("setting", ROUNDS)
def test_a_round_is_the_same_in_the_match(console: Console, setting: Setting) -> None:
    first, second = setting.players()
    sides = Contestant("1", first, setting.speeds[0]), Contestant("2", second, setting.speeds[1])
    played = cartridge.record_round(console, sides, seed=setting.seed, options=setting.options, max_pieces=100)
    report = Report()
    compare(played, setting, report, 100)
    assert report.holds, report.as_dict()
    assert played.loser is not None
    assert report.locks == report.free_locks.compared > 50
    assert report.nuisance_sent > 10
    assert min(report.waited) >= 0


CROWDED = Field.parse("..o...\n..o...\n" + "oooooo\n" * 10)
LEDGE = Field.parse("..o...\n" * 12)


def end_together(console: Console, state: bytes, shift: int, hurry: int) -> tuple[int, TimedMatch]:
    """Lets 6 nuisance puyos fall on seat 1's crowded field, and seat 2 lock on its spawn cell; both can lose by it.

    Returns (the cartridge's loser, the simulated match). ``shift`` is added to the frame counter; ``hurry`` is the
    frame under control from which seat 2 holds Down.
    """
    console.load(state)
    ram = console.ram
    ram[cartridge.FRAME] = (ram[cartridge.FRAME] + shift) & 0xFF
    done = cartridge.SPAWN_FRAMES - ram[cartridge.DELAY]
    counter = cartridge.read_counter(ram) - done
    for address, field in zip(cartridge.FIELDS, (CROWDED, LEDGE), strict=True):
        for y, row in enumerate(field.cells.tolist()):
            for x, code in enumerate(row):
                ram[address + 16 * y + 2 * x] = code
    ram[cartridge.WAITING] = 6
    locked = [0, 0]
    for frame in range(done + 1, 120):
        control = frame - cartridge.SPAWN_FRAMES
        down = Button.DOWN if control > 1 else Button.NONE
        pads = Button.LEFT if control == 1 else down, Button.DOWN if control >= hurry else Button.NONE
        console.step(*pads)
        for seat in range(2):
            if ram[cartridge.PHASE + seat] >= cartridge.SETTLING and not locked[seat]:
                locked[seat] = control
        if ram[cartridge.LOSER]:
            break
    match = Match(Deal(1), FAMICOM)
    match.seats[0].field, match.seats[1].field = CROWDED, LEDGE
    match.seats[0].tray = match.seats[0].tray.receive(6)
    timed = TimedMatch(match, counter=counter)
    places = Placement(2, 3, Orientation.UP), Placement(3, 1, Orientation.UP)
    while (seat_waiting := timed.waiting()) is not None:
        timed.lock(seat_waiting, places[seat_waiting - 1], locked[seat_waiting - 1])
    assert frame - 1 == timed.frame
    return ram[cartridge.LOSER], timed


def test_when_both_end_on_one_frame_the_same_one_loses(console: Console) -> None:
    console.reset()
    driver.start(console, {}, two_players=True)
    state = console.save()
    ties = set()
    for hurry in range(12, 28):
        for shift in (0, 1):
            loser, timed = end_together(console, state, shift, hurry)
            assert loser == timed.loser
            if all(seat.over for seat in timed.match.seats):
                ties.add(loser)
    assert ties == {1, 2}


def test_a_comparison_of_nothing() -> None:
    with pytest.raises(UsageError, match="1 or more"):
        prove(0, 1)

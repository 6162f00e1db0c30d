from __future__ import annotations

import threading
import zlib
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from ochibot.console import Button, netconsole
from ochibot.console.buttons import NES_BUTTONS
from ochibot.console.netcommands import Address, Wanted, spans_of
from ochibot.console.netconsole import GAP, LOCKED_STEPS, RetroArchConsole
from ochibot.console.netpads import NetPad
from ochibot.console.rom import Rom
from ochibot.errors import ConsoleError, UsageError

from tests.console.badnetwork import BadNetwork
from tests.console.fakeretroarch import COUNTER, PAD, FakeRetroArch

DATA = b"a cartridge"
ROM = Rom(Path("nowhere/another.nes"), "another.nes", DATA, "nes", "another.nes")
CRC = zlib.crc32(DATA)


def pad_of(console: RetroArchConsole) -> int:
    return console.ram[PAD] | console.ram[PAD + 1] << 8


def step_often(console: RetroArchConsole, times: int) -> None:
    for _ in range(times):
        console.step()


@pytest.mark.parametrize("twice", [False, True])
def test_in_lockstep_each_step_is_one_frame_with_its_pad(twice: bool) -> None:
    with FakeRetroArch(crc=CRC) as there, RetroArchConsole(ROM, there.address, lockstep=True) as console:
        there.twice = twice
        assert there.state == "PAUSED"
        for number, pad in enumerate((Button.LEFT, Button.LEFT | Button.A, Button.NONE, Button.DOWN)):
            before = console.ram[COUNTER]
            console.step(pad)
            assert (console.ram[COUNTER] - before) % 256 == 1, number
            assert pad_of(console) == pad
        console.close()
        assert not any(command.startswith("WRITE") for command in there.commands)


@pytest.mark.parametrize("known", [False, True], ids=["counter unknown", "counter known"])
def test_a_read_in_the_middle_of_a_frame_is_not_taken_for_its_end(known: bool) -> None:
    with FakeRetroArch(crc=CRC) as there, RetroArchConsole(ROM, there.address, lockstep=True) as console:
        if known:
            console.count_by(COUNTER)
        there.halfway = COUNTER
        for number, pad in enumerate((Button.LEFT, Button.NONE, Button.A, Button.DOWN)):
            before, frames = console.ram[COUNTER], there.frames
            console.step(pad)
            assert (console.ram[COUNTER] - before) % 256 == there.frames - frames == 1, number
            assert pad_of(console) == pad
        assert console.missed == 0


def test_frames_in_which_the_counter_stands_still_are_frames(monkeypatch: pytest.MonkeyPatch) -> None:
    with FakeRetroArch(crc=CRC) as there, RetroArchConsole(ROM, there.address, lockstep=True) as console:
        console.count_by(COUNTER + 1)  # nothing is there
        for number, pad in enumerate((Button.LEFT, Button.A, Button.NONE)):
            frames = there.frames
            console.step(pad)
            assert (there.frames - frames, pad_of(console)) == (1, pad), number
        # while a screen is loaded, nothing that is watched changes
        monkeypatch.setattr(there.machine, "frame", lambda _: None)
        for _ in range(10):
            console.step()


def test_closing_releases_the_buttons_and_lets_the_game_go_on() -> None:
    with FakeRetroArch(crc=CRC) as there:
        console = RetroArchConsole(ROM, there.address, lockstep=True)
        console.step(Button.RIGHT)
        console.close()
        console.close()
        # an answer to a later command shows that the earlier ones were taken
        RetroArchConsole(ROM, there.address).close()
        there.frame()
        assert (there.state, there.pad) == ("PLAYING", 0)


def test_a_game_that_was_paused_already_stays_paused() -> None:
    with FakeRetroArch(crc=CRC, state="PAUSED") as there:
        with RetroArchConsole(ROM, there.address, lockstep=True) as console:
            console.step()
        assert "PAUSE_TOGGLE" not in there.commands


def test_a_game_that_runs_on_is_followed_and_missed_frames_are_counted() -> None:
    with FakeRetroArch(crc=CRC) as there, RetroArchConsole(ROM, there.address) as console:
        assert console.find_counter()
        for _ in range(5):
            console.step(Button.UP)
        assert (console.missed, pad_of(console)) == (0, Button.UP)
        there.leaps = 3
        console.step(Button.UP)
        assert console.missed == 2


def test_lost_reads_are_asked_again() -> None:
    with FakeRetroArch(crc=CRC) as there, RetroArchConsole(ROM, there.address, lockstep=True) as console:
        console.watch((COUNTER, PAD, PAD + 1, 0x700))
        before = console.ram[COUNTER]
        # FRAMEADVANCE is the first of a step, and isn't repeated; the read behind it gets lost
        seen = there._count
        there.lost = lambda number: number - seen in (1, 2, 5)
        console.step(Button.A)
        assert (console.ram[COUNTER] - before) % 256 == 1
        assert pad_of(console) == Button.A


@pytest.mark.parametrize("seed", [0, *(pytest.param(seed, marks=pytest.mark.long) for seed in (1, 2, 3))])
def test_in_lockstep_on_a_bad_network_all_frames_are_accounted_for(seed: int) -> None:
    noted: list[int] = []
    with (
        FakeRetroArch(crc=CRC) as there,
        BadNetwork(there.address, seed=seed, lose=0.04, double=0.04, swap=0.04) as network,
        RetroArchConsole(ROM, network.address, lockstep=True) as console,
    ):
        console.count_by(COUNTER)
        console.on_missed = lambda: noted.append(1)
        began = there.frames
        step_often(console, 100)
        assert console.frames_shown == 100
        # a command that came twice or late gave frames beside the 100; each was seen
        assert there.frames - began == 100 + console.missed
        assert bool(noted) == bool(console.missed)
        assert min(network.lost, network.doubled, network.swapped) > 10


def test_a_lost_frame_command_is_sent_again_and_costs_nothing() -> None:
    with FakeRetroArch(crc=CRC) as there, RetroArchConsole(ROM, there.address, lockstep=True) as console:
        console.count_by(COUNTER)
        seen, began = there._count, there.frames
        there.lost = lambda number: number == seen
        console.step(Button.A)
        assert (there.frames - began, console.missed, pad_of(console)) == (1, 0, Button.A)


def test_frames_that_never_come_end_it() -> None:
    with FakeRetroArch(crc=CRC) as there, RetroArchConsole(ROM, there.address, lockstep=True) as console:
        console.count_by(COUNTER)
        there.deaf.add("FRAMEADVANCE")
        with pytest.raises(ConsoleError, match="takes no single frames"):
            step_often(console, LOCKED_STEPS)


def test_a_game_that_runs_on_in_lockstep_is_paused_again_or_given_up() -> None:
    noted: list[int] = []
    with FakeRetroArch(crc=CRC) as there, RetroArchConsole(ROM, there.address, lockstep=True) as console:
        console.count_by(COUNTER)
        console.on_missed = lambda: noted.append(1)
        there.state = "PLAYING"
        console.step()
        assert there.state == "PAUSED"
        assert console.missed
        assert noted
        there.deaf.add("PAUSE_TOGGLE")
        there.state = "PLAYING"
        with pytest.raises(ConsoleError, match="didn't take the command to pause"):
            console.step()


def test_a_game_that_is_let_run_on_again_and_again_is_given_up() -> None:
    def once_more() -> None:
        there.state = "PLAYING"
        console.step()

    with FakeRetroArch(crc=CRC) as there, RetroArchConsole(ROM, there.address, lockstep=True) as console:
        for _ in range(netconsole.MENDED):
            once_more()
        with pytest.raises(ConsoleError, match="leave the pause to the bot"):
            once_more()


def test_a_paused_game_is_waited_for_and_the_buttons_are_released(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(netconsole, "PAUSED_TRIES", 6)
    with FakeRetroArch(crc=CRC) as there, RetroArchConsole(ROM, there.address) as console:
        console.step(Button.LEFT)
        console.step(Button.LEFT)
        assert pad_of(console) == Button.LEFT
        there.state = "PAUSED"
        threading.Timer(0.3, lambda: setattr(there, "state", "PLAYING")).start()
        console.step(Button.LEFT)
        there.frame()
        assert there.held == [0, 0]
        there.state = "PAUSED"
        with pytest.raises(ConsoleError, match="RetroArch is paused: let the game run on there"):
            console.step()


def test_after_a_gap_the_buttons_are_released() -> None:
    with FakeRetroArch(crc=CRC) as there, RetroArchConsole(ROM, there.address) as console:
        console.count_by(COUNTER)
        console.step(Button.LEFT)
        there.leaps = GAP
        console.step(Button.LEFT)
        there.take_pads()
        assert (there.held, console.missed) == ([0, 0], GAP - 1)


def test_a_game_that_stands_still_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(netconsole, "STILL_SECONDS", 0.001)
    with FakeRetroArch(crc=CRC) as there, RetroArchConsole(ROM, there.address) as console:
        console.count_by(COUNTER)
        there.leaps = 0  # as behind RetroArch's own menu
        with pytest.raises(ConsoleError, match="stands still"):
            step_often(console, 1000)


class _Dropping:
    """Takes presses in place of a RetroArch, and loses two of three datagrams."""

    def __init__(self) -> None:
        self.pad = 0
        self.count = 0

    def press(self, port: int, number: int, state: bool) -> None:
        assert port == 1
        self.count += 1
        if self.count % 3 == 0:
            self.pad = self.pad & ~(1 << number) | state << number


def test_lost_presses_come_again() -> None:
    there: Any = _Dropping()
    pad = NetPad(there, 1, NES_BUTTONS)
    for _ in range(40):
        pad.press(Button.NONE)
    began = there.count
    for number in range(60):
        held = Button.LEFT if number % 2 else Button.A
        for _ in range(12):
            pad.press(held)
        assert there.pad == held, number
    # no more than one a frame, which RetroArch takes
    assert there.count - began <= 60 * 12


def test_a_reset_that_was_lost_is_sent_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(netconsole, "RESET_FRAMES", 5)
    with FakeRetroArch(crc=CRC) as there, RetroArchConsole(ROM, there.address) as console:
        console.count_by(COUNTER)
        step_often(console, 50)
        console.begun_again = lambda: console.ram[COUNTER] < 20
        seen = there._count
        there.lost = lambda number: number == seen
        console.reset()
        assert there.commands.count("RESET") == 1
        step_often(console, 50)
        there.deaf.add("RESET")
        with pytest.raises(ConsoleError, match="didn't reset its game"):
            console.reset()


def test_only_its_own_port_is_pressed() -> None:
    with FakeRetroArch(crc=CRC) as there:
        with RetroArchConsole(ROM, there.address, ports=(1,)) as console:
            step_often(console, 40)
            console.step(Button.A, Button.B)
        there.take_pads()
        assert there.datagrams[0] == 0
        assert there.datagrams[1] > 10


def test_answers_of_two_frames_are_no_moment() -> None:
    wanted = Wanted("READ_CORE_RAM", 0, ((3, 1), (5, 1), (7, 2)), 5)
    assert wanted.reads() == [(4, 2), (3, 1), (5, 1), (7, 2), (3, 3)]
    found = {(4, 2): b"\0\1", (5, 1): b"\1", (3, 3): b"\0\0\1"}
    assert wanted.whole(found)
    assert not wanted.whole({**found, (3, 3): b"\0\0\2"})


def test_the_second_port_is_left_alone() -> None:
    with FakeRetroArch(crc=CRC) as there, RetroArchConsole(ROM, there.address, lockstep=True) as console:
        console.step(Button.A, Button.B)
        there.frame()
        assert {port for port, _, _ in there.pads} == {0}
        assert pad_of(console) == Button.A


def test_a_memory_map_is_read_by_the_machine_s_addresses() -> None:
    with FakeRetroArch(crc=CRC) as there:
        there.memory_map = True
        with RetroArchConsole(ROM, there.address):
            assert not any(command.startswith("READ_CORE_RAM") for command in there.commands)


def test_what_it_refuses() -> None:
    with FakeRetroArch(crc=CRC) as there:
        there.state = "CONTENTLESS"
        with pytest.raises(ConsoleError, match=r"RetroArch runs no game: start another\.nes there"):
            RetroArchConsole(ROM, there.address)
        there.state, there.crc = "PLAYING", CRC ^ 1
        with pytest.raises(ConsoleError, match="RetroArch plays 'toy', another game than another"):
            RetroArchConsole(ROM, there.address)
        # without a checksum that can be compared, the name of the file decides
        there.content = "another"
        RetroArchConsole(ROM, there.address).close()
        there.shows = False
        with pytest.raises(ConsoleError, match=r"choose another core"):
            RetroArchConsole(ROM, there.address)


def test_one_without_achievements_does_not_know_a_command() -> None:
    with FakeRetroArch(crc=CRC) as there:
        there.deaf = {"READ_CORE_RAM"}
        with pytest.raises(ConsoleError, match=r"choose another core .* built with achievements"):
            RetroArchConsole(ROM, there.address)
        there.memory_map = True
        RetroArchConsole(ROM, there.address).close()
        # answers that get lost aren't taken for that
        there.deaf, there.memory_map = set(), False
        there.lost = lambda number: number % 3 == 0
        RetroArchConsole(ROM, there.address).close()


def test_one_that_ends_is_noticed() -> None:
    there = FakeRetroArch(crc=CRC)
    with there:
        console = RetroArchConsole(ROM, there.address, lockstep=True)
        console.step()
    with pytest.raises(ConsoleError, match=r"the RetroArch at 127\.0\.0\.1:\d+ answers no more"):
        console.step()
    console.close()


def test_another_game_in_the_middle_is_noticed() -> None:
    with FakeRetroArch(crc=CRC) as there, RetroArchConsole(ROM, there.address) as console:
        console.step()
        there.crc, there.content = 1, "something else"
        there.leaps = 0  # its memory stands still, as while a game is loaded
        with pytest.raises(ConsoleError, match="plays 'something else'"):
            step_often(console, 100)


def test_it_has_no_savestates_and_no_pictures() -> None:
    with FakeRetroArch(crc=CRC) as there, RetroArchConsole(ROM, there.address) as console:
        for call in (console.save, console.frame, lambda: console.load(b""), lambda: console.try_state(b"")):
            with pytest.raises(ConsoleError, match="RetroArch"):
                call()


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "is no address of a RetroArch"),
        ("localhost:x", "is no address of a RetroArch"),
        ("localhost:99999", "is no address of a RetroArch"),
        ("localhost:1:2:3", "is no address of a RetroArch"),
        ("8.8.8.8", "lies outside your network"),
        ("no.such.host.invalid", "there is no host"),
    ],
)
def test_wrong_addresses(text: str, said: str) -> None:
    with pytest.raises(UsageError, match=said):
        Address.parse(text)


def test_addresses() -> None:
    for text in ("localhost", "192.168.1.20:55356", "localhost:55355:50010"):
        assert Address.parse(text).option() == text
    assert Address.parse("8.8.8.8", anywhere=True) == Address("8.8.8.8")
    assert Address.parse("localhost") == Address("127.0.0.1", 55355, 55400)
    assert Address.parse("127.0.0.1:50000:50010") == Address("127.0.0.1", 50000, 50010)


@given(st.sets(st.integers(0, 0x1FFFF), min_size=1, max_size=300))
def test_spans_cover_all_places(places: set[int]) -> None:
    spans = spans_of(places)
    covered = [place for first, size in spans for place in range(first, first + size)]
    assert places <= set(covered)
    assert len(covered) == len(set(covered))
    assert all(size <= 4096 for _, size in spans)

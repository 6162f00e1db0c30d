from __future__ import annotations

import zlib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from ochibot.console import Button
from ochibot.console.netcommands import Address
from ochibot.console.netconsole import RetroArchConsole, spans_of
from ochibot.console.rom import Rom
from ochibot.errors import ConsoleError, UsageError

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
        there.lost = lambda number: (number - seen) % 3 == 1
        console.step(Button.A)
        assert (console.ram[COUNTER] - before) % 256 == 1
        assert pad_of(console) == Button.A


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
        with pytest.raises(ConsoleError, match="choose another core"):
            RetroArchConsole(ROM, there.address)


def test_one_that_ends_is_noticed() -> None:
    there = FakeRetroArch(crc=CRC)
    with there:
        console = RetroArchConsole(ROM, there.address, lockstep=True)
        console.step()
    with pytest.raises(ConsoleError, match="no RetroArch answers at 127"):
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
    assert Address.parse("localhost") == Address("127.0.0.1", 55355, 55400)
    assert Address.parse("127.0.0.1:50000:50010") == Address("127.0.0.1", 50000, 50010)


@given(st.sets(st.integers(0, 0x1FFFF), min_size=1, max_size=300))
def test_spans_cover_all_places(places: set[int]) -> None:
    spans = spans_of(places)
    covered = [place for first, size in spans for place in range(first, first + size)]
    assert places <= set(covered)
    assert len(covered) == len(set(covered))
    assert all(size <= 4096 for _, size in spans)

"""The bot in a RetroArch. The long test starts a real one: Debian's packages retroarch and libretro-nestopia."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import threading
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import ochibot as ochibot_of
import pytest
from ochibot.console import Button
from ochibot.console.netcommands import Address
from ochibot.console.netconsole import RetroArchConsole

from tests.commands import ochibot
from tests.console import realretroarch
from tests.console.badnetwork import BadNetwork
from tests.console.fakeretroarch import OCHIDAMA, Cartridge, FakeRetroArch
from tests.ui.web.livegames import watched


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--window",), "--window doesn't go with --retroarch"),
        (("--seed", 3), "--seed doesn't go with --retroarch"),
        (("--record", "x"), "--record doesn't go with --retroarch"),
        (("--core", "nestopia"), "RetroArch has chosen its core"),
    ],
)
def test_what_does_not_go_together(words: tuple[object, ...], said: str) -> None:
    done = ochibot("play", "--retroarch", "localhost", *words)
    assert (done.returncode, said in done.stderr) == (2, True), done.stderr


def test_lockstep_belongs_to_retroarch() -> None:
    done = ochibot("play", "--lockstep")
    assert done.returncode == 2
    assert "--lockstep belongs to --retroarch" in done.stderr


def test_without_a_retroarch_it_says_what_to_switch_on() -> None:
    done = ochibot("play", "--retroarch", "localhost:9:9")
    assert done.returncode == 2
    assert "no RetroArch answers at 127.0.0.1:9" in done.stderr
    assert "network_cmd_enable" in done.stderr


def test_another_game_is_refused() -> None:
    with FakeRetroArch(crc=1) as there:
        done = ochibot("play", "--retroarch", there.where)
    assert done.returncode == 2
    assert "RetroArch plays 'toy', another game than ochidama.nes" in done.stderr


def cartridge(**given: Any) -> FakeRetroArch:
    """A fake RetroArch that plays our cartridge in a core."""
    return FakeRetroArch(crc=zlib.crc32(OCHIDAMA.read_bytes()), machine=Cartridge(), **given)


def ran(*words: object) -> dict[str, Any]:
    """The report of a command that must go well."""
    done = ochibot(*words, "--json", "-")
    assert done.returncode == 0, done.stderr
    report: dict[str, Any] = json.loads(done.stdout)
    return report


def way_to_versus() -> list[int]:
    """What a person presses, frame by frame from power-on, to begin a game of two players."""
    presses: list[int] = []
    with ochibot_of.open("puyo") as session:

        class Noted:
            def __getattr__(self, name: str) -> Any:
                return getattr(session.console, name)

            def step(self, first: int = 0, second: int = 0) -> None:
                presses.append(int(first))
                session.console.step(first, second)

        noted: Any = Noted()
        session.machine = noted
        session.reach(session.seats("versus")[0], "versus")
    return presses


@pytest.mark.parametrize("lockstep", [True, False], ids=["lockstep", "running"])
def test_a_battle(lockstep: bool) -> None:
    how = ["--lockstep"] if lockstep else ["--keep-going"]
    with cartridge() as there:
        report = ran("battle", "--retroarch", there.where, "--games", 2, "--max-pieces", 6, "--seed", 3, *how)
        there.take_pads()
        assert there.held == [0, 0]
        assert min(there.datagrams) > 50
        assert there.commands.count("RESET") == 2
        assert not any(command.startswith("WRITE") for command in there.commands)
    assert (report["games"], report["agreement"], report["missed"]) == (2, 1, 0)
    assert report["lockstep"] is lockstep
    assert report["pieces"] >= 20
    assert 1 <= report["delay"] <= 3


def test_versus_leaves_the_person_s_pad_alone() -> None:
    way = way_to_versus()

    def person(frame: int) -> int:
        if frame < len(way):
            return way[frame]
        return Button.DOWN if frame % 7 == 0 else Button.NONE

    with cartridge() as there:
        there.person = person
        report = ran("versus", "--retroarch", there.where, "--rounds", 1, "--speed", 10, "--seed", 1, "--keep-going")
        there.take_pads()
        assert there.datagrams[0] == 0
        assert there.datagrams[1] > 20
        assert there.held == [0, 0]
    assert (report["rounds"], report["wins"], report["seat"]) == (1, [0, 1], 2)
    assert report["pieces"] >= 5
    assert (report["agreement"], report["missed"]) == (1, 0)


def _pause(there: FakeRetroArch) -> None:
    there.state = "PAUSED"


def _end(there: FakeRetroArch) -> None:
    there.state = "PAUSED"
    there.lost = lambda _: True


def _load(there: FakeRetroArch) -> None:
    there.crc, there.content = 77, "another game"


def _unload(there: FakeRetroArch) -> None:
    there.state = "CONTENTLESS"


@pytest.mark.parametrize(
    ("happens", "said"),
    [
        pytest.param(
            _pause,
            "RetroArch is paused: let the game run on there, then start this command again",
            marks=pytest.mark.long,
        ),
        (_end, "answers no more: it has ended, or is busy"),
        (_load, "RetroArch plays 'another game', another game than ochidama.nes"),
        (_unload, "RetroArch runs no game: start ochidama.nes there"),
    ],
)
@pytest.mark.parametrize(
    "at", [pytest.param(200, marks=pytest.mark.long, id="in the menus"), pytest.param(2500, id="in play")]
)
def test_what_happens_in_the_middle_is_said_in_one_line(
    happens: Callable[[FakeRetroArch], None], said: str, at: int
) -> None:
    with cartridge() as there:

        def person(frame: int) -> int:
            if frame == at:
                happens(there)
            return 0

        there.person = person
        done = ochibot("play", "--retroarch", there.where, "--keep-going")
    assert done.returncode == 2
    lines = [line for line in done.stderr.splitlines() if not line.startswith(("in the menus", "pieces "))]
    assert len(lines) == 1, done.stderr
    assert said in lines[0]


def test_frames_that_came_twice_in_lockstep_never_count_as_agreement() -> None:
    with cartridge() as there, BadNetwork(there.address, seed=4, double=0.03) as network:
        report = ran("play", "--retroarch", network.where, "--lockstep", "--pieces", 8, "--keep-going")
    assert report["missed"] > 0
    assert report["contradicted"] > 0
    assert report["agreement"] == (8 - report["contradicted"] - report["misplaced"]) / 8
    assert {miss["what"] for miss in report["misses"]} <= {"a frame that was missed in lockstep", "steering"}
    assert len(report["misses"]) == report["contradicted"] + report["misplaced"]
    assert all(miss["missed"] > 0 for miss in report["misses"])


def test_each_piece_that_was_not_as_foretold_is_listed() -> None:
    with cartridge() as there:
        there.leaps = 20  # the bot sees one frame of twenty
        report = ran("play", "--retroarch", there.where, "--pieces", 10, "--keep-going", "--restart")
    assert report["missed"] > 100
    bad = report["pieces"] - round(report["pieces"] * report["agreement"])
    assert 0 < bad <= len({miss["piece"] for miss in report["misses"]})
    assert all(miss["seat"] == 1 and 1 <= miss["piece"] <= 10 for miss in report["misses"])


@pytest.mark.parametrize("signals", [1, 2])
def test_a_signal_releases_the_buttons(signals: int) -> None:
    with cartridge() as there:
        stop = threading.Event()

        def person(frame: int) -> int:
            if frame > 2000 and there.held[0]:
                stop.set()
            return 0

        there.person = person
        words = [sys.executable, "-m", "ochibot", "play", "--retroarch", there.where, "--keep-going"]
        with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as running:
            assert stop.wait(60)
            for _ in range(signals):
                running.send_signal(signal.SIGTERM)
            running.communicate(timeout=60)
        there.take_pads()
        assert there.held == [0, 0]
        assert running.returncode in (0, 143)


@pytest.mark.long
def test_a_bad_network_costs_no_agreement_in_lockstep() -> None:
    with cartridge() as there, BadNetwork(there.address, seed=4, lose=0.01, double=0.01, swap=0.01) as network:
        words = ("play", "--retroarch", network.where, "--lockstep", "--pieces", 12, "--keep-going")
        report = ran(*words)
        assert network.lost > 20
        assert min(network.doubled, network.swapped) > 20
    # what went wrong on the way is counted, and pieces with missed frames don't count as agreeing
    assert report["pieces"] == report["compared"] == 12
    assert report["disagreements"] == 0
    assert report["contradicted"] <= report["missed"]
    assert report["agreement"] == (12 - report["contradicted"] - report["misplaced"]) / 12


@pytest.fixture
def there(tmp_path: Path) -> Iterator[realretroarch.Running]:
    """A RetroArch with the settings of our page, which plays our cartridge in Nestopia."""
    if not realretroarch.found():
        pytest.skip(realretroarch.MISSING)
    with realretroarch.started(tmp_path) as running:
        yield running


@pytest.mark.long
def test_the_bot_plays_our_cartridge_in_retroarch(there: realretroarch.Running) -> None:
    report = ran("play", "--retroarch", there.where, "--pieces", 10, "--keep-going")
    assert (report["pieces"], report["compared"], report["lockstep"]) == (10, 10, False)
    # a game that runs on by itself may leave a busy machine behind
    assert report["disagreements"] == 0
    assert report["delay"] >= 1


@pytest.mark.long
def test_the_live_page_shows_what_retroarch_plays(there: realretroarch.Running) -> None:
    found, printed = watched("play", "--retroarch", there.where, "--pieces", 5, "--keep-going", "--web", "--port", 0)
    assert "pieces 5" in printed
    (end,) = found["end"]
    assert end["why"] == "pieces"
    played = [state for state in found["state"] if state["seats"] and state["seats"][0]["phase"] != "menus"]
    assert [state["frame"] for state in played] == sorted({state["frame"] for state in played})
    assert {state["seats"][0].get("plan", {}).get("number") for state in played} >= {1, 2, 3, 4, 5}
    last = played[-1]["seats"][0]
    assert last["pieces"] == 5
    assert set(last["field"]) > {"."}


@pytest.mark.long
def test_in_lockstep_nothing_is_missed_in_retroarch(there: realretroarch.Running) -> None:
    with BadNetwork(there.address, seed=0) as network:
        report = ran("play", "--retroarch", network.where, "--pieces", 5, "--lockstep")
        assert network.pads[1] == 0
        assert not any(word.startswith("WRITE") for word in network.words)
    assert (report["pieces"], report["compared"], report["lockstep"]) == (5, 5, True)
    assert (report["agreement"], report["missed"], report["delay"], report["misses"]) == (1, 0, 1, [])
    # the game goes on from here: the bot joins it
    done = ochibot("play", "--retroarch", there.where, "--lockstep", "--pieces", 2)
    assert done.returncode == 0, done.stderr
    assert "the game is in play: the bot begins with its next piece" in done.stdout
    assert "agreement 1\n" in done.stdout


@pytest.mark.long
def test_a_bad_network_before_retroarch(there: realretroarch.Running) -> None:
    with BadNetwork(there.address, seed=2, lose=0.01, double=0.01, swap=0.01) as network:
        report = ran("play", "--retroarch", network.where, "--pieces", 5, "--lockstep", "--keep-going")
        assert min(network.lost, network.doubled, network.swapped) > 10
    assert (report["pieces"], report["disagreements"]) == (5, 0)
    assert report["agreement"] == (5 - report["contradicted"] - report["misplaced"]) / 5


@pytest.mark.long
def test_a_battle_in_retroarch(there: realretroarch.Running) -> None:
    words = ("--games", 1, "--max-pieces", 5, "--seed", 1, "--keep-going")
    report = ran("battle", "--retroarch", there.where, *words)
    assert (report["games"], report["disagreements"]) == (1, 0)
    assert report["pieces"] >= 8


@pytest.mark.long
def test_player_2_in_retroarch_leaves_player_1_alone(there: realretroarch.Running) -> None:
    """The person is the bot's own walk through the menus, by the pad of player 1, and presses nothing afterwards."""
    person = threading.Thread(target=_start_versus, args=(there.address,))
    with BadNetwork(there.address, seed=0) as network:
        person.start()
        report = ran("versus", "--retroarch", network.where, "--rounds", 1, "--speed", 10, "--keep-going")
        assert network.pads[0] == 0
        assert network.pads[1] > 20
        assert not any(word.startswith("WRITE") for word in network.words)
    person.join()
    assert (report["rounds"], report["wins"], report["disagreements"]) == (1, [0, 1], 0)
    assert report["pieces"] >= 5


def _start_versus(address: Address) -> None:
    # pieces fall fastest on level 4, so the round ends soonest
    console = lambda rom: RetroArchConsole(rom, address, ports=(0,))  # noqa: E731
    with ochibot_of.open("puyo", opener=console, options={"level": 4}) as session:
        session.reach(session.seats("versus")[0], "versus")


@pytest.mark.long
def test_a_killed_retroarch_is_said_in_one_line(there: realretroarch.Running) -> None:
    killer = threading.Timer(12, there.process.kill)
    killer.start()
    done = ochibot("play", "--retroarch", there.where, "--keep-going")
    killer.join()
    assert done.returncode == 2
    assert "answers no more" in done.stderr.splitlines()[-1]

"""The bot in a RetroArch. The long test starts a real one: Debian's packages retroarch and libretro-nestopia."""

from __future__ import annotations

import json
import re
import shutil
import signal
import socket
import subprocess
import sys
import threading
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import ochibot as ochibot_of
import pytest
from ochibot.console import Button, find_cores
from ochibot.console.netcommands import Address, Commands
from ochibot.errors import ConsoleError

from tests.commands import ROOT, ochibot
from tests.console.badnetwork import BadNetwork
from tests.console.fakeretroarch import OCHIDAMA, Cartridge, FakeRetroArch

HEADLESS = """
video_driver = "null"
audio_driver = "null"
input_driver = "null"
input_joypad_driver = "null"
menu_driver = "null"
pause_nonactive = "false"
config_save_on_exit = "false"
vrr_runloop_enable = "true"
"""
"""Without a screen, and at 60 frames a second all the same."""


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
        (_pause, "RetroArch is paused: let the game run on there, then start this command again"),
        (_end, "answers no more: it has ended, or is busy"),
        (_load, "RetroArch plays 'another game', another game than ochidama.nes"),
        (_unload, "RetroArch runs no game: start ochidama.nes there"),
    ],
)
@pytest.mark.parametrize("at", [200, 2500], ids=["in the menus", "in play"])
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


def _free_port() -> int:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as one:
        one.bind(("127.0.0.1", 0))
        return int(one.getsockname()[1])


@pytest.fixture
def there(tmp_path: Path) -> Iterator[str]:
    """The address of a RetroArch with the settings of our page, which plays our cartridge in Nestopia."""
    program, cores = shutil.which("retroarch"), find_cores("nestopia")
    if program is None or not cores:
        pytest.skip("no retroarch here with the core nestopia (apt packages retroarch, libretro-nestopia)")
    port, pad_port = _free_port(), _free_port()
    (settings,) = re.findall(r"```text\n(network_cmd.*?)```", (ROOT / "docs/retroarch.md").read_text(), re.DOTALL)
    settings = settings.replace("55355", str(port)).replace("55400", str(pad_port))
    config = tmp_path / "retroarch.cfg"
    config.write_text(settings + HEADLESS)
    words = [program, "--config", str(config), "-L", str(cores[0].path), str(OCHIDAMA)]
    log = (tmp_path / "log").open("w")
    with log, subprocess.Popen(words, stdout=log, stderr=log, cwd=tmp_path) as running:
        address = Address("127.0.0.1", port, pad_port)
        commands = Commands(address)
        for _ in range(60):
            try:
                if commands.status().state == "PLAYING":
                    break
            except ConsoleError:
                continue  # it is still starting: each try takes some seconds
        commands.close()
        yield f"localhost:{port}:{pad_port}"
        running.kill()


@pytest.mark.long
@pytest.mark.parametrize("lockstep", [True, False], ids=["lockstep", "running"])
def test_the_bot_plays_our_cartridge_in_retroarch(there: str, lockstep: bool, tmp_path: Path) -> None:
    report = tmp_path / "report.json"
    words = (
        "play",
        "--retroarch",
        there,
        "--pieces",
        15,
        "--json",
        report,
        "--lockstep" if lockstep else "--keep-going",
    )
    done = ochibot(*words)
    assert done.returncode == 0, done.stderr
    result = json.loads(report.read_text())
    assert (result["pieces"], result["compared"], result["lockstep"]) == (15, 15, lockstep)
    assert result["disagreements"] == 0
    if lockstep:
        # a game that runs on by itself may leave a busy machine behind; one that waits doesn't
        assert (result["agreement"], result["missed"]) == (1, 0)
        # the game goes on from here: the bot joins it
        done = ochibot("play", "--retroarch", there, "--lockstep", "--pieces", 3)
        assert done.returncode == 0, done.stderr
        assert "the game is in play: the bot begins with its next piece" in done.stdout
        assert "agreement 1\n" in done.stdout

"""The bot in a RetroArch. The long test starts a real one: Debian's packages retroarch and libretro-nestopia."""

from __future__ import annotations

import json
import re
import shutil
import socket
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from ochibot.console import find_cores
from ochibot.console.netcommands import Address, Commands
from ochibot.data import data_path
from ochibot.errors import ConsoleError

from tests.commands import ROOT, ochibot
from tests.console.fakeretroarch import FakeRetroArch

OCHIDAMA = data_path("roms/homebrew/famicom/ochidama.nes")
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
        where = f"localhost:{there.address.port}:{there.address.pad_port}"
        done = ochibot("play", "--retroarch", where)
    assert done.returncode == 2
    assert "RetroArch plays 'toy', another game than ochidama.nes" in done.stderr


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

"""``ochibot explore`` finds button presses that lead to each mode, with the help of a documented byte for the mode."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
import yaml
from ochibot.cli.calibrate import _modes
from ochibot.data import data_path
from ochibot.errors import UsageError

from tests.experiments.working import opened

OCHIDAMA = data_path("roms/homebrew/famicom/ochidama.nes")
MODE = 0x6F
"""The documented address of the mode: 0 is 1P Endless, 2 is 2P."""


def explored(*words: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "ochibot", "explore", str(OCHIDAMA), *words]
    return subprocess.run(command, capture_output=True, text=True, check=False)


@pytest.mark.long
def test_each_mode_is_reached_by_name(tmp_path: Path) -> None:
    told = tmp_path / "told.json"
    words = ["--mode-byte", hex(MODE), "--mode", "endless=0", "--mode", "versus=2"]
    done = explored(*words, "-o", str(tmp_path / "modes"), "--json", str(told))
    assert done.returncode == 0, done.stderr
    assert set(json.loads(told.read_text())["modes"]) == {"endless", "versus"}
    assert "versus: " in done.stdout
    for name, value in (("endless", 0), ("versus", 2)):
        route = yaml.safe_load((tmp_path / "modes" / name / "route.yaml").read_text(encoding="utf-8"))
        with opened(OCHIDAMA) as rig:
            # the rig has already run the first frame
            pads = [pad for pad, frames in route["pads"] for _ in range(frames)]
            rig.run(pads[1:])
            assert rig.peek(MODE) == value
            assert route["taps"]


@pytest.mark.parametrize(
    ("address", "modes", "why"),
    [
        ("0x6F", [], "go together"),
        (None, ["endless=0"], "go together"),
        ("x", ["endless=0"], "is an address"),
        ("0x6F", ["endless"], "NAME=VALUE"),
        ("0x6F", ["../up=1"], "NAME=VALUE"),
        ("0x6F", ["a=256"], "NAME=VALUE"),
        ("0x6F", ["a=1", "b=1"], "already"),
    ],
)
def test_a_mode_that_is_none_is_told(address: str | None, modes: list[str], why: str) -> None:
    with pytest.raises(UsageError, match=why):
        _modes(address, modes)


def test_an_address_beyond_work_ram_is_told(tmp_path: Path) -> None:
    done = explored("--mode-byte", "0x9000", "--mode", "a=1", "-o", str(tmp_path / "out"))
    assert done.returncode == 2
    assert "there is no RAM at" in done.stderr
    assert not (tmp_path / "out").exists()

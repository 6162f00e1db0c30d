"""A savestate from outside is first tried in a process of its own, where it can do no harm."""

from __future__ import annotations

import random
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest
from ochibot.console import HostedConsole, find_core, find_cores, trial
from ochibot.console.states import load_state_file
from ochibot.errors import ConsoleError, RomError
from ochibot.games import find_game

from tests.commands import ochibot
from tests.titles import open_console

CORES = {"puyo": "fceumm", "nyaa": "fbneo"}
TITLES = [
    pytest.param(name, marks=pytest.mark.skipif(not find_cores(core), reason=f"no {core} core here"))
    for name, core in CORES.items()
]
BEFORE = 100
"""Frames to run before the intact savestate is made."""


def opened(name: str) -> HostedConsole:
    game = find_game(name)
    return open_console(str(find_core(game.system, CORES[name])), game.open_rom(None), game)


def true_state(name: str) -> bytes:
    with opened(name) as console:
        for _ in range(BEFORE):
            console.step()
        return console.save()


def damaged(state: bytes, seed: int) -> bytes:
    """The state with many of its bytes changed: single ones, stretches of noise, or stretches of zeros."""
    dice = random.Random(seed)
    changed = bytearray(state)
    kind = dice.choice(["bytes", "noise", "zeros"])
    for _ in range(dice.choice([1, 20, 400, 3000])):
        at = dice.randrange(len(changed))
        size = 1 if kind == "bytes" else min(dice.choice([1, 4, 64, 4096]), len(changed) - at)
        changed[at : at + size] = bytes(size) if kind == "zeros" else dice.randbytes(size)
    return bytes(changed)


def from_state(name: str, path: Path, *more: str) -> subprocess.CompletedProcess[str]:
    return ochibot("play", name, "--from-state", path, "--frames", 60, *more)


@pytest.mark.parametrize("name", TITLES)
def test_zeros_of_the_right_size_end_in_one_line(name: str, tmp_path: Path) -> None:
    """FBNeo divides by one of these zeros and crashes, but only in the process that tries the state."""
    path = tmp_path / "zeros.state"
    path.write_bytes(bytes(len(true_state(name))))
    done = from_state(name, path)
    assert done.returncode == 2, (done.returncode, done.stderr)
    line = done.stderr.strip().splitlines()[-1]
    assert line.startswith("ochibot: ")
    if name == "nyaa":
        assert "can't be used: the core crashes on it (SIGFPE); give one made by the same core" in line


@pytest.mark.parametrize("name", TITLES)
@pytest.mark.parametrize("seed", [0, 1, *(pytest.param(seed, marks=pytest.mark.long) for seed in (2, 3))])
def test_a_damaged_state_never_kills_the_program(name: str, seed: int, tmp_path: Path) -> None:
    path = tmp_path / "damaged.state"
    path.write_bytes(damaged(true_state(name), seed))
    done = from_state(name, path)
    assert done.returncode in (0, 2), (done.returncode, done.stderr)
    assert "Traceback" not in done.stderr


@pytest.mark.long
@pytest.mark.parametrize("name", TITLES)
def test_a_true_state_is_loaded_and_nothing_is_left_behind(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "true.state"
    path.write_bytes(true_state(name))
    with opened(name) as console:
        for _ in range(BEFORE):
            console.step()
        there = console.ram.snapshot()
    (tmp_path / "files").mkdir()
    with opened(name) as console:
        monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "files"))
        load_state_file(console, path)
        assert console.ram.snapshot() == there
        if name == "nyaa":
            with pytest.raises(ConsoleError, match="crashes on it"):
                console.try_state(bytes(path.stat().st_size))
    assert list((tmp_path / "files").iterdir()) == []


def test_a_state_is_looked_for_in_files_only(tmp_path: Path) -> None:
    with opened("puyo") as console:
        with pytest.raises(RomError, match=r"can't read the savestate .*: it is a folder, not a file"):
            load_state_file(console, tmp_path)
        if Path("/dev/zero").exists():
            with pytest.raises(RomError, match="it is a device, not a file"):
                load_state_file(console, Path("/dev/zero"))


HANGS = "import os, time; os.write(1, b'o'); time.sleep(3600)"


def test_a_trial_that_never_ends_is_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    with opened("puyo") as console:
        console.step()
        state = console.save()
        monkeypatch.setattr(trial, "COMMAND", (sys.executable, "-c", HANGS))
        monkeypatch.setattr(trial, "SECONDS", 1)
        with pytest.raises(ConsoleError, match="the core hangs on it"):
            console.try_state(state)


@pytest.mark.parametrize(
    ("code", "told", "words"),
    [
        (-signal.SIGSEGV, b"o", r"the core crashes on it \(SIGSEGV\)"),
        (-signal.SIGXCPU, b"o", "the core hangs on it"),
        (0, b"o", r"the core crashes on it \(code 0\)"),
        (0, b"or", "the core refuses it"),
        (-signal.SIGSEGV, b"of", "the core crashes on it"),
        (1, b"", "can't be tried in a process of its own, which ended with code 1"),
    ],
)
def test_what_a_trial_has_found_is_reported(code: int, told: bytes, words: str) -> None:
    with pytest.raises(ConsoleError, match=words):
        trial._judge(code, told)
    trial._judge(0, b"of")


@pytest.mark.parametrize(
    ("head", "words"),
    [
        (b"RASTATE\1MEM ", r"is no savestate of FCEUmm for this ROM; give"),
        (b"#RZIPv\1#", r"is no savestate of FCEUmm for this ROM; give"),
        (b"PK\3\4", "is no savestate of FCEUmm for this ROM: it is a zip archive; give one made by the same core"),
        (b"NES\x1a", "for this ROM: it is a NES ROM; give"),
        (b"FCS\xff", "for this ROM: it has 20,004 bytes where this core's have"),
    ],
)
@pytest.mark.skipif(not find_cores("fceumm"), reason="no fceumm core here")
def test_another_kind_of_file_is_named(head: bytes, words: str, tmp_path: Path) -> None:
    path = tmp_path / "game.state"
    path.write_bytes(head + bytes(20_000))
    with opened("puyo") as console, pytest.raises(RomError, match=words):
        load_state_file(console, path)


def test_a_state_given_as_a_rom_and_a_record_given_as_a_file(tmp_path: Path) -> None:
    path = tmp_path / "game.state"
    path.write_bytes(b"FCS\xff" + bytes(100))
    with pytest.raises(RomError, match="is not a NES ROM: it is a savestate of FCEUmm's"):
        find_game("puyo").open_rom(path)
    with pytest.raises(RomError, match="is no set that is known here: it is a savestate of FCEUmm's"):
        find_game("nyaa").open_rom(path)
    (tmp_path / "run").mkdir()
    (tmp_path / "run/run.json").write_text("{}")
    with pytest.raises(RomError, match="it is a record's folder; give a set's"):
        find_game("nyaa").open_rom(tmp_path / "run")

"""Ctrl-C ends ``verify``, ``dump`` and ``bench`` at once, with exit code 130 and one line, whenever it comes.

A Ctrl-C was once lost in a callback of the core. The tests send it after a number of frames, not by a clock.
"""

from __future__ import annotations

import os
import signal
from pathlib import Path

import pytest
from ochibot.console import Console
from ochibot.record import Record
from ochibot.record.dump import open_dump
from ochibot.wording import counted

from tests.record.making import make
from tests.record.movies.runs import ochibot

FRAMES = (0, 1, 400)
"""How many frames the command has run when the signal comes. 0: the signal comes while the core is opened."""


@pytest.fixture(scope="module")
def record(tmp_path_factory: pytest.TempPathFactory) -> Record:
    return make(tmp_path_factory.mktemp("records") / "long", 3000, every=60, segment=600)


def interrupted(patch: pytest.MonkeyPatch, frames: int, *args: object) -> tuple[str, str]:
    """Runs a command in this process and sends it SIGINT after this many frames. Returns its stdout and stderr."""
    before = signal.getsignal(signal.SIGINT)
    run = 0

    def interrupt() -> None:
        assert signal.getsignal(signal.SIGINT) is not before, "the command listens to it"
        os.kill(os.getpid(), signal.SIGINT)

    opened, step = Console._open, Console.step

    def opening(console: Console, *how: object) -> None:
        opened(console, *how)  # type: ignore[arg-type]
        if not frames:
            interrupt()

    def stepping(console: Console, *pads: int) -> None:
        nonlocal run
        step(console, *pads)
        run += 1
        if run == frames:
            interrupt()

    patch.setattr(Console, "_open", opening)
    patch.setattr(Console, "step", stepping)
    code, out, err = ochibot(*args)
    assert code == 130, (out, err)
    lines = [line for line in err.splitlines() if not line.startswith("compil")]
    assert lines == ["ochibot: interrupted"]
    return out, err


@pytest.mark.parametrize("frames", FRAMES)
def test_verify(record: Record, frames: int, monkeypatch: pytest.MonkeyPatch) -> None:
    out, _ = interrupted(monkeypatch, frames, "verify", record.path, "--repeat", 10_000)
    assert out == ""


@pytest.mark.parametrize("frames", FRAMES)
def test_a_dump_is_whole_as_far_as_it_goes(
    record: Record, tmp_path: Path, frames: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "dump"
    out, _ = interrupted(monkeypatch, frames, "dump", record.path, "--every", 1, "-o", folder)
    entries = open_dump(folder).entries if folder.exists() else {}
    assert list(entries) == list(range(1, len(entries) + 1))
    assert len(entries) in (frames, max(0, frames - 1))
    assert len(list(folder.glob("*.png"))) == len(entries)
    if folder.exists():
        assert out.startswith(f"{counted(len(entries), 'picture')} in ")


@pytest.mark.parametrize(
    "command",
    [
        ("console", "--rounds", 10_000),
        ("record", "--rounds", 10_000, "--frames", 3000),
        ("pilot", "--pieces", 100_000),
    ],
)
def test_benches(command: tuple[object, ...], monkeypatch: pytest.MonkeyPatch) -> None:
    interrupted(monkeypatch, 200, "bench", *command)

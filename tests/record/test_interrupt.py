"""Ctrl-C in commands that play records again or measure: at once, exit code 130 and one line, whenever it comes.

Once it was lost in a callback of the core.
"""

from __future__ import annotations

import os
import signal
import threading
from pathlib import Path

import pytest
from ochibot.record import Record
from ochibot.record.dump import read_dump

from tests.record.making import make
from tests.record.movies.runs import ochibot

DELAYS = (0.0, 0.3, 0.7)
"""Seconds after the command has begun to listen to Ctrl-C: while the core is opened, and well in the run."""


@pytest.fixture(scope="module")
def record(tmp_path_factory: pytest.TempPathFactory) -> Record:
    return make(tmp_path_factory.mktemp("records") / "long", 3000, every=60, segment=600)


def interrupted(delay: float, *args: object) -> tuple[str, str]:
    """stdout and stderr of a command in this process that gets a SIGINT so many seconds after it listens to it."""
    before = signal.getsignal(signal.SIGINT)
    over = threading.Event()

    def interrupt() -> None:
        while signal.getsignal(signal.SIGINT) is before:
            if over.wait(0.005):
                return
        if not over.wait(delay):
            os.kill(os.getpid(), signal.SIGINT)

    sender = threading.Thread(target=interrupt)
    sender.start()
    try:
        code, out, err = ochibot(*args)
    finally:
        over.set()
        sender.join()
    assert code == 130, (out, err)
    lines = [line for line in err.splitlines() if not line.startswith("compil")]
    assert lines == ["ochibot: interrupted"]
    return out, err


@pytest.mark.parametrize("delay", DELAYS)
def test_verify(record: Record, delay: float) -> None:
    out, _ = interrupted(delay, "verify", record.path, "--repeat", 10_000)
    assert out == ""


@pytest.mark.parametrize("delay", DELAYS)
def test_a_dump_is_whole_as_far_as_it_goes(record: Record, tmp_path: Path, delay: float) -> None:
    folder = tmp_path / "dump"
    # several times as long as the longest delay
    out, _ = interrupted(delay, "dump", record.path, "--every", 1, "-o", folder)
    entries = read_dump(folder) if folder.exists() else {}
    assert list(entries) == list(range(1, len(entries) + 1))
    assert len(entries) < record.frames
    assert len(list(folder.glob("*.png"))) == len(entries)
    if folder.exists():
        assert out.startswith(f"{len(entries):,} pictures in ")


@pytest.mark.parametrize(
    "command",
    [
        ("console", "--rounds", 10_000),
        ("record", "--rounds", 10_000, "--frames", 3000),
        ("pilot", "--pieces", 100_000),
    ],
)
def test_benches(command: tuple[object, ...]) -> None:
    interrupted(0.8, "bench", *command)

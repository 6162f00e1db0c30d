"""``ochibot bench console --consoles N``: what it reports, and that the consoles play, not how fast anything is."""

from __future__ import annotations

import json
from contextlib import AbstractContextManager
from typing import Any

import ochibot
import pytest
from ochibot.bench.consoles import _Playing, _timed, measure
from ochibot.errors import ConsoleError, UsageError

from tests.cli.test_bad_input import refused
from tests.commands import ochibot as command


def test_it_reports_processes_and_threads_beside_one_console() -> None:
    done = command(
        *("bench", "console", "--consoles", 2, "--frames", 200, "--stretch", 100, "--rounds", 2, "--json", "-")
    )
    assert done.returncode == 0, done.stderr
    report = json.loads(done.stdout)
    assert (report["consoles"], report["frames"], report["rounds"], report["stretch"]) == (2, 200, 2, 100)
    assert report["cores"] >= 1
    for way in ("processes", "threads"):
        assert 0 < report[f"{way}_times"] < 4
        # the median of a round's ratios lies between the lowest and the highest of two rounds
        assert report[f"{way}_work"] == pytest.approx(2 * report["one_us"] / report[f"{way}_us"], rel=0.25)
        assert f"2 consoles in {'2 processes' if way == 'processes' else 'threads'}" in done.stderr


def test_consoles_in_threads_play_what_one_plays_alone() -> None:
    def ram_after(consoles: int) -> list[bytes]:
        with ochibot.open("puyo", seed=1) as first, ochibot.open("puyo", seed=1) as second:
            sessions = [first, second][:consoles]
            playing = [_Playing(one.console, one.game, one.rules, 100) for one in sessions]  # type: ignore[arg-type]
            _timed(playing, 100)
            return [one.console.ram.snapshot() for one in playing]

    (alone,) = ram_after(1)
    assert ram_after(2) == [alone, alone]


def test_an_error_in_a_process_is_raised_here() -> None:
    def make() -> AbstractContextManager[Any]:
        raise ConsoleError("no core here")

    with ochibot.open("puyo") as session, pytest.raises(ConsoleError, match="no core here"):
        measure(make, session.game, session.rules, 2, 100, 1)


def test_what_it_refuses(monkeypatch: pytest.MonkeyPatch) -> None:
    assert "--consoles" in refused("bench", "console", "--consoles", 0)
    monkeypatch.setattr("sys.platform", "win32")
    with pytest.raises(UsageError, match="leave it out"):
        measure(None, None, None, 2, 100, 1)  # type: ignore[arg-type]

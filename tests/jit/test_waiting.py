"""The messages while a kernel is compiled. Their estimates come only from times measured on this machine."""

from __future__ import annotations

import io
import sys
import threading
from pathlib import Path
from types import SimpleNamespace

import pytest
from ochibot.jit import waiting
from ochibot.jit.waiting import Elapsed, elapsed, estimate, remember, shown_estimate

from tests.jit.tiny import LIBRARY


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    (tmp_path / "ochibot").mkdir()
    return tmp_path / "ochibot"


class Stderr(io.StringIO):
    """A stderr that knows when something was written."""

    def __init__(self, *, tty: bool) -> None:
        super().__init__()
        self._tty = tty
        self.written = threading.Event()

    def isatty(self) -> bool:
        return self._tty

    def write(self, text: str) -> int:
        length = super().write(text)
        self.written.set()
        return length


def test_an_estimate_is_what_it_took_here_the_last_time() -> None:
    assert estimate("a.one", 10) is None
    remember("a.one", 30, 10)
    remember("a.one", 24, 10)
    assert estimate("a.one", 10) == 24


def test_another_kernel_is_estimated_by_what_others_took() -> None:
    remember("a.one", 30, 10)
    assert estimate("b.two", 2) == pytest.approx(6)
    remember("a.three", 2, 10)
    assert estimate("b.two", 5) == pytest.approx(8)  # together, both kernels took 32 s for a weight of 20


@pytest.mark.parametrize(
    "text",
    [
        *("", "{", "[]", "null", '{"a.one": 3}', '{"a.one": [0, 1]}', '{"a.one": [1e9, 1]}', '{"a.one": ["3", 1]}'),
        *('{"a.one": [NaN, 1]}', '{"a.one": [true, 1]}', "[" * 100_000, "\x00"),
    ],
)
def test_damaged_times_are_no_times(cache: Path, text: str) -> None:
    (cache / "compile-times.json").write_text(text, encoding="utf-8")
    assert estimate("a.one", 10) is None
    remember("a.one", 5, 10)
    assert estimate("a.one", 10) == 5


def test_times_that_cannot_be_kept_are_no_error(cache: Path) -> None:
    (cache / "compile-times.json").mkdir()
    remember("a.one", 5, 10)
    assert estimate("a.one", 10) is None
    assert [path.name for path in cache.iterdir()] == ["compile-times.json"]


def test_a_first_compile_says_no_estimate_and_the_next_this_machines(capsys: pytest.CaptureFixture[str]) -> None:
    LIBRARY.forget()
    LIBRARY.load("triple")
    first = capsys.readouterr().err.splitlines()
    assert first[0] == "compiling tiny kernels, once"
    assert first[1].startswith("compiled in ")
    remember("tiny.triple", 40, LIBRARY.kernels["triple"].seconds)
    LIBRARY.load("square")
    weights = [LIBRARY.kernels[name].seconds for name in ("triple", "square")]
    shown = round(40 * weights[1] / weights[0])
    assert capsys.readouterr().err.startswith(f"compiling tiny kernels, once (about {shown} s on this machine)\n")
    LIBRARY.forget()


def test_the_time_so_far_stands_beside_the_estimate(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [100.0]
    monkeypatch.setattr(waiting, "time", SimpleNamespace(perf_counter=lambda: now[0]))
    with elapsed("compiling it", 14.2) as known, elapsed("compiling it") as unknown:
        now[0] = 107.0
        assert known.line() == "compiling it: 7 s of about 14 s"
        assert unknown.line() == "compiling it: 7 s"
        now[0] = 130.0
        assert known.line() == "compiling it: 30 s instead of 14 s"


def test_a_terminal_shows_a_bar(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [100.0]
    monkeypatch.setattr(waiting, "time", SimpleNamespace(perf_counter=lambda: now[0]))
    monkeypatch.setattr("sys.stderr", SimpleNamespace(isatty=lambda: True, write=lambda _: None, flush=lambda: None))
    with elapsed("compiling it", 20) as clock:
        now[0] = 105.0
        assert clock.line() == "compiling it: 5 s of about 20 s [#####...............]"
        now[0] = 190.0
        assert clock.line() == f"compiling it: 90 s instead of 20 s [{'#' * 20}]"


@pytest.mark.parametrize(
    ("about", "shown"),
    [
        (None, ""),
        (0.4, " (a few seconds on this machine)"),
        (2.9, " (a few seconds on this machine)"),
        (3.2, " (about 3 s on this machine)"),
        (41.7, " (about 42 s on this machine)"),
    ],
)
def test_a_small_estimate_is_no_number(about: float | None, shown: str) -> None:
    """For small kernels the message was "about 1 s", but the first one in a process took five seconds."""
    assert shown_estimate(about) == shown


def test_a_small_estimate_is_not_held_against_the_time(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [100.0]
    monkeypatch.setattr(waiting, "time", SimpleNamespace(perf_counter=lambda: now[0]))
    with elapsed("compiling it", 0.8) as small:
        now[0] = 105.0
        assert small.line() == "compiling it: 5 s"


@pytest.mark.parametrize("tty", [False, True])
def test_it_is_shown_while_it_lasts(monkeypatch: pytest.MonkeyPatch, tty: bool) -> None:
    stderr = Stderr(tty=tty)
    monkeypatch.setattr(sys, "stderr", stderr)
    monkeypatch.setattr(waiting, "_TTY_EVERY", 0.001)
    monkeypatch.setattr(waiting, "_PLAIN_EVERY", 0.001)
    with elapsed("compiling it", 14):
        assert stderr.written.wait(600)
    shown = stderr.getvalue()
    if tty:
        assert "\n" not in shown
        assert shown.startswith("\rcompiling it: ")
        assert shown.endswith(" \r")  # blanks have overwritten the line
    else:
        assert all(line.startswith("compiling it: ") for line in shown.splitlines())


@pytest.mark.parametrize("stream", [None, "closed"])
def test_without_a_stderr_it_goes_on(monkeypatch: pytest.MonkeyPatch, stream: str | None) -> None:
    closed = io.StringIO()
    closed.close()
    monkeypatch.setattr(waiting, "_PLAIN_EVERY", 0.001)
    with monkeypatch.context() as now:
        clock = Elapsed("compiling it")
        now.setattr(sys, "stderr", None if stream is None else closed)
        waiting.say("compiling it")
        clock.close()

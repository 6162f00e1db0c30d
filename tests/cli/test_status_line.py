"""A job's status line: rewritten in place on a terminal, printed now and then elsewhere, never on stdout."""

from __future__ import annotations

import io
import os
import pty
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from ochibot import interrupts
from ochibot.cli.output import StatusLine

STEERING = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def on_terminal(monkeypatch: pytest.MonkeyPatch) -> Terminal:
    """Replaces stderr by a terminal. A fixture couldn't do this: pytest sets stderr again when a test begins."""
    screen = Terminal()
    monkeypatch.setattr(sys, "stderr", screen)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "60")
    return screen


def rows(told: str) -> list[str]:
    """The rows that a terminal would show. Knows the controls that a line needs: carriage return, row up, erase row."""
    shown, at = [""], 0
    for part in re.split(r"(\x1b\[2K|\x1b\[1A|\r|\n)", told):
        if part == "\n":
            at += 1
            shown += [""] * (at == len(shown))
        elif part == "\x1b[1A":
            at -= 1
        elif part == "\x1b[2K":
            shown[at] = ""
        elif part not in ("", "\r"):
            shown[at] += STEERING.sub("", part)
    return [row.rstrip() for row in shown if row.strip()]


def test_a_line_takes_the_place_of_the_last_one_and_stays_when_it_ends(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    terminal = on_terminal(monkeypatch)
    status = StatusLine(every=0)
    assert status.due()
    status.show("pieces 1  a long text that the next one is shorter than")
    status.show("pieces 2")
    status.close()
    status.close()
    assert rows(terminal.getvalue()) == ["pieces 2"]
    assert capsys.readouterr().out == ""


def test_a_line_is_cut_where_the_terminal_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    """A long line used to run over into the next row, and each new line left a row behind."""
    terminal = on_terminal(monkeypatch)
    status = StatusLine(every=0)
    status.show("x" * 200)
    status.show("[red]" + "y" * 200)
    status.close()
    (row,) = rows(terminal.getvalue())
    assert len(row) <= 60
    assert row.startswith("[red]yyy")
    assert row.endswith("…")


def test_a_share_is_a_bar(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = on_terminal(monkeypatch)
    status = StatusLine(every=0)
    status.show("frame 1 of 4", 0.25)
    assert rows(terminal.getvalue())[-1].endswith("frame 1 of 4")
    status.show("frame 4 of 4", 1.0)
    assert rows(terminal.getvalue())[-1] == "━" * 30 + " frame 4 of 4"
    status.close()
    assert rows(terminal.getvalue()) == []


def test_the_terminal_itself_is_left_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """No terminal modes are changed: a hidden cursor, for example, would stay hidden if a signal ended the process."""
    terminal = on_terminal(monkeypatch)
    status = StatusLine(every=0)
    status.show("x")
    status.close()
    assert terminal.getvalue()
    assert not re.search(r"\x1b\[\?", terminal.getvalue())
    assert sys.stderr is terminal


@pytest.mark.parametrize("term", ["dumb", None])
def test_elsewhere_it_is_a_plain_line_now_and_then(monkeypatch: pytest.MonkeyPatch, term: str | None) -> None:
    pipe = Terminal() if term else io.StringIO()
    monkeypatch.setattr(sys, "stderr", pipe)
    monkeypatch.setenv("TERM", term or "xterm")
    monkeypatch.setenv("FORCE_COLOR", "1")
    status = StatusLine(plain_every=1e9)
    assert not status.due()
    status.show("frame 1 of 4", 0.25)
    status.close()
    assert pipe.getvalue() == "frame 1 of 4\n"


def test_without_a_stderr_nothing_is_due(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stderr", None)
    assert not StatusLine(every=0, plain_every=0).due()


def test_a_signal_ends_the_line_first(monkeypatch: pytest.MonkeyPatch) -> None:
    on_terminal(monkeypatch)
    said: list[bytes] = []
    monkeypatch.setattr(os, "write", lambda _, text: said.append(text))
    monkeypatch.setattr(os, "_exit", lambda code: said.append(str(code).encode()))
    monkeypatch.setattr(signal, "signal", lambda *_: None)
    status = StatusLine(every=0)
    status.show("x")
    interrupts.at_once(2, None)
    status.close()
    interrupts.at_once(15, None)
    assert said == [b"\nochibot: interrupted\n", b"130", b"ochibot: interrupted\n", b"143"]


def test_rich_comes_with_the_first_line_of_a_terminal() -> None:
    program = (
        "import sys; from ochibot.cli.output import StatusLine; line = StatusLine(); line.due(); line.show('x');"
        "line.close(); print(any(name.split('.')[0] == 'rich' for name in sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60)
    assert done.stdout == "False\n", done.stderr


def test_a_run_in_a_terminal_keeps_stdout_clean(tmp_path: Path) -> None:
    """``play`` runs with a real terminal as its stderr, and writes its report to stdout."""
    ours, theirs = pty.openpty()
    words = [sys.executable, "-m", "ochibot", "play", "--pieces", "30", "--seed", "1", "--json", "-"]
    environment = {**os.environ, "TERM": "xterm", "COLUMNS": "70"}
    with (tmp_path / "out").open("wb") as out:
        done = subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=out, stderr=theirs, env=environment)
        os.close(theirs)
        told = b""
        try:
            while chunk := os.read(ours, 65536):
                told += chunk
        except OSError:
            pass  # the other end is closed
        os.close(ours)
        assert done.wait(120) == 0
    text = (tmp_path / "out").read_text()
    assert text.startswith("{")
    assert text.rstrip().endswith("}")
    (live,) = (row for row in rows(told.decode()) if row.startswith("pieces") and "compared" not in row)
    assert "best chain" in live
    assert len(live) <= 70

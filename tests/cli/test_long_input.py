"""Error messages quote only a few words of what a user typed or gave in a file, however long it is."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from ochibot.cli import main

LONG = "x" * 5_000
WORDS = "ab cd " * 900
DIGITS = "9" * 5_000


@pytest.mark.parametrize(
    "args",
    [
        ("play", LONG),
        ("play", "puyo", WORDS),
        ("battle", WORDS),
        (LONG,),
        (WORDS,),
        ("play", f"--{LONG}"),
        *(("play", option, text) for text in (LONG, WORDS) for option in ("--rom", "--map", "--player", "--rules")),
        *(("play", option, text) for text in (LONG, WORDS) for option in ("--core", "--game-module")),
        *(("play", option, text) for text in (LONG, DIGITS) for option in ("--pieces", "--level", "--seed", "--items")),
        *(("play", "--option", text) for text in (LONG, f"{LONG}=1", f"level={LONG}", f"level={DIGITS}", WORDS)),
        ("play", "--player", f"{LONG}:Class"),
        ("play", "--player", f"{LONG}.py:Class"),
        ("play", "--record", "new", "--dump", f"every={DIGITS}"),
        ("play", "--record", "new", "--dump", LONG),
        ("play", "--screenshot", WORDS),
        ("explain", "--text", LONG, "--pair", "RG", "--next", "RG"),
        ("explain", "--text", "...", "--pair", WORDS, "--next", "RG"),
        ("bench", "pilot", "--speeds", WORDS),
        ("bench", "pilot", "--speeds", DIGITS),
        ("verify", LONG),
        ("dump", LONG),
        ("movie", "import", LONG, "-o", "new"),
        ("nyaa", "value", LONG),
        ("nyaa", "value", "--text", LONG),
        ("nyaa", "value", "--text", WORDS),
        ("nyaa", "best", "--text", "...", "--pair", LONG),
        ("web", "--host", LONG),
        ("web", "--port", DIGITS),
        ("video", LONG, "-o", "a.gif"),
    ],
    ids=lambda args: " ".join(arg[:12] for arg in args),
)
def test_it_is_refused_in_one_short_line(
    args: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "argv", ["ochibot", *args])
    assert main._run() == 2
    line = capsys.readouterr().err
    assert line.startswith("ochibot: ")
    assert line.count("\n") == 1, line
    assert len(line) < 300, line


def test_signs_that_steer_a_terminal_are_shown_as_such(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", ["ochibot", "play", "--rom", "\x1b[2Jgone"])
    assert main._run() == 2
    assert r"\x1b[2Jgone" in capsys.readouterr().err

"""Helpers for tests of movies: make short records from power-on with random pads and resets, and run commands."""

from __future__ import annotations

import contextlib
import io
import json
import random
import sys
from pathlib import Path
from unittest.mock import patch

from ochibot.cli.main import _run
from ochibot.console import Button
from ochibot.record import About, Recorder

from tests.titles import open_console, open_rom

_PRESSES = (Button.START, Button.A, Button.B, Button.LEFT, Button.RIGHT, Button.DOWN, Button.UP, Button.SELECT)


def record(folder: Path, frames: int, *, seed: int = 1, resets: tuple[int, ...] = (), core: str | None = None) -> Path:
    """Records random taps on both pads. START is frequent on pad 1 for 120 frames after power-on and each reset."""
    dice = random.Random(seed)
    held = [Button.NONE, Button.NONE]
    with (
        open_console(core, open_rom(None)) as console,
        Recorder.begin(folder, console, About(command="tests")) as recorder,
    ):
        for frame in range(frames):
            if frame in resets:
                recorder.console.reset()
            if frame % 4 == 0:
                since = frame - max((reset for reset in resets if reset <= frame), default=0)
                starts = since < 120 and dice.random() < 0.3
                held = [Button.START if starts else _tap(dice), _tap(dice)]
            recorder.console.step(*held)
        recorder.end = "frames"
    return folder


def _tap(dice: random.Random) -> Button:
    """A random button, or none. SELECT and START are rare, because they interrupt play."""
    if dice.random() < 0.4:
        return Button.NONE
    weights = (1, 20, 20, 20, 20, 20, 5, 1)
    return dice.choices(_PRESSES, weights)[0]


def ochibot(*args: object) -> tuple[int, str, str]:
    """Runs a command in this process, which is quicker than a new one. Returns its exit code, stdout and stderr."""
    out, err = io.StringIO(), io.StringIO()
    with (
        patch.object(sys, "argv", ["ochibot", *map(str, args)]),
        contextlib.redirect_stdout(out),
        contextlib.redirect_stderr(err),
    ):
        code = _run()
    return code, out.getvalue(), err.getvalue()


def done(*args: object) -> dict[str, object]:
    """Runs a command that must succeed. Returns its JSON report."""
    code, out, err = ochibot(*args, "--json", "-")
    assert code == 0, err
    report: dict[str, object] = json.loads(out)
    return report


def refused(*args: object) -> str:
    """Runs a command that must be refused. Returns its one line on stderr."""
    code, out, err = ochibot(*args)
    assert code == 2, (out, err)
    lines = err.strip().splitlines()
    assert len(lines) == 1, lines
    assert lines[0].startswith("ochibot: ")
    return lines[0]

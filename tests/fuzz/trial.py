"""One input and its verdict: accepted, refused in one line, or a defect."""

from __future__ import annotations

import contextlib
import io
import os
import random
import re
import signal
import subprocess
import sys
import traceback
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from unittest.mock import patch

from ochibot.cli.main import _run
from ochibot.errors import OchibotError
from ochibot.quoting import concise

LIMIT = 180
"""Seconds after which an input counts as hanging. On an idle machine, the slowest take about three."""

LONGEST = 300
"""The most characters that a message may have."""

ACCEPTED, REFUSED, DIFFERENT = "accepted", "refused", "different"
VERDICTS = (ACCEPTED, REFUSED, DIFFERENT)
"""Any other verdict describes a defect. different: ``verify`` says that a record's replay differs."""


@dataclass(frozen=True)
class Trial:
    """An input whose files lie in the current folder already.

    command: what a person would type after ``ochibot``. child: whether the command runs in a process of its own. call:
    a function to call instead of the command; it raises OchibotError to refuse, and returns the description of a
    defect, or None. limit: seconds from its beginning after which the trial counts as hanging.
    """

    command: tuple[str, ...] = ()
    child: bool = False
    call: Callable[[], str | None] | None = None
    limit: float = LIMIT + 60

    @property
    def told(self) -> str:
        """The command line as a person would type it."""
        return " ".join(
            ("ochibot", *(repr(word) if re.search(r"[^\w./:=-]", word) or not word else word for word in self.command))
        )


Maker = Callable[[random.Random, Path], Trial]
"""Makes an input in the current folder from the seeds in the given folder."""


def verdict(trial: Trial) -> str:
    """Runs the trial and returns its verdict. The parent notices a trial that kills or hangs this process."""
    if trial.call is not None:
        return _called(trial.call)
    if trial.child and not _unspeakable(trial.command):
        return _in_a_child(trial.command)
    return inside(trial.command)


def _unspeakable(command: tuple[str, ...]) -> bool:
    """Whether no shell could give these words to a program, because they can't be written as bytes."""
    try:
        list(map(os.fsencode, command))
    except UnicodeEncodeError:
        return True
    return False


def _called(call: Callable[[], str | None]) -> str:
    try:
        return call() or ACCEPTED
    except OchibotError as error:
        return _refusal(f"ochibot: {concise(str(error))}")
    except Exception:
        return _last(traceback.format_exc())


def inside(command: tuple[str, ...]) -> str:
    """The verdict on a command that runs in this process."""
    out, err = io.StringIO(), io.StringIO()
    with (
        patch.object(sys, "argv", ["ochibot", *command]),
        patch.dict(os.environ, {"OCHIBOT_DEBUG": "1"}),
        contextlib.redirect_stdout(out),
        contextlib.redirect_stderr(err),
    ):
        try:
            code = _run()
        except Exception:
            return _last(traceback.format_exc())
    return judged(code, out.getvalue(), err.getvalue(), command[0] == "verify")


def _in_a_child(command: tuple[str, ...]) -> str:
    words = [sys.executable, "-m", "ochibot", *command]
    try:
        done = subprocess.run(words, capture_output=True, timeout=LIMIT, stdin=subprocess.DEVNULL, check=False)
    except subprocess.TimeoutExpired:
        return f"hangs: no end after {LIMIT} s"
    out, err = (told.decode("utf-8", "replace") for told in (done.stdout, done.stderr))
    return judged(done.returncode, out, err, command[0] == "verify")


PROGRESS = ("compil", "what is kept of", "another process is compiling", "in the menus, looking for")
"""Beginnings of lines that report progress. On a slow machine, a command may print some before it refuses."""


DONE_SO_FAR = re.compile(r"[\d,]+ of [\d,]+ (pieces|replicas|games); ")
"""The beginning of an experiment's lines that report progress."""


def judged(code: int, out: str, err: str, verifies: bool = False) -> str:
    """The verdict on a command that has ended. verifies: exit code 1 means that a record's replay differs."""
    if code < 0:
        return f"dies of {signal.Signals(-code).name}: {_last(err)}"
    if "Traceback" in out + err or "Warning:" in err:
        return f"exit code {code}: {_last(err)}"
    told = [line for line in err.strip().splitlines() if not line.startswith(PROGRESS) and not DONE_SO_FAR.match(line)]
    if code == 0 or (code == 1 and verifies):
        if told:
            return f"exit code {code}, and yet it complains: {_last(err)}"
        return ACCEPTED if code == 0 else DIFFERENT
    if code != 2:
        return f"exit code {code}: {_last(err)}"
    return _refusal("\n".join(told))


CONTRADICTION = "ochibot: what the game did differs from the rules at piece "
"""The beginning of the only message of several lines. Below its first line, it draws the predicted and seen fields."""


def _refusal(text: str) -> str:
    lines = text.splitlines()
    if text.startswith(CONTRADICTION) and lines[1:2] and lines[1].startswith("before "):
        text, lines = lines[0], lines[:1]
    if len(lines) != 1 or not text.startswith("ochibot: "):
        return f"refused in {len(lines)} lines: {text[:2000]!r}"
    if len(text) > LONGEST:
        return f"refused in {len(text)} signs: {text!r}"
    return REFUSED


def _last(text: str) -> str:
    return text.strip()[-2500:] or "it says nothing"

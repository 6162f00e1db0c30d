"""Measures how long commands take from the start of their process to its end.

A small typer app and ``import numba`` are timed as yardsticks.
"""

from __future__ import annotations

import os
import platform
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from ochibot.errors import OchibotError
from ochibot.leftovers import TemporaryFolder
from ochibot.report import Reported

TWO_COMMANDS = '''
"""An app of two commands."""

import typer

app = typer.Typer(rich_markup_mode="rich")


@app.command()
def hello(name: str = typer.Argument("you", help="Whom to greet."), loud: bool = typer.Option(False, help="Shout.")):
    """Greet somebody."""
    print(name.upper() if loud else name)


@app.command()
def add(first: int, second: int = typer.Option(1, min=0, help="What is added.")):
    """Add two numbers."""
    print(first + second)


app()
'''
"""The smallest typer app whose help looks like ours; the yardstick for the help."""

MODULE = "two_commands"

HELP_LIMIT = 1.3
"""``ochibot --help`` may take at most this many times as long as the help of ``TWO_COMMANDS``."""

PLAY_LIMIT = 0.4
"""``play --pieces 1`` with cached kernels may take at most this many seconds longer than ``import numba``."""


@dataclass(frozen=True)
class StartRow:
    """One command. seconds: the median by the clock. cpu_seconds: the median of processor time (user and system)."""

    name: str
    seconds: float
    cpu_seconds: float


@dataclass(frozen=True)
class StartReport(Reported):
    """The rows by name, and comparisons between them. help_ratio: the help's time divided by that of a small typer app.
    play_beyond_numba: for each title, seconds of a warm play beyond those of ``import numba``. ``…_cpu_…``: the same in
    processor time, which changes less on a busy machine.
    """

    python: str
    machine: str
    runs: int
    rows: dict[str, StartRow] = field(default_factory=dict)
    help_ratio: float = 0.0
    help_cpu_ratio: float = 0.0
    help_limit: float = HELP_LIMIT
    play_beyond_numba: dict[str, float] = field(default_factory=dict)
    play_cpu_beyond_numba: dict[str, float] = field(default_factory=dict)
    play_limit: float = PLAY_LIMIT

    def table(self) -> str:
        """The report as text for a terminal."""
        lines = [f"Python {self.python}, {self.machine}; medians of {self.runs} starts, in turns; .pyc files are there"]
        lines.append(f"{'':<28}{'seconds':>9}{'processor':>11}")
        lines += [f"{row.name:<28}{row.seconds:>9.3f}{row.cpu_seconds:>11.3f}" for row in self.rows.values()]
        lines.append(
            f"--help takes {self.help_ratio:.2f} times what an app of two commands does, {self.help_cpu_ratio:.2f} by "
            f"processor time (at most {self.help_limit} is wanted)"
        )
        for title, beyond in self.play_beyond_numba.items():
            cpu = self.play_cpu_beyond_numba[title]
            lines.append(
                f"play {title} takes {beyond:.2f} s more than import numba, {cpu:.2f} s of processor time (at most "
                f"{self.play_limit} s is wanted)"
            )
        return "\n".join(lines)


def measure(titles: tuple[str, ...], runs: int, stopped: Callable[[], bool] = lambda: False) -> StartReport:
    """Starts each command ``runs`` times, in turns. Its first start, which may write .pyc files, isn't counted.

    The titles' kernels must be in the cache already. Raises OchibotError when a command fails, and KeyboardInterrupt
    when ``stopped()`` returns true.
    """
    with TemporaryFolder() as folder:
        Path(folder, f"{MODULE}.py").write_text(TWO_COMMANDS, encoding="utf-8")
        here = [str(Path(path).resolve()) for path in sys.path if path]
        env = {**os.environ, "PYTHONPATH": os.pathsep.join([str(folder), *here])}
        env.pop("PYTHONDONTWRITEBYTECODE", None)
        commands = {
            "python -c pass": ("-c", "pass"),
            "typer, 2 commands: --help": ("-m", MODULE, "--help"),
            "ochibot --help": ("-m", "ochibot", "--help"),
            "import numba": ("-c", "import numba"),
        }
        commands |= {_play(name): ("-m", "ochibot", "play", name, "--pieces", "1", "--seed", "1") for name in titles}
        taken: dict[str, list[tuple[float, float]]] = {name: [] for name in commands}
        for number in range(runs + 1):
            for name, words in commands.items():
                if stopped():
                    raise KeyboardInterrupt
                times = _run(words, env)
                if number:
                    taken[name].append(times)
    rows = {
        name: StartRow(name, *(round(statistics.median(values), 4) for values in zip(*times, strict=True)))
        for name, times in taken.items()
    }
    ours, theirs, numba = rows["ochibot --help"], rows["typer, 2 commands: --help"], rows["import numba"]
    return StartReport(
        platform.python_version(),
        platform.machine(),
        runs,
        rows,
        help_ratio=round(ours.seconds / theirs.seconds, 3),
        help_cpu_ratio=round(ours.cpu_seconds / theirs.cpu_seconds, 3),
        play_beyond_numba={name: round(rows[_play(name)].seconds - numba.seconds, 3) for name in titles},
        play_cpu_beyond_numba={name: round(rows[_play(name)].cpu_seconds - numba.cpu_seconds, 3) for name in titles},
    )


def _play(title: str) -> str:
    return f"play {title} --pieces 1"


def _run(words: tuple[str, ...], env: Mapping[str, str]) -> tuple[float, float]:
    """Runs Python with these arguments: (seconds by the clock, seconds of processor time).

    Raises OchibotError on Windows, which doesn't tell the processor time of processes that have ended.
    """
    if sys.platform == "win32":
        raise OchibotError("`bench start` measures processor time as Linux and macOS give it: run it there")
    import resource

    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    began = time.perf_counter()
    done = subprocess.run(
        [sys.executable, "-P", *words],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        env=dict(env),
        check=False,
    )
    seconds = time.perf_counter() - began
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode:
        last = (done.stderr.strip().splitlines() or ["it says nothing"])[-1]
        raise OchibotError(f"python {' '.join(words)} has failed: {last}")
    return seconds, after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime

"""``ochibot warm``: compiles the games' kernels, so that play starts at once."""

from __future__ import annotations

import contextlib
import json as jsonlib
import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TextIO

import typer

from ochibot import interrupts
from ochibot.cli import completing
from ochibot.cli.options import GameModuleOption, JsonOption, find_title
from ochibot.cli.output import report_stream
from ochibot.errors import ConfigError, OchibotError
from ochibot.report import check_target, write_json

if TYPE_CHECKING:
    from types import FrameType

    from ochibot.games import Game


def warm(
    game: Annotated[
        str | None,
        typer.Argument(
            metavar="GAME",
            help="Compile only for this title.",
            show_default="all, each in its own process",
            autocompletion=completing.games,
        ),
    ] = None,
    game_module: GameModuleOption = None,
    quiet: Annotated[
        bool, typer.Option("--quiet", help="Print nothing but the kernels that are being compiled.")
    ] = False,
    json: JsonOption = None,
) -> None:
    """Compile the kernels of all titles and keep them, so that play after that starts at once."""
    check_target(json)
    out = None if quiet else report_stream(json)
    if game is not None or game_module is not None:
        reports = [_warm_one(find_title(game, game_module), out)]
    else:
        reports = _warm_all(out)
    write_json({"titles": reports}, json)
    if missing := [report["title"] for report in reports if not report["ready"]]:
        raise OchibotError(f"not all was compiled for {', '.join(missing)}; what was said above tells why")


def _warm_one(title: Game, out: TextIO | None) -> dict[str, Any]:
    """Loads or compiles a title's kernels in this process, and returns the report on it."""
    from ochibot.falling.player import prepare
    from ochibot.games.choosing import find_rules
    from ochibot.jit.library import COMPILED
    from ochibot.players import open_player, shipped_players

    started = time.perf_counter()
    rules = find_rules(title)
    before = len(COMPILED)
    prepare(open_player(None, title, rules))
    for player in shipped_players(title.family.name):
        # chain refuses rules by which other groups than four clear
        with contextlib.suppress(ConfigError):
            prepare(open_player(player, title, rules))
    if getattr(title, "foretells", False):
        prepare(open_player(None, title, rules, clairvoyant=True))
    family_ready = getattr(title.family, "prepare", None)
    if callable(family_ready):
        family_ready(rules)
    compiled = COMPILED[before:]
    seconds = time.perf_counter() - started
    report = {"title": title.name, "ready": True, "compiled": compiled, "seconds": round(seconds, 3)}
    _tell(report, out)
    return report


def _tell(report: dict[str, Any], out: TextIO | None) -> None:
    if out is None:
        return
    if not report["ready"]:
        print(f"{report['title']}: not ready", file=out, flush=True)
        return
    names = ", ".join(report["compiled"])
    result = f"compiled {names}" if names else "all was compiled already"
    print(f"{report['title']}: ready after {report['seconds']:.1f} s, {result}", file=out, flush=True)


def _warm_all(out: TextIO | None) -> list[dict[str, Any]]:
    """Warms all titles, several at once, even if one fails. Returns the reports on them in the titles' order."""
    from ochibot.games import game_names

    waiting, running, reports = list(game_names()), list[_Compiling](), []
    before = interrupts.handlers()

    def stop(number: int, frame: FrameType | None) -> None:
        for compiling in running:
            compiling.process.kill()
        interrupts.at_once(number, frame)

    for number in before:
        signal.signal(number, stop)
    try:
        while waiting or running:
            while waiting and len(running) < (os.cpu_count() or 1):
                running.append(_Compiling(waiting.pop(0)))
            # the reports come in the titles' order, whichever title is ready first, so that equal runs report alike
            reports.append(running[0].report())
            del running[0]
            _tell(reports[-1], out)
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
    return reports


class _Compiling:
    """Compiles a title's kernels in a separate process, whose end frees the compiler's memory.

    What the process writes to stderr appears on this process's stderr at once, with the title before each line.
    """

    def __init__(self, name: str) -> None:
        self._name = name
        # the new process loads the same modules as this one, and none that happen to lie in the current folder
        path = os.pathsep.join(str(Path(path).resolve()) for path in sys.path if path)
        words = [sys.executable, "-P", "-m", "ochibot", "warm", name, "--quiet", "--json", "-"]
        # the new process gets its own session: Ctrl-C reaches only this process, which then kills the new one
        self.process = subprocess.Popen(
            words,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env={**os.environ, "PYTHONPATH": path},
            start_new_session=True,
        )
        self._messages = threading.Thread(target=self._pass_on, daemon=True)
        self._messages.start()

    def _pass_on(self) -> None:
        assert self.process.stderr is not None
        for line in self.process.stderr:
            print(f"{self._name}: {line}", end="", file=sys.stderr, flush=True)

    def report(self) -> dict[str, Any]:
        """Waits for the process to end, and returns its report; after a failure, one that says that nothing is ready.

        The report is one line, so the pipe holds it until this is called.
        """
        assert self.process.stdout is not None
        output = self.process.stdout.read()
        code = self.process.wait()
        self._messages.join()
        if code == 0:
            (report,) = jsonlib.loads(output)["titles"]
            return dict(report)
        if code < 0:
            print(f"{self._name}: its process was ended by signal {-code}", file=sys.stderr)
        return {"title": self._name, "ready": False, "compiled": [], "seconds": None}

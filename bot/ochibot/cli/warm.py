"""``ochibot warm``: compiles the games' kernels, so that play starts at once."""

from __future__ import annotations

import json as jsonlib
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TextIO

import typer

from ochibot import interrupts
from ochibot.cli import completing
from ochibot.cli.options import GameModuleOption, JsonOption, find_title
from ochibot.cli.output import report_stream
from ochibot.errors import OchibotError
from ochibot.report import check_target, write_json

if TYPE_CHECKING:
    from types import FrameType

    from ochibot.games import Game


def warm(
    game: Annotated[
        str | None,
        typer.Argument(
            metavar="GAME",
            help="Only this title.",
            show_default="all, each in its own process",
            autocompletion=completing.games,
        ),
    ] = None,
    game_module: GameModuleOption = None,
    quiet: Annotated[bool, typer.Option("--quiet", help="Only report kernels while they are compiled.")] = False,
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
    from ochibot.players import open_player

    started = time.perf_counter()
    rules = find_rules(title)
    before = len(COMPILED)
    prepare(open_player(None, title, rules))
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
    """Warms all titles one after another, even after one has failed. Returns the reports on them."""
    from ochibot.games import game_names

    reports = []
    for name in game_names():
        report = _in_a_process(name)
        reports.append(report)
        _tell(report, out)
    return reports


def _in_a_process(name: str) -> dict[str, Any]:
    """Warms a title in its own process, whose end frees the compiler's memory. Returns the report on the title."""
    # the new process loads the same modules as this one, and none that happen to lie in the current folder
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(str(Path(path).resolve()) for path in sys.path if path)}
    words = [sys.executable, "-P", "-m", "ochibot", "warm", name, "--quiet", "--json", "-"]
    # in a session of its own, so that Ctrl-C reaches only this process, which then ends both
    with subprocess.Popen(
        words, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, env=environment, start_new_session=True
    ) as process:
        before = {number: signal.getsignal(number) for number in interrupts.SIGNALS}

        def stop(number: int, frame: FrameType | None) -> None:
            process.kill()
            interrupts.at_once(number, frame)

        for number in before:
            signal.signal(number, stop)
        try:
            output, _ = process.communicate()
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)
    if process.returncode == 0:
        (report,) = jsonlib.loads(output)["titles"]
        return dict(report)
    if process.returncode < 0:
        print(f"its process was ended by signal {-process.returncode}", file=sys.stderr)
    return {"title": name, "ready": False, "compiled": [], "seconds": None}

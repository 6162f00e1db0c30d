"""``ochibot engine``: tools for programs that play as engines."""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated

import typer

from ochibot.cli.commands import example
from ochibot.cli.options import JsonOption, number_option
from ochibot.cli.output import report_stream
from ochibot.report import check_target, write_json
from ochibot.wording import counted

app = typer.Typer(no_args_is_help=True)


@app.callback(epilog=example("engine check 'python3 lowest.py'"))
def engine() -> None:
    """Check a program that plays as --player engine:COMMAND (docs/engines.md)."""


@app.command("check", epilog=example("engine check 'python3 lowest.py'"))
def check(
    command: Annotated[
        str,
        typer.Argument(metavar="COMMAND", help="The engine's command as one word; also engine[NAME=VALUE]:COMMAND."),
    ],
    games: Annotated[int, number_option("Games of 50 pairs that it plays.", most=1000)] = 2,
    json: JsonOption = None,
) -> None:
    """Let an engine play some games without an emulator, and say what it does wrong. The exit code is 1 if it fails."""
    from ochibot.engines.check import check as checked
    from ochibot.engines.player import takes

    check_target(json)
    out = report_stream(json)
    done = checked(command, games)
    write_json(asdict(done), json)
    for number, game in enumerate(done.games, 1):
        print(f"game {number}: {counted(game.pairs, 'pair')}, best chain {game.chain}{', dead' * game.dead}", file=out)
    turns = sum(game.pairs for game in done.games)
    print(
        f"{done.name}: every answer was legal; {1000 * done.seconds / max(1, turns):.1f} ms of processor time a turn",
        file=out,
    )
    for option in done.options.values():
        default = f", {option['default']} if not given" if "default" in option else ""
        print(f"option {option['name']}: {takes(option)}{default}", file=out)
    if not done.leaves:
        print("it doesn't end by itself after quit", file=out)

"""``ochibot arena``: players compete in simulated matches, with ratings and a sequential test."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any

import typer

from ochibot.cli import completing
from ochibot.cli.commands import taking
from ochibot.cli.options import number_option
from ochibot.cli.output import StatusLine, report_stream, stopping
from ochibot.cli.sharding import MatchesOptions, duration, warm
from ochibot.report import write_json
from ochibot.wording import counted


@dataclass(frozen=True, kw_only=True)
class ArenaOptions(MatchesOptions):
    """The options of ``ochibot arena``."""

    players: Annotated[
        list[str],
        typer.Argument(
            metavar="PLAYER...",
            help="Two or more: shipped names, YAML files, classes as file.py:Class, or programs as engine:COMMAND.",
            autocompletion=completing.players,
        ),
    ]
    games: Annotated[int, number_option("Games of each pairing, an even number; with --sprt, the most.")] = 100
    sprt: Annotated[
        tuple[float, float] | None,
        typer.Option(
            metavar="ELO0 ELO1",
            help="Stop as soon as a sequential test decides whether the first player is better by ELO0 or ELO1 "
            "(5 % errors).",
            show_default="play all games",
        ),
    ] = None


@taking(
    ArenaOptions,
    "players output game games sprt rules level colors max_pieces seed workers scheduler json",
)
def arena(given: ArenaOptions) -> None:
    """Let players compete without an emulator: a round robin with nuisance. Each deal is played from both seats.

    The result doesn't depend on the number of workers or on interruptions: run the same command again to resume, and
    the files will be the same, byte for byte. DIR/summary.json has the result; `ochibot watch DIR` shows the games.
    """
    from ochibot.lab.contest.arena import Arena, play_pair
    from ochibot.lab.contest.contestant import contestant, with_distinct_names
    from ochibot.lab.contest.rating import check_hypotheses
    from ochibot.lab.sharded.folder import ExperimentFolder
    from ochibot.lab.sharded.workers import run_plan

    given.check()
    table = given.table()
    contestants = with_distinct_names([contestant(wanted, table.game, table.rules) for wanted in given.players])
    plan = Arena(
        table, contestants, given.games, given.seed, check_hypotheses(*given.sprt) if given.sprt is not None else None
    )
    out = report_stream(given.json)
    began, before = time.perf_counter(), 0
    with (
        stopping(gently=True) as stop,
        contextlib.closing(StatusLine()) as status,
        ExperimentFolder(given.output, plan.identity(), plan.check) as folder,
    ):
        before = len(folder.done)
        if before:
            print(f"{given.output} has {2 * before:,} of {counted(2 * plan.tasks, 'game')}", file=out, flush=True)
        else:
            warm(table, (contestants[0], contestants[1]))

        def tell() -> None:
            if status.due() and len(folder.done) > before:
                pace = (len(folder.done) - before) / (time.perf_counter() - began)
                left = duration((plan.tasks - len(folder.done)) / pace)
                test = "" if plan.test is None else f"; log-likelihood ratio {plan.test.ratio:+.2f}"
                status.show(f"{2 * len(folder.done):,} of {counted(2 * plan.tasks, 'game')}; at most {left} left{test}")

        whole = run_plan(
            folder,
            plan,
            play_pair,
            given.chosen_workers,
            stopped=stop.asked,
            on_wait=tell,
        )
        status.close()
        if not whole:
            print(
                f"stopped at {2 * len(folder.done):,} of {counted(2 * plan.tasks, 'game')}; run it again to resume",
                file=out,
            )
            raise KeyboardInterrupt
        summary = plan.summary()
        folder.finish(summary, lambda number: number < plan.counted)
    write_json(summary, given.json)
    print("\n".join(_lines(summary)), file=out)


def _lines(summary: Mapping[str, Any]) -> list[str]:
    players = sorted(summary["players"], key=lambda player: -player["elo"])
    width = max(len(player["name"]) for player in players)
    lines = [
        f"{player['name']:{width}}  Elo {player['elo']:+7.1f} ({player['low']:+.1f} to {player['high']:+.1f}, 95 %)  "
        f"{player['wins']} won, {player['losses']} lost, {player['draws']} drawn of {player['games']}"
        for player in players
    ]
    lines += [
        f"{pairing['first']} scores {pairing['score']:.1%} against {pairing['second']} "
        f"(95 %: {pairing['low']:.1%} to {pairing['high']:.1%}; "
        f"99 %: {pairing['low99']:.1%} to {pairing['high99']:.1%})"
        for pairing in summary["pairings"]
    ]
    lines += [
        f"{fault['player']} has lost {counted(fault['games'], 'game')} by its own fault, first: {fault['first']}"
        for fault in summary["faults"]
    ]
    if (test := summary["sprt"]) is not None:
        first, second = (player["name"] for player in summary["players"])
        verdict = {
            "H0": f"{first} is not {test['elo1']:g} Elo better than {second} (H0: {test['elo0']:g})",
            "H1": f"{first} is better than {second}: {test['elo1']:g} Elo fit better than {test['elo0']:g} (H1)",
            None: "not decided",
        }[test["accepted"]]
        low, high = test["bounds"]
        lines.append(
            f"{verdict}; log-likelihood ratio {test['llr']:+.2f} of {low:+.2f} to {high:+.2f}, {test['pairs']} pairs"
        )
    return lines

"""``ochibot bench review``: what the words and the accuracy of a review are worth.

``ochibot bench live``: what the live page costs the game.
"""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any, Protocol

import typer

from ochibot.cli import options
from ochibot.cli.options import OUTPUT, find_title
from ochibot.cli.output import report_stream, stopping
from ochibot.report import check_target, write_json
from ochibot.wording import counted


def review(
    output: Annotated[Path, options.folder_option("Keeps what is done, so that a killed run goes on.", *OUTPUT)],
    games: Annotated[int, options.number_option("Games of each player.", most=65536)] = 20,
    first_seed: Annotated[int, options.number_option("The first game's seed.", least=0, most=65535)] = 0,
    boards: Annotated[
        int, options.number_option("About how many boards a verdict may examine.", least=1_000, most=100_000_000)
    ] = 2_000_000,
    players: Annotated[
        str | None,
        typer.Option(metavar="NAME,NAME", help="Only these players.", show_default="all, and planted placements"),
    ] = None,
    positions: Annotated[
        int,
        options.number_option(
            "Positions from which the best and the played placement are played on.", least=0, most=1_000_000
        ),
    ] = 0,
    futures: Annotated[int, options.number_option("Along how many futures, for each position.", most=1_000)] = 20,
    pieces: Annotated[int, options.number_option("For how many pairs.", least=4, most=100)] = 20,
    nodes: Annotated[int, options.nodes_option("The boards of the player that plays on.")] = 750_000,
    json: options.JsonOption = None,
) -> None:
    """The accuracy of players of known strength, planted placements, and what the words lose when games are played on.

    Puyo Puyo, 50 pairs, Tsu rules, 4 colours. docs/review.md explains it.
    """
    from ochibot.bench import review as bench
    from ochibot.errors import UsageError
    from ochibot.puyo.rules.file import load_rules
    from ochibot.review.judging import shipped

    check_target(json)
    known = [*bench.PLAYERS, bench.PLANTED]
    names = known if players is None else players.split(",")
    if unknown := [name for name in names if name not in known]:
        raise UsageError(f"there is no player {unknown[0]} here: give some of {', '.join(known)}")
    if first_seed + games > 65_536:
        raise UsageError("seeds end at 65,535: give a smaller --first-seed, or fewer --games")
    out, rules, grades = report_stream(json), load_rules("tsu"), shipped()
    with stopping() as stop:
        kept = bench.judge_games(
            output,
            rules,
            names,
            range(first_seed, first_seed + games),
            boards,
            stop.asked,
            lambda name, seed: print(f"{name}, seed {seed}", file=out, flush=True),
        )
        mine = [one for one in kept.kept if one["player"] in names and first_seed <= one["seed"] < first_seed + games]
        lines: list[Any] = []
        if positions:
            lines = bench.outcomes(
                output,
                mine,
                rules,
                grades,
                positions=positions,
                futures=futures,
                pieces=pieces,
                nodes=nodes,
                seed=first_seed,
                stopped=stop.asked,
            )
    rows, planted, lost = bench.rows_of(mine, grades), bench.planted_of(mine, grades), bench.outcome_rows(lines)
    for row in rows:
        words = ", ".join(f"{name} {count}" for name, count in row.grades.items())
        of = f"{counted(row.games, 'game')}; mistakes and worse {row.mistakes:.1%}"
        print(f"{row.player:22} accuracy {row.accuracy:6.2f} ± {row.stderr:.2f}, {of}; {words}", file=out)
    print(f"planted: {', '.join(f'{name} {count}' for name, count in planted.items())}", file=out)
    for each in lost:
        print(
            f"{each.grade:10} played on: lost {each.lost:.3f} ± {each.stderr:.3f} of the best placement's, "
            f"{each.points:,.0f} points ({counted(each.positions, 'position')})",
            file=out,
        )
    about = {"first_seed": first_seed, "games": games, "boards": boards, "grades": grades.model_dump()}
    played = {"positions": positions, "futures": futures, "pieces": pieces, "nodes": nodes}
    write_json(
        {
            **about,
            **played,
            "players": [{**asdict(row), "mistakes": round(row.mistakes, 4)} for row in rows],
            "planted": planted,
            "outcomes": [asdict(row) for row in lost],
        },
        json,
    )


class Report(Protocol):
    """What a benchmark has measured."""

    def as_dict(self) -> dict[str, Any]:
        """Its values, for the JSON."""

    def table(self) -> str:
        """Its values as text for a terminal."""


def tell(report: Report, json: str | None) -> None:
    """Writes the JSON, and prints the table."""
    write_json(report.as_dict(), json)
    print(report.table(), file=report_stream(json))


def live(
    game: options.GameArgument = None,
    frames: options.FramesOption = 6000,
    rounds: options.RoundsOption = 7,
    core: options.CoreOption = None,
    rom: options.RomOption = None,
    system: options.SystemOption = None,
    rules: options.RulesOption = None,
    game_module: options.GameModuleOption = None,
    json: options.JsonOption = None,
) -> None:
    """Frames per second of play's whole loop with the live page (--web) and a reader, and without.

    The two take turns. Processor time is that of the thread that plays.
    """
    from ochibot.bench.live import measure
    from ochibot.ui.web import need_web

    check_target(json)
    need_web()
    title = find_title(game, game_module)
    with stopping() as stop:
        report = measure(title, frames, rounds, stop.asked, core=core, rom=rom, system=system, rules=rules)
    tell(report, json)

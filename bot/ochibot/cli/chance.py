"""``ochibot chance``: fits the chance of winning to matches of equal players, and measures it on others."""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import typer

from ochibot.cli import completing
from ochibot.cli.commands import taking
from ochibot.cli.options import file_option, number_option
from ochibot.cli.output import report_stream
from ochibot.cli.sharding import MatchesOptions, Progress, run_all, warm
from ochibot.report import write_json

_APART = 1_000
"""The held-out matches' seed, less the run's seed, by default."""


@dataclass(frozen=True, kw_only=True)
class ChanceOptions(MatchesOptions):
    """The options of ``ochibot chance``."""

    players: Annotated[
        list[str],
        typer.Argument(
            metavar="PLAYER...",
            help="One or more, each of which plays against itself: shipped names, YAML files, or classes.",
            autocompletion=completing.players,
        ),
    ]
    games: Annotated[int, number_option("Matches of each player to fit by.", most=100_000)] = 200
    held: Annotated[int, number_option("Matches of each player to measure by.", most=100_000)] = 100
    held_seed: Annotated[
        int | None, number_option("The seed of the matches to measure by.", least=0, default="--seed + 1000")
    ] = None
    moments: Annotated[int, number_option("Decisions of each match that are looked at.", most=1_000)] = 24
    hidden: Annotated[int, number_option("Hidden units of the model; 0: a logistic model.", least=0, most=64)] = 0
    weights: Annotated[Path | None, file_option("Measure these weights (YAML).", default="fit new ones")] = None


@taking(
    ChanceOptions,
    "players output game games held held_seed moments hidden weights rules level colors max_pieces seed "
    "workers scheduler json",
)
def chance(given: ChanceOptions) -> None:
    """Fit the chance of winning a match, from what both sides show: DIR/chance.yaml has the weights.

    Each player plays against itself. The weights are measured on matches that they weren't fitted to: DIR/summary.json
    has the Brier score at each sixth of the matches and the calibration; `ochibot plot` draws them. The result doesn't
    depend on the number of workers or on interruptions: run the same command again to resume.
    """
    from ochibot.errors import UsageError
    from ochibot.falling.chance import ChanceFile, load_chance, model_of
    from ochibot.lab.chance.matches import MatchPlan, Sizes, check_of, play_match, sides_of
    from ochibot.lab.chance.report import PENALTY, entries, fitted, measured, write_weights
    from ochibot.lab.contest.contestant import contestant
    from ochibot.lab.sharded.folder import ExperimentFolder

    given.check()
    table = given.table()
    sides = sides_of(table)
    players = tuple(contestant(wanted, table.game, table.rules) for wanted in given.players)
    held_seed = given.seed + _APART if given.held_seed is None else given.held_seed
    if given.weights is None and held_seed == given.seed:
        raise UsageError("--held-seed is the run's seed: give another one, so that the measure is honest")
    known = None
    if given.weights is not None:
        if given.hidden:
            raise UsageError(
                "--hidden is for a fit: leave it out, because the file of --weights says how many there are"
            )
        known = entries(load_chance(given.weights, sides.family, sides.names), sides.names)
    games = 0 if known is not None else given.games
    what = {"hidden": given.hidden} if given.hidden else {}
    plan = MatchPlan(table, players, Sizes(games, given.held, given.moments), given.seed, held_seed)
    out, results = report_stream(given.json), dict[int, Mapping[str, Any]]()
    with ExperimentFolder(given.output, plan.identity() | {"weights": known} | what, check_of(plan)) as folder:
        results.update(folder.numbered())
        progress = Progress(len(results), plan.tasks, "match", "matches")
        progress.tell_kept(given.output, out)
        if len(results) < plan.tasks:
            warm(table, (players[0], players[0]))
            run_all(folder, plan.each(), play_match, progress, lambda _: len(folder.done), given)
            results.update(folder.numbered())
        values = known if known is not None else fitted(plan, results, PENALTY, given.hidden)
        name = f"chance of {table.game}"
        file = ChanceFile(kind="chance", name=name, family=sides.family, provenance={}, **values)
        summary = measured(plan, results, model_of(file, sides.names, str(given.weights or "the fit")))
        if known is None:
            write_weights(given.output / "chance.yaml", name, sides.family, values, _provenance(given, held_seed))
        folder.finish(summary)
    write_json(summary, given.json)
    print(_text(summary), file=out)


def _provenance(given: ChanceOptions, held_seed: int) -> str:
    words = ["ochibot", "chance", *given.players, "--game", given.game, "--games", str(given.games)]
    words += ["--held", str(given.held), "--moments", str(given.moments)]
    words += ["--hidden", str(given.hidden)] if given.hidden else []
    for name, value in {
        "--rules": given.rules,
        "--level": given.level,
        "--colors": given.colors,
        "--max-pieces": given.max_pieces,
    }.items():
        words += [name, str(value)] if value is not None else []
    return "fitted by: " + shlex.join([*words, "--seed", str(given.seed), "--held-seed", str(held_seed)])


def _text(summary: Mapping[str, Any]) -> str:
    names = ["all", *(player["name"] for player in summary["players"])]
    width = max(map(len, names))
    lines = [f"{'':{width}}  Brier score at each sixth of the match (a constant's: {summary['constant']}); calibration"]
    for name, one in zip(names, (summary, *summary["players"]), strict=True):
        scores = "  ".join(f"{stage['brier']:.3f}" for stage in one["stages"])
        lines.append(f"{name:{width}}  {scores};  {one['calibration']}")
    return "\n".join(lines)

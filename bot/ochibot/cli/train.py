"""Commands that learn weights from simulated matches.

``ochibot train`` finds better weights for a player by matches between candidates. ``ochibot chance`` fits the chance of
winning to matches of equal players, and measures it on others.
"""

from __future__ import annotations

import contextlib
import shlex
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TextIO

import typer

from ochibot import interrupts
from ochibot.cli import completing
from ochibot.cli.commands import taking
from ochibot.cli.options import PlayerOption, file_option, nodes_option, number_option
from ochibot.cli.output import report_stream, stopping
from ochibot.cli.sharding import MatchesOptions, Progress, duration, run_all, warm
from ochibot.report import write_json
from ochibot.wording import counted

if TYPE_CHECKING:
    from rich.live import Live

SHOWN = 12
"""The live table shows this many of the last generations."""


class Method(StrEnum):
    """The choices of --method."""

    ARTICLE = "article"
    CMA = "cma"


@dataclass(frozen=True, kw_only=True)
class TrainOptions(MatchesOptions):
    """The options of ``ochibot train``."""

    method: Annotated[Method, typer.Option(help="The article's trainer, or CMA-ES with racing on common deals.")] = (
        Method.CMA
    )
    player: PlayerOption = None
    generations: Annotated[int, number_option("Generations in all.", most=100_000)] = 20
    population: Annotated[
        int | None,
        number_option(
            "article: weight vectors; cma: candidates in a generation.",
            least=2,
            most=10_000,
            default="article 32, cma 12",
        ),
    ] = None
    battle_games: Annotated[
        int | None,
        number_option(
            "article: games of a battle; cma: at most this many games for a candidate in a generation, rounded to "
            "a multiple of 4.",
            "--battle-games",
            most=10_000,
            default="article 1, cma 24",
        ),
    ] = None
    nodes: Annotated[
        int | None,
        nodes_option("Players of the kind beam: boards examined for each decision in training.", "the player's own"),
    ] = None


@taking(
    TrainOptions,
    "output game method player generations population battle_games rules level colors max_pieces nodes seed workers "
    "scheduler json",
)
def train(given: TrainOptions) -> None:
    """Train a player in simulated matches with nuisance: DIR/player.yaml is the result, DIR/log.jsonl its history.

    Players of the kind beam (chain) play alone, with --game tsu and --method cma; the best chain in fifty pairs counts.

    The result doesn't depend on the number of workers or on interruptions: run the same command again to resume, and
    the files will be the same, byte for byte.
    """
    from ochibot.errors import UsageError
    from ochibot.games import find_game
    from ochibot.lab.contest.contestant import contestant
    from ochibot.lab.contest.training import Training, play_task, solitaire
    from ochibot.lab.sharded.folder import ExperimentFolder
    from ochibot.lab.sharded.workers import run_plan

    given.check()
    article = given.method is Method.ARTICLE
    matches = given.table()
    start = contestant(given.player or find_game(matches.game).default_player, matches.game, matches.rules)
    if start.options:
        raise UsageError(f"training takes no options of a player: leave the brackets of {start.name} out")
    others = _of_matches(given)
    alone = solitaire(start, matches, given.nodes, [name for name, value in others.items() if value is not None])
    table = alone or matches
    sizes = {
        "population": given.population or (32 if article else 12),
        "games": given.battle_games or (1 if article else 24),
        "generations": given.generations,
    }
    options = {
        "--game": table.game,
        "--method": given.method.value,
        "--player": given.player,
        "--generations": given.generations,
        "--population": sizes["population"],
        "--battle-games": sizes["games"],
        "--rules": given.rules,
        **others,
        "--nodes": given.nodes,
        "--seed": given.seed,
    }
    command = _typed(["train"], options)
    training = Training(given.method.value, start, table, seed=given.seed, command=command, **sizes)
    out = report_stream(given.json)
    with (
        stopping(gently=True) as stop,
        ExperimentFolder(given.output, training.identity(), training.check) as folder,
        training.logging(given.output / "log.jsonl"),
        contextlib.closing(_Progress(out, given.generations, len(folder.done))) as progress,
    ):
        if folder.done:
            print(f"{given.output} has {len(folder.done):,} battles from earlier runs", file=out, flush=True)
        else:
            warm(matches, (start, start))
        whole = run_plan(
            folder,
            training,
            play_task,
            given.chosen_workers,
            stopped=stop.asked,
            on_wait=lambda: progress.show(training.log, len(folder.done)),
        )
        progress.show(training.log, len(folder.done), last=True)
        progress.close()
        if not whole:
            done = len(training.log)
            print(f"stopped after {done:,} of {given.generations:,} generations; run it again to resume", file=out)
            raise KeyboardInterrupt
        summary = training.summary()
        training.write_player(given.output / "player.yaml")
        folder.finish(summary, lambda number: number < training.battles)
    write_json(summary, given.json)
    weights = ", ".join(f"{name} {weight:g}" for name, weight in summary["weights"].items())
    print(f"{given.output / 'player.yaml'} after {counted(summary['evaluations'], 'game')}: {weights}", file=out)


class _Progress:
    """Shows the generations as they finish: a live table on a terminal, otherwise one line for each."""

    def __init__(self, out: TextIO, generations: int, kept: int) -> None:
        self._tty = sys.stderr is not None and sys.stderr.isatty()
        self._out, self._generations, self._kept = out, generations, kept
        self._told = 0
        self._began = time.perf_counter()
        self._last = 0.0
        self._live: Live | None = None

    def show(self, log: list[dict[str, Any]], battles: int, *, last: bool = False) -> None:
        """Shows the new generations. A live table is redrawn every 0.2 s at most; with ``last``, in any case."""
        if not self._tty:
            for entry in log[self._told :]:
                print(_line(entry), file=self._out, flush=True)
            self._told = len(log)
            return
        now = time.perf_counter()
        if now - self._last < 0.2 and not last:
            return
        self._last = now
        from ochibot.cli.live import start, table

        if self._live is None:
            self._live = start()
            interrupts.line_open(True)
        pace = max(battles - self._kept, 0) / max(now - self._began, 1e-9)
        text = f"generation {len(log)} of {self._generations}; {battles:,} battles, {pace:.1f} a second"
        if log and pace and battles:
            left = battles / len(log) * (self._generations - len(log)) / pace
            text += f"; about {duration(left)} left"
        names = ("generation", "evaluations", "best", "mean", "largest weights")
        rows = [
            (
                str(entry["generation"]),
                f"{entry['evaluations']:,}",
                f"{entry['best']:g}",
                f"{entry['mean']:g}",
                _largest(entry),
            )
            for entry in log[-SHOWN:]
        ]
        self._live.update(table(names, rows, text), refresh=True)

    def close(self) -> None:
        """Ends the live table, which stays on the screen."""
        if self._live is not None:
            self._live.stop()
            self._live = None
            interrupts.line_open(False)


def _largest(entry: dict[str, Any], count: int = 4) -> str:
    weights = sorted(entry["weights"].items(), key=lambda item: -abs(item[1]))[:count]
    return ", ".join(f"{name} {weight:g}" for name, weight in weights)


def _line(entry: dict[str, Any]) -> str:
    return (
        f"generation {entry['generation']}: {counted(entry['evaluations'], 'game')}, best {entry['best']:g}, mean "
        f"{entry['mean']:g}; {_largest(entry)}"
    )


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
            options = {
                "--game": given.game,
                "--games": given.games,
                "--held": given.held,
                "--moments": given.moments,
                "--hidden": given.hidden or None,
                "--rules": given.rules,
                **_of_matches(given),
                "--seed": given.seed,
                "--held-seed": held_seed,
            }
            said = f"fitted by: {_typed(['chance', *given.players], options)}"
            write_weights(given.output / "chance.yaml", name, sides.family, values, said)
        folder.finish(summary)
    write_json(summary, given.json)
    print(_text(summary), file=out)


def _of_matches(given: MatchesOptions) -> dict[str, int | None]:
    return {"--level": given.level, "--colors": given.colors, "--max-pieces": given.max_pieces}


def _typed(words: Sequence[str], options: Mapping[str, object]) -> str:
    """A command line that gives the options that aren't None."""
    given = [word for name, value in options.items() if value is not None for word in (name, str(value))]
    return shlex.join(["ochibot", *words, *given])


def _text(summary: Mapping[str, Any]) -> str:
    names = ["all", *(player["name"] for player in summary["players"])]
    width = max(map(len, names))
    lines = [f"{'':{width}}  Brier score at each sixth of the match (a constant's: {summary['constant']}); calibration"]
    for name, one in zip(names, (summary, *summary["players"]), strict=True):
        scores = "  ".join(f"{stage['brier']:.3f}" for stage in one["stages"])
        lines.append(f"{name:{width}}  {scores};  {one['calibration']}")
    return "\n".join(lines)

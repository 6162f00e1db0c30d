"""``ochibot train``: finds better weights for a player by matches between candidates."""

from __future__ import annotations

import contextlib
import shlex
import sys
import time
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated, Any, TextIO

import typer

from ochibot import interrupts
from ochibot.cli.commands import taking
from ochibot.cli.options import PlayerOption, nodes_option, number_option
from ochibot.cli.output import report_stream, stopping
from ochibot.cli.sharding import MatchesOptions, duration, warm
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
    others = {"--level": given.level, "--colors": given.colors, "--max-pieces": given.max_pieces}
    alone = solitaire(start, matches, given.nodes, [name for name, value in others.items() if value is not None])
    table = alone or matches
    sizes = {
        "population": given.population or (32 if article else 12),
        "games": given.battle_games or (1 if article else 24),
        "generations": given.generations,
    }
    words = ["ochibot", "train", "--game", table.game, "--method", given.method.value]
    words += ["--player", given.player] if given.player is not None else []
    words += ["--generations", str(given.generations), "--population", str(sizes["population"])]
    words += ["--battle-games", str(sizes["games"])]
    for name, value in {"--rules": given.rules, **others, "--nodes": given.nodes}.items():
        words += [name, str(value)] if value is not None else []
    command = shlex.join([*words, "--seed", str(given.seed)])
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

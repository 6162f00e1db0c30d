"""What commands for long experiments share: options, workers, and running all shards."""

from __future__ import annotations

import contextlib
import os
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NoReturn, TextIO, TypeVar

import typer

from ochibot.cli import completing, options
from ochibot.cli.options import OUTPUT
from ochibot.cli.output import StatusLine, report_stream, stopping
from ochibot.errors import UsageError
from ochibot.report import check_target
from ochibot.wording import counted

if TYPE_CHECKING:
    from ochibot.lab.contest.contestant import Entrant
    from ochibot.lab.contest.table import MatchTable
    from ochibot.lab.sharded.folder import ExperimentFolder
    from ochibot.lab.sharded.workers import Workers

Task = TypeVar("Task")

WorkersOption = Annotated[
    int | None, options.number_option("How many processes play.", most=1024, default="one for each processor")
]
SchedulerOption = Annotated[
    str | None,
    typer.Option(
        metavar="ADDRESS",
        help="Play on the Dask cluster of this scheduler instead, such as tcp://host:8786.",
        show_default="this machine",
    ),
]


FolderOption = Annotated[Path, options.folder_option("The folder of the run; the same command resumes it.", *OUTPUT)]
RunSeedOption = Annotated[int, options.number_option("The same seed plays the same games.", least=0)]
SimulatedOption = Annotated[
    str,
    typer.Option(
        metavar="NAME",
        help="The game whose matches are simulated: puyo, tsu or nyaa, or one whose family brings matches of its own.",
        autocompletion=completing.games,
    ),
]
DealtColorsOption = Annotated[
    int | None,
    options.number_option(
        "puyo, tsu: the number of colours chosen on the menu.", "--colors", least=3, most=6, default="5"
    ),
]
MostPiecesOption = Annotated[
    int | None,
    options.number_option(
        "A game is a draw once each side has had this many pieces.", "--max-pieces", default="500; nyaa 300"
    ),
]


@dataclass(frozen=True, kw_only=True)
class RunOptions:
    """The options of the lab's runs, which can be resumed."""

    output: FolderOption
    seed: RunSeedOption = 1
    workers: WorkersOption = None
    scheduler: SchedulerOption = None
    json: options.JsonOption = None

    def check(self) -> None:
        """Raises UsageError when processes and a cluster are both given, OutputError for a report that can't be
        written.
        """
        if self.workers is not None and self.scheduler is not None:
            raise UsageError("--workers are processes of this machine, --scheduler is a cluster: give one of them")
        check_target(self.json)

    def chosen_workers(self) -> contextlib.AbstractContextManager[Workers]:
        """The workers that the options ask for: processes of this machine, or a cluster's."""
        from ochibot.lab.sharded.workers import cluster_workers, local_workers

        return cluster_workers(self.scheduler) if self.scheduler else local_workers(self.workers or os.cpu_count() or 1)


@dataclass(frozen=True, kw_only=True)
class AloneOptions(RunOptions):
    """The options of runs in which a player of Puyo Puyo plays alone."""

    player: options.PuyoPlayerOption = "article"
    rules: options.PuyoRulesOption = "famicom"
    colors: Annotated[int, options.number_option("Colours of the pairs.", most=6)] = 5


@dataclass(frozen=True, kw_only=True)
class MatchesOptions(RunOptions):
    """The options of runs of simulated matches."""

    game: SimulatedOption = "puyo"
    rules: options.RulesOption = None
    level: options.LevelOption = None
    colors: DealtColorsOption = None
    max_pieces: MostPiecesOption = None

    def table(self) -> MatchTable:
        """The table at which the matches are played. Raises an OchibotError."""
        from ochibot.lab.contest.table import table_of

        return table_of(self.game, self.rules, level=self.level, colors=self.colors, max_pieces=self.max_pieces)


def warm(table: MatchTable, players: tuple[Entrant, Entrant]) -> None:
    """Compiles the kernels for a game once, so that the workers needn't."""
    first, second = (player.open(table.game, table.rules, 0) for player in players)
    whole: Any = table
    short = replace(whole, max_pieces=1)
    short.play(1, (first, second))


class Progress:
    """A run's progress: units done, speed, time left. before: units done by earlier runs. unit: the singular, and the
    plural unless it is formed with s.
    """

    def __init__(self, before: int, total: int, *unit: str) -> None:
        self.before, self.now, self.total, self.unit = before, before, total, unit
        self._began = time.perf_counter()

    def tell_kept(self, folder: Path, out: TextIO) -> None:
        """Says how much of the run is in its folder already, if anything is."""
        if self.before:
            print(f"{folder} has {self._done()}", file=out, flush=True)

    def stopped(self, out: TextIO) -> NoReturn:
        """Says how far a run has come that is stopped, and raises KeyboardInterrupt."""
        print(f"stopped at {self._done()}; run it again to resume", file=out)
        raise KeyboardInterrupt

    def _done(self) -> str:
        return f"{self.now:,} of {counted(self.total, *self.unit)}"

    @property
    def speed(self) -> float:
        """Units per second in this run."""
        return (self.now - self.before) / max(time.perf_counter() - self._began, 1e-9)

    def __str__(self) -> str:
        left = duration((self.total - self.now) / self.speed)
        speed = f"{self.speed:,.0f}" if self.speed >= 10 else f"{self.speed:.2g}"
        return f"{self._done()}; {speed} a second; {left} left"


def run_all(
    folder: ExperimentFolder,
    tasks: Iterable[tuple[int, Task]],
    work: Callable[[Task], Mapping[str, Any]],
    progress: Progress,
    add: Callable[[Mapping[str, Any]], int],
    given: RunOptions,
) -> None:
    """Runs the remaining shards with a status line. Raises KeyboardInterrupt when not all of them could be played.

    ``add``: takes a shard's result and returns the units done so far. ``given``: says which workers play. After
    Ctrl-C or SIGTERM, the running shards are played to their end.
    """
    from ochibot.lab.sharded.workers import run_shards

    with watching(progress) as (stopped, show), given.chosen_workers() as ready:

        def done(result: Mapping[str, Any]) -> None:
            progress.now = add(result)

        whole = run_shards(folder, tasks, work, ready, stopped=stopped, on_done=done, on_wait=show)
    if not whole:
        progress.stopped(report_stream(given.json))


@contextlib.contextmanager
def watching(progress: Progress) -> Iterator[tuple[Callable[[], bool], Callable[[], None]]]:
    """Yields two functions: one returns whether Ctrl-C or SIGTERM has come, the other shows the progress when due."""
    with stopping(gently=True) as stop, contextlib.closing(StatusLine()) as status:

        def show() -> None:
            if progress.now > progress.before and status.due():
                status.show(str(progress))

        yield stop.asked, show


def duration(seconds: float) -> str:
    """A duration in words: "2 h 5 min", "3 min 20 s", "7 s"."""
    minutes, rest = divmod(round(seconds), 60)
    if minutes >= 60:
        return f"{minutes // 60} h {minutes % 60} min"
    return f"{minutes} min {rest} s" if minutes else f"{rest} s"

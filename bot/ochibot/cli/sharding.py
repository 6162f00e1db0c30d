"""What commands for long experiments share: options, workers, and running all shards."""

from __future__ import annotations

import contextlib
import os
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Annotated, Any, TypeVar

import typer

from ochibot.cli.output import StatusLine, stopping
from ochibot.errors import UsageError

if TYPE_CHECKING:
    from ochibot.lab.sharded.folder import ExperimentFolder
    from ochibot.lab.sharded.workers import Workers

Task = TypeVar("Task")

WorkersOption = Annotated[
    int | None,
    typer.Option(min=1, max=1024, metavar="N", help="How many processes play.", show_default="one for each processor"),
]
SchedulerOption = Annotated[
    str | None,
    typer.Option(
        metavar="ADDRESS",
        help="Play on the Dask cluster of this scheduler instead, such as tcp://host:8786.",
        show_default="this machine",
    ),
]


def check_workers(workers: int | None, scheduler: str | None) -> None:
    """Raises UsageError when both options are given."""
    if workers is not None and scheduler is not None:
        raise UsageError("--workers are processes of this machine, --scheduler is a cluster: give one of them")


@contextlib.contextmanager
def chosen_workers(count: int | None, scheduler: str | None) -> Iterator[Workers]:
    """Yields the workers that the options ask for: processes of this machine, or a cluster's."""
    from ochibot.lab.sharded.workers import cluster_workers, local_workers

    with cluster_workers(scheduler) if scheduler is not None else local_workers(count or os.cpu_count() or 1) as ready:
        yield ready


class Progress:
    """A run's progress for the status line: units done, speed, time left. before: units done by earlier runs."""

    def __init__(self, before: int, total: int, unit: str) -> None:
        self.before, self.now, self.total, self.unit = before, before, total, unit
        self._began = time.perf_counter()

    @property
    def speed(self) -> float:
        """Units per second in this run."""
        return (self.now - self.before) / max(time.perf_counter() - self._began, 1e-9)

    def __str__(self) -> str:
        left = duration((self.total - self.now) / self.speed)
        speed = f"{self.speed:,.0f}" if self.speed >= 10 else f"{self.speed:.2g}"
        return f"{self.now:,} of {self.total:,} {self.unit}; {speed} a second; {left} left"


def run_all(
    folder: ExperimentFolder,
    tasks: Iterable[tuple[int, Task]],
    work: Callable[[Task], Mapping[str, Any]],
    progress: Progress,
    add: Callable[[Mapping[str, Any]], int],
    workers: tuple[int | None, str | None],
) -> bool:
    """Runs the remaining shards with a status line. Returns whether all are done.

    ``add``: takes a shard's result and returns the units done so far. ``workers``: the arguments of
    ``chosen_workers``. After Ctrl-C or SIGTERM, the function returns when the running shards are done.
    """
    from ochibot.lab.sharded.run import run_shards

    with watching(progress) as (stopped, show), chosen_workers(*workers) as ready:

        def done(result: Mapping[str, Any]) -> None:
            progress.now = add(result)

        return run_shards(folder, tasks, work, ready, stopped=stopped, on_done=done, on_wait=show)


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

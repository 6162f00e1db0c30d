"""Runs experiments whose next tasks follow from earlier results, such as trainers, or arenas that stop when decided.

Such an experiment is a *plan*. Its tasks depend on the earlier results, but not on the order in which they come. So a
killed run can resume from the results in its folder: they are passed to a new plan.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from concurrent.futures import FIRST_COMPLETED, Future, wait
from contextlib import AbstractContextManager, ExitStack
from typing import Any, Protocol, TypeVar

from ochibot.lab.sharded.folder import ExperimentFolder
from ochibot.lab.sharded.workers import Workers, WorkersLostError

_POLL = 0.2
"""Seconds between two checks for a request to stop."""
_AHEAD = 2
"""How many tasks each worker has: one that runs and one that waits."""

Task_co = TypeVar("Task_co", covariant=True)
Task = TypeVar("Task")


class Plan(Protocol[Task_co]):
    """An experiment as a source of tasks. Tasks are numbered from 0, and each is taken once."""

    @property
    def finished(self) -> bool:
        """Whether the experiment has ended. Tasks that are still running don't count any more."""

    def take(self) -> tuple[int, Task_co] | None:
        """The next task and its number. None while it depends on a missing result, and when there are no more tasks."""

    def done(self, number: int, result: Mapping[str, Any]) -> None:
        """Takes the result of a task."""


def run_plan(
    folder: ExperimentFolder,
    plan: Plan[Task],
    work: Callable[[Task], Mapping[str, Any]],
    workers: Callable[[], AbstractContextManager[Workers]],
    *,
    stopped: Callable[[], bool] = lambda: False,
    on_wait: Callable[[], None] = lambda: None,
) -> bool:
    """Runs a plan to its end and writes each result to the folder. Returns whether the plan has finished.

    ``work`` and the tasks are sent to other processes. ``workers`` is called only when a task has no result in the
    folder. When ``stopped()`` returns true, no new task begins; running tasks are waited for and kept. ``on_wait`` is
    called every _POLL seconds, or more often. Raises the exceptions of tasks, and WorkersLostError.
    """
    kept = dict(folder.numbered())
    running: dict[Future[Mapping[str, Any]], int] = {}
    with ExitStack() as stack:
        team: Workers | None = None
        try:
            while not plan.finished:
                while not stopped() and not plan.finished and (team is None or len(running) < _AHEAD * team.count()):
                    following = plan.take()
                    if following is None:
                        break
                    number, task = following
                    if number in kept:
                        plan.done(number, kept.pop(number))
                        continue
                    if team is None:
                        team = stack.enter_context(workers())
                    running[team.executor.submit(work, task)] = number
                if stopped():
                    for future in [one for one in running if one.cancel()]:
                        del running[future]
                if not running:
                    if plan.finished or stopped():
                        break
                    raise AssertionError("a plan that isn't finished has a task or waits for one")
                for future in wait(running, timeout=_POLL, return_when=FIRST_COMPLETED).done:
                    result = future.result()
                    number = running.pop(future)
                    folder.add(number, result)
                    plan.done(number, result)
                on_wait()
        except BaseException as error:
            if team is not None and isinstance(error, team.lost):
                if stopped():
                    return False  # the signal that asks this process to stop has ended the workers while they began
                raise WorkersLostError from None
            raise
        finally:
            for future in running:
                future.cancel()
    return plan.finished

"""Runs experiments whose next tasks follow from the results so far: arenas that stop when decided, trainers.

Such an experiment is a *plan*. It depends on the results alone, not on the order in which they come. So what is kept
in the folder is enough to go on: the plan is begun anew and given the results that are there already.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from concurrent.futures import FIRST_COMPLETED, Future, wait
from contextlib import AbstractContextManager, ExitStack
from typing import Any, Protocol, TypeVar

from ochibot.lab.sharded.folder import ExperimentFolder
from ochibot.lab.sharded.workers import Workers, WorkersLostError

_POLL = 0.2
"""Seconds between looks at whether somebody wants it to end."""
_AHEAD = 2
"""Tasks that each worker has: one that it runs and one that waits."""

Task_co = TypeVar("Task_co", covariant=True)
Task = TypeVar("Task")


class Plan(Protocol[Task_co]):
    """Tasks have numbers from 0, and each is taken once."""

    @property
    def finished(self) -> bool:
        """Whether the experiment is at its end; tasks that still run don't count any more."""

    def take(self) -> tuple[int, Task_co] | None:
        """The next task with its number; None when it takes a result first, or when there are no more."""

    def done(self, number: int, result: Mapping[str, Any]) -> None:
        """The result of a task that was taken."""


def run_plan(
    folder: ExperimentFolder,
    plan: Plan[Task],
    work: Callable[[Task], Mapping[str, Any]],
    workers: Callable[[], AbstractContextManager[Workers]],
    *,
    stopped: Callable[[], bool] = lambda: False,
    on_wait: Callable[[], None] = lambda: None,
) -> bool:
    """Run a plan to its end; each result goes to the folder as it comes. Whether the plan has finished.

    ``work`` and the tasks are sent to other processes. ``workers`` is called when the first task isn't kept already.
    When ``stopped()`` no new task begins, and those that run are waited for and kept. Raises what a task raises, and
    WorkersLostError.
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
                raise WorkersLostError from None
            raise
        finally:
            for future in running:
                future.cancel()
    return plan.finished

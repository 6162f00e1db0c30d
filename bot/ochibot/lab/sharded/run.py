"""Runs the remaining shards of an experiment."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import FIRST_COMPLETED, Future, wait
from typing import Any, TypeVar

from ochibot.lab.sharded.folder import ExperimentFolder
from ochibot.lab.sharded.workers import Workers, WorkersLostError

_POLL = 0.2
"""Seconds between two checks for a request to stop."""
_AHEAD = 2
"""How many tasks each worker has: one that runs and one that waits, so that the worker is never idle."""

Task = TypeVar("Task")


def run_shards(
    folder: ExperimentFolder,
    tasks: Iterable[tuple[int, Task]],
    work: Callable[[Task], Mapping[str, Any]],
    workers: Workers,
    *,
    stopped: Callable[[], bool] = lambda: False,
    on_done: Callable[[Mapping[str, Any]], None] = lambda _: None,
    on_wait: Callable[[], None] = lambda: None,
) -> bool:
    """Runs the tasks that have no result in the folder yet, and writes each result there. Returns whether all are done.

    ``work`` and the tasks are sent to other processes. Memory doesn't grow with the number of tasks. When ``stopped()``
    returns true, no new task begins; running tasks are waited for and kept. ``on_done`` is called with each new result,
    ``on_wait`` every _POLL seconds or more often. Raises the exceptions of tasks, and WorkersLostError.
    """
    waiting = iter((number, task) for number, task in tasks if number not in folder.done)
    running: dict[Future[Mapping[str, Any]], int] = {}
    try:
        while True:
            while not stopped() and len(running) < _AHEAD * workers.count():
                following = next(waiting, None)
                if following is None:
                    break
                number, task = following
                running[workers.executor.submit(work, task)] = number
            if stopped():
                for future in [one for one in running if one.cancel()]:
                    del running[future]
            if not running:
                return not stopped() and next(waiting, None) is None
            for future in wait(running, timeout=_POLL, return_when=FIRST_COMPLETED).done:
                result = future.result()
                folder.add(running.pop(future), result)
                on_done(result)
            on_wait()
    except workers.lost:
        if stopped():
            return False  # the signal that asks this process to stop has ended the workers while they began
        raise WorkersLostError from None
    finally:
        for future in running:
            future.cancel()

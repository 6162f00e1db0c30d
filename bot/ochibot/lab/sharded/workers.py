"""The workers that run shards: processes of this machine, or the workers of a Dask cluster.

Both have the standard library's interface for executors (``concurrent.futures``).

Runs experiments as *plans*: the tasks of a trainer, or of an arena that stops when it is decided, depend on earlier
results, but not on the order in which these come. So a killed run can resume from the results in its folder: they are
passed to a new plan. The shards of other experiments are a plan whose tasks are known from the start.
"""

from __future__ import annotations

import contextlib
import ctypes
import logging
import multiprocessing
import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import FIRST_COMPLETED, CancelledError, Executor, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from typing import Any, Final, Generic, Protocol, TypeVar

from ochibot import interrupts
from ochibot.errors import OchibotError, UsageError
from ochibot.lab.sharded.folder import ExperimentFolder
from ochibot.quoting import quoted

_PR_SET_PDEATHSIG: Final = 1
_WATCH: Final = 0.3
"""Seconds between two checks that the parent process still exists."""
_CONNECT: Final = 10
"""Seconds within which a scheduler must answer."""


_SAFE = "PYTHONSAFEPATH"


class WorkersLostError(OchibotError):
    """The processes that ran the tasks are gone."""

    def __init__(self) -> None:
        super().__init__(
            "the workers are gone (a process was killed, or the scheduler has ended); what was done is kept: run the "
            "same command again to resume"
        )


@dataclass(frozen=True)
class Workers:
    """The workers of an experiment. executor: runs the tasks. count: a function that returns how many tasks run at a
    time. lost: the exceptions that mean that the workers are gone.
    """

    executor: Executor
    count: Callable[[], int]
    lost: tuple[type[BaseException], ...] = (BrokenProcessPool,)


@contextlib.contextmanager
def local_workers(count: int) -> Iterator[Workers]:
    """Starts ``count`` processes on this machine. They end within a second after this one, even if it is killed."""
    with _safe_path():
        _start_tracker()
        pool = ProcessPoolExecutor(
            count, mp_context=multiprocessing.get_context("spawn"), initializer=_begin, initargs=(os.getpid(),)
        )
        try:
            yield Workers(pool, lambda: count)
        finally:
            pool.shutdown(wait=True, cancel_futures=True)


@contextlib.contextmanager
def _safe_path() -> Iterator[None]:
    """Makes new Python processes not search the current folder for modules: it may hold other people's files.

    (The processes of ``multiprocessing`` would import ``multiprocessing`` from there first.)
    """
    before = os.environ.get(_SAFE)
    os.environ[_SAFE] = "1"
    try:
        yield
    finally:
        if before is None:
            os.environ.pop(_SAFE, None)
        else:
            os.environ[_SAFE] = before


def _start_tracker() -> None:
    """Starts the process by which ``multiprocessing`` cleans up, deaf to SIGHUP: it ignores SIGINT and SIGTERM only.

    A closed terminal would kill it, and the next one would complain about what it doesn't know.
    """
    if sys.platform == "win32":
        return
    from multiprocessing import resource_tracker

    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGHUP})
    try:
        resource_tracker.ensure_running()
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _begin(parent: int) -> None:
    # Ctrl-C and a closed terminal reach all processes of the terminal; only the parent process reacts to them
    for number in interrupts.SIGNALS:
        signal.signal(number, signal.SIG_DFL if number == signal.SIGTERM else signal.SIG_IGN)
    if sys.platform != "win32" and hasattr(signal, "sigtimedwait"):
        # the same for a SIGTERM to the whole process group; only one from the parent process, which ends its pool with
        # it, ends a worker (see ``_watch``)
        signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGTERM})
    if sys.platform == "linux":
        with contextlib.suppress(OSError, AttributeError):
            ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, int(signal.SIGKILL), 0, 0, 0)
    threading.Thread(target=_watch, args=(parent,), daemon=True).start()


def _watch(parent: int) -> None:
    while os.getppid() == parent:
        if not hasattr(signal, "sigtimedwait"):
            time.sleep(_WATCH)
        elif (came := signal.sigtimedwait({signal.SIGTERM}, _WATCH)) is not None and came.si_pid == parent:
            break
    os._exit(1)


@contextlib.contextmanager
def cluster_workers(address: str) -> Iterator[Workers]:
    """Uses the workers of a Dask scheduler, which repeats a lost worker's tasks on other workers. Raises UsageError."""
    try:
        from distributed import Client
        from distributed.comm import CommClosedError
        from distributed.scheduler import KilledWorker
    except ImportError:
        raise UsageError("--scheduler needs Dask: pip install 'ochibot[lab]'") from None
    # our own message reports a lost connection, so Dask's messages are switched off
    for name in [name for name in logging.root.manager.loggerDict if name.startswith("distributed")]:
        logging.getLogger(name).setLevel(logging.CRITICAL + 1)
    try:
        client = Client(address, timeout=_CONNECT, set_as_default=False)
    except (OSError, TimeoutError, ValueError) as error:
        raise UsageError(
            f"no Dask scheduler answers at {quoted(address)} ({type(error).__name__}): start one with "
            "`dask scheduler`, and give the address that it shows"
        ) from None
    with client:
        # Dask gives a lost worker's tasks to other workers; a task that fails is repeated at most three times
        executor = client.get_executor(retries=3, pure=False)
        try:
            yield Workers(
                executor,
                lambda: max(sum(client.nthreads().values()), 1),
                (CancelledError, CommClosedError, KilledWorker),
            )
        finally:
            executor.shutdown(wait=False)


_POLL = 0.2
"""Seconds between two checks for a request to stop."""
_AHEAD = 2
"""How many tasks each worker has: one that runs and one that waits, so that the worker is never idle."""

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
    workers: Callable[[], contextlib.AbstractContextManager[Workers]],
    *,
    stopped: Callable[[], bool] = lambda: False,
    on_wait: Callable[[], None] = lambda: None,
) -> bool:
    """Runs a plan to its end and writes each result to the folder. Returns whether the plan has finished.

    ``work`` and the tasks are sent to other processes. ``workers`` is called only when a task has no result in the
    folder. When ``stopped()`` returns true, no new task begins; running tasks are waited for and kept. ``on_wait`` is
    called every _POLL seconds, or more often. Raises the exceptions of tasks, and WorkersLostError.
    """
    return _run(folder, plan, work, workers, dict(folder.numbered()), stopped, on_wait)


class _Shards(Generic[Task]):
    """Tasks that don't depend on results, as a plan. Only one of those that wait is held in memory."""

    def __init__(self, tasks: Iterator[tuple[int, Task]], on_done: Callable[[Mapping[str, Any]], None]) -> None:
        self._waiting, self._next, self._running, self._on_done = tasks, next(tasks, None), 0, on_done

    @property
    def finished(self) -> bool:
        return self._next is None and not self._running

    def take(self) -> tuple[int, Task] | None:
        taken = self._next
        if taken is not None:
            self._next, self._running = next(self._waiting, None), self._running + 1
        return taken

    def done(self, number: int, result: Mapping[str, Any]) -> None:  # noqa: ARG002
        self._running -= 1
        self._on_done(result)


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
    waiting = ((number, task) for number, task in tasks if number not in folder.done)
    whole = _run(folder, _Shards(waiting, on_done), work, lambda: contextlib.nullcontext(workers), {}, stopped, on_wait)
    return whole and not stopped()


def _run(
    folder: ExperimentFolder,
    plan: Plan[Task],
    work: Callable[[Task], Mapping[str, Any]],
    workers: Callable[[], contextlib.AbstractContextManager[Workers]],
    kept: dict[int, Mapping[str, Any]],
    stopped: Callable[[], bool],
    on_wait: Callable[[], None],
) -> bool:
    """Runs a plan. ``kept``: the results of earlier runs, by their tasks' numbers. See ``run_plan``."""
    running: dict[Future[Mapping[str, Any]], int] = {}
    with contextlib.ExitStack() as stack:
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

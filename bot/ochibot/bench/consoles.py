"""Measures how fast several consoles run side by side: in the threads of one process, and in a process each.

Each console plays as ``play`` does without its search, over and over from one savestate. One console alone, the
processes and the threads take turns.
"""

from __future__ import annotations

import multiprocessing
import os
import platform
import statistics
import sys
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, ExitStack
from dataclasses import dataclass
from multiprocessing.connection import Connection
from typing import Any

from ochibot.bench.console import Foreknown, easiest
from ochibot.console import Console
from ochibot.errors import GameError, OchibotError, UsageError
from ochibot.games.protocols import Game
from ochibot.play.endless import Endless
from ochibot.play.seat import SeatPlayer
from ochibot.play.speed import speed_of
from ochibot.report import Reported
from ochibot.wording import counted

MakeConsole = Callable[[], AbstractContextManager[Console]]


@dataclass(frozen=True)
class ConsolesReport(Reported):
    """Medians of the rounds. cores: how many processors this process may use.

    ``…_fps``: frames per second of all consoles together, by the clock; ``…_times``: how many times the speed of one
    console that is. ``…_us``: microseconds of processor time for a frame of one console; other programs on the machine
    change it less than they change the clock. ``…_work``: the number of consoles times ``one_us`` divided by this: how
    many times the speed of one console there would be if each console had a processor for itself.
    """

    core: str
    machine: str
    cores: int
    consoles: int
    frames: int
    rounds: int
    stretch: int
    one_fps: float
    processes_fps: float
    threads_fps: float
    processes_times: float
    threads_times: float
    one_us: float
    processes_us: float
    threads_us: float
    processes_work: float
    threads_work: float

    def table(self) -> str:
        """The report as text for a terminal."""
        many = counted(self.consoles, "console")
        lines = [
            f"{self.core}, {self.machine}; {counted(self.cores, 'processor')}; nothing is searched",
            f"{counted(self.rounds, 'round')} of {counted(self.frames, 'frame')} for each console, in stretches of "
            f"{self.stretch}",
            f"{'':<28}{'frames/s by the clock':>24}{'microseconds a frame':>24}",
            f"{'one console':<28}{self.one_fps:>15,.0f}{'':>9}{self.one_us:>24.1f}",
        ]
        for name in ("processes", "threads"):
            fps, times, us, work = (getattr(self, f"{name}_{kind}") for kind in ("fps", "times", "us", "work"))
            where = counted(self.consoles, "process", "processes") if name == "processes" else "threads"
            title = many + " in " + where
            lines.append(f"{title:<28}{fps:>15,.0f}{times:>7.2f} x{us:>24.1f}, as if {work:.2f} x")
        return "\n".join(lines)


@dataclass(frozen=True)
class _Ran:
    """When some frames began and ended, by the clock, and the processor time of the process."""

    began: float
    ended: float
    own: float


class _Playing:
    """A console in play, at a savestate from which it starts again."""

    def __init__(self, console: Console, game: Game, rules: Any, stretch: int) -> None:
        self.console = console
        self._stretch = stretch
        (name,) = game.map_names(game.solo_mode)
        ram_map = game.load_map(name, console.rom)
        self._seat = game.seat(ram_map, console.ram, rules)
        game.reach(console, self._seat, game.solo_mode, easiest(game, ram_map))
        self._state = console.save()
        self._player = Foreknown(game, rules)
        self.run(stretch)  # the player makes its decisions

    def run(self, frames: int) -> None:
        """Plays so many frames."""
        for first in range(0, frames, self._stretch):
            self.console.load(self._state)
            self._seat.resync()
            self._player.again()
            hands: SeatPlayer[Any, Any, Any, Any, Any] = SeatPlayer(self._seat, self._player, speed_of(10))
            hands.spawn()
            run = Endless(self.console, hands, seed=None, speed=10)
            run.run(frames=min(self._stretch, frames - first))
            if run.stopped_by != "frames":
                raise GameError(f"the benchmark's game ended within a stretch ({run.stopped_by})")


def measure(
    make: MakeConsole,
    game: Game,
    rules: Any,
    consoles: int,
    frames: int,
    rounds: int,
    stopped: Callable[[], bool] = lambda: False,
    stretch: int = 500,
) -> ConsolesReport:
    """Times one console, then this many in processes, then as many in threads; several rounds. ``make`` opens a
    console at power-on.

    Raises UsageError where processes can't fork, GameError when the game ends within a stretch, and KeyboardInterrupt
    when ``stopped()`` returns true between two turns.
    """
    if sys.platform == "win32":
        raise UsageError("--consoles needs a system on which a process can fork: leave it out")
    with ExitStack() as stack:
        alone = [stack.enter_context(_ConsoleWorker(make, game, rules, 1, stretch)) for _ in range(consoles)]
        together = stack.enter_context(_ConsoleWorker(make, game, rules, consoles, stretch))
        core = alone[0].ready()
        for worker in (*alone[1:], together):
            worker.ready()
        turns = (alone[:1], alone, [together])
        fps: list[list[float]] = [[], [], []]
        own: list[list[float]] = [[], [], []]
        for _ in range(rounds):
            for number, workers in enumerate(turns):
                if stopped():
                    raise KeyboardInterrupt
                ran = _all_run(workers, frames)
                count = frames * (1 if number == 0 else consoles)
                fps[number].append(count / (max(one.ended for one in ran) - min(one.began for one in ran)))
                own[number].append(1e6 * sum(one.own for one in ran) / count)
    speed = [round(statistics.median(each), 1) for each in fps]
    us = [round(statistics.median(each), 2) for each in own]
    times = [round(statistics.median(a / b for a, b in zip(each, fps[0], strict=True)), 3) for each in fps]
    work = [round(statistics.median(consoles * b / a for a, b in zip(each, own[0], strict=True)), 3) for each in own]
    cores = len(os.sched_getaffinity(0)) if sys.platform == "linux" else os.cpu_count() or 1
    about = core, platform.machine(), cores, consoles, frames, rounds, stretch
    return ConsolesReport(*about, *speed, *times[1:], *us, *work[1:])


class _ConsoleWorker:
    """A process that plays on one or more consoles, each in a thread if there are several."""

    def __init__(self, make: MakeConsole, game: Game, rules: Any, consoles: int, stretch: int) -> None:
        context: Any = multiprocessing.get_context("fork")
        self._here, there = context.Pipe()
        self._process = context.Process(
            target=_work, args=(there, self._here, make, game, rules, consoles, stretch), daemon=True
        )
        self._process.start()
        there.close()

    def __enter__(self) -> _ConsoleWorker:
        return self

    def __exit__(self, *_: object) -> None:
        self._here.close()  # so the process ends
        self._process.join(5)
        if self._process.is_alive():
            self._process.kill()

    def ready(self) -> str:
        """Waits until all consoles are in play. Returns the core's name and version."""
        return str(self._answer())

    def begin(self, frames: int) -> None:
        """Lets each console play so many frames; ``ended`` waits for them."""
        self._here.send(frames)

    def ended(self) -> _Ran:
        """When the frames ran."""
        ran = self._answer()
        assert isinstance(ran, _Ran)
        return ran

    def _answer(self) -> Any:
        try:
            answer = self._here.recv()
        except EOFError:
            raise GameError("a process of the benchmark has died") from None
        if isinstance(answer, OchibotError):
            raise answer
        return answer


def _all_run(workers: Sequence[_ConsoleWorker], frames: int) -> list[_Ran]:
    for worker in workers:
        worker.begin(frames)
    return [worker.ended() for worker in workers]


def _work(
    pipe: Connection, others: Connection, make: MakeConsole, game: Game, rules: Any, consoles: int, stretch: int
) -> None:
    """What a worker's process does until its pipe is closed."""
    others.close()
    try:
        with ExitStack() as stack:
            playing = [_Playing(stack.enter_context(make()), game, rules, stretch) for _ in range(consoles)]
            first = playing[0].console
            pipe.send(f"{first.core_name} {first.core_version}")
            while True:
                pipe.send(_timed(playing, pipe.recv()))
    except (EOFError, KeyboardInterrupt):
        pass
    except OchibotError as error:
        pipe.send(error)


def _timed(playing: list[_Playing], frames: int) -> _Ran:
    """Runs all consoles at the same time."""
    began, own = time.monotonic(), time.process_time()
    if len(playing) == 1:
        playing[0].run(frames)
    else:
        failures: list[OchibotError] = []

        def run(one: _Playing) -> None:
            try:
                one.run(frames)
            except OchibotError as error:
                failures.append(error)

        threads = [threading.Thread(target=run, args=(one,)) for one in playing]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        if failures:
            raise failures[0]
    return _Ran(began, time.monotonic(), time.process_time() - own)

"""Plays each game of a battle in a process of its own, several at a time. The results don't depend on how many run at
once.

Each game is played by a fork of this process, which itself runs no game. The fork has the core, the ROM and the players
as they were at power-on, and what it changes is lost when it ends. So no game can influence another.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import pickle
import select
import signal
import sys
from collections.abc import Callable, Generator
from dataclasses import dataclass, field
from typing import Any

from ochibot import errors, interrupts
from ochibot.errors import ContradictionError, OchibotError, UsageError
from ochibot.falling.player import leave
from ochibot.falling.series import SeriesGame
from ochibot.falling.series import games as series_of
from ochibot.play.battle import Battle, Played

_POLL = 0.1
"""Seconds between checks for a request to stop."""

_FRAMES = 128
"""Frames of a game between checks that the parent process still exists."""

_PR_SET_PDEATHSIG = 1


class WorkerError(OchibotError):
    """The process of a game has died."""


@dataclass
class _GamesWorker:
    """The process of one game. written: its output that has been read so far."""

    game: SeriesGame
    process: int
    pipe: int
    written: bytearray = field(default_factory=bytearray)


@dataclass
class _Ended:
    """What a process reports of its game. error: the class and the text of what ended it."""

    played: Played
    error: tuple[str, str] | None = None


def play_in_processes(
    battle: Battle,
    games: int,
    jobs: int,
    *,
    stopped: Callable[[], bool] = lambda: False,
    on_game: Callable[[int], None] | None = None,
) -> None:
    """Plays all games of a battle, ``jobs`` at a time, and adds them to ``battle.result``. The battle mustn't have run.

    ``on_game`` is called with the number of games done. A game that fails ends the battle as it would without
    processes: the games before it count, those after it don't. If a game's process dies, all games that have finished
    count, and only those before it are played to their end. Once ``stopped()`` is true, no game goes on and the
    finished ones count. All processes have ended when this returns or raises. Raises the error that ended a game, and
    UsageError where processes can't fork.
    """
    if sys.platform == "win32":
        raise UsageError("--jobs needs a system on which a process can fork: leave it out")
    result = battle.result
    ended: dict[int, _Ended] = {}
    try:
        with contextlib.closing(_all_ended(battle, games, jobs, stopped)) as telling:
            for number, end in telling:
                ended[number] = end
                if on_game is not None:
                    on_game(len(ended))
        result.stopped_by = "games" if len(ended) == games else "interrupt"
    finally:
        failed = min((number for number, end in ended.items() if end.error), default=games)
        died = failed < games and (ended[failed].error or ("",))[0] == WorkerError.__name__
        for number in sorted(ended):
            # whether a process dies has nothing to do with the other games, unlike an error in a game
            if number <= failed or (died and ended[number].error is None):
                result.add_game(ended[number].played)
        result.seconds = battle.seconds
    if failed < games:
        error = _as_raised(*(ended[failed].error or ("", "")))
        result.stopped_by = "contradiction" if isinstance(error, ContradictionError) else "error"
        raise error


def _all_ended(
    battle: Battle, games: int, jobs: int, stopped: Callable[[], bool]
) -> Generator[tuple[int, _Ended], None, None]:
    """Yields each game's number and report as soon as the game ends. Closing the generator ends all processes."""
    waiting = list(series_of(games))
    workers: dict[int, _GamesWorker] = {}
    try:
        while (waiting or workers) and not stopped():
            while waiting and len(workers) < jobs:
                begun = _begin(battle, waiting.pop(0), [one.pipe for one in workers.values()])
                workers[begun.pipe] = begun
            for pipe in select.select(list(workers), [], [], _POLL)[0]:
                if pipe not in workers:
                    continue  # this worker has just been killed, because an earlier game of the series failed
                worker = workers[pipe]
                if block := os.read(pipe, 1 << 16):
                    worker.written += block
                    continue
                del workers[pipe]
                end = _end(worker)
                if end.error is not None:
                    # without processes, the games after the failed one wouldn't be played
                    waiting = [game for game in waiting if game.number < worker.game.number]
                    for other in [one for one in workers.values() if one.game.number > worker.game.number]:
                        del workers[other.pipe]
                        _kill(other)
                yield worker.game.number, end
    finally:
        for worker in workers.values():
            _kill(worker)


def _begin(battle: Battle, game: SeriesGame, others: list[int]) -> _GamesWorker:
    """Forks the process of a game. others: the pipes of the processes already running, which the fork closes."""
    if sys.platform == "win32":
        raise AssertionError("play_in_processes has refused this system")
    here, there = os.pipe()
    parent = os.getpid()
    for stream in (sys.stdout, sys.stderr):
        stream.flush()
    process = os.fork()
    if process:
        os.close(there)
        return _GamesWorker(game, process, here)
    code = 1
    try:
        # a signal to the process group, such as Ctrl-C in a terminal, reaches this process as well; but its parent ends
        # it, with a SIGKILL
        for number in interrupts.SIGNALS:
            signal.signal(number, signal.SIG_IGN)
        _die_with(parent)
        for pipe in (here, *others):
            os.close(pipe)
        with os.fdopen(there, "wb") as out:
            out.write(pickle.dumps(_played(battle, game, parent)))
        code = 0
    finally:
        # the fork must skip the parent's exit handlers (files to remove, text to write)
        os._exit(code)


def _played(battle: Battle, game: SeriesGame, parent: int) -> _Ended:
    def watch(running: Battle) -> None:
        if running.frames % _FRAMES == 0 and os.getppid() != parent:
            os._exit(1)

    battle.on_frame = watch
    end = _Ended(Played())
    try:
        battle.play_one(game, end.played)
    except Exception as error:
        end.error = type(error).__name__, str(error)
    for side in battle.contestants:
        leave(side.player)  # no exit handler will
    return end


def _die_with(parent: int) -> None:
    """Makes this process end as soon as its parent ends. It works on Linux only, so ``_played`` also checks."""
    if sys.platform == "linux":
        with contextlib.suppress(OSError, AttributeError):
            ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, int(signal.SIGKILL))
    if os.getppid() != parent:
        os._exit(1)


def _end(worker: _GamesWorker) -> _Ended:
    """The report of a process that has closed its pipe."""
    os.close(worker.pipe)
    _, status = os.waitpid(worker.process, 0)
    code = os.waitstatus_to_exitcode(status)
    if code == 0:
        end: Any = pickle.loads(bytes(worker.written))
        if isinstance(end, _Ended):
            return end
    how = f"ended with code {code}"
    if code < 0:
        with contextlib.suppress(ValueError):
            how = f"was killed by {signal.Signals(-code).name}"
    text = f"the process of game {worker.game.number + 1} {how}; without --jobs the games are played in one process"
    return _Ended(Played(), (WorkerError.__name__, text))


def _kill(worker: _GamesWorker) -> None:
    if sys.platform == "win32":  # no process was begun
        return
    with contextlib.suppress(ProcessLookupError):
        os.kill(worker.process, signal.SIGKILL)
    os.waitpid(worker.process, 0)
    os.close(worker.pipe)


def _as_raised(name: str, text: str) -> Exception:
    """Rebuilds an OchibotError raised in another process. Any other error becomes a RuntimeError: it is a bug."""
    kind = WorkerError if name == WorkerError.__name__ else getattr(errors, name, None)
    if isinstance(kind, type) and issubclass(kind, OchibotError):
        return kind(text)
    return RuntimeError(f"{name}: {text}")

"""Tests of what the parent process makes of a game's process that ends, fails, or has to be killed."""

from __future__ import annotations

import os
import pickle
import signal
from select import select
from types import SimpleNamespace
from typing import Any

import pytest
from ochibot.errors import ContradictionError, GameError, OchibotError
from ochibot.falling.series import SeriesGame
from ochibot.play.battle import BattleResult, GameResult, Played
from ochibot.play.jobs import WorkerError, _all_ended, _as_raised, _end, _Ended, _GamesWorker, _kill, play_in_processes

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="processes can't fork here")


def ended(written: bytes, code: int = 0, by: int = 0) -> tuple[Any, int]:
    """Forks a process that ends with ``code`` or by signal ``by``. Returns its worker and the pipe to read from.

    The worker looks as if the parent had already read ``written`` from the process.
    """
    here, there = os.pipe()
    process = os.fork()
    if not process:
        if by:
            os.kill(os.getpid(), by)
        os._exit(code)
    os.close(there)
    worker = _GamesWorker(SeriesGame.of(3), process, here, bytearray(written))
    return worker, here


def test_what_a_process_has_written_is_its_report() -> None:
    played = _Ended(Played(pieces=7), ("GameError", "why"))
    worker, pipe = ended(pickle.dumps(played))
    end = _end(worker)
    assert (end.played.pieces, end.error) == (7, ("GameError", "why"))
    with pytest.raises(OSError, match="Bad file"):
        os.fstat(pipe)


@pytest.mark.parametrize(
    ("code", "by", "words"),
    [
        (3, 0, "the process of game 4 ended with code 3; "),
        (1, 0, "the process of game 4 ended with code 1; "),
        (0, signal.SIGKILL, "the process of game 4 was killed by SIGKILL; "),
        (0, signal.SIGTERM, "the process of game 4 was killed by SIGTERM; "),
    ],
)
def test_a_process_that_dies_is_an_error_with_its_cause(code: int, by: int, words: str) -> None:
    """A report that the process wrote before it died doesn't count."""
    worker, _ = ended(pickle.dumps(_Ended(Played(pieces=7))), code, by)
    end = _end(worker)
    assert end.played == Played()
    assert end.error is not None
    assert end.error[0] == "WorkerError"
    assert end.error[1].startswith(words)
    other, _ = ended(pickle.dumps("anything else"))
    assert _end(other).error is not None


def test_a_worker_that_is_killed_is_waited_for() -> None:
    here, there = os.pipe()
    process = os.fork()
    if not process:
        signal.pause()
    os.close(there)
    _kill(_GamesWorker(SeriesGame.of(0), process, here))
    with pytest.raises(ChildProcessError):
        os.waitpid(process, 0)
    worker, _ = ended(b"")
    _kill(worker)  # raises nothing, even if the process has already ended by itself


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("ContradictionError", ContradictionError),
        ("GameError", GameError),
        ("OchibotError", OchibotError),
        ("WorkerError", WorkerError),
        ("ZeroDivisionError", RuntimeError),
        ("annotations", RuntimeError),
        ("__doc__", RuntimeError),
        ("nothing", RuntimeError),
    ],
)
def test_errors_of_ours_come_as_they_were_and_others_as_bugs(name: str, kind: type[Exception]) -> None:
    error = _as_raised(name, "why")
    assert type(error) is kind
    assert str(error) == ("why" if issubclass(kind, OchibotError) else f"{name}: why")


class Series:
    """A battle whose games end at once. ``errors``: the exceptions that games raise, by game number. The other games
    are played.
    """

    def __init__(self, errors: dict[int, Exception] | None = None) -> None:
        self.errors = errors or {}
        self.result = BattleResult()
        self.seconds = 1.5
        self.contestants = ()
        self.on_frame: Any = None

    def play_one(self, game: SeriesGame, played: Played) -> None:
        for frame in range(0, 300, 10):
            self.on_frame(SimpleNamespace(frames=frame))
        played.pieces = 10 + game.number
        if game.number in self.errors:
            raise self.errors[game.number]
        winner = game.order[0]
        played.game = GameResult(winner, game.swapped, 1, 300, (5, 5), (1, 2), (3, 4), (6, 7))


def battle(errors: dict[int, Exception] | None = None) -> Any:
    return Series(errors)


@pytest.mark.parametrize("jobs", [1, 2, 9])
def test_all_games_are_played_and_added_in_their_order(jobs: int) -> None:
    series = battle()
    told: list[int] = []
    play_in_processes(series, 5, jobs, on_game=told.append)
    result = series.result
    assert told == [1, 2, 3, 4, 5]
    assert (result.games, result.pieces, result.stopped_by, result.seconds) == (5, 60, "games", 1.5)
    assert [game["swapped"] for game in result.games_detail] == [False, True, False, True, False]
    play_in_processes(battle(), 1, jobs)  # it also runs without ``on_game``


@pytest.mark.parametrize(("failing", "jobs"), [(0, 1), (0, 3), (2, 1), (2, 3)])
@pytest.mark.parametrize(
    ("error", "kind", "stopped"),
    [
        (ContradictionError("no"), ContradictionError, "contradiction"),
        (GameError("no"), GameError, "error"),
        (ValueError("no"), RuntimeError, "error"),
    ],
)
def test_a_game_that_fails_ends_the_series_there(
    failing: int, jobs: int, error: Exception, kind: type[Exception], stopped: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The games before the failed one count, and so do the failed game's locks. Later games don't count, even if they
    were played.

    In this test, all running processes have ended before the parent reads any pipe. In this case the parent once looked
    for a worker that it had just removed.
    """

    def all_ready(pipes: list[int], *_: object) -> tuple[list[int], list[int], list[int]]:
        for pipe in pipes:
            select([pipe], [], [])
        return pipes, [], []

    monkeypatch.setattr("ochibot.play.jobs.select.select", all_ready)
    series = battle({failing: error})
    with pytest.raises(kind, match="no"):
        play_in_processes(series, 6, jobs)
    pieces = sum(10 + number for number in range(failing + 1))
    assert (series.result.games, series.result.pieces, series.result.stopped_by) == (failing, pieces, stopped)


def test_a_stop_ends_all_and_what_is_done_counts() -> None:
    series = battle()
    done: list[int] = []
    play_in_processes(series, 6, 1, stopped=lambda: len(done) >= 2, on_game=done.append)
    assert (series.result.games, series.result.stopped_by) == (2, "interrupt")
    assert list(_all_ended(battle(), 3, 2, lambda: True)) == []

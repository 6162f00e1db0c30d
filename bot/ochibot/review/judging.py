"""Judges the placements of a game, several at a time, and keeps what is done, so that a killed review goes on.

The words for placements: from best to blunder, by what a placement has lost.
"""

from __future__ import annotations

import json
import queue
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import asdict
from enum import StrEnum
from functools import cache
from math import exp, log
from pathlib import Path
from typing import Annotated, Any, Final

from pydantic import Field

from ochibot.data import data_path
from ochibot.errors import ConfigError, OutputError
from ochibot.falling.review import Choice, Reviewer, Verdict
from ochibot.review.following import FollowedPlacement
from ochibot.yamlfile import Finite, load_model

_LEAST: Final = 0.1
"""An accuracy below this counts as this in a game's."""

Share = Annotated[float, Field(gt=0, le=1)]


class Grade(StrEnum):
    """How good a placement was. From best to worst."""

    BEST = "best"
    GOOD = "good"
    INACCURACY = "inaccuracy"
    MISTAKE = "mistake"
    BLUNDER = "blunder"


class Limit(Finite):
    """A grade's least loss: of the value, or of the chance of winning."""

    lost: Share
    chance: Share


class Grades(Finite):
    """A file of limits. scale: of the accuracy. provenance: how they were fitted."""

    inaccuracy: Limit
    mistake: Limit
    blunder: Limit
    scale: Share
    provenance: str

    def grade(self, verdict: Verdict) -> Grade:
        """The word for a placement."""
        limits = (Grade.BLUNDER, self.blunder), (Grade.MISTAKE, self.mistake), (Grade.INACCURACY, self.inaccuracy)
        for grade, limit in limits:
            if verdict.lost >= limit.lost or verdict.chance_lost >= limit.chance:
                return grade
        return Grade.BEST if verdict.played is verdict.best else Grade.GOOD

    def accuracy(self, verdict: Verdict) -> float:
        """0 to 100 for one placement."""
        return 100 * exp(-max(verdict.loss, verdict.chance_lost) / self.scale)


def accuracy_of(each: Sequence[float]) -> float | None:
    """The accuracy of a game by those of its placements, 0 to 100; None for none.

    It is their geometric mean, and so the accuracy of a placement that loses what the game's placements lose on
    average. One that loses a game weighs more than many that lose a little, but doesn't decide alone.
    """
    if not each:
        return None
    return 100 * exp(sum(log(max(one, _LEAST) / 100) for one in each) / len(each))


def load_grades(path: Path) -> Grades:
    """Reads a file of limits. Raises ConfigError naming the file, the entry and the reason."""
    return load_model(path, Grades, "a file of grades", ConfigError)


@cache
def shipped() -> Grades:
    """The limits that are shipped."""
    return load_grades(data_path("configs/review/grades.yaml"))


BOARDS: Final[Mapping[str, int]] = {"quick": 100_000, "normal": 1_000_000, "high": 10_000_000}
"""About how many boards are examined for one verdict, by the name of the effort."""

Key = tuple[int, int, int]
"""Seat, round and number of a placement."""


def key_of(played: FollowedPlacement) -> Key:
    """What a placement is known by within its game."""
    return played.seat, played.round, played.number


class Kept:
    """The verdicts of an unfinished review, in a file of JSON lines. The first line says what they are of."""

    def __init__(self, path: Path, identity: Mapping[str, Any]) -> None:
        """A file of another review is begun anew. Raises OutputError when the file can't be used."""
        self.path, self._identity = path, dict(identity)
        self.done: dict[Key, Verdict | None] = {}
        try:
            self._read(path.read_text(encoding="utf-8", errors="replace").splitlines() if path.exists() else [])
            path.write_text(json.dumps(self._identity) + "\n", encoding="utf-8")
            for key, verdict in list(self.done.items()):
                self.keep(key, verdict)
        except OSError as error:
            raise OutputError(f"can't write {path}: {error.strerror or error}; give another path") from None

    def _read(self, lines: Sequence[str]) -> None:
        """Reads what fits; a line that was cut short is left out, with all after it."""
        for number, line in enumerate(lines):
            try:
                said = json.loads(line)
                if number == 0:
                    if said != self._identity:
                        return
                    continue
                seat, round_, count = said["key"]
                self.done[seat, round_, count] = None if said["verdict"] is None else from_dict(said["verdict"])
            except (ValueError, KeyError, TypeError, IndexError):
                break

    def keep(self, key: Key, verdict: Verdict | None) -> None:
        """Adds a verdict. Raises OutputError."""
        self.done[key] = verdict
        line = json.dumps({"key": key, "verdict": None if verdict is None else as_dict(verdict)})
        try:
            with self.path.open("a", encoding="utf-8") as file:
                file.write(line + "\n")
        except OSError as error:
            raise OutputError(f"can't write {self.path}: {error.strerror or error}; make room") from None


def as_dict(verdict: Verdict) -> dict[str, Any]:
    """A verdict as plain values. played: the index among the choices, or a choice of its own."""
    said = asdict(verdict)
    if any(verdict.played is one for one in verdict.choices):
        said["played"] = next(at for at, one in enumerate(verdict.choices) if one is verdict.played)
    return said


def from_dict(said: Mapping[str, Any]) -> Verdict:
    """The reverse of ``as_dict``. Raises KeyError, TypeError or IndexError for other values."""
    choices = tuple(_choice(one) for one in said["choices"])
    mine = said["played"]
    played = choices[mine] if isinstance(mine, int) else _choice(mine)
    rest = {name: value for name, value in said.items() if name not in ("choices", "played", "marks")}
    return Verdict(choices, played, marks=tuple(said["marks"]), **rest)


def _choice(said: Mapping[str, Any]) -> Choice:
    cells, then = (tuple((x, y, code) for x, y, code in said[name]) for name in ("cells", "then"))
    return Choice(**{**said, "cells": cells, "then": then})


def judge_all(
    game: Sequence[FollowedPlacement],
    maker: Callable[[], Reviewer],
    kept: Kept,
    threads: int,
    stopped: Callable[[], bool] = lambda: False,
) -> Iterator[int]:
    """Judges all placements that aren't judged yet, each in one of ``threads`` threads. Yields how many are done after
    each. The verdicts are in ``kept.done``; they don't depend on the number of threads.

    Raises KeyboardInterrupt when ``stopped()`` returns true; verdicts in work are kept.
    """
    left = [one for one in game if key_of(one) not in kept.done]
    yield len(game) - len(left)
    if not left:
        return
    free: queue.SimpleQueue[Reviewer] = queue.SimpleQueue()
    for _ in range(min(threads, len(left))):
        free.put(maker())

    def judge(one: FollowedPlacement) -> Verdict | None:
        reviewer = free.get()
        try:
            return reviewer.judge(one.snapshot, one.placement)
        finally:
            free.put(reviewer)

    with ThreadPoolExecutor(threads, "ochibot-review") as pool:
        coming: dict[Future[Verdict | None], FollowedPlacement] = {}
        waiting = iter(left)
        while True:
            while len(coming) < threads and not stopped() and (one := next(waiting, None)) is not None:
                coming[pool.submit(judge, one)] = one
            if not coming:
                break
            for ready in wait(coming, return_when=FIRST_COMPLETED).done:
                kept.keep(key_of(coming.pop(ready)), ready.result())
                yield len(game) - len(left) + sum(key_of(one) in kept.done for one in left)
    if stopped():
        raise KeyboardInterrupt

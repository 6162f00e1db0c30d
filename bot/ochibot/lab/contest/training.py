"""A training as a plan: one of the trainers, its log, and the resulting player file."""

from __future__ import annotations

import contextlib
import json
import platform
from collections.abc import Callable, Iterator, Mapping, Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Any, Final, Protocol, TextIO

import yaml
from pydantic import Field

from ochibot.errors import OutputError, UsageError
from ochibot.lab.contest.contestant import Entrant
from ochibot.lab.contest.space import Vector, space_of
from ochibot.lab.contest.table import MatchTable, PuyoTable
from ochibot.lab.contest.trainers import (
    AloneTask,
    ArticleTrainer,
    BattleTask,
    EvolutionTrainer,
    Solitaire,
    play_alone,
    play_battle,
)
from ochibot.lab.sharded.folder import CheckedModel
from ochibot.lab.sharded.workers import Plan
from ochibot.leftovers import written
from ochibot.puyo.search.chain.config import ChainConfig
from ochibot.wording import counted

Task = BattleTask | AloneTask


def play_task(task: Task) -> dict[str, Any]:
    """Plays the games of a task (``play_battle``, ``play_alone``)."""
    return play_alone(task) if isinstance(task, AloneTask) else play_battle(task)


def solitaire(start: Entrant, table: MatchTable, nodes: int | None, others: Sequence[str]) -> Solitaire | None:
    """The games that a player of the kind ``beam`` plays alone in training; None for players that are trained in
    matches.

    nodes: how many boards a decision examines. others: the options on the command line that apply only to matches.
    Raises UsageError for options that don't fit the player.
    """
    if not isinstance(start.config, ChainConfig):
        if nodes is not None:
            raise UsageError(f"--nodes is only for players of the kind beam, such as chain; {start.name} isn't one")
        return None
    if table.game != "tsu" or not isinstance(table, PuyoTable):
        raise UsageError(f"{start.name} is trained alone, by the rules of Tsu: give --game tsu")
    if others:
        raise UsageError(f"{start.name} is trained alone, four colours and fifty pairs: leave out {', '.join(others)}")
    return Solitaire(table.rules, nodes or start.config.nodes)


class Trainer(Plan[Task], Protocol):
    """A training method as a plan, with a log."""

    method: str
    log: list[dict[str, Any]]

    def mean(self) -> Vector:
        """The weights so far."""


TRAINERS: Final[dict[str, Callable[..., Trainer]]] = {"article": ArticleTrainer, "cma": EvolutionTrainer}
_NAME: Final = "trained"


class _Played(CheckedModel):
    """The result of ``play_battle`` or ``play_alone``."""

    points: float = Field(ge=0)
    margin: float


class Training:
    """A training (a ``ochibot.lab.sharded.workers.Plan``). ``command``: the command line that repeats it."""

    def __init__(
        self,
        method: str,
        start: Entrant,
        table: MatchTable | Solitaire,
        *,
        population: int,
        games: int,
        generations: int,
        seed: int,
        command: str,
    ) -> None:
        """Raises UsageError for numbers that the method doesn't allow, and for an initial player without weights."""
        if method not in TRAINERS:
            raise UsageError(f"there is no method {method}: give one of {', '.join(TRAINERS)}")
        self._space = space_of(start, table.nodes if isinstance(table, Solitaire) else None)
        self._start, self._table, self._command = start, table, command
        self._sizes = {"population": population, "games": games, "generations": generations, "seed": seed}
        self._trainer = TRAINERS[method](
            self._space, table, population=population, games=games, generations=generations, seed=seed
        )
        self.battles = 0
        """How many tasks (battles, or games alone) are done."""
        self._file: TextIO | None = None

    def identity(self) -> dict[str, Any]:
        """Everything that the result depends on. Versions of packages belong to it, since another version may round
        otherwise.
        """
        return {
            "experiment": "train",
            "method": self._trainer.method,
            "table": self._table.identity(),
            "start": self._start.identity(),
            **self._sizes,
            "versions": {name: version(name) for name in ("numpy", "scipy", "cma")},
        }

    def check(self, number: int, result: Mapping[str, Any]) -> None:
        """Raises ValueError for a number and result that can't be those of a task."""
        played, games = _Played.model_validate(result), self._sizes["games"]
        if not isinstance(self._table, Solitaire) and (played.points > games or abs(played.margin) > 1):
            raise ValueError(f"battle {number} has {counted(games, 'game')} at most")

    @property
    def log(self) -> list[dict[str, Any]]:
        """The trainer's log, with an entry for each generation."""
        return self._trainer.log

    @property
    def finished(self) -> bool:
        """Whether all generations are done."""
        return self._trainer.finished

    def take(self) -> tuple[int, Task] | None:
        """The next task and its number; None while no task can begin."""
        return self._trainer.take()

    def done(self, number: int, result: Mapping[str, Any]) -> None:
        """Takes the result of a task."""
        before = len(self.log)
        self._trainer.done(number, result)
        self.battles += 1
        if self._file is not None and len(self.log) > before:
            self._file.write(json.dumps(self.log[-1]) + "\n")
            self._file.flush()

    @contextlib.contextmanager
    def logging(self, path: Path) -> Iterator[None]:
        """While the block runs, writes a line for each generation to a new file. Raises OutputError."""
        try:
            with path.open("w", encoding="utf-8") as self._file:
                yield
        except OSError as error:
            raise OutputError(f"can't write {path}: {error.strerror or error}; give another folder") from error
        finally:
            self._file = None

    def summary(self) -> dict[str, Any]:
        """The result as plain values."""
        return {
            "game": self._table.game,
            "method": self._trainer.method,
            "start": self._start.name,
            **self._sizes,
            "battles": self.battles,
            "evaluations": self.log[-1]["evaluations"],
            "weights": self._space.by_metric(self._trainer.mean()),
            "command": self._command,
            "python": platform.python_version(),
        }

    def write_player(self, path: Path) -> None:
        """Writes the player file. Raises OutputError."""
        versions = ", ".join(f"{name} {version(name)}" for name in ("numpy", "scipy", "cma"))
        provenance = f"trained from the player {self._start.name!r} by: {self._command} ({versions})"
        made = self._space.player(self._trainer.mean(), _NAME, provenance)
        text = yaml.safe_dump(made.model_dump(mode="json"), sort_keys=False, allow_unicode=True, width=110)
        with written(path, "", "give another folder") as partial:
            partial.write_text(text, encoding="utf-8")

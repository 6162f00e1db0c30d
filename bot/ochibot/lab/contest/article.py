"""The article's trainer: random weight vectors, two of which are drawn for a battle again and again.

Source: "Applying Artificial Intelligence to Famicom Puyo Puyo" (meatfighter.com, 2017), section "Machine Learning". The
loser is replaced by 80 % of the winner and 20 % of itself, with each element changed at random by up to 5 %. The draws
don't depend on earlier results. So battles without a common vector can run at the same time, with the same result.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from ochibot.lab.contest.battle import BattleTask
from ochibot.lab.contest.space import Space, Vector
from ochibot.lab.contest.table import MatchTable, deal_number

WINNER: Final = 0.8
CHANGE: Final = 0.05


@dataclass(frozen=True)
class _Battle:
    number: int
    pair: tuple[int, int]


class ArticleTrainer:
    """The trainer as a plan (``ochibot.lab.sharded.plan.Plan``). A generation has as many battles as there are vectors.

    log: an entry for each generation. best: the most battles that a vector has won since it last changed. mean: the
    average number of such wins. weights: the average of all vectors.
    """

    method = "article"

    def __init__(
        self, space: Space, table: MatchTable, *, population: int, games: int, generations: int, seed: int
    ) -> None:
        self.space = space
        self.log: list[dict[str, Any]] = []
        self._table, self._games, self._generations, self._seed = table, games, generations, seed
        random = np.random.default_rng((seed, 0))
        self._vectors = [space.random(random) for _ in range(population)]
        self._won = [0] * population
        self._next = 0
        self._left: list[_Battle] = []
        self._running: dict[int, _Battle] = {}
        self._draw()

    @property
    def finished(self) -> bool:
        """Whether all generations are done."""
        return len(self.log) == self._generations

    def take(self) -> tuple[int, BattleTask] | None:
        """The first battle whose two vectors aren't needed by an earlier, unfinished battle."""
        busy = {index for battle in self._running.values() for index in battle.pair}
        for battle in self._left:
            if not busy & set(battle.pair):
                self._left.remove(battle)
                self._running[battle.number] = battle
                first, second = (
                    self.space.contestant(self._vectors[index], f"vector {index}") for index in battle.pair
                )
                deal = deal_number(self._seed, "train", battle.number)
                return battle.number, BattleTask(self._table, (first, second), deal, self._games)
            busy |= set(battle.pair)
        return None

    def done(self, number: int, result: Mapping[str, Any]) -> None:
        """Replaces the loser's vector. With equal points, the margin decides; with margin 0, the first vector wins."""
        battle = self._running.pop(number)
        points = result["points"] - self._games / 2
        ahead = points if points else result["margin"]
        winner, loser = battle.pair if ahead >= 0 else battle.pair[::-1]
        self._vectors[loser] = merged(
            self._vectors[winner], self._vectors[loser], np.random.default_rng((self._seed, 2, number))
        )
        self._won[winner] += 1
        self._won[loser] = 0
        if not self._left and not self._running:
            mean = self.mean()
            self.log.append(
                {
                    "generation": len(self.log) + 1,
                    "evaluations": self._next * self._games,
                    "best": max(self._won),
                    "mean": round(float(np.mean(self._won)), 6),
                    "weights": self.space.by_metric(mean),
                }
            )
            self._draw()

    def mean(self) -> Vector:
        """The average of all vectors. Each is scaled to the same sum first, because only ratios of weights matter."""
        units = [vector / np.abs(vector).sum() for vector in self._vectors]
        size = float(np.mean([np.abs(vector).sum() for vector in self._vectors]))
        return np.asarray(np.mean(units, axis=0) * size, np.float64)

    def _draw(self) -> None:
        """Draws the battles of a generation."""
        count = len(self._vectors)
        for number in range(self._next, self._next + count):
            first, second = np.random.default_rng((self._seed, 1, number)).choice(count, 2, replace=False).tolist()
            self._left.append(_Battle(number, (first, second)))
        self._next += count


def merged(winner: Vector, loser: Vector, random: np.random.Generator) -> Vector:
    """80 % of the winner and 20 % of the loser, each element changed at random by up to 5 %."""
    middle = WINNER * winner + (1 - WINNER) * loser
    changed: Vector = middle * random.uniform(1 - CHANGE, 1 + CHANGE, len(middle))
    return changed

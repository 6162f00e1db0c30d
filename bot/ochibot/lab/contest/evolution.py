"""CMA-ES (the package ``cma``) with racing: all candidates play the same deals, and poor ones drop out early.

N. Hansen, "The CMA Evolution Strategy: A Tutorial" (2016). A *block* is two deals, each played from both
seats: one against the player that the training began with, one against the strategy's mean. (Players of the kind
``beam`` play the four games of a block alone.) CMA-ES selects the better half of a generation's candidates. After each
block from the second on, a candidate outside this half is dropped if the half's worst candidate is significantly better
on the same deals (Student's t, 95 %). CMA-ES only uses ranks: candidates dropped earlier rank behind those dropped
later.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, Final

import cma
import numpy as np
from scipy import stats

from ochibot.errors import UsageError
from ochibot.lab.contest.alone import AloneTask, Solitaire
from ochibot.lab.contest.battle import BattleTask
from ochibot.lab.contest.space import Space, Vector
from ochibot.lab.contest.table import MatchTable, deal_number

STEP: Final = 0.4
"""The first step size, in units of ``Space.at``."""
BLOCK: Final = 4
"""How many games a block has."""
_FIRST_LOOK: Final = 2
"""How many blocks are played before the first candidates can be dropped."""
_SURE: Final = 0.95


class EvolutionTrainer:
    """The trainer as a plan (``ochibot.lab.sharded.plan.Plan``).

    log: an entry for each generation. best, mean: the highest and the average of the candidates' mean margins
    (``ochibot.lab.contest.battle.margin``). weights: the weights at the strategy's mean. step: the strategy's step
    size. dropped: how many candidates dropped out early.
    """

    method = "cma"

    def __init__(
        self, space: Space, table: MatchTable | Solitaire, *, population: int, games: int, generations: int, seed: int
    ) -> None:
        """``games``: the most games of a candidate in a generation, a multiple of 4. Raises UsageError."""
        if population < 4 or games < BLOCK or games % BLOCK:
            raise UsageError(
                "--method cma needs a --population of 4 at least, and --games in fours (two opponents, two seats), "
                f"not {population} and {games}"
            )
        self.space = space
        self.log: list[dict[str, Any]] = []
        self._table, self._blocks, self._generations, self._seed = table, games // BLOCK, generations, seed
        random = np.random.default_rng((seed, 3))
        options = {
            "popsize": population,
            "verbose": -9,
            "seed": math.nan,  # we pass a generator of our own; nan keeps cma from seeding numpy's global one
            "randn": lambda *shape: random.standard_normal(shape),
        }
        self._strategy = cma.CMAEvolutionStrategy(np.zeros(space.size), STEP, options)
        self._evaluations = 0
        self._taken = 0
        self._begin()

    @property
    def finished(self) -> bool:
        """Whether all generations are done."""
        return len(self.log) == self._generations

    def take(self) -> tuple[int, BattleTask | AloneTask] | None:
        """The next task (a battle, or games alone) and its number. None until the block's running tasks have ended."""
        if not self._left:
            return None
        candidate, opponent = self._left.pop(0)
        number = self._taken
        self._taken += 1
        self._running[number] = candidate, opponent
        deal = deal_number(self._seed, f"train {len(self.log)} {opponent}", self._block)
        if isinstance(self._table, Solitaire):
            return number, AloneTask(self._table, self._contestants[candidate], deal, BLOCK // 2)
        sides = self._contestants[candidate], self._opponents[opponent]
        return number, BattleTask(self._table, sides, deal, BLOCK // 2)

    def done(self, number: int, result: Mapping[str, Any]) -> None:
        """Takes the result of a task."""
        candidate, opponent = self._running.pop(number)
        self._scores[candidate, 2 * self._block + opponent] = result["margin"]
        self._evaluations += BLOCK // 2
        if not self._left and not self._running:
            self._block += 1
            self._drop()
            if self._block < self._blocks:
                self._fill()
            else:
                self._end()

    def mean(self) -> Vector:
        """The weights at the strategy's mean."""
        return self.space.at(np.array(self._strategy.mean))

    def _begin(self) -> None:
        self._points = self._strategy.ask()
        self._contestants = [
            self.space.contestant(self.space.at(np.array(point)), f"candidate {number}")
            for number, point in enumerate(self._points, 1)
        ]
        start = self.space.at(np.zeros(self.space.size))
        self._opponents = self.space.contestant(start, "start"), self.space.contestant(self.mean(), "mean")
        self._scores = np.full((len(self._points), 2 * self._blocks), np.nan)
        self._in = list(range(len(self._points)))
        self._out: list[int] = []
        self._block = 0
        self._running: dict[int, tuple[int, int]] = {}
        self._left: list[tuple[int, int]] = []
        self._fill()

    def _fill(self) -> None:
        self._left = [(candidate, opponent) for candidate in self._in for opponent in range(2)]

    def _order(self, candidates: list[int]) -> list[int]:
        """The candidates in order, the best first; ties go to the lower number."""
        means = {one: float(np.nanmean(self._scores[one])) for one in candidates}
        return sorted(candidates, key=lambda one: (-means[one], one))

    def _drop(self) -> None:
        if self._block < _FIRST_LOOK or self._block == self._blocks:
            return
        seen = self._scores[:, : 2 * self._block]
        order = self._order(self._in)
        chosen = len(self._points) // 2
        last = order[min(chosen, len(order)) - 1]
        dropped = [one for one in order[chosen:] if surely_better(seen[last], seen[one])]
        # candidates that drop out together are ranked by their results
        self._out = dropped + self._out
        self._in = [one for one in self._in if one not in dropped]

    def _end(self) -> None:
        order = self._order(self._in) + self._out
        ranks = np.empty(len(order))
        ranks[order] = np.arange(len(order))
        means = [float(np.nanmean(row)) for row in self._scores]
        self._strategy.tell(self._points, ranks.tolist())
        self.log.append(
            {
                "generation": len(self.log) + 1,
                "evaluations": self._evaluations,
                "best": round(max(means), 6),
                "mean": round(float(np.mean(means)), 6),
                "weights": self.space.by_metric(self.mean()),
                "step": round(float(self._strategy.sigma), 6),
                "dropped": len(self._out),
            }
        )
        if not self.finished:
            self._begin()


def surely_better(good: Vector, poor: Vector) -> bool:
    """Whether the candidate with margins ``good`` is significantly better than the one with ``poor`` on the same deals
    (one-sided t-test, 95 %).

    Both arrays have one margin per deal, (N,).
    """
    apart = good - poor
    spread = float(apart.std(ddof=1))
    if spread == 0.0:
        return bool(apart[0] > 0)
    return bool(apart.mean() > stats.t.ppf(_SURE, len(apart) - 1) * spread / math.sqrt(len(apart)))

"""The trainers: CMA-ES and the article's.

CMA-ES (the package ``cma``) with racing: all candidates play the same deals, and poor ones drop out early. N. Hansen,
"The CMA Evolution Strategy: A Tutorial" (2016). A *block* is two deals, each played from both seats: one against the
player that the training began with, one against the strategy's mean. (Players of the kind ``beam`` play the four games
of a block alone.) CMA-ES selects the better half of a generation's candidates. After each block from the second on, a
candidate outside this half is dropped if the half's worst candidate is significantly better on the same deals
(Student's t, 95 %). CMA-ES only uses ranks: candidates dropped earlier rank behind those dropped later.

The article's trainer: random weight vectors, two of which are drawn for a battle again and again.

Source: "Applying Artificial Intelligence to Famicom Puyo Puyo" (meatfighter.com, 2017), section "Machine Learning". The
loser is replaced by 80 % of the winner and 20 % of itself, with each element changed at random by up to 5 %. The draws
don't depend on earlier results. So battles without a common vector can run at the same time, with the same result.

A trainer's battle: some games between two candidates, and how well the first one did.

Games that a candidate plays alone, in which only the best chain counts, by the protocol of docs/strength.md.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, Final

import cma
import numpy as np
from scipy import stats

from ochibot.errors import UsageError
from ochibot.lab.contest.contestant import Entrant
from ochibot.lab.contest.space import Space, Vector
from ochibot.lab.contest.table import GameRecord, MatchTable, deal_number
from ochibot.puyo.rules.profile import Rules
from ochibot.puyo.sim.fifty import COLORS, PAIRS, play

FIRST_SEED: Final = 20_000
"""The lowest seed of a game in training. The games by which strength is measured have lower seeds."""
_SEEDS: Final = 65_536 - FIRST_SEED
"""How many seeds training games have. (The modern dealer has 65,536 in all.)"""


@dataclass(frozen=True)
class Solitaire:
    """The conditions of a game alone, in place of a table: no opponent, no nuisance. nodes: how many boards a decision
    may examine.
    """

    rules: Rules
    nodes: int
    game: str = "tsu"

    def identity(self) -> dict[str, Any]:
        """Everything that a game depends on except the player and the seed."""
        return {
            "game": self.game,
            "rules": asdict(self.rules),
            "nodes": self.nodes,
            "colors": COLORS,
            "pairs": PAIRS,
        }


@dataclass(frozen=True)
class AloneTask:
    """Games to play. deal: the number from which their seeds are made. games: how many."""

    table: Solitaire
    player: Entrant
    deal: int
    games: int


def play_alone(task: AloneTask) -> dict[str, Any]:
    """Plays the games. ``points``: the sum of the points of the games' best chains. ``margin``: the mean of the square
    roots of these points, scaled so that a chain of 100,000 points counts 1.
    """
    player = task.player.open(task.table.game, task.table.rules, deal_number(task.deal, "ties", 0))
    played = [
        play(player, task.table.rules, FIRST_SEED + deal_number(task.deal, "game", number) % _SEEDS)
        for number in range(task.games)
    ]
    margin = sum(math.sqrt(game.score / 100_000) for game in played) / task.games
    return {"points": sum(game.score for game in played), "margin": round(margin, 9)}


@dataclass(frozen=True)
class BattleTask:
    """A battle to play. games: how many games. Each deal is played twice, with seats swapped (the last one only once if
    the number is odd). deal: the frame from which the first deal is made.
    """

    table: MatchTable
    players: tuple[Entrant, Entrant]
    deal: int
    games: int


def play_battle(task: BattleTask) -> dict[str, Any]:
    """Plays the games. Returns the first candidate's ``points`` (1 for a win, 0.5 for a draw) and mean ``margin``."""
    points = margins = 0.0
    sides = [
        player.open(task.table.game, task.table.rules, deal_number(task.deal, "ties", side))
        for side, player in enumerate(task.players)
    ]
    for game in range(task.games):
        seat = 1 + game % 2
        seated = (sides[0], sides[1]) if seat == 1 else (sides[1], sides[0])
        frame = task.deal if game < 2 else deal_number(task.deal, "battle", game // 2)
        played = task.table.play(frame, seated)
        points += 0.5 if not played["loser"] else float(played["loser"] != seat)
        margins += margin(played, seat)
    return {"points": points, "margin": round(margins / task.games, 9)}


def margin(played: GameRecord, seat: int) -> float:
    """How well seat 1 or 2 did, from -1 to 1: near 1 for a quick win, near -1 for a quick loss, within 0.25 for a draw.

    A win counts more than 0.5, and more if it took fewer pieces: the part above 0.5 shrinks by the factor e with every
    100 pieces. A draw counts in favour of the side that sent more nuisance.
    """
    if not played["loser"]:
        own, other = played["sent"][seat - 1], played["sent"][2 - seat]
        return 0.25 * (own - other) / max(own + other, 1)
    worth = 0.5 + 0.5 * math.exp(-min(played["pieces"]) / 100)
    return -worth if played["loser"] == seat else worth


WINNER: Final = 0.8
CHANGE: Final = 0.05


@dataclass(frozen=True)
class _Battle:
    number: int
    pair: tuple[int, int]


class ArticleTrainer:
    """The trainer as a plan (``ochibot.lab.sharded.workers.Plan``). A generation has as many battles as there are
    vectors.

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


STEP: Final = 0.4
"""The first step size, in units of ``Space.at``."""
BLOCK: Final = 4
"""How many games a block has."""
_FIRST_LOOK: Final = 2
"""How many blocks are played before the first candidates can be dropped."""
_SURE: Final = 0.95


class EvolutionTrainer:
    """The trainer as a plan (``ochibot.lab.sharded.workers.Plan``).

    log: an entry for each generation. best, mean: the highest and the average of the candidates' mean margins
    (``ochibot.lab.contest.trainers.margin``). weights: the weights at the strategy's mean. step: the strategy's step
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

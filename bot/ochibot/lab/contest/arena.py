"""A round robin in simulated matches, as a plan of pairs of games. In the two games of a pair, the players play the
same deal with seats swapped.

The deals and the players' seeds follow from the run's seed. So the result doesn't depend on the number of workers or on
interruptions. A sequential test counts the pairs in the order of their numbers, and ignores those played after its end.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import combinations
from typing import Annotated, Any, Final

from pydantic import Field

from ochibot.errors import UsageError
from ochibot.lab.contest.contestant import Entrant
from ochibot.lab.contest.rating import Hypotheses, SequentialTest, bradley_terry, score_interval
from ochibot.lab.contest.table import GameRecord, MatchTable, deal_number
from ochibot.lab.sharded.folder import CheckedModel, Count


@dataclass(frozen=True)
class PairTask:
    """One deal to be played from both seats by two contestants. seed: the run's seed. number: the deal's number."""

    table: MatchTable
    players: tuple[Entrant, Entrant]
    seed: int
    number: int


def play_pair(task: PairTask) -> dict[str, Any]:
    """Plays both games of a pair. In the result, ``games`` has their records. The first contestant sits at seat 1, then
    at seat 2.
    """
    frame = deal_number(task.seed, "arena", task.number)
    games: list[GameRecord] = []
    for game in range(2):
        # each contestant gets a tie-breaking seed of its own, so that two equal players don't play alike
        first, second = (
            player.open(
                task.table.game, task.table.rules, deal_number(task.seed, f"arena ties {side}", 2 * task.number + game)
            )
            for side, player in enumerate(task.players)
        )
        games.append(task.table.play(frame, (second, first) if game else (first, second)))
    return {"games": games}


_TWO: Final = Field(min_length=2, max_length=2)
_Both = Annotated[list[Count], _TWO]


class _ArenaGame(CheckedModel):
    """A ``GameRecord``."""

    deal: Count
    loser: int = Field(ge=0, le=2)
    frames: Count
    pieces: _Both
    scores: _Both
    sent: _Both
    best: _Both
    moves: Annotated[list[str], _TWO]


class _Pair(CheckedModel):
    """The result of ``play_pair``."""

    games: Annotated[list[_ArenaGame], _TWO]


def check_pair(result: Mapping[str, Any], seed: int, number: int) -> None:
    """Raises ValueError unless a result can be that of a deal. seed: the run's seed. number: the deal's number."""
    frame = deal_number(seed, "arena", number)
    if any(game.deal != frame for game in _Pair.model_validate(result).games):
        raise ValueError("its games have another deal")


def points_of(games: list[GameRecord]) -> tuple[float, float]:
    """The first contestant's points in both games: 1 for a win, 0.5 for a draw, 0 for a loss."""
    first, second = (game["loser"] for game in games)
    return (0.5, 0.0, 1.0)[first], (0.5, 1.0, 0.0)[second]


def faults_of(games: list[GameRecord]) -> list[tuple[int, str]]:
    """The games of a pair that an engine has lost by its own fault: (the first contestant 0 or the second 1, why)."""
    found = []
    for number, game in enumerate(games):
        if fault := game.get("fault"):
            found.append(((game["loser"] - 1) ^ number, fault))
    return found


class Arena:
    """An arena as a plan (``ochibot.lab.sharded.workers.Plan``). With P pairings, task n is deal n // P of
    pairing n % P.
    """

    def __init__(
        self,
        table: MatchTable,
        players: tuple[Entrant, ...],
        games: int,
        seed: int,
        hypotheses: Hypotheses | None = None,
    ) -> None:
        """``games``: how many games each pairing plays, an even number; with ``hypotheses``, the most that it plays.
        Raises UsageError.
        """
        if games < 2 or games % 2:
            raise UsageError(f"each deal is played from both seats: give an even number of games, not {games}")
        if hypotheses is not None and len(players) != 2:
            raise UsageError(f"--sprt tests two players against each other, not {len(players)}")
        self.table = table
        self.players = players
        self.games = games
        self.seed = seed
        self.test = SequentialTest(hypotheses) if hypotheses is not None else None
        self.pairings = list(combinations(range(len(players)), 2))
        self.tasks = games // 2 * len(self.pairings)
        self.counted = 0
        """How many tasks count: all before the first one that isn't done, or before the sequential test's end."""
        self._taken = 0
        self._early: dict[int, tuple[tuple[float, float], list[tuple[int, str]]]] = {}
        self._faults: dict[int, list[str]] = {}
        self._points: dict[tuple[int, int], list[tuple[float, float]]] = {pairing: [] for pairing in self.pairings}

    def identity(self) -> dict[str, Any]:
        """Everything that the result depends on, as plain values."""
        return {
            "experiment": "arena",
            "table": self.table.identity(),
            "players": [player.identity() for player in self.players],
            "games": self.games,
            "seed": self.seed,
            "sprt": [self.test.hypotheses.elo0, self.test.hypotheses.elo1] if self.test is not None else None,
        }

    def check(self, number: int, result: Mapping[str, Any]) -> None:
        """Raises ValueError for a number and result that can't be those of a task."""
        if number >= self.tasks:
            raise ValueError(f"there is no pair of games {number}")
        check_pair(result, self.seed, number // len(self.pairings))

    @property
    def finished(self) -> bool:
        """Whether all games have been played, or the test has ended."""
        return self.counted == self.tasks or (self.test is not None and self.test.verdict is not None)

    def take(self) -> tuple[int, PairTask] | None:
        """The number and task of the next pair of games; None when all have been taken."""
        if self._taken == self.tasks:
            return None
        number = self._taken
        self._taken += 1
        deal, pairing = divmod(number, len(self.pairings))
        first, second = self.pairings[pairing]
        return number, PairTask(self.table, (self.players[first], self.players[second]), self.seed, deal)

    def done(self, number: int, result: Mapping[str, Any]) -> None:
        """Adds the result of a pair of games."""
        self._early[number] = points_of(result["games"]), faults_of(result["games"])
        while not self.finished and self.counted in self._early:
            points, faults = self._early.pop(self.counted)
            pairing = self.pairings[self.counted % len(self.pairings)]
            self._points[pairing].append(points)
            for side, why in faults:
                self._faults.setdefault(pairing[side], []).append(why)
            self.counted += 1
            if self.test is not None:
                self.test.add(sum(points))

    def summary(self) -> dict[str, Any]:
        """The result as plain values.

        score: points per game, where a draw counts half. Its intervals (95 % and 99 %) are computed from pairs of
        games. faults: how many games each engine has lost by its own fault, and why it lost the first of them.
        """
        units = {pairing: [sum(points) for points in scored] for pairing, scored in self._points.items()}
        ratings = bradley_terry(len(self.players), units)
        table = []
        tallies = [[0, 0, 0] for _ in self.players]
        for (first, second), scored in self._points.items():
            single = [point for points in scored for point in points]
            won, lost, drawn = (single.count(value) for value in (1.0, 0.0, 0.5))
            for player, tally in ((first, (won, lost, drawn)), (second, (lost, won, drawn))):
                tallies[player] = [have + more for have, more in zip(tallies[player], tally, strict=True)]
            low, high = score_interval(units[first, second])
            low99, high99 = score_interval(units[first, second], 0.99)
            table.append(
                {
                    "first": self.players[first].name,
                    "second": self.players[second].name,
                    "games": len(single),
                    "wins": won,
                    "losses": lost,
                    "draws": drawn,
                    "score": round(sum(single) / max(len(single), 1), 4),
                    "low": low,
                    "high": high,
                    "low99": low99,
                    "high99": high99,
                    "pairs": [units[first, second].count(half / 2) for half in range(5)],
                }
            )
        return {
            "game": self.table.game,
            "rules": self.table.rules.name,
            "seed": self.seed,
            "games": 2 * self.counted,
            "players": [
                {
                    "name": player.name,
                    "elo": rating.elo,
                    "low": rating.low,
                    "high": rating.high,
                    "games": sum(tally),
                    "wins": tally[0],
                    "losses": tally[1],
                    "draws": tally[2],
                }
                for player, rating, tally in zip(self.players, ratings, tallies, strict=True)
            ],
            "pairings": table,
            "faults": [
                {"player": self.players[at].name, "games": len(whys), "first": whys[0]}
                for at, whys in sorted(self._faults.items())
            ],
            "sprt": self._test_summary(),
        }

    def _test_summary(self) -> dict[str, Any] | None:
        if self.test is None:
            return None
        low, high = self.test.hypotheses.bounds
        return {
            "elo0": self.test.hypotheses.elo0,
            "elo1": self.test.hypotheses.elo1,
            "pairs": self.test.pairs,
            "counts": self.test.counts,
            "llr": round(self.test.ratio, 4),
            "bounds": [round(low, 4), round(high, 4)],
            "accepted": self.test.verdict,
        }

"""Elo ratings of several players with intervals, from a fitted Bradley–Terry model.

The model: i beats j with probability 1 / (1 + 10^((Rj - Ri) / 400)); a draw counts half a win and half a loss (R. A.
Bradley and M. E. Terry, 1952). The fit maximises the likelihood. One imaginary draw is added to each pairing, so
that players who won or lost all games have a rating too. Ratings are shifted so that their mean is 0.

A sequential test between two players: games are played until they decide between two hypotheses.

H0: the first player is ELO0 better than the second; H1: it is ELO1 better. The unit is a pair of games, the same deal
from both seats, because those two games depend on each other while deals don't. A pair has five outcomes: 0, 0.5, 1,
1.5 or 2 points. The test uses the generalised likelihood ratio: a hypothesis fixes only the mean, and the outcomes'
probabilities are the likeliest ones with that mean (A. Wald, 1945; M. Van den Bergh's notes on the tests of chess
engines).
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Literal

import numpy as np
import numpy.typing as npt
from scipy import optimize, stats

from ochibot.errors import UsageError

_SCALE: Final = math.log(10) / 400
_PRIOR: Final = 1.0
"""The weight, in games, of the imaginary draw that each pairing gets."""

Pairing = tuple[int, int]
Vector = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Rating:
    """An Elo rating with the lower and upper end of its interval."""

    elo: float
    low: float
    high: float


def bradley_terry(players: int, pairs: Mapping[Pairing, Sequence[float]], level: float = 0.95) -> list[Rating]:
    """The ratings of players 0, 1, …. ``pairs``: for players (i, j), the points of i in each pair of games, 0 to 2.

    The two games of a deal count as one unit, so the interval holds even if they depend on each other. Two intervals
    are computed, one from the model and one from the variance between units; the wider one is returned.
    """
    shares = {pairing: np.array(scores, np.float64) / 2 for pairing, scores in pairs.items()}
    firsts = np.array([first for first, _ in shares], np.int64)
    seconds = np.array([second for _, second in shares], np.int64)
    games = np.array([2.0 * len(scores) for scores in shares.values()])
    won = np.array([2.0 * scores.sum() for scores in shares.values()])

    def loss(rates: Vector) -> tuple[float, Vector]:
        apart = rates[firsts] - rates[seconds]
        expected = 1 / (1 + np.exp(-apart))
        score, of = won + _PRIOR / 2, games + _PRIOR
        value = float((of * np.logaddexp(0, -apart) + (of - score) * apart).sum())
        slope = np.zeros(players)
        np.add.at(slope, firsts, of * expected - score)
        np.add.at(slope, seconds, score - of * expected)
        # the mean is fixed at 0, since the model depends only on differences
        return value + float(rates.sum()) ** 2, slope + 2 * rates.sum()

    found = optimize.minimize(loss, np.zeros(players), jac=True, method="BFGS", options={"gtol": 1e-9})
    rates = found.x - found.x.mean()
    expected = 1 / (1 + np.exp(rates[seconds] - rates[firsts]))
    information, spread = np.zeros((players, players)), np.zeros((players, players))
    for first, second, chance, scores, number in zip(firsts, seconds, expected, shares.values(), games, strict=True):
        way = np.zeros(players)
        way[first], way[second] = 1.0, -1.0
        square = np.outer(way, way)
        information += (number + _PRIOR) * chance * (1 - chance) * square
        spread += float((4 * (scores - chance) ** 2).sum()) * square
    inverse = np.linalg.pinv(information, hermitian=True)
    variance = np.maximum(np.diag(inverse), np.diag(inverse @ spread @ inverse))
    half = float(stats.norm.ppf(0.5 + level / 2)) * np.sqrt(variance)
    return [
        Rating(
            round(float(rate / _SCALE), 1),
            round(float((rate - error) / _SCALE), 1),
            round(float((rate + error) / _SCALE), 1),
        )
        for rate, error in zip(rates, half, strict=True)
    ]


def score_interval(scores: Sequence[float], level: float = 0.95) -> tuple[float, float]:
    """The interval of the mean score per game (0 to 1), from the points of pairs of games (0 to 2), by Student's t.

    It is (0, 1) for fewer than two pairs. If all pairs ended alike, it is computed as if one more had ended the other
    way.
    """
    number = len(scores)
    if number < 2:
        return 0.0, 1.0
    shares = np.array(scores, np.float64) / 2
    if float(shares.std()) == 0.0:
        shares = np.append(shares, 1 - shares[0])
    half = float(stats.t.ppf(0.5 + level / 2, len(shares) - 1)) * float(shares.std(ddof=1)) / math.sqrt(len(shares))
    mean = float(shares.mean())
    return round(max(0.0, mean - half), 4), round(min(1.0, mean + half), 4)


def expected(elo: float) -> float:
    """The expected score per game of a player who is better by ``elo``."""
    return 1 / (1 + math.exp(-elo * _SCALE))


OUTCOMES: Final = 5
_SEEN: Final = 1e-3
"""The initial count of each outcome, so that no outcome has probability 0."""
_VALUES: Final = np.linspace(0, 1, OUTCOMES)

Verdict = Literal["H0", "H1"]


@dataclass(frozen=True)
class Hypotheses:
    """Both hypotheses. elo0, elo1: how much better the first player is under H0 and H1. alpha: the probability of
    accepting H1 when H0 is true. beta: the probability of the opposite error.
    """

    elo0: float
    elo1: float
    alpha: float = 0.05
    beta: float = 0.05

    @property
    def bounds(self) -> tuple[float, float]:
        """The log-likelihood ratios at which H0 and H1 are accepted."""
        return math.log(self.beta / (1 - self.alpha)), math.log((1 - self.beta) / self.alpha)


def check_hypotheses(elo0: float, elo1: float) -> Hypotheses:
    """Makes the hypotheses. Raises UsageError if no number of games could distinguish them."""
    if not (math.isfinite(elo0) and math.isfinite(elo1) and -2000 <= elo0 < elo1 <= 2000):
        raise UsageError(f"--sprt takes ELO0 below ELO1, between -2000 and 2000, such as 0 50, not {elo0:g} {elo1:g}")
    return Hypotheses(elo0, elo1)


def log_likelihood_ratio(counts: npt.ArrayLike, hypotheses: Hypotheses) -> float:
    """The logarithm of H1's likelihood over H0's.

    ``counts``, (5,): how many pairs of games ended with 0, 0.5, 1, 1.5 and 2 points.
    """
    seen = np.asarray(counts, np.float64) + _SEEN
    shares = seen / seen.sum()
    worst, best = (_fitted(shares, expected(elo)) for elo in (hypotheses.elo0, hypotheses.elo1))
    return float((seen * np.log(best / worst)).sum())


def _fitted(shares: npt.NDArray[np.float64], mean: float) -> npt.NDArray[np.float64]:
    """The likeliest probabilities of the five outcomes, given their observed shares, with this mean score per game."""
    apart = _VALUES - mean
    # p = share / (1 + t * apart); t is chosen so that the mean is right, and 1 + t * apart must stay above 0
    low, high = -1 / float(apart[-1]), -1 / float(apart[0])
    room = 1e-12 * (high - low)
    t = optimize.brentq(lambda t: float((shares * apart / (1 + t * apart)).sum()), low + room, high - room, xtol=1e-14)
    fitted: npt.NDArray[np.float64] = shares / (1 + t * apart)
    return fitted / fitted.sum()


class SequentialTest:
    """Counts pairs of games as they are added, until a hypothesis is accepted; pairs added later change nothing."""

    def __init__(self, hypotheses: Hypotheses) -> None:
        self.hypotheses = hypotheses
        self.counts = [0] * OUTCOMES
        self.ratio = 0.0
        self.verdict: Verdict | None = None

    @property
    def pairs(self) -> int:
        """How many pairs were counted."""
        return sum(self.counts)

    def add(self, points: float) -> None:
        """Counts a pair of games. ``points``: the first player's points, 0 to 2."""
        if self.verdict is not None:
            return
        self.counts[round(2 * points)] += 1
        self.ratio = log_likelihood_ratio(self.counts, self.hypotheses)
        low, high = self.hypotheses.bounds
        if self.ratio <= low:
            self.verdict = "H0"
        elif self.ratio >= high:
            self.verdict = "H1"

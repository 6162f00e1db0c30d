"""A sequential test between two players: games are played until they decide between two hypotheses.

H0: the first player is ELO0 better than the second; H1: it is ELO1 better. The unit is a pair of games, the same deal
from both seats, because those two games depend on each other while deals don't. A pair has five outcomes: 0, 0.5, 1,
1.5 or 2 points. The test uses the generalised likelihood ratio: a hypothesis fixes only the mean, and the outcomes'
probabilities are the likeliest ones with that mean (A. Wald, 1945; M. Van den Bergh's notes on the tests of chess
engines).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final, Literal

import numpy as np
import numpy.typing as npt
from scipy import optimize

from ochibot.errors import UsageError
from ochibot.lab.contest.rating import expected

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

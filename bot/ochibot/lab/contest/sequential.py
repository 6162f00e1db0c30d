"""A sequential test between two players: it goes on until the games say which of two hypotheses holds.

H0: the first player is ELO0 better than the second; H1: it is ELO1 better. The unit is a pair of games, the same deal
from both seats, with five outcomes (0, 0.5, 1, 1.5, 2 points): the two games of a deal depend on each other, deals
don't. The likelihood ratio is the generalised one: under each hypothesis the outcomes have the probabilities that fit
best among those of that mean (A. Wald, 1945; M. Van den Bergh's notes on the tests of chess engines).
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
"""What each outcome is counted before the first pair: none is held impossible."""
_VALUES: Final = np.linspace(0, 1, OUTCOMES)

Verdict = Literal["H0", "H1"]


@dataclass(frozen=True)
class Hypotheses:
    """elo0, elo1: how much better the first player is. alpha: the chance to take H1 where H0 holds, beta: the other."""

    elo0: float
    elo1: float
    alpha: float = 0.05
    beta: float = 0.05

    @property
    def bounds(self) -> tuple[float, float]:
        """The log-likelihood ratios from which on H0 and H1 are taken."""
        return math.log(self.beta / (1 - self.alpha)), math.log((1 - self.beta) / self.alpha)


def check_hypotheses(elo0: float, elo1: float) -> Hypotheses:
    """Raises UsageError for hypotheses that no games can tell apart."""
    if not (math.isfinite(elo0) and math.isfinite(elo1) and -2000 <= elo0 < elo1 <= 2000):
        raise UsageError(f"--sprt takes ELO0 below ELO1, between -2000 and 2000, such as 0 50, not {elo0:g} {elo1:g}")
    return Hypotheses(elo0, elo1)


def log_likelihood_ratio(counts: npt.ArrayLike, hypotheses: Hypotheses) -> float:
    """Of H1 over H0. ``counts``: how many pairs ended with 0, 0.5, 1, 1.5 and 2 points, (5,)."""
    seen = np.asarray(counts, np.float64) + _SEEN
    shares = seen / seen.sum()
    worst, best = (_fitted(shares, expected(elo)) for elo in (hypotheses.elo0, hypotheses.elo1))
    return float((seen * np.log(best / worst)).sum())


def _fitted(shares: npt.NDArray[np.float64], mean: float) -> npt.NDArray[np.float64]:
    """The most likely probabilities of the outcomes among those with that mean score per game."""
    apart = _VALUES - mean
    # p = share / (1 + t apart), with t so that the mean is right; every 1 + t apart must stay above 0
    low, high = -1 / float(apart[-1]), -1 / float(apart[0])
    room = 1e-12 * (high - low)
    t = optimize.brentq(lambda t: float((shares * apart / (1 + t * apart)).sum()), low + room, high - room, xtol=1e-14)
    fitted: npt.NDArray[np.float64] = shares / (1 + t * apart)
    return fitted / fitted.sum()


class SequentialTest:
    """Counts pairs in a fixed order until one hypothesis is taken; later pairs change nothing."""

    def __init__(self, hypotheses: Hypotheses) -> None:
        self.hypotheses = hypotheses
        self.counts = [0] * OUTCOMES
        self.ratio = 0.0
        self.verdict: Verdict | None = None

    @property
    def pairs(self) -> int:
        """How many were counted."""
        return sum(self.counts)

    def add(self, points: float) -> None:
        """A pair in which the first player scored so much, 0 to 2."""
        if self.verdict is not None:
            return
        self.counts[round(2 * points)] += 1
        self.ratio = log_likelihood_ratio(self.counts, self.hypotheses)
        low, high = self.hypotheses.bounds
        if self.ratio <= low:
            self.verdict = "H0"
        elif self.ratio >= high:
            self.verdict = "H1"

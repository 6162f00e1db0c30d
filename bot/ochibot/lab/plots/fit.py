"""The article's model of its probability curve: a Gaussian, fitted and extrapolated."""

from __future__ import annotations

import math
import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from ochibot.errors import ConfigError

ARTICLE_PIECES: Final = 50_000_000
"""How many pieces the article played. The next three constants are from the article, too: the most puyos on the field,
the most frequent number of puyos, and the field clears.
"""
ARTICLE_MOST: Final = 37
ARTICLE_MODE: Final = 10
ARTICLE_CLEARS: Final = 3_326
ARTICLE_ODDS: Final = {42: 17, 84: 89}
"""Numbers of puyos on the field, and the article's probability of each: n stands for 10^-n."""


@dataclass(frozen=True)
class Gaussian:
    """height * exp(-(n - mean)^2 / (2 sigma^2)): the probability of n puyos after a lock."""

    height: float
    mean: float
    sigma: float

    def at(self, puyos: Any) -> Any:
        """The probability of this number of puyos. For an array, it returns an array."""
        return self.height * np.exp(-0.5 * ((puyos - self.mean) / self.sigma) ** 2)

    def exponent(self, puyos: float) -> float:
        """The probability's decimal logarithm."""
        return math.log10(self.height) - 0.5 * ((puyos - self.mean) / self.sigma) ** 2 / math.log(10)


def fitted(histogram: Sequence[int]) -> Gaussian:
    """Fits the Gaussian by least squares to the probabilities. As in the article, all have the same weight.

    Raises ConfigError when fewer than four different numbers of puyos occurred, or when no Gaussian fits.
    """
    from scipy.optimize import OptimizeWarning, curve_fit

    counts = np.array(histogram, np.float64)
    if np.count_nonzero(counts) < 4:
        raise ConfigError("too few pieces for a curve: play more")
    puyos, shares = np.arange(len(counts)), counts / counts.sum()
    mean = float(puyos @ shares)
    sigma = math.sqrt(float((puyos - mean) ** 2 @ shares))

    def gaussian(n: Any, height: float, middle: float, width: float) -> Any:
        return Gaussian(height, middle, width).at(n)

    try:
        with warnings.catch_warnings():
            # of the covariance, which isn't used
            warnings.simplefilter("ignore", OptimizeWarning)
            (height, middle, width), _ = curve_fit(gaussian, puyos, shares, p0=(shares.max(), mean, sigma))
    except RuntimeError:
        raise ConfigError("no Gaussian fits these pieces: play more") from None
    return Gaussian(float(height), float(middle), abs(float(width)))

"""Statistics of won and lost games, as pure functions with their limits stated."""

from __future__ import annotations

import math


def wilson_interval(wins: int, games: int, z: float = 1.96) -> tuple[float, float]:
    """The Wilson score interval of a win rate: (low, high), each 0 to 1; (0, 1) without games.

    ``z`` = 1.96 gives 95 %. Games must be independent, and each won or lost; the caller leaves draws out. Unlike the
    normal approximation, it is valid for small numbers (E. B. Wilson, 1927).
    """
    if games == 0:
        return 0.0, 1.0
    rate = wins / games
    spread = z * z / games
    middle = (rate + spread / 2) / (1 + spread)
    half = z * math.sqrt(rate * (1 - rate) / games + spread / (4 * games)) / (1 + spread)
    # so that rounding can't push the observed rate out of the interval
    return max(0.0, min(rate, middle - half)), min(1.0, max(rate, middle + half))


def sign_test(wins: int, losses: int) -> float:
    """The two-sided p-value of the sign test: how likely a result at least as uneven is if both sides are equal.

    Exact, by the binomial distribution; 1 without games. Draws are left out.
    """
    games = wins + losses
    tail = sum(math.comb(games, few) for few in range(min(wins, losses) + 1))
    return min(1.0, 2 * tail / float(2**games))

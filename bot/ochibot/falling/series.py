"""A series of games between two contestants: who sits where, and who leads.

Contestants are known by their index, 0 or 1, which never changes. Seats are 1 and 2.

The statistics of won and lost games are pure functions with their limits stated.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, NamedTuple, TypeVar


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


T = TypeVar("T")

STEP: Final = 389
"""Frames between the deals of a series. Deals from neighbouring frames would look alike."""


class SeriesGame(NamedTuple):
    """One game of a series. number: from 0. order: the contestants at seat 1 and at seat 2."""

    number: int
    order: tuple[int, int]

    @classmethod
    def of(cls, number: int) -> SeriesGame:
        """The game of that number. Contestant 0 begins at seat 1, and the two change seats after each game."""
        return cls(number, (1, 0) if number % 2 else (0, 1))

    @property
    def swapped(self) -> bool:
        """Whether contestant 0 sits at seat 2."""
        return self.order == (1, 0)

    def own_deal(self, seed: int) -> int:
        """The frame from which this game is dealt. No other game of the series has the same one."""
        return seed + STEP * self.number

    def shared_deal(self, seed: int) -> int:
        """The frame from which this game is dealt. The games 2n and 2n + 1 share one frame, so that each contestant
        plays each deal from both seats.
        """
        return seed + STEP * (self.number // 2)

    def seated(self, contestants: tuple[T, T]) -> tuple[T, T]:
        """Reorders two values from the order of contestants to that of seats. A second call undoes it."""
        first, second = self.order
        return contestants[first], contestants[second]

    def winner(self, losing_seat: int | None) -> int | None:
        """The contestant that won when seat ``losing_seat`` (1 or 2) lost; None for a draw."""
        return None if losing_seat is None else self.order[2 - losing_seat]


def games(count: int) -> Iterator[SeriesGame]:
    """The games of a series in their order."""
    return (SeriesGame.of(number) for number in range(count))


@dataclass
class SeriesStanding:
    """The standing of a series. wins: by contestant, not by seat."""

    wins: tuple[int, int] = (0, 0)
    draws: int = 0

    def add(self, winner: int | None) -> None:
        """Counts a game; None for a draw."""
        first, second = self.wins
        if winner is None:
            self.draws += 1
        else:
            self.wins = (first + 1, second) if winner == 0 else (first, second + 1)

    @property
    def interval(self) -> tuple[float, float]:
        """The 95 % interval of contestant 0's share of the decided games, rounded to four places."""
        low, high = wilson_interval(self.wins[0], sum(self.wins))
        return round(low, 4), round(high, 4)

"""Ratings and the sequential test, compared with plainer calculations and checked with random games."""

from __future__ import annotations

import math

import numpy as np
import pytest
from ochibot.errors import UsageError
from ochibot.lab.contest.rating import (
    Hypotheses,
    SequentialTest,
    bradley_terry,
    check_hypotheses,
    expected,
    log_likelihood_ratio,
    score_interval,
)


def test_the_expected_score_of_a_difference_in_elo() -> None:
    assert expected(0) == 0.5
    assert expected(400) == pytest.approx(10 / 11)
    for elo in (-300.0, -10.0, 0.0, 55.5):
        score = expected(elo)
        assert 400 * math.log10(score / (1 - score)) == pytest.approx(elo)


def test_two_players_get_the_difference_that_their_score_stands_for() -> None:
    """The first player has 150 points in 200 games; the fit adds an imaginary draw, which makes 150.5 in 201."""
    first, second = bradley_terry(2, {(0, 1): [2.0] * 50 + [1.0] * 50})
    assert first.elo - second.elo == pytest.approx(400 * math.log10(150.5 / 50.5), abs=0.15)
    assert first.elo == -second.elo
    assert first.low < first.elo < first.high


def test_ratings_by_the_old_iteration() -> None:
    """The fit agrees with Zermelo's iteration: strength = points / sum of (games / (own + opponent's strength))."""
    pairs = {(0, 1): [2.0, 1.0, 2.0, 0.5], (0, 2): [1.5, 2.0, 1.0, 1.0], (1, 2): [0.0, 1.0, 2.0, 1.0]}
    strengths = np.ones(3)
    for _ in range(4000):
        points, shares = np.zeros(3), np.zeros(3)
        for (i, j), scores in pairs.items():
            points += np.eye(3)[i] * (sum(scores) + 0.5) + np.eye(3)[j] * (2 * len(scores) - sum(scores) + 0.5)
            shares += (np.eye(3)[i] + np.eye(3)[j]) * (2 * len(scores) + 1) / (strengths[i] + strengths[j])
        strengths = points / shares
    elos = 400 * np.log10(strengths)
    elos -= elos.mean()
    assert [rating.elo for rating in bradley_terry(3, pairs)] == pytest.approx(elos.tolist(), abs=0.06)


def test_intervals_cover_the_truth() -> None:
    """In 200 random tournaments between players of known strength, about 95 % of the intervals contain the truth."""
    random = np.random.default_rng(1)
    truth = np.array([60.0, 0.0, -60.0])
    held = 0
    for _ in range(200):
        pairs = {}
        for i, j in ((0, 1), (0, 2), (1, 2)):
            wins = random.random((40, 2)) < expected(float(truth[i] - truth[j]))
            pairs[i, j] = wins.sum(1).astype(float).tolist()
        ratings = bradley_terry(3, pairs)
        held += sum(rating.low <= true <= rating.high for rating, true in zip(ratings, truth, strict=True))
    assert 0.92 < held / 600 <= 0.995


def test_a_player_who_has_won_all_has_a_rating() -> None:
    best, worst = bradley_terry(2, {(0, 1): [2.0] * 10})
    assert 200 < best.elo - worst.elo < 1000
    assert best.low > worst.high


def test_score_intervals() -> None:
    assert score_interval([2.0]) == (0.0, 1.0)
    low, high = score_interval([2.0] * 50)
    assert 0.9 < low < 1.0 == high
    wide = score_interval([2.0, 0.0, 1.0, 2.0] * 10, 0.99)
    narrow = score_interval([2.0, 0.0, 1.0, 2.0] * 10)
    assert wide[0] < narrow[0] < 0.625 < narrow[1] < wide[1]


def test_the_likelihood_ratio_beside_the_normal_one() -> None:
    """For many pairs (n) and a small difference, it is near n (s1 - s0) (2 mean - s0 - s1) / (2 variance).

    s0 and s1 are the scores expected under H0 and H1; mean and variance are those of the pairs' scores.
    """
    counts = np.array([90, 200, 400, 230, 110])
    values = np.linspace(0, 1, 5)
    mean = float(counts @ values) / counts.sum()
    variance = float(counts @ (values - mean) ** 2) / counts.sum()
    s0, s1 = expected(0), expected(10)
    normal = counts.sum() * (s1 - s0) * (2 * mean - s0 - s1) / (2 * variance)
    assert log_likelihood_ratio(counts, Hypotheses(0, 10)) == pytest.approx(normal, rel=0.02)
    mirrored = log_likelihood_ratio(counts[::-1], Hypotheses(-10, 0))
    assert mirrored == pytest.approx(-log_likelihood_ratio(counts, Hypotheses(0, 10)), rel=1e-6)


@pytest.mark.parametrize(("truth", "wrong"), [(0.0, "H1"), (80.0, "H0")])
def test_the_sequential_test_errs_as_seldom_as_it_says(truth: float, wrong: str) -> None:
    random = np.random.default_rng(7)
    errors = pairs = 0
    for _ in range(80):
        test = SequentialTest(Hypotheses(0, 80))
        while test.verdict is None:
            test.add(float((random.random(2) < expected(truth)).sum()))
        errors += test.verdict == wrong
        pairs += test.pairs
        frozen = test.counts.copy()
        test.add(2.0)
        assert test.counts == frozen
    assert errors / 80 < 0.12
    assert pairs / 80 < 400


@pytest.mark.parametrize(("elo0", "elo1"), [(5.0, 5.0), (10.0, 0.0), (0.0, math.inf), (math.nan, 1.0), (-5000.0, 0.0)])
def test_hypotheses_that_cannot_be(elo0: float, elo1: float) -> None:
    with pytest.raises(UsageError, match="ELO0 below ELO1"):
        check_hypotheses(elo0, elo1)

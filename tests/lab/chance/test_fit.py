"""Fitting weights, and measuring chances: compared with truths that the tests make."""

from __future__ import annotations

import numpy as np
import pytest
from ochibot.falling.chance import ChanceModel, Floats
from ochibot.lab.chance.fit import brier, calibration, fit, fit_hidden
from ochibot.lab.chance.matches import moments_of, stage

TRUTH = np.array([1.5, 0.0, 0.4, 0.0])
ROWS = 40_000


def predicted(differences: Floats, weights: Floats) -> Floats:
    return ChanceModel.plain(weights).chances(differences, np.zeros(differences.shape))


@pytest.fixture(scope="module")
def drawn() -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Differences, outcomes by the truth, and their true chances. The scales differ."""
    random = np.random.default_rng(1)
    differences = random.normal(0, (1, 2, 3, 0.1), (ROWS, 4))
    chances = predicted(differences, TRUTH)
    return differences, (random.random(ROWS) < chances).astype(np.float64), chances


def test_the_fit_finds_a_known_truth(drawn: tuple[np.ndarray, np.ndarray, np.ndarray]) -> None:
    differences, won, chances = drawn
    weights = fit(differences, won, np.ones(ROWS), 1e-6)
    assert weights[[0, 2]] == pytest.approx(TRUTH[[0, 2]], rel=0.05)
    assert weights[1] < 0.03
    assert weights[3] < 0.3
    assert brier(predicted(differences, weights), won) == pytest.approx(brier(chances, won), abs=2e-4)


def test_a_feature_that_is_bad_for_its_side_gets_no_weight() -> None:
    random = np.random.default_rng(2)
    differences = random.normal(0, 1, (5_000, 2))
    won = (random.random(5_000) < 1 / (1 + np.exp(differences @ (-1.0, 1.0)))).astype(np.float64)
    weights = fit(differences, won, np.ones(5_000), 1e-3)
    assert weights[0] > 0.5
    assert weights[1] == 0


def test_a_feature_that_never_differs_gets_no_weight() -> None:
    differences = np.array([[1.0, 0.0], [-1.0, 0.0], [2.0, 0.0], [-0.5, 0.0]])
    assert fit(differences, np.array([1.0, 0, 1, 0]), np.ones(4), 0.1)[1] == 0


def test_a_row_counts_by_its_share() -> None:
    """A row of share 3 is the same as three equal rows."""
    random = np.random.default_rng(3)
    differences = random.normal(0, 1, (200, 2))
    won = (random.random(200) < 0.5).astype(np.float64)
    shares = random.integers(1, 4, 200)
    whole = fit(np.repeat(differences, shares, 0), np.repeat(won, shares), np.ones(int(shares.sum())), 0.01)
    assert fit(differences, won, shares.astype(np.float64), 0.01) == pytest.approx(whole, abs=1e-4)


def test_hidden_units_find_what_counts_only_beside_something_else() -> None:
    """The first feature decides while both sides have little of the second one. A weighted sum can't tell that."""
    random = np.random.default_rng(4)
    own, other = (np.column_stack((random.normal(0, 1, 8_000), level)) for level in [random.random(8_000)] * 2)
    truth = 1 / (1 + np.exp(-3 * (own[:, 0] - other[:, 0]) * (own[:, 1] < 0.5)))
    won = (random.random(8_000) < truth).astype(np.float64)
    shares = np.ones(8_000)
    model = fit_hidden(own, other, won, shares, 6)
    plain = ChanceModel.plain(fit(own - other, won, shares, 1e-3))
    assert brier(model.chances(own, other), won) < brier(plain.chances(own, other), won) - 0.02
    assert all((values >= 0).all() for values in (model.weights, model.own, model.other, model.units))
    again = fit_hidden(own, other, won, shares, 6)
    assert np.array_equal(again.own, model.own)


def test_true_chances_are_calibrated_and_boasts_are_not(drawn: tuple[np.ndarray, np.ndarray, np.ndarray]) -> None:
    differences, won, chances = drawn
    error, bins = calibration(chances, won, np.ones(ROWS))
    assert error < 0.01
    assert sum(one["share"] for one in bins) == pytest.approx(1)
    boasting, _ = calibration(predicted(differences, 3 * TRUTH), won, np.ones(ROWS))
    assert boasting > 0.05


def test_the_bins_show_both_sides() -> None:
    _, bins = calibration(np.array([0.75]), np.array([1.0]), np.array([1.0]))
    assert [(one["from"], one["chance"], one["won"], one["share"]) for one in bins] == [
        (0.2, 0.25, 0.0, 0.5),
        (0.7, 0.75, 1.0, 0.5),
    ]


@pytest.mark.parametrize(
    ("decisions", "wanted"), [(1, [0] * 6), (6, [0, 1, 2, 3, 4, 5]), (60, [9, 19, 29, 39, 49, 59])]
)
def test_a_stage_is_the_last_decision_before_its_sixth(decisions: int, wanted: list[int]) -> None:
    assert [stage(decisions, sixth) for sixth in range(1, 7)] == wanted


def test_the_measured_decisions_are_spread_over_the_match() -> None:
    found = moments_of(100, 4)
    assert {12, 37, 62, 87} <= set(found)
    assert {stage(100, sixth) for sixth in range(1, 7)} <= set(found)
    assert moments_of(1, 24) == [0]

"""Wilson intervals against their definition: if a bound is the true rate, the observed rate is z standard deviations
away from it.
"""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st
from ochibot.falling.series import wilson_interval


@given(st.integers(1, 400), st.data())
def test_the_bounds_solve_the_score_equation(games: int, data: st.DataObject) -> None:
    wins = data.draw(st.integers(0, games))
    low, high = wilson_interval(wins, games)
    rate = wins / games
    assert 0.0 <= low <= rate <= high <= 1.0
    for bound in (low, high):
        if 1e-12 < bound < 1 - 1e-12:
            assert abs(rate - bound) == pytest.approx(1.96 * math.sqrt(bound * (1 - bound) / games), abs=1e-9)


def test_published_values() -> None:
    # Newcombe (1998), Statistics in Medicine 17, table I, method 3: 81/263 and 0/20
    assert wilson_interval(81, 263) == pytest.approx((0.2553, 0.3662), abs=5e-5)
    assert wilson_interval(0, 20) == pytest.approx((0.0, 0.1611), abs=5e-5)
    assert wilson_interval(0, 0) == (0.0, 1.0)

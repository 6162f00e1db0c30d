"""Tests of the measures of pools: compared with plain counting, and on pools that aren't shuffled fairly."""

from __future__ import annotations

from collections import Counter
from itertools import groupby
from statistics import fmean

import numpy as np
import pytest
from ochibot.errors import ConfigError
from ochibot.puyo.pairs import claims
from ochibot.puyo.pairs.claims import CODES, Claims, measure, sample, verdicts
from ochibot.puyo.pairs.generators import Generator, pool_of


def slowly(pool: bytes) -> dict[str, float]:
    """The measures of one pool, by plain counting."""
    pairs = [pool[2 * k : 2 * k + 2] for k in range(128)]
    streaks = [len(list(group)) for _, group in groupby(pool)]
    kinds = set(pool)
    drought = 0
    for code in kinds:
        without = [len(list(group)) for has, group in groupby(code in pair for pair in pairs) if not has]
        drought = max([drought, *without])
    windows = [pool[2 * k : 2 * k + 16] for k in range(1, 121)]
    return {
        "doubles": sum(axis == partner for axis, partner in pairs),
        "streak": fmean(streaks),
        "longest": max(streaks),
        "drought": drought,
        "window": fmean((window.count(code) - 16 / len(kinds)) ** 2 for window in windows for code in kinds),
        "halves": fmean(abs(pool[:128].count(code) - pool[128:].count(code)) for code in kinds),
    }


@pytest.mark.parametrize(
    ("generator", "colors", "player"), [("tsu", 4, 1), ("tsu", 3, 1), ("puyo1", 4, 2), ("modern", 5, 1)]
)
def test_pools_are_measured_as_by_counting(generator: Generator, colors: int, player: int) -> None:
    pools = [pool_of(generator, int(state), colors, player) for state in sample(generator, 60)]
    seen = measure(generator, 60, colors, player)
    slow = [slowly(pool) for pool in pools]
    for name, measured in seen.measures.items():
        assert measured.generator == pytest.approx(fmean(row[name] for row in slow)), name
    lengths = Counter(min(len(list(group)), 8) for pool in pools for _, group in groupby(pool))
    assert seen.streaks == pytest.approx([lengths[k] / lengths.total() for k in range(1, 9)])
    halves = Counter(pool[:128].count(code) for pool in pools for code in set(pool))
    assert seen.halves == pytest.approx([halves[k] / halves.total() for k in range(129)])
    everything = b"".join(pools)
    assert seen.by_color == pytest.approx([everything.count(code) / len(everything) for code in CODES])
    assert seen.by_place[:, 77] == pytest.approx([fmean(pool[77] == code for pool in pools) for code in CODES])
    assert seen.first_two == max(len(set(pool[:4])) for pool in pools)
    assert seen.first_four == max(len(set(pool[:8])) for pool in pools)


def held(seen: Claims) -> list[bool]:
    return [verdict.holds for verdict in verdicts(seen)]


def test_tsu_shuffles_fairly_and_the_modern_games_more_evenly() -> None:
    assert held(measure("tsu", 3000)) == [True, False, False, False, True, True]
    modern = measure("modern", 6000)
    assert held(modern) == [True, False, False, True, True, True]
    assert modern.measures["halves"].sigmas < -8
    # of the five colours, purple is never the one that is left out
    assert measure("tsu", 500).by_color[3] == pytest.approx(0.25, abs=0.005)


@pytest.mark.parametrize(
    ("order", "noticed"),
    [
        (np.repeat([0, 1, 3, 4], 64), [True, True, True, False, True, True]),
        (np.tile([0, 1, 3, 4], 64), [True, True, False, True, True, False]),
        (np.repeat([0, 1, 3, 4], [60, 68, 54, 74]), [False, True, True, False, True, True]),
    ],
)
def test_pools_in_one_order_are_noticed(
    order: np.ndarray[tuple[int], np.dtype[np.int64]], noticed: list[bool], monkeypatch: pytest.MonkeyPatch
) -> None:
    pools = np.tile(order.astype(np.uint8), (200, 1))
    monkeypatch.setattr(claims, "pools_of", lambda *_: pools)
    assert held(measure("tsu", 200)) == noticed


def test_samples_are_the_same_each_time_and_whole_if_there_are_no_more() -> None:
    assert sample("tsu", 100).tolist() == sample("tsu", 100).tolist()
    assert len(set(sample("tsu", 1000).tolist())) == 1000
    assert sample("modern", 100_000).tolist() == list(range(65536))
    for count in (0, 10_000_001):
        with pytest.raises(ConfigError, match="give"):
            sample("tsu", count)

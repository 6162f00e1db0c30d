"""The compiled generators against the plain ones and a published digest; finding seeds against a naive search."""

from __future__ import annotations

import hashlib
from itertools import islice

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from ochibot.errors import ConfigError
from ochibot.puyo.pairs.engine import find_modern, modern_pools, tsu_pools
from ochibot.puyo.pairs.generators import LETTERS, pairs_of
from ochibot.puyo.pairs.modern import modern
from ochibot.puyo.pairs.tsu import tsu

MODERN_SET = "568a066c7f50dc3ca9e3aa6bdcc284df5e20f3f39ef689a398c61641c34b52eb"


def test_tsu_pools_are_the_plain_ones() -> None:
    states = np.random.default_rng(15).integers(0, 1 << 32, 300, dtype=np.uint32)
    states[:4] = 0x35879DE2, 0, 1, 0xFFFFFFFF
    for state, made in zip(states, tsu_pools(states), strict=True):
        plain = tsu(int(state))
        assert made.tobytes() == plain.pool3 + plain.pool4 + plain.pool5


def test_modern_pools_are_the_plain_ones() -> None:
    seeds = np.random.default_rng(15).integers(0, 1 << 16, 100, dtype=np.uint32)
    for seed, made in zip(seeds, modern_pools(seeds), strict=True):
        plain = modern(int(seed))
        assert made.tobytes() == plain.pool3 + plain.pool4 + plain.pool5


def test_all_modern_pools_have_the_published_digest() -> None:
    letters = np.frombuffer(LETTERS.lower().encode(), np.uint8)
    lines = np.full((65536, 257), ord("\n"), np.uint8)
    lines[:, :256] = letters[modern_pools(np.arange(65536, dtype=np.uint32))[:, 1]]
    assert hashlib.sha256(lines.tobytes()).hexdigest() == MODERN_SET


@settings(max_examples=20, deadline=None)
@given(
    st.integers(0, 65535), st.sampled_from([3, 4, 5]), st.permutations("ABCDE"), st.sets(st.integers(0, 39), max_size=4)
)
def test_a_seed_is_found_by_its_first_pairs_whatever_its_colors_are_called(
    seed: int, colors: int, names: list[str], unseen: set[int]
) -> None:
    """Twenty pairs leave no more than a few seeds; each of those is looked at by counting letters."""
    called = dict(zip((0, 1, 3, 4, 5), names, strict=True))
    codes = [code for pair in islice(pairs_of("modern", modern(seed).pool(colors)), 20) for code in pair]
    signs = ["?" if place in unseen else called[code] for place, code in enumerate(codes)]
    seen = ["".join(pair) for pair in zip(signs[::2], signs[1::2], strict=True)]
    found = find_modern(seen, colors)
    assert seed in found
    assert len(found) < 10
    for other in found:
        pool = modern(other).pool(colors)
        pairing = {(sign, code) for sign, code in zip(signs, pool, strict=False) if sign != "?"}
        assert len(pairing) == len(dict(pairing)) == len({code for _, code in pairing})


def test_a_short_beginning_is_found_in_every_seed_that_has_it() -> None:
    pools = [modern(seed).pool4 for seed in range(600)]
    naive = [seed for seed, pool in enumerate(pools) if pool[0] == pool[1] != pool[2] and pool[3] == pool[0]]
    assert [seed for seed in find_modern(["rr", "gr"], 4) if seed < 600] == naive
    assert len(naive) > 20
    assert find_modern(["??"], 4) == list(range(65536))


@pytest.mark.parametrize(
    ("seen", "colors"), [([], 4), (["R"], 4), (["RRR"], 4), (["R1"], 4), (["RG", "BY"], 3), (["RG"], 6)]
)
def test_what_nobody_can_have_seen_is_refused(seen: list[str], colors: int) -> None:
    with pytest.raises(ConfigError, match=r"give|choose"):
        find_modern(seen, colors)

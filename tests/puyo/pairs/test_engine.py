"""Compares the compiled generators with the plain ones and with a published digest."""

from __future__ import annotations

import hashlib

import numpy as np
import pytest
from ochibot.puyo.pairs.engine import modern_pools, pools_of, puyo1_pools, tsu_pools
from ochibot.puyo.pairs.generators import LETTERS, Generator, pool_of
from ochibot.puyo.pairs.modern import modern
from ochibot.puyo.pairs.puyo1 import puyo1
from ochibot.puyo.pairs.tsu import tsu

MODERN_SET = "568a066c7f50dc3ca9e3aa6bdcc284df5e20f3f39ef689a398c61641c34b52eb"


def some_states(count: int) -> np.ndarray[tuple[int], np.dtype[np.uint32]]:
    states = np.random.default_rng(15).integers(0, 1 << 32, count, dtype=np.uint32)
    states[:5] = 0x35879DE2, 0, 1, 0xFFFFFFFF, 0x01000000
    return states


def test_tsu_pools_are_the_plain_ones() -> None:
    states = some_states(300)
    for state, made in zip(states, tsu_pools(states), strict=True):
        plain = tsu(int(state))
        assert made.tobytes() == plain.pool3 + plain.pool4 + plain.pool5


@pytest.mark.parametrize("colors", [3, 4, 5])
def test_puyo1_pools_are_the_plain_ones(colors: int) -> None:
    states = some_states(100)
    for state, made in zip(states, puyo1_pools(states, colors), strict=True):
        plain = puyo1(int(state), colors)
        assert made.tobytes() == plain.player1 + plain.player2


def test_modern_pools_are_the_plain_ones() -> None:
    seeds = np.random.default_rng(15).integers(0, 1 << 16, 100, dtype=np.uint32)
    for seed, made in zip(seeds, modern_pools(seeds), strict=True):
        plain = modern(int(seed))
        assert made.tobytes() == plain.pool3 + plain.pool4 + plain.pool5


@pytest.mark.parametrize("generator", ["tsu", "puyo1", "modern"])
@pytest.mark.parametrize("colors", [3, 4, 5])
@pytest.mark.parametrize("player", [1, 2])
def test_the_pool_of_a_player(generator: Generator, colors: int, player: int) -> None:
    states = np.arange(7, 20, dtype=np.uint32)
    for state, made in zip(states, pools_of(generator, states, colors, player), strict=True):
        assert made.tobytes() == pool_of(generator, int(state), colors, player)


def test_all_modern_pools_have_the_published_digest() -> None:
    letters = np.frombuffer(LETTERS.lower().encode(), np.uint8)
    lines = np.full((65536, 257), ord("\n"), np.uint8)
    lines[:, :256] = letters[modern_pools(np.arange(65536, dtype=np.uint32))[:, 1]]
    assert hashlib.sha256(lines.tobytes()).hexdigest() == MODERN_SET

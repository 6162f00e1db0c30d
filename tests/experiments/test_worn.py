"""Codes that turn with the piece: what one half shows completes what the other shows."""

from __future__ import annotations

import random
from dataclasses import replace
from itertools import product
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from ochibot.errors import CalibrationError
from ochibot.experiments.colors import Sample
from ochibot.experiments.worn import _agree, _as_other, find_index


def test_the_halves_of_a_capsule_have_the_same_codes() -> None:
    """Three colours, four codes each. The near half was never of the third colour."""
    near = {code: code // 4 for code in range(8)}
    far = {code: code // 4 for code in range(12)}
    assert _agree(near, far)
    assert not _agree(near, {**far, 3: 2})
    assert not _agree(near, {code + 6: kind for code, kind in far.items()})


def test_a_code_means_the_opposite_way_on_the_other_half() -> None:
    """A code looks up on the near half where the far one looks down."""
    words = ("up", "right", "down", "left")
    near = {code: {words[code % 4]} for code in range(8)}
    far = {code: {words[(code + 2) % 4]} for code in range(12)}
    assert _as_other(near, far) == {code: {words[code % 4]} for code in range(12)}


class Pairs:
    """A game that keeps each pair as an index into a table. A copy of the index is renewed when a pair is dealt."""

    colors, spawn_column, mask = (1, 2, 3), 2, 0xFF

    def __init__(self, ahead: int) -> None:
        dice = random.Random(ahead)
        self.table = list(product(self.colors, repeat=2))
        dice.shuffle(self.table)
        self.queue = [dice.randrange(9) for _ in range(40)]
        self.rig = self.driver = self.ground = self
        self.ahead = ahead

    def sample(self, number: int) -> Sample:
        """The piece of this number: the index of one that comes later stands at 20 in RAM."""
        noise = random.Random(number)
        ram = np.array([noise.randrange(256) for _ in range(32)], np.uint8)
        ram[[20, 25]] = self.queue[number + self.ahead]
        near, far = self.table[self.queue[number]]
        return Sample(bytes([number, self.queue[number + self.ahead]]), ram, near, far, near_row=number % 2)

    def drop(self, state: bytes, pokes: Any = None) -> Any:
        number, index = state[0], dict(pokes or {}).get(20, state[1])
        if index >= len(self.table):
            raise CalibrationError("the game hangs")
        # without a poke, each piece is the one that was dealt
        queue = [*self.queue]
        queue[number + self.ahead] = index
        self.queue = queue
        cells = dict(zip(((2, 0), (2, 1)), self.table[queue[number]], strict=True))
        return SimpleNamespace(ram=cells, state=bytes([number + 1, queue[number + 1 + self.ahead]]))

    def kinds(self, ram: Any) -> Any:
        return ram


@pytest.mark.parametrize("ahead", [0, 1, 2])
def test_an_index_into_a_table_of_pairs_is_found_with_all_its_values(ahead: int) -> None:
    game: Any = Pairs(ahead)
    table = list(game.table)
    samples = [game.sample(number) for number in range(30)]
    samples = [None if number == 7 else replace(one, near_row=0) for number, one in enumerate(samples)]
    both = find_index(game, samples, ahead)
    assert both is not None
    for half, byte in enumerate(both):
        assert (byte.offset, byte.mask, byte.followed) == (20, 0xFF, True)
        assert byte.more == {index: pair[half] for index, pair in enumerate(table)}
        assert all(table[value][half] == kind for kind, value in byte.values.items())
        assert set(byte.values) == {1, 2, 3}


def test_few_pairs_and_pairs_that_never_come_again_tell_no_index() -> None:
    game: Any = Pairs(0)
    samples = [game.sample(number) for number in range(30)]
    pairs = list(dict.fromkeys((one.near, one.far) for one in samples))
    few = [one for one in samples if (one.near, one.far) in pairs[:4]]
    assert find_index(game, few, 0) is None
    once = [next(one for one in samples if (one.near, one.far) == pair) for pair in pairs]
    assert find_index(game, once, 0) is None

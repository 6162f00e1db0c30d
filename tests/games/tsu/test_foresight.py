"""Tests ``Foresight``: it finds from the pairs seen where in the pools a round is, and refuses pools that don't fit."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice

import pytest
from hypothesis import given
from hypothesis import strategies as st
from ochibot.errors import GameError
from ochibot.games.tsu.game import Foresight
from ochibot.puyo.pairs.tsu import tsu
from ochibot.puyo.rules.pair import Pair
from ochibot.puyo.sim.dealer import CODES, PoolDealer

STATE = 0x12345678


def pools(state: int = STATE) -> dict[int, Sequence[Pair]]:
    made = tsu(state)
    return {
        colors: [Pair(CODES[pool[at]], CODES[pool[at + 1]]) for at in range(0, 256, 2)]
        for colors, pool in ((3, made.pool3), (4, made.pool4), (5, made.pool5))
    }


def dealt(colors: int, pieces: int, state: int = STATE) -> list[Pair]:
    return list(islice(PoolDealer("tsu", state, colors), pieces))


@pytest.mark.parametrize("colors", [3, 4, 5])
@pytest.mark.parametrize("known", [True, False])
def test_every_pair_of_a_round_is_foretold(colors: int, known: bool) -> None:
    """Deals 400 pairs, so a pool is used more than once. ``known``: the pool and the round's start are known."""
    pairs, foresight = dealt(colors, 420), Foresight()
    given = {colors: pools()[colors]} if known else pools()
    if known:
        foresight.begin()
    for number in range(400):
        foresight.saw(pairs[number])
        told = foresight.coming(given, pairs[number + 1 : number + 4], 12)
        assert told == tuple(pairs[number + 4 : number + 4 + len(told)])
        # if the pool isn't known, several pools and places may fit at first
        if known or number > 5:
            assert len(told) == 12


@given(st.integers(0, 2**32 - 1), st.integers(0, 300))
def test_it_finds_its_place_in_the_middle_of_a_round(state: int, start: int) -> None:
    pairs, foresight = dealt(4, start + 30, state), Foresight()
    for number in range(start, start + 8):
        foresight.saw(pairs[number])
        told = foresight.coming(pools(state), pairs[number + 1 : number + 4], 6)
        assert told == tuple(pairs[number + 4 : number + 4 + len(told)])


def test_a_game_that_deals_otherwise_is_reported() -> None:
    other, foresight = dealt(4, 40, STATE + 1), Foresight()

    def follow() -> None:
        for number in range(20):
            foresight.saw(other[number])
            foresight.coming(pools(), other[number + 1 : number + 4], 6)

    with pytest.raises(GameError, match=r"the pools in RAM don't foretell .* play without --clairvoyant"):
        follow()
    # it is reported, too, when the place in the pool is known
    foresight.begin()
    foresight.saw(other[0])
    with pytest.raises(GameError, match="don't foretell"):
        foresight.coming(pools(), other[1:4], 6)


def test_one_wrong_pair_is_enough() -> None:
    pairs, foresight = dealt(4, 40), Foresight()
    foresight.begin()
    foresight.saw(pairs[0])
    shown = [*pairs[1:3], Pair(pairs[3].axis, 1 + pairs[3].partner % 5)]
    with pytest.raises(GameError, match="don't foretell"):
        foresight.coming(pools(), shown, 6)


def test_another_round_is_noticed_without_a_counter() -> None:
    first, second, foresight = dealt(4, 40), dealt(4, 40, 99), Foresight()
    for number in range(6):
        foresight.saw(first[number])
        foresight.coming(pools(), first[number + 1 : number + 4], 6)
    for number in range(6):
        foresight.saw(second[number])
        told = foresight.coming(pools(99), second[number + 1 : number + 4], 6)
        assert told == tuple(second[number + 4 : number + 4 + len(told)])

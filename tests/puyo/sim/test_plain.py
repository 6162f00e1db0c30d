"""The GPU's self-play, compiled for the processor, plays the same games as the search's own kernels."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numba
import numpy as np
import pytest
from ochibot.data import data_path
from ochibot.jit.lanes import popcount as bits
from ochibot.lab.selfplay import SelfPlay
from ochibot.puyo.rules.file import load_rules
from ochibot.puyo.rules.profile import score_table
from ochibot.puyo.search import load_player
from ochibot.puyo.search.locks import lock_order
from ochibot.puyo.sim.dealer import PlainSource
from ochibot.puyo.sim.plain.game import program
from ochibot.puyo.sim.plain.locks import locks_of
from ochibot.puyo.sim.plain.shape import BOARD, WORK, Target, planes_of, shape_of

from tests.puyo import reference
from tests.puyo.fields import random_cells

ARTICLE = load_player(data_path("configs/players/article.yaml"))
JIT: Any = numba.njit
LOOKED_AT = 12
"""The index of the one number that this self-play doesn't keep in its state: how many leaves were evaluated."""


def _popcount(word: Any) -> Any:
    return np.int64(bits(word))


def _times(a: Any, b: Any) -> Any:
    return a * b


def _plus(a: Any, b: Any) -> Any:
    return a + b


@pytest.fixture(scope="module")
def play() -> Any:
    return program(Target(JIT, JIT(_popcount), JIT(_times), JIT(_plus)))


@pytest.mark.parametrize("kicks", [True, False])
def test_pairs_that_turn_within_a_box_get_where_the_reference_says(kicks: bool) -> None:
    rules = replace(load_rules("famicom"), name="box", turns="box", kicks=kicks)
    law = reference.Law(boxed=True, kicks=kicks)
    target = Target(JIT, JIT(_popcount), JIT(_times), JIT(_plus))
    find, shape, spots = locks_of(target, planes_of(target)), shape_of(rules), np.zeros(16, np.uint64)
    high = random_cells(2000, 31)
    grids = [one.tolist() for one in high if ((one != 0).sum(axis=0) > rules.visible_rows - 2).any()]
    assert len(grids) > 100
    # kicks open further places only where puyos float: here, the only way out of the shaft
    grids.append([[0, 1, 0, 0, 0, 0], [0, 0, 0, 1, 1, 1], *[[0, 1, 0, 1, 1, 1]] * 12])
    kicked = 0
    for grid in grids:
        board = np.zeros(BOARD, np.uint64)
        for y, row in enumerate(grid):
            for x, code in enumerate(row):
                # the search looks at no colours here
                board[x // 4] |= np.uint64(bool(code) << 16 * (x % 4) + 13 - y)
        for single in (False, True):
            found = find(board, shape.numbers, shape.masks, single, spots)
            expected = reference.ordered_locks(grid, (1, 1) if single else (1, 2), None, law)
            assert [lock for at, lock in enumerate(lock_order()) if found >> at & 1] == [(x, o) for x, _, o in expected]
            kicked += expected != reference.ordered_locks(
                grid, (1, 1) if single else (1, 2), None, law._replace(kicks=not kicks)
            )
    assert kicked == 2


@pytest.mark.long
@pytest.mark.parametrize(
    ("rules_name", "source", "colors", "careless"),
    [
        ("famicom", "uniform", 5, False),
        ("tsu", "tsu", 4, False),
        ("famicom", "uniform", 6, True),
        ("tsu", "uniform", 4, True),
    ],
)
def test_it_plays_the_same(play: Any, rules_name: str, source: PlainSource, colors: int, careless: bool) -> None:
    """A careless player fills its field, so that pairs are turned and kicked between high columns, and games end."""
    player, rules = ARTICLE, load_rules(rules_name)
    if careless:
        weights = {"colored": -player.weights.colored, "edge": -player.weights.edge, "spawn": 0.0, "variance": 0.0}
        player = player.model_copy(update={"weights": player.weights.model_copy(update=weights)})
    game = SelfPlay(player, colors, 7, rules, source)
    random, state = game._random.copy(), game._state.copy()
    board, work = np.zeros(BOARD, np.uint64), np.zeros(WORK, np.uint64)
    counts, chains, heights = np.zeros(85, np.int64), np.zeros(20, np.int64), np.zeros(90, np.int64)
    factors = np.array(player.factors)
    for pieces in (1, 700, 2_000):
        state[0] = pieces
        play(board, random, state, counts, chains, heights, *shape_of(rules), factors, score_table(rules), work)
        seen = game.play(pieces)
        state[LOOKED_AT] = game.looked_at
        assert state.tolist() == game._state.tolist()
        assert (counts == seen.counts).all()
        assert (chains == seen.chains).all()
        assert (heights == seen.heights.reshape(-1)).all()
        assert (random == game._random).all()
    assert (seen.game_overs > 10) == careless

"""The GPU's self-play, compiled for the processor, plays the same games as the search's own kernels."""

from __future__ import annotations

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
from ochibot.puyo.sim.dealer import PlainSource
from ochibot.puyo.sim.plain.game import program
from ochibot.puyo.sim.plain.shape import BOARD, WORK, Target, shape_of

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

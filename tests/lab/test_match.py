"""Simulated matches of two players, and series of them."""

from __future__ import annotations

import pytest
from ochibot.data import data_path
from ochibot.errors import UsageError
from ochibot.lab.match import PuyoPlayer, play_match, play_series
from ochibot.puyo.search import TwoPly, load_player
from ochibot.puyo.sim.match import Deal

from tests.lab.cartridge.settings import Careless
from tests.puyo import FAMICOM


def test_the_better_player_wins_a_series_and_it_can_be_repeated() -> None:
    config = load_player(data_path("configs/players/article.yaml"))

    def series(swapped: bool) -> tuple[int, int]:
        better, worse = TwoPly(config, FAMICOM, seed=1), Careless(TwoPly(config, FAMICOM, 1, seed=2), 2, 3)
        players: tuple[PuyoPlayer, PuyoPlayer] = (worse, better) if swapped else (better, worse)
        played = play_series(players, (10, 10), rules=FAMICOM, rounds=4, seed=5, level=4, colors=5)
        assert played.draws == 0
        assert played.locks > 100
        return played.wins

    first = series(False)
    assert first[0] >= 3
    assert series(False) == first
    assert series(True)[1] >= 3


def test_quicker_hands_lock_more_pieces() -> None:
    config = load_player(data_path("configs/players/article.yaml"))
    player = TwoPly(config, FAMICOM, seed=1)
    played = play_match(Deal.at(1), (player, player), (10, 2), rules=FAMICOM, max_pieces=15)
    assert played.loser is None
    assert played.pieces[0] > played.pieces[1] == 15


def test_a_series_of_nothing() -> None:
    player = TwoPly(load_player(data_path("configs/players/article.yaml")), FAMICOM)
    with pytest.raises(UsageError, match="1 or more"):
        play_series((player, player), (10, 10), rules=FAMICOM, rounds=0, seed=1, level=1, colors=4)

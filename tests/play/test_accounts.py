"""Points for soft drop and for emptied fields are accounted for in a running game whose RAM shows neither."""

from __future__ import annotations

import dataclasses
from typing import Any

import pytest
from ochibot.console import Button
from ochibot.data import data_path
from ochibot.errors import ContradictionError
from ochibot.falling.orientation import Orientation
from ochibot.games.puyoseat import PuyoSeat
from ochibot.play.seat import AnySeatPlayer, SeatPlayer
from ochibot.play.speed import speed_of
from ochibot.puyo.rules.pair import Action, PairState
from ochibot.puyo.rules.profile import Rules
from ochibot.puyo.search import TwoPly, load_player

from tests.fakegame import FakeGame
from tests.puyo import FAMICOM
from tests.titles import famicom_seat, load_seat_map


def _sit(game: FakeGame, rules: Rules, speed: int = 10) -> AnySeatPlayer:
    config = load_player(data_path("configs/players/article.yaml"))
    if rules.all_clear_bonus:
        weights = config.weights.model_copy(update={"links": 0.0, "consecutive": 0.0, "variance": 0.0})
        config = config.model_copy(update={"weights": weights})
    seat = famicom_seat(load_seat_map("player1"), game.ram, rules)
    sitting: AnySeatPlayer = SeatPlayer(seat, TwoPly(config, rules), speed_of(speed))
    sitting.spawn()
    return sitting


def _play(game: FakeGame, player: AnySeatPlayer, pieces: int) -> None:
    pad = Button.NONE
    while player.tally.pieces < pieces and not player.game_over():
        game.step(pad)
        pad = player.frame()


@pytest.mark.parametrize("lag", [0, 1])
@pytest.mark.parametrize("lock_point", [False, True])
@pytest.mark.parametrize("speed", [10, 6])
def test_the_points_of_down_are_counted_where_nothing_reports_them(lag: int, lock_point: bool, speed: int) -> None:
    rules = dataclasses.replace(FAMICOM, drop_bonus=10)
    game = FakeGame(lag=lag, drop_points=10, lock_point=lock_point, rules=rules)
    player = _sit(game, rules, speed)
    _play(game, player, 40)
    assert (player.tally.compared, player.tally.agreement) == (40, 1.0)
    assert game.score > 40 * 10


def test_points_that_rows_do_not_explain_are_a_disagreement() -> None:
    """The game gives twice the points for a row that the rules name. The forecast allows for one row more at most, so
    the difference is reported.
    """
    rules = dataclasses.replace(FAMICOM, drop_bonus=10)
    game = FakeGame(drop_points=20, rules=rules)
    with pytest.raises(ContradictionError, match="score predicted 120 or 130, seen 240"):
        _play(game, _sit(game, rules), 5)


def test_a_new_pair_has_not_sunk_from_where_the_last_one_lay(monkeypatch: pytest.MonkeyPatch) -> None:
    """A pair was kicked up above the place where pairs appear, and locked there with Down held (a game for the NES)."""
    rules = dataclasses.replace(FAMICOM, drop_bonus=10)
    seat: Any = _sit(FakeGame(rules=rules), rules).seat
    seat.fresh()
    rows, signs = iter([1, 1, 2]), iter([0, 0, 1])
    monkeypatch.setattr(PuyoSeat, "pair_state", lambda _: PairState(3, next(rows), Orientation.UP))
    monkeypatch.setattr(seat, "_sign", lambda: next(signs))
    monkeypatch.setattr(seat, "_phase", lambda: seat.table.phases.control)
    for _ in range(3):
        seat.button(Action.DOWN)
        seat.update()
    # the press that locks a pair may count as a row
    settled = seat.settled()
    assert (settled.soft_rows, settled.soft_spare) == (0, 1)


def test_an_emptied_field_is_foreseen_to_be_paid_with_the_next_chain() -> None:
    rules = dataclasses.replace(FAMICOM, all_clear_bonus=1000, all_clear_paid="next_chain")
    game = FakeGame(colors=2, later=1000, rules=rules)
    player = _sit(game, rules)
    _play(game, player, 150)
    assert (player.tally.compared, player.tally.agreement) == (150, 1.0)
    assert game.paid >= 2000
    # if a game doesn't pay the bonus, the difference is reported
    game = FakeGame(colors=2, later=0, rules=rules)
    player = _sit(game, rules)
    with pytest.raises(ContradictionError, match="differs from the rules"):
        _play(game, player, 150)


def test_joined_in_the_middle_either_is_possible_until_a_chain_decides() -> None:
    rules = dataclasses.replace(FAMICOM, all_clear_bonus=1000, all_clear_paid="next_chain")
    game = FakeGame(colors=2, later=1000, rules=rules)
    first = _sit(game, rules)
    while not (game.field.count() == 0 and game.score):
        _play(game, first, first.tally.pieces + 1)
    _play(game, first, first.tally.pieces + 1)
    assert game._owes
    second = _sit(game, rules)
    second.rejoin()
    paid = game.paid
    _play(game, second, 20)
    assert game.paid > paid
    assert second.tally.agreement == 1.0

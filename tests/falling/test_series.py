"""Series: which seat each contestant has, which games share a deal, and how wins are counted by contestant."""

from __future__ import annotations

from ochibot.falling.series import STEP, SeriesGame, SeriesStanding, games, wilson_interval


def test_contestants_change_seats_after_each_game() -> None:
    assert [game.order for game in games(4)] == [(0, 1), (1, 0), (0, 1), (1, 0)]
    assert [game.swapped for game in games(3)] == [False, True, False]
    assert [game.seated(("a", "b")) for game in games(2)] == [("a", "b"), ("b", "a")]


def test_what_is_by_seat_comes_back_by_contestant() -> None:
    for game in games(2):
        assert game.seated(game.seated(("a", "b"))) == ("a", "b")


def test_deals() -> None:
    assert [game.shared_deal(7) for game in games(5)] == [7, 7, 7 + STEP, 7 + STEP, 7 + 2 * STEP]
    assert [game.own_deal(7) for game in games(3)] == [7, 7 + STEP, 7 + 2 * STEP]


def test_who_has_won() -> None:
    plain, swapped = SeriesGame.of(0), SeriesGame.of(1)
    assert [plain.winner(1), plain.winner(2), plain.winner(None)] == [1, 0, None]
    assert [swapped.winner(1), swapped.winner(2), swapped.winner(None)] == [0, 1, None]


def test_standing() -> None:
    standing = SeriesStanding()
    assert standing.interval == (0.0, 1.0)
    for winner in (0, 0, 1, None, 0):
        standing.add(winner)
    assert (standing.wins, standing.draws) == ((3, 1), 1)
    low, high = wilson_interval(3, 4)
    assert standing.interval == (round(low, 4), round(high, 4))

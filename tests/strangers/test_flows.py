"""What is around play in strangers: titles, demos, menus, pauses, game over, and what time does."""

from __future__ import annotations

import pytest

from tests.strangers.maker import Stranger, Truth, draw
from tests.strangers.maker.player import MASKS, Player


@pytest.mark.parametrize("kind", ["family", "other"])
def test_a_game_ends_by_itself_and_can_begin_again(kind: str) -> None:
    for seed in range(8):
        game = Stranger(draw(seed, kind))
        player, truth = Player(game), Truth(game)
        player.start()
        for _ in range(60_000):
            game.step()
            if truth.mode != "play":
                break
        assert truth.over, f"{kind} {seed} stands in {truth.mode}"
        player.start()
        assert truth.mode == "play"
        while not truth.control:
            player.step()
        assert truth.pieces == 1


def test_a_demo_plays_by_itself_until_start() -> None:
    game = Stranger(draw(0, "family", "demo"))
    truth = Truth(game)
    for _ in range(700):
        game.step()
    assert truth.mode == "demo"
    assert truth.pieces > 1
    assert not truth.control
    game.step(MASKS["start"])
    assert truth.mode == "title"


@pytest.mark.parametrize("only", ["select_pauses", "no_pause", "clocks"])
def test_pauses(only: str) -> None:
    game = Stranger(draw(0, "family", only))
    player, truth = Player(game), Truth(game)
    player.start()
    while not truth.control:
        player.step()
    wanted = game.spec.pause
    for button in ("start", "select"):
        player.press(button, lambda: truth.mode == "paused")
        assert (truth.mode == "paused") == (button == wanted)
        if truth.mode == "paused":
            before = truth.place()
            for _ in range(200):
                game.step(MASKS["left"])
            assert truth.place() == before
            player.rest()
            player.press(button, lambda: truth.mode == "play")
            assert truth.mode == "play"


def test_the_random_numbers_run_on_in_the_menu() -> None:
    dealt: dict[str, set[str]] = {}
    for only in ("clocks", "dice_stand"):
        for wait in (0, 3, 7, 20, 31):
            game = Stranger(draw(0, "family", only))
            for _ in range(60 + wait):
                game.step()
            player = Player(game)
            player.start()
            while not player.truth.control:
                player.step()
            dealt.setdefault(only, set()).add(str((player.truth.kind(), player.truth.coming())))
    assert len(dealt["clocks"]) > 2
    assert len(dealt["dice_stand"]) == 1


def test_menus_lead_where_their_cursor_stands() -> None:
    game = Stranger(draw(1, "family", "menu_options"))
    player, truth = Player(game), Truth(game)
    while truth.mode != "title":
        player.step()
    player.press("start", lambda: truth.mode == "menu")
    player.press("down", lambda: False)
    player.press("a", lambda: truth.mode == "options")
    player.press("start", lambda: truth.mode != "options")
    assert truth.mode == "options"
    player.press("b", lambda: truth.mode == "menu")
    player.press("up", lambda: False)
    player.press("b", lambda: truth.mode == "title")
    assert truth.mode == "title"
    player.start()
    assert truth.mode == "play"


def test_a_piece_can_be_held() -> None:
    game = Stranger(draw(0, "other", "hold"))
    player, truth = Player(game), Truth(game)
    player.start()
    while not truth.control:
        player.step()
    first = truth.values()
    assert first["hold"] is None
    player.press("select", lambda: truth.values()["hold"] is not None)
    second = truth.values()
    assert second["hold"] == first["piece"]
    assert second["piece"] == first["next"]
    # once a piece only
    player.press("select", lambda: False)
    assert truth.values()["hold"] == first["piece"]


def test_a_game_over_may_ask_for_a_name() -> None:
    game = Stranger(draw(0, "family", "name_entry"))
    player, truth = Player(game), Truth(game)
    player.start()
    modes: list[str] = []
    for frame in range(40_000):
        game.step(MASKS["a"] if truth.mode != "play" and frame % 20 < 4 else 0)
        if not modes or modes[-1] != truth.mode:
            modes.append(truth.mode)
        if modes[-1] == "title":
            break
    assert modes == ["play", "over", "entry", "title"]


def test_the_opponent_plays_and_sends() -> None:
    game = Stranger(draw(2, "family", "attacks"))
    rival = Truth(game, 1)
    seen, waited = [0], [0]

    def look(truth: Truth) -> None:
        seen.append(rival.pieces)
        waited.append(truth.values()["pending"])

    Player(game, seen=look).play(25)
    assert max(seen) > 5
    assert max(waited) > 0

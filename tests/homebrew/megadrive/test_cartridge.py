"""The cartridge in the core: title, menu, pools, locks by the rule table, versus, margin time. No frame is late."""

from __future__ import annotations

import random
from itertools import islice

import numpy as np
import pytest
from ochibot.console import Button
from ochibot.puyo.rules.field import Field
from ochibot.puyo.rules.pair import Pair

from tests.homebrew.megadrive.driver import (
    ENDLESS,
    MENU,
    MUSIC_ROW,
    OVER,
    PAUSED,
    PLAYING,
    RANDOM_STATE,
    TITLE,
    VERSUS,
    Cartridge,
    cartridge,
    needs_core,
    presses,
)
from tests.homebrew.megadrive.pools import different_pools
from tests.homebrew.megadrive.rules import compare_locks, compare_moves

pytestmark = needs_core

TWO_STEPS = ["R.....", "R.....", "G.....", "GR....", "GR...."]
"""When a green puyo lands on the second column, four greens vanish, and then four reds meet."""


def on_time(game: Cartridge) -> bool:
    return game.game("overruns") == game.game("late") == 0


def test_it_boots_to_its_title_and_shows_a_picture() -> None:
    with cartridge() as game:
        game.console.keep_video(True)
        for _ in range(60):
            game.step()
        assert game.game("state") == TITLE
        picture = game.console.frame()
        assert picture.shape == (224, 320, 3)
        assert len({tuple(pixel) for pixel in picture.reshape(-1, 3).tolist()}) > 25
        assert on_time(game)


def test_the_menu_leaves_the_random_state_alone() -> None:
    with cartridge() as game:
        game.to_menu(VERSUS, 5)
        assert (game.game("state"), game.game("mode"), game.game("difficulty")) == (MENU, VERSUS, 5)
        game.write(RANDOM_STATE, 4, 0xDEADBEEF)
        for _ in range(30):
            game.step()
        assert game.read(RANDOM_STATE, 4) == 0xDEADBEEF


@pytest.mark.parametrize("difficulty", [1, 3, 4])
def test_pools_are_those_of_the_python_generator(difficulty: int) -> None:
    states = [
        0x35879DE2,
        0,
        1,
        0x12345678,
        0xFFFFFFFF,
        *(random.Random(difficulty).randrange(1 << 32) for _ in range(8)),
    ]
    with cartridge() as game:
        game.to_menu(VERSUS, difficulty)
        assert different_pools(game, states) == []


def test_a_chain_scores_by_the_table() -> None:
    """The steps score 10 x 4 puyos x 1 (power 0, no bonus) and 10 x 4 x 8; 70 points make one nuisance puyo."""
    with cartridge() as game:
        game.to_menu(VERSUS)
        game.begin(1)
        game.put_field(0, Field.parse("\n".join(["......"] * 9 + TWO_STEPS)))
        game.put_pair(0, Pair(2, 3), 2, 11, 3)
        game.lock_now(0)
        spawns = game.seat(0, "spawns")
        steps = []
        while game.seat(0, "spawns") == spawns:
            game.step()
            step = game.seat(0, "chain"), game.seat(0, "score")
            if step not in steps:
                steps.append(step)
        assert steps == [(0, 0), (1, 0), (1, 40), (2, 40), (2, 360)]
        assert (game.seat(0, "sent"), game.seat(1, "pending"), game.seat(0, "points")) == (5, 5, 10)
        assert str(game.field(0)).split() == [*["......"] * 13, "..B..."]


@pytest.mark.long
def test_locks_by_the_rules() -> None:
    with cartridge() as game:
        game.to_menu(VERSUS, 5)
        game.begin(7)
        result = compare_locks(game, 60, 3)
        assert result.different == []
        assert result.clears > 10
        assert result.fallen > 0
        assert on_time(game)


def test_pairs_move_by_the_rules() -> None:
    with cartridge() as game:
        game.to_menu(ENDLESS, 5)
        game.begin(11)
        assert compare_moves(game, 40, 4) == []


def test_margin_time_makes_nuisance_cheaper() -> None:
    with cartridge() as game:
        game.to_menu(VERSUS)
        game.begin(1)
        seen = []
        for change in range(13):
            game.set_game("time", 5760 + 960 * change - 2)
            for _ in range(4):
                for seat in (0, 1):
                    game.hold(seat)
                before = game.game("target")
                game.step()
                if game.game("target") != before:
                    seen.append((game.game("time"), game.game("target")))
        targets = [52, 35, 26, 17, 13, 8, 6, 4, 3, 2, 1]
        assert seen == [(5760 + 960 * i, target) for i, target in enumerate(targets)]


def test_two_random_players_are_never_late_and_can_begin_again() -> None:
    with cartridge() as game:
        game.to_menu(VERSUS, 5)
        game.begin(99)
        pads = presses(random.Random(1)), presses(random.Random(2))
        for one, other in islice(zip(*pads, strict=True), 20_000):
            game.step(one, other)
            if game.game("state") == OVER:
                break
        assert game.game("state") == OVER
        loser = game.game("loser")
        assert game.seat(2 - loser, "wins") == 1
        while game.game("state") == OVER:
            game.tap(Button.START)
        for _ in range(40):
            game.step()
        assert game.game("state") == PLAYING
        assert game.seat(2 - loser, "wins") == 1
        assert on_time(game)


def test_sound_comes_of_presses_and_music_of_the_option() -> None:
    """With the music off, the game is silent until the pair is moved. With the music on, it isn't."""

    def loudness(game: Cartridge, frames: int, pad: int = 0) -> int:
        game.console.audio()
        for _ in range(frames):
            game.step(pad)
            pad = 0
        return int(np.abs(game.console.audio().astype(np.int64)).max())

    with cartridge() as game:
        game.console.keep_audio(True)
        game.to_menu(ENDLESS)
        while game.game("menu_row") != MUSIC_ROW:
            game.tap(Button.DOWN)
        game.tap(Button.RIGHT)
        assert game.game("music") == 0
        while game.game("menu_row") != ENDLESS:
            game.tap(Button.UP)
        game.begin(1)
        for _ in range(60):
            game.step()
        silence = loudness(game, 15)
        assert loudness(game, 15, Button.LEFT) > silence + 200
    with cartridge() as game:
        game.console.keep_audio(True)
        game.to_menu(ENDLESS)
        game.begin(1)
        for _ in range(60):
            game.step()
        assert loudness(game, 15) > silence + 1000


def test_pause_stands_still() -> None:
    with cartridge() as game:
        game.to_menu(ENDLESS)
        game.begin(5)
        for _ in range(30):
            game.step()
        game.tap(Button.START)
        assert game.game("state") == PAUSED
        before = game.bytes_at(0xFFB100, 0x100), game.game("time")
        for _ in range(50):
            game.step()
        assert (game.bytes_at(0xFFB100, 0x100), game.game("time")) == before
        game.tap(Button.START)
        assert game.game("state") == PLAYING


def test_the_same_presses_give_the_same_game() -> None:
    ends = []
    for _ in range(2):
        with cartridge() as game:
            game.to_menu(VERSUS, 4)
            game.begin(3)
            pads = presses(random.Random(8)), presses(random.Random(9))
            for one, other in islice(zip(*pads, strict=True), 900):
                game.step(one, other)
            ends.append(bytes(game.console.ram.raw))
    assert ends[0] == ends[1]

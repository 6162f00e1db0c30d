"""The package says what it offers, and answers mistakes in words."""

from __future__ import annotations

import inspect
import pydoc
from typing import Any

import numpy as np
import ochibot
import pytest
from ochibot import errors
from ochibot.bench.strength import measure
from ochibot.console import Button, find_cores
from ochibot.errors import GameError, PlayerError, UsageError
from ochibot.falling.orientation import Orientation
from ochibot.lab.contest.table import table_of
from ochibot.puyo import load_rules

needs_core = pytest.mark.skipif(not find_cores("fceumm"), reason="no fceumm core here")


def test_the_package_lists_its_names() -> None:
    assert {"open", "Session", "Button", "Placement", "SavedGame", "OchibotError"} <= set(dir(ochibot))
    ours = [name for name, thing in vars(errors).items() if inspect.isclass(thing) and name.endswith("Error")]
    assert set(ours) <= set(ochibot.__all__)
    assert all(getattr(ochibot, name) for name in ochibot.__all__)
    with pytest.raises(AttributeError, match="has no attribute 'opne'"):
        ochibot.opne  # noqa: B018


def test_help_shows_them() -> None:
    text = pydoc.plain(pydoc.render_doc(ochibot))
    for words in ("class Session", "class Button", "class Placement", "open_session(", "def tick", "class UsageError"):
        assert words.removeprefix("def ") in text, words


@needs_core
def test_buttons_and_frames_by_the_words_of_pyboy() -> None:
    with ochibot.open("puyo", seed=1) as game:
        x = game.start().state.x
        game.tick(20)
        game.button("left")
        assert game.snapshot().state.x == x, "only tick runs frames"
        game.tick(3)
        assert game.snapshot().state.x == x - 1
        game.button(Button.RIGHT)
        game.tick(3)
        assert game.snapshot().state.x == x
        y = game.snapshot().state.y
        game.button_press("down")
        game.tick(20)
        game.button_release("down")
        assert game.snapshot().state.y > y + 1
        assert game.screen.ndarray.shape == (224, 240, 3)
        assert game.screen.ndarray.dtype == np.uint8
        assert (np.asarray(game.screen.image) == game.screen.ndarray).all()


@needs_core
def test_a_placement_may_be_named() -> None:
    with ochibot.open("puyo", seed=1) as game:
        game.start()
        assert game.place((3, "up")).agreed
        assert game.place((1, "right")).agreed
        assert (game.ram["field"][13, :3] != 0).all()  # type: ignore[index]
        with pytest.raises(GameError, match=r"^\(9, 'up'\) is no place for \w\w: the piece can't get there$"):
            game.place((9, "up"))
        with pytest.raises(
            GameError, match=r"a tuple names a column and where the partner lies, such as \(3, \"up\"\)"
        ):
            game.place((3,))


@pytest.mark.skipif(not find_cores("fbneo"), reason="no fbneo core here")
def test_a_placement_of_needles_may_be_named() -> None:
    with ochibot.open("nyaa", seed=1) as game:
        game.start()
        assert game.place((3, "up")).agreed
        assert game.place((5, "left", "needles")).agreed


@needs_core
@pytest.mark.parametrize(
    ("choice", "why"),
    [
        (None, r"None, but \w\w has 22 placements; "),
        ((9, "up"), r"\(9, 'up'\), but .*the piece can't get there; "),
        ("left", r"'left', but .*that is no placement; "),
        (ochibot.Placement(9, 2, Orientation.UP), r"Placement\(x=9, .*, but .*can't get to .*; "),
    ],
)
def test_a_player_that_chooses_wrong_is_named(choice: Any, why: str) -> None:
    class Mine:
        def choose(self, snapshot: object) -> Any:  # noqa: ARG002
            return choice

    named = rf"^choose\(snapshot\) of the player Mine returned {why}it may return"
    with ochibot.open("puyo", seed=1) as game, pytest.raises(PlayerError, match=named):
        game.play(Mine(), pieces=1)


@pytest.mark.parametrize(
    ("choice", "why"), [(None, "None, but "), ((9, "up"), r"\(9, 'up'\), but "), ("left", "'left', but ")]
)
def test_a_player_that_chooses_wrong_is_named_without_an_emulator(choice: Any, why: str) -> None:
    class Mine:
        def choose(self, snapshot: object) -> Any:  # noqa: ARG002
            return choice

    named = rf"^choose\(snapshot\) of the player Mine returned {why}.*; it may return"
    for name in ("puyo", "nyaa"):
        with pytest.raises(PlayerError, match=named):
            table_of(name).play(1, (Mine(), Mine()))
    with pytest.raises(PlayerError, match=named):
        measure(Mine(), load_rules("tsu"), [1], {})


def test_a_player_may_name_a_placement_without_an_emulator() -> None:
    class Spread:
        turn = 0

        def choose(self, snapshot: object) -> tuple[int, str]:  # noqa: ARG002
            self.turn += 1
            return self.turn % 6 + 1, "up"

    for name in ("puyo", "tsu", "nyaa"):
        assert table_of(name, max_pieces=4).play(1, (Spread(), Spread()))["pieces"] == [4, 4]
    with pytest.raises(PlayerError, match=r"^choose.* returned .*, but .* the piece can't get there; "):
        measure(Spread(), load_rules("tsu"), [1], {})  # until the columns are full


@needs_core
def test_a_player_may_name_a_placement() -> None:
    class Edges:
        turn = 0

        def choose(self, snapshot: object) -> tuple[int, str]:  # noqa: ARG002
            self.turn += 1
            return (1 if self.turn % 2 else 6), "up"

    with ochibot.open("puyo", seed=1) as game:
        assert game.play(Edges(), pieces=6).agreement == 1.0


@needs_core
def test_wrong_arguments_are_answered_in_words() -> None:
    with pytest.raises(UsageError, match=r"^the seed is 'x': give a whole number, such as seed=1$"):
        ochibot.open(seed="x")  # type: ignore[arg-type]
    with ochibot.open("puyo", seed=1) as game:
        game.start()
        for act in (game.button, game.button_press, game.button_release):
            with pytest.raises(UsageError, match=r"^there is no button 'lft' on this pad; give one of .*left, right"):
                act("lft")
        with pytest.raises(UsageError, match="there is no port 3: give 1 or 2"):
            game.button("left", port=3)

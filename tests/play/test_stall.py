"""Tests that a run ends when its game has dealt no new pair for a minute of game time, however fast it is played."""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest
from ochibot.errors import StalledError
from ochibot.play.battle import Battle, Contestant
from ochibot.play.endless import Endless
from ochibot.play.seat import SeatPlayer
from ochibot.play.speed import speed_of
from ochibot.puyo import Orientation, Placement, Snapshot, place
from ochibot.puyo.search import Decision

from tests.fakegame import FakeGame
from tests.puyo import FAMICOM
from tests.titles import PUYO, RULES, famicom_seat, load_seat_map, maps_of

MINUTE = 3600
"""A minute of game time, in frames."""


class Hung(FakeGame):
    """A game that hangs from its first frame on. It also serves as the console."""

    core_name, core_version = "fake", "1"
    rom = SimpleNamespace(sha1="")
    stepped = 0

    def step(self, *_: int) -> None:
        self.stepped += 1

    def reset(self) -> None:
        """Does nothing: a reset doesn't wake the game."""


class Dropping:
    """A player that puts every pair on the third column."""

    def choose(self, snapshot: Snapshot) -> Decision:
        target = Placement(3, 13, Orientation.UP)
        return Decision(target, 0.0, place(snapshot.field, snapshot.pair, target, FAMICOM), 0)


def at_most(game: Hung, frames: int) -> Callable[[object], None]:
    """Returns a function for a run to call after each frame. It fails when the game has run for more than ``frames``
    frames.
    """

    def check(_: object) -> None:
        assert game.stepped <= frames, "the run goes on and on"

    return check


def test_an_endless_game_that_hangs_is_ended_after_a_minute() -> None:
    game: Any = Hung()
    player: Any = SeatPlayer(famicom_seat(load_seat_map("player1"), game.ram), Dropping(), speed_of(10))
    player.spawn()
    run = Endless(game, player, seed=0, speed=10, on_frame=at_most(game, MINUTE + 10))
    with pytest.raises(StalledError, match=f"for {MINUTE} frames"):
        run.run(pieces=5)
    assert run.frames == game.stepped == MINUTE + 1
    assert run.stopped_by == "stall"


def hung_battle(reach: Callable[..., int]) -> tuple[Hung, Battle]:
    """A game that hangs, and a battle in it. ``reach``: the title's function that goes through the menus."""
    game, other = Hung(), Hung(seat=2)
    # both seats are in one RAM: add the bytes of seat 2, which are at other addresses
    raw = game.ram.raw
    raw[:] |= other.ram.raw
    raw[0x6F] = 2
    console: Any = game
    title: Any = SimpleNamespace(seed_frames=1, versus_mode="versus", seat=PUYO.seat, reach=reach, solo_mode="endless")
    side = Contestant("dropping", Dropping(), 10)
    battle = Battle(
        console,
        title,
        (side, side),
        rules=RULES,
        maps=maps_of(PUYO, "versus"),
        seed=0,
        options={},
        max_pieces=5,
        on_frame=at_most(game, MINUTE + 10),
    )
    return game, battle


def test_a_battle_that_hangs_is_ended_after_a_minute() -> None:
    _, battle = hung_battle(lambda *_: 0)
    with pytest.raises(StalledError, match=f"for {MINUTE} frames"):
        battle.run(1)
    assert battle.frames == MINUTE + 1


@pytest.mark.parametrize("asked", ["", "interrupt", "window"])
def test_ctrl_c_in_the_menus_of_the_first_game_ends_all_unless_somebody_asked_for_the_end(asked: str) -> None:
    def reach(*_: object) -> int:
        if asked:
            battle.stop(asked)
        raise KeyboardInterrupt

    _, battle = hung_battle(reach)
    if asked == "window":
        battle.run(1)
        assert battle.result.stopped_by == "window"
    else:
        with pytest.raises(KeyboardInterrupt):
            battle.run(1)
    assert (battle.frames, battle.result.games) == (0, 0)

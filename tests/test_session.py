"""Users of the library let players play or battle, or steer a game by hand, in a few lines."""

from __future__ import annotations

import doctest
import random
from pathlib import Path

import ochibot
import pytest
from ochibot import session
from ochibot.console import find_cores
from ochibot.errors import ConfigError, GameError, MapError, UsageError
from ochibot.puyo import Placement, Snapshot
from ochibot.record import Record, verify

pytestmark = pytest.mark.skipif(not find_cores("fceumm"), reason="no fceumm core here (it comes with stable-retro)")


def test_endless_in_two_lines() -> None:
    with ochibot.open("puyo", seed=1, options={"level": 4}) as game:
        result = game.play(pieces=20)
    assert (result.pieces, result.agreement, result.level) == (20, 1.0, 4)
    with ochibot.open("puyo", seed=1, options={"level": "4"}) as game:
        again = game.play("article", pieces=20)
    assert again.ram_sha256 == result.ram_sha256, "the same seed plays the same game"


def test_a_battle_in_two_lines() -> None:
    with ochibot.open(seed=5) as game:
        result = game.battle("article", "article", games=1, max_pieces=20)
    assert (result.games, result.agreement) == (1, 1.0)


@pytest.mark.parametrize("name", ["puyo", "nyaa"])
def test_a_game_by_hand(name: str, tmp_path: Path) -> None:
    """Any legal placement can be chosen. Every lock is checked, and the run can be recorded like any other."""
    dice = random.Random(3)
    with ochibot.open(name, seed=2) as game:
        game.record(tmp_path / "run", command="test")
        first = game.start()
        assert game.snapshot().pair == first.pair
        for number in range(12):
            if game.over:
                break
            done = game.place(dice.choice(game.placements()))
            assert done.agreed, number
            assert done.score == game.ram["score"]
        frames = game.recorder.frames if game.recorder else 0
        assert frames > 300
    record = Record.open(tmp_path / "run")
    assert verify(record).same
    assert len(list(record.locks())) == 12


def test_ram_by_name_and_by_address() -> None:
    with ochibot.open(seed=1) as game:
        game.start()
        assert game.ram["level"] == game.ram[0x70] == 1
        assert game.ram["field"].shape == (14, 6)  # type: ignore[union-attr]
        game.ram["score"] = 1230
        assert game.snapshot().score == 1230
        with pytest.raises(MapError, match="no entry 'scroe'; it has"):
            game.ram["scroe"]


def test_buttons_move_the_pair() -> None:
    with ochibot.open(seed=1) as game:
        x = game.start().state.x
        game.tick(20)
        game.button("left")
        game.tick(3)
        assert game.snapshot().state.x == x - 1


def test_before_the_start_no_pair_is_out() -> None:
    with ochibot.open(seed=1) as game:
        with pytest.raises(GameError, match=r"no pair is out: start\(\) the game first"):
            game.placements()
        game.tick(3)
        with pytest.raises(GameError, match="no pair is out"):
            game.placements()
        assert game.over is False
        assert game.start() == game.snapshot()


def test_a_game_over_by_hand_and_another_start() -> None:
    with ochibot.open(seed=1, options={"level": 4}) as game:
        for _ in range(2):
            game.start()
            while not game.over:
                # always in column 3, until it is full
                game.place(next(lock for lock in game.placements() if lock.x == 3))
            with pytest.raises(GameError, match=r"start\(\) the game first"):
                game.placements()


def test_a_player_may_return_the_bare_placement() -> None:
    class Lowest:
        """A player that chooses the lowest placement (the greatest y)."""

        def __init__(self, game: ochibot.session.Session) -> None:
            self.game = game

        def choose(self, snapshot: Snapshot) -> Placement:
            places = self.game.game.family.placements(snapshot, self.game.rules)
            best: Placement = max(places, key=lambda lock: lock.y)
            return Placement(best.x, best.y, best.orientation)

    with ochibot.open(seed=4) as game:
        result = game.play(Lowest(game), pieces=15)
    assert (result.agreement, result.misplaced) == (1.0, 0)


def test_what_cannot_be_opened() -> None:
    with pytest.raises(UsageError, match="no game 'chess'"):
        ochibot.open("chess")
    with pytest.raises(ConfigError, match="no such rules file"):
        ochibot.open(rules="chess")
    with pytest.raises(ConfigError, match="is a rules profile of nyaa, not of puyo"):
        ochibot.open(rules="nyaa_mvs")
    with pytest.raises(UsageError, match="goes from 1 to 4, not 7"):
        ochibot.open(options={"level": 7})
    with ochibot.open() as game, pytest.raises(ConfigError, match="is a player of nyaa, not of puyo"):
        game.play("nyaa")


def test_the_programs_in_the_documentation_of_sessions() -> None:
    done = doctest.testmod(session)
    assert done.attempted == 3
    assert done.failed == 0

"""AI against AI in the cartridge's two-player mode."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from ochibot.console import Console
from ochibot.data import data_path
from ochibot.puyo import Snapshot
from ochibot.puyo.search import Decision

from tests.cli.test_bad_input import refused
from tests.commands import ochibot
from tests.titles import load_seat_map


def fought(*args: object) -> dict[str, Any]:
    done = ochibot("battle", *args, "--json", "-")
    assert done.returncode == 0, done.stderr
    report: dict[str, Any] = json.loads(done.stdout)
    return report


@pytest.mark.long
def test_every_lock_of_both_seats_agrees_nuisance_and_all() -> None:
    report = fought("--games", 2, "--seed", 5, "--max-pieces", 120)
    assert report["games"] == 2
    assert sum(report["wins"]) + report["draws"] == 2
    assert report["pieces"] == report["compared"] > 100
    assert (report["misplaced"], report["disagreements"], report["agreement"]) == (0, 0, 1.0)
    assert sum(report["nuisance_sent"]) > 30
    assert [game["swapped"] for game in report["games_detail"]] == [False, True]
    again = fought("--games", 2, "--seed", 5, "--max-pieces", 120)
    assert again["games_detail"] == report["games_detail"]


def test_a_game_that_nobody_wins_is_a_draw() -> None:
    report = fought("--games", 1, "--seed", 2, "--max-pieces", 10, "--level", 3, "--colors", 4)
    assert (report["draws"], report["wins"]) == (1, [0, 0])
    assert report["win_rate_interval"] == [0.0, 1.0]
    (game,) = report["games_detail"]
    assert game["winner"] is None
    assert min(game["pieces"]) == 10


@pytest.mark.long
def test_slower_hands_lose() -> None:
    report = fought("--games", 4, "--seed", 1, "--speed1", 10, "--speed2", 1, "--max-pieces", 200)
    assert report["wins"][0] > report["wins"][1]


def test_bad_battles() -> None:
    assert "less than or equal to 10" in refused("battle", "--speed2", 12)
    assert "no such player file" in refused("battle", "--player1", "nobody")


def test_a_battle_that_keeps_going_tells_what_contradicted(tmp_path: Path) -> None:
    """Seat 2's map has the halves of NEXT swapped. Once, the report had no contradictions and an agreement of 1.0."""
    swapped = {"next_axis": "next_partner", "next_partner": "next_axis"}
    text = data_path("ram_maps/famicom_puyo/player2.yaml").read_text(encoding="utf-8")
    file = tmp_path / "map.yaml"
    file.write_text(re.sub("next_(axis|partner)", lambda found: swapped[found.group()], text), encoding="utf-8")
    words = ("--map2", file, "--keep-going", "--json", "-")
    done = ochibot("battle", "--games", 1, "--seed", 5, "--max-pieces", 8, *words)
    assert done.returncode == 0, done.stderr
    report = json.loads(done.stdout)
    assert (report["compared"], report["disagreements"]) == (report["pieces"], 0)
    assert report["contradictions"] > 0
    assert report["agreement"] < 1
    assert f"other contradictions {report['contradictions']}" in done.stderr


def test_locks_before_a_contradiction_are_reported() -> None:
    """Once, a battle that a contradiction ended reported no locks and no disagreements."""
    from ochibot.errors import ContradictionError
    from ochibot.play.battle import Battle, Contestant

    from tests.titles import PUYO as GAME
    from tests.titles import RULES, maps_of, open_console, player_of

    class Meddling:
        """Plays well, but at its ``at``-th pair (0: never) it changes a cell of the field in RAM."""

        def __init__(self, console: Console, at: int) -> None:
            self.player = player_of(GAME, seed=1)
            self.console, self.at, self.asked = console, at, 0

        def choose(self, snapshot: Snapshot) -> Decision | None:
            self.asked += 1
            decision: Decision | None = self.player.choose(snapshot)
            if self.asked == self.at:
                row = load_map_rows()[13]
                self.console.ram[row] = 0 if self.console.ram[row] else 7
            return decision

    with open_console(None, GAME.open_rom(None), GAME) as console:
        sides = tuple(Contestant(f"p{at}", Meddling(console, at), 10) for at in (10, 0))
        maps = maps_of(GAME, "versus")
        battle = Battle(
            console, GAME, (sides[0], sides[1]), rules=RULES, maps=maps, seed=3, options={"colors": 4}, max_pieces=40
        )
        with pytest.raises(ContradictionError):
            battle.run(1)
    result = battle.result
    assert result.games == 0
    assert result.pieces == result.compared >= 18
    assert result.disagreements + result.misplaced >= 1
    assert result.agreement is not None
    assert 0.5 < result.agreement < 1


def test_locks_that_a_stop_cuts_off_are_reported() -> None:
    """When the game stops, both pairs have locked but not settled. They are reported as cut off and don't lower the
    agreement.
    """
    from ochibot.play.battle import Battle, Contestant

    from tests.titles import PUYO as GAME
    from tests.titles import RULES, maps_of, open_console, player_of

    def stop(running: Battle) -> None:
        assert running.seats is not None
        if running.frames > 400 and all(player.seat.has_locked() for player in running.seats):
            running.stop("test")

    with open_console(None, GAME.open_rom(None), GAME) as console:
        side = Contestant("one ply", player_of(GAME, plies=1, seed=1), 10)
        maps, options = maps_of(GAME, "versus"), {"colors": 4}
        battle = Battle(
            console, GAME, (side, side), rules=RULES, maps=maps, seed=3, options=options, max_pieces=90, on_frame=stop
        )
        battle.run(1)
    result = battle.result
    assert result.stopped_by == "test"
    assert (result.cut_off, result.agreement) == (2, 1.0)
    assert result.pieces == result.compared > 0


def load_map_rows() -> list[int]:
    """The address of the first cell of each row of seat 1's field."""
    return load_seat_map("player12").entries["field"].byte_addresses()[::6]

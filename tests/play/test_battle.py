"""AI against AI in the cartridge's two-player mode."""

from __future__ import annotations

import json
from typing import Any

from tests.cli.test_bad_input import ochibot, refused


def fought(*args: object) -> dict[str, Any]:
    done = ochibot("battle", *args, "--json", "-")
    assert done.returncode == 0, done.stderr
    report: dict[str, Any] = json.loads(done.stdout)
    return report


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


def test_slower_hands_lose() -> None:
    report = fought("--games", 4, "--seed", 1, "--speed1", 10, "--speed2", 1, "--max-pieces", 200)
    assert report["wins"][0] > report["wins"][1]


def test_bad_battles() -> None:
    assert "no speed 12" in refused("battle", "--speed2", 12)
    assert "no such player file" in refused("battle", "--p1", "nobody")

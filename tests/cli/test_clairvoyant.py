"""``--clairvoyant``: results, records and headings name it, and games whose memory reveals nothing refuse it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from ochibot.console import find_cores

from tests.commands import ochibot

needs_core = pytest.mark.skipif(
    not find_cores("genesis_plus_gx"), reason="no genesis_plus_gx core here (it comes with stable-retro)"
)


@needs_core
def test_play_says_it_in_text_report_and_record(tmp_path: Path) -> None:
    record, report = tmp_path / "record", tmp_path / "report.json"
    words = ("play", "tsu", "--seed", "1", "--pieces", "12", "--clairvoyant")
    done = ochibot(*words, "--record", str(record), "--json", str(report))
    assert done.returncode == 0, done.stderr
    assert "the player knew pairs that the game hadn't shown" in done.stdout
    told = json.loads(report.read_text())
    assert (told["clairvoyant"], told["player"], told["agreement"]) == (True, "article", 1.0)
    (player,) = json.loads((record / "run.json").read_text())["about"]["players"]
    assert (player["name"], player["clairvoyant"]) == ("article", True)
    again = ochibot("verify", str(record))
    assert again.returncode == 0, again.stderr


@needs_core
def test_battle_says_which_side_it_was() -> None:
    words = ("battle", "tsu", "--seed", "1", "--games", "1", "--max-pieces", "12", "--clairvoyant2", "--json", "-")
    done = ochibot(*words)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["clairvoyant"] == [False, True]
    assert "article (speed 10) against article, clairvoyant (speed 10)" in done.stderr


@pytest.mark.parametrize("command", ["play", "battle"])
def test_games_whose_memory_reveals_nothing_refuse_it(command: str) -> None:
    done = ochibot(command, "puyo", "--clairvoyant")
    assert done.returncode == 2
    assert "nothing in the memory of the game puyo tells what comes: leave --clairvoyant out" in done.stderr

"""The agent that learns by itself (examples/learning)."""

from __future__ import annotations

import json
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from ochibot.falling.splitmix import rolled
from ochibot.games import load_python_file
from ochibot.puyo.rules.file import load_rules
from ochibot.puyo.sim.match import Deal, Match

from tests.commands import ROOT, ochibot

AGENT = ROOT / "examples/learning/agent.py"
LEARNT = json.loads(AGENT.with_name("weights.json").read_text())
agent: Any = load_python_file(AGENT, "the agent")


def weights() -> Any:
    assert list(LEARNT["weights"]) == list(agent.COUNTS)
    return np.array([list(LEARNT["weights"].values())], np.float32)


def test_it_learns_the_same_whoever_plays(capsys: pytest.CaptureFixture[str]) -> None:
    with ThreadPoolExecutor(3) as pool:
        learnt = [agent.learn(3, 2, 12, run) for run in (map, pool.map)]
    one, other = ({**each, "curve": [point["points"] for point in each["curve"]]} for each in learnt)
    assert one == other
    assert capsys.readouterr().out.count("round 0") == 2


def test_what_was_learnt_beats_greedy_play_on_other_deals() -> None:
    ours, greedy = (agent.play(one, 64, 60, 1 << 50).mean() for one in (weights(), agent.GREEDY))
    assert ours > 5 * greedy


def test_the_player_plays_as_it_has_learnt() -> None:
    """A match of the simulator, played by the player, makes the points of the batch's game."""
    points = agent.play(weights(), 1, 40, 77)[0, 0]
    rules = load_rules("famicom")
    _, seed = rolled(77, (1 << 32) - 1)
    match, player = Match(Deal(1 + seed, source="uniform"), rules), agent.Learned(rules)
    for _ in range(40):
        match.lock(1, player.choose(match.snapshot(1)))
    assert match.side(1).score == points > 0


@pytest.mark.long
def test_it_plays_the_cartridge_and_its_record_verifies(tmp_path: Path) -> None:
    record = tmp_path / "game"
    done = ochibot("play", "--player", f"{AGENT}:Learned", "--pieces", "20", "--seed", "3", "--record", str(record))
    assert done.returncode == 0, done.stderr
    again = ochibot("verify", str(record))
    assert again.returncode == 0, again.stderr


@pytest.mark.long
def test_the_script_writes_what_it_learnt(tmp_path: Path) -> None:
    import subprocess

    words = [sys.executable, str(AGENT), "--rounds", "0", "--locks", "5", "-o", str(tmp_path / "w.json")]
    said = subprocess.run(words, capture_output=True, text=True, check=True).stdout
    learnt = json.loads((tmp_path / "w.json").read_text())
    assert list(learnt["weights"]) == list(agent.COUNTS)
    assert "greedy" in said

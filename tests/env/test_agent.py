"""The agent that learns by itself (examples/learning)."""

from __future__ import annotations

import json
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from ochibot.falling.draws import rolled
from ochibot.games import load_python_file
from ochibot.puyo.rules.file import load_rules
from ochibot.puyo.sim.many import ManyGames
from ochibot.puyo.sim.match import Deal, Match

from tests.commands import ROOT, ochibot

AGENT = ROOT / "examples/learning/agent.py"
LEARNT = json.loads(AGENT.with_name("weights.json").read_text())
agent: Any = load_python_file(AGENT, "the agent")


def weights() -> Any:
    assert list(LEARNT["weights"]) == list(agent.COUNTS)
    return np.array([list(LEARNT["weights"].values())], np.float32)


@pytest.mark.long
def test_it_learns_the_same_whoever_plays(capsys: pytest.CaptureFixture[str]) -> None:
    with ThreadPoolExecutor(3) as pool:
        learnt = [agent.learn(3, 1, run) for run in (map, pool.map)]
    one, other = ({**each, "curve": [point["won"] for point in each["curve"]]} for each in learnt)
    assert one == other
    assert capsys.readouterr().out.count("round 0") == 2


def test_what_was_learnt_beats_greedy_play_on_other_deals() -> None:
    results = agent.play(weights(), 64, 150, 1 << 50)
    assert (results >= 1).mean() > 0.85
    # on the same deals greedy play ties with itself
    mirrored = agent.play(agent.GREEDY, 32, 150, 1 << 50)
    assert ((mirrored >= 0.5) & (mirrored < 0.7)).all()


def test_the_player_plays_as_it_has_learnt() -> None:
    """A match of the simulator, played by the player, has the fields of the batch's game."""
    rules = load_rules("famicom")
    _, seed = rolled(77, (1 << 32) - 1)
    match, player = Match(Deal(1 + seed, source="uniform"), rules), agent.Learned(rules)
    batch = ManyGames(1, rules, source="uniform")
    batch.seed(0, 77)
    batch.begin()
    for _ in range(40):
        match.lock(1, player.choose(match.snapshot(1)))
        agent.lock(batch, weights())
        assert [int(point) for point in batch.scores] == [match.side(1).score]
        assert batch.field(0).heights() == match.side(1).field.heights()
    assert match.side(1).score > 0


@pytest.mark.long
def test_it_plays_the_cartridge_and_its_record_verifies(tmp_path: Path) -> None:
    record = tmp_path / "game"
    done = ochibot("play", "--player", f"{AGENT}:Learned", "--pieces", "20", "--seed", "3", "--record", str(record))
    assert done.returncode == 0, done.stderr
    again = ochibot("verify", str(record))
    assert again.returncode == 0, again.stderr


@pytest.mark.long
def test_the_script_learns_the_same_on_a_cluster(tmp_path: Path) -> None:
    distributed = pytest.importorskip("distributed")
    words = [sys.executable, str(AGENT), "--rounds", "0"]
    said = []
    with distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster:
        for name, more in {"alone": [], "cluster": ["--scheduler", cluster.scheduler_address]}.items():
            done = subprocess.run(
                [*words, "-o", str(tmp_path / name), *more], capture_output=True, text=True, check=True
            )
            said.append(done.stdout)
    alone, together = (json.loads((tmp_path / name).read_text())["weights"] for name in ("alone", "cluster"))
    assert alone == together
    assert list(alone) == list(agent.COUNTS)
    assert all("won" in one for one in said)

"""``selfplay --device cuda`` gives the processor's results: in numba's GPU simulator, and on a GPU if there is one."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.commands import ochibot
from tests.puyo.pairs.test_cuda import SIMULATED, gpu

SHARDS_OF_A_FEW = """
import json
from ochibot.data import data_path
from ochibot.lab.endless import endless_tasks, play_endless
from ochibot.lab.endless import play_batch
from ochibot.puyo.rules.file import load_rules
from ochibot.puyo.search import load_player

player = load_player(data_path("configs/players/article.yaml"))
tasks = [task for _, task in endless_tasks(player, load_rules("famicom"), 5, "uniform", 3, 3, 2)]
told = []
assert play_batch(tasks, lambda: True) is None
print(json.dumps([play_batch(tasks, on_wait=told.append), [play_endless(task) for task in tasks], told]))
"""


@pytest.mark.long
def test_a_simulated_gpu_plays_the_same() -> None:
    """Plays shards of two pieces and of one piece: a simulated thread takes seconds for each piece."""
    done = subprocess.run(
        [sys.executable, "-c", SHARDS_OF_A_FEW], capture_output=True, text=True, env={**os.environ, **SIMULATED}
    )
    assert done.returncode == 0, done.stderr
    on_gpu, on_processor, told = json.loads(done.stdout)
    assert on_gpu == on_processor
    assert [shard["pieces"] for shard in on_gpu] == [2, 1]
    assert told == [3]


@pytest.mark.skipif(not gpu(), reason="no NVIDIA GPU here")
@pytest.mark.long
@pytest.mark.parametrize("more", [(), ("--dealer", "tsu", "--colors", "4"), ("--rules", "tsu")])
def test_a_gpu_plays_the_same(more: tuple[str, ...], tmp_path: Path) -> None:
    words = ("selfplay", "--pieces", 200_000, "--shard", 1_000, *more)
    for device in ("cpu", "cuda"):
        done = ochibot(*words, "--device", device, "-o", tmp_path / device)
        assert done.returncode == 0, done.stderr
    assert (tmp_path / "cpu/summary.json").read_bytes() == (tmp_path / "cuda/summary.json").read_bytes()


def test_what_is_missing_is_said(tmp_path: Path) -> None:
    words = ("selfplay", "--pieces", 5_000, "--device", "cuda", "-o", tmp_path / "run")
    done = ochibot(*words, "--workers", 2)
    assert done.returncode == 2
    assert "leave --workers and --scheduler out" in done.stderr
    if not gpu():
        done = ochibot(*words)
        assert done.returncode == 2
        assert done.stderr.startswith("ochibot: --device cuda needs an NVIDIA GPU")
    assert not (tmp_path / "run").exists()


def test_shards_of_another_size_are_another_run(tmp_path: Path) -> None:
    words = ("selfplay", "--pieces", 3_000, "-o", tmp_path / "run", "--workers", 1)
    done = ochibot(*words, "--shard", 1_000, "--json", "-")
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["pieces"] == 3_000
    assert len((tmp_path / "run/shards.jsonl").read_text().splitlines()) == 3
    assert "another experiment (shard_pieces differ)" in ochibot(*words).stderr

"""The benchmark of the engine: it measures what it says, beside C that gives the same results."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from bot.bench.boards import KINDS, boards
from bot.bench.search import measure
from bot.bench.yardstick import NoCompilerError, Yardstick
from bot.data import data_path
from bot.errors import OchibotError
from bot.puyo import FAMICOM, Field, Rules, resolve
from bot.puyo.field import PLANE_WORDS
from bot.rulesfile import load_rules
from bot.search import load_player

TSU = load_rules(data_path("configs/rules/tsu.yaml"))
PLAYER = load_player(data_path("configs/players/article.yaml"))
with_cc = pytest.mark.skipif(shutil.which("cc") is None, reason="no C compiler")


@pytest.mark.parametrize("kind", KINDS)
def test_kinds_of_boards(kind: str) -> None:
    rows = boards(kind, FAMICOM)
    assert rows.shape[1] == PLANE_WORDS
    assert np.array_equal(rows, boards(kind, FAMICOM))
    chains = [resolve(Field.from_planes(row)).chain for row in rows]
    assert all(Field.from_planes(row).is_settled() for row in rows)
    low, high = {
        "nothing_to_clear": (0, 0),
        "search_leaves": (0.1, 0.4),
        "leaves_that_clear": (1, 1.5),
        "full_boards": (4.2, 4.6),
        "chain_19": (19, 19),
    }[kind]
    assert low <= np.mean(chains) <= high


@with_cc
@pytest.mark.parametrize("rules", [FAMICOM, TSU], ids=["famicom", "tsu"])
def test_c_gives_the_same_results(rules: Rules) -> None:
    report = measure(PLAYER, rules, 5, 2_000, 1)  # raises when they differ
    assert report.c_leaves_per_second
    assert report.ratio
    assert report.boards_per_second.keys() == set(KINDS)
    assert "same results" in report.table()


@with_cc
def test_a_wrong_yardstick_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    right = Yardstick.self_play

    def wrong(self: Yardstick, *arrays: Any) -> None:
        right(self, *arrays)
        arrays[2][8] += 10

    monkeypatch.setattr(Yardstick, "self_play", wrong)
    with pytest.raises(OchibotError, match="disagree about self-play"):
        measure(PLAYER, FAMICOM, 4, 200, 1)


def test_without_a_compiler_it_is_skipped_with_a_word(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(NoCompilerError):
        Yardstick(FAMICOM, tmp_path)
    report = measure(PLAYER, FAMICOM, 4, 200, 1)
    assert report.c_leaves_per_second is None
    assert "there is no C compiler" in report.table()


@with_cc
def test_the_command_writes_json(tmp_path: Path) -> None:
    file = tmp_path / "bench.json"
    command = [sys.executable, "-m", "bot", "bench", "search", "--rounds", "1", "--pieces", "1000", "--threads", "2"]
    done = subprocess.run([*command, "--json", str(file)], capture_output=True, text=True, check=False, timeout=120)
    assert done.returncode == 0, done.stderr
    report = json.loads(file.read_text(encoding="utf-8"))
    assert report["leaves_per_second"] > 1_000_000
    assert report["boards_per_second"].keys() == report["c_boards_per_second"].keys() == set(KINDS)
    assert report["threads_speedup"] > 0.5
    assert "2 threads" in done.stdout

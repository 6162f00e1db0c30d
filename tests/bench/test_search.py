"""``ochibot bench search``: what it measures, and that the C yardstick gives the same results."""

from __future__ import annotations

import dataclasses
import json
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from ochibot.bench import search
from ochibot.bench.boards import KINDS, Boards, NoBoardsError, NoCompilerError, NoYardstickError, Yardstick, boards
from ochibot.bench.search import measure
from ochibot.data import data_path
from ochibot.errors import OchibotError
from ochibot.puyo import Field, Rules
from ochibot.puyo.rules.field import BOARD_WORDS
from ochibot.puyo.rules.resolve import resolve
from ochibot.puyo.search import load_player
from ochibot.puyo.sim.dealer import PlainSource

from tests.puyo import FAMICOM, TSU

PLAYER = load_player(data_path("configs/players/article.yaml"))
with_cc = pytest.mark.skipif(shutil.which("cc") is None, reason="no C compiler")


@pytest.mark.long
@pytest.mark.parametrize("kind", KINDS)
def test_kinds_of_boards(kind: str) -> None:
    rows = boards(kind, FAMICOM)
    assert rows.shape[1] == BOARD_WORDS
    assert np.array_equal(rows, boards(kind, FAMICOM))
    chains = [resolve(Field.from_planes(row), FAMICOM).chain for row in rows]
    assert all(Field.from_planes(row).is_settled() for row in rows)
    low, high = {
        "nothing_to_clear": (0, 0),
        "search_leaves": (0.1, 0.4),
        "leaves_that_clear": (1, 1.5),
        "full_boards": (4.2, 4.6),
        "chain_19": (19, 19),
    }[kind]
    assert low <= np.mean(chains) <= high


@pytest.mark.long
@with_cc
@pytest.mark.parametrize(
    ("rules", "colors"), [(FAMICOM, 5), pytest.param(TSU, 4, marks=pytest.mark.proof)], ids=["famicom", "tsu"]
)
def test_c_gives_the_same_results(rules: Rules, colors: int) -> None:
    report = measure(PLAYER, rules, colors, 2_000, 1)  # raises an error if C's results differ from ours
    assert report.c_leaves_per_second
    assert report.ratio
    assert report.boards_per_second.keys() == set(KINDS)
    assert "same results" in report.table()


@pytest.mark.long
@with_cc
@pytest.mark.parametrize("source", ["tsu", "puyo1", "modern"])
def test_c_is_dealt_the_same_pools(source: PlainSource) -> None:
    """With 400 pieces the pool is dealt three times. Tsu deals the first pairs of the first round in another order."""
    report = measure(PLAYER, FAMICOM, 4, 400, 1, source=source)  # raises an error if C's results differ from ours
    assert (report.dealer, report.ratio is not None) == (source, True)
    assert f"dealt by {source}" in report.table()


@pytest.mark.long
@with_cc
def test_a_wrong_yardstick_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    right = Yardstick.self_play

    def wrong(self: Yardstick, *arrays: Any) -> None:
        right(self, *arrays)
        arrays[2][8] += 10

    monkeypatch.setattr(Yardstick, "self_play", wrong)
    with pytest.raises(OchibotError, match="disagree about self-play"):
        measure(PLAYER, FAMICOM, 4, 200, 1)


@pytest.mark.long
def test_what_is_missing_is_said(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def some(kind: str, rules: Rules) -> Boards:
        if kind == "full_boards":
            raise NoBoardsError("there are none")
        return boards("chain_19", rules)

    monkeypatch.setattr(search, "boards", some)
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(NoCompilerError):
        Yardstick(FAMICOM, tmp_path)
    report = measure(PLAYER, FAMICOM, 4, 200, 1)
    assert report.c_leaves_per_second is None
    assert report.ratio is None
    assert report.boards_per_second.keys() == set(KINDS) - {"full_boards"}
    assert "C: skipped: no C compiler (cc) found" in report.table()
    assert "full boards: left out, there are none" in report.table()


@pytest.mark.parametrize(
    ("script", "reason"),
    [
        ("echo broken >&2; exit 1", "broken"),
        ("exit 1", "ended with 1 and said nothing"),
        ("exit 0", "ended with 0 and said nothing"),
        (
            "[ $# -eq 1 ] && echo cc 1 && exit; echo out of memory >&2; exit 3",
            "can't compile yardstick.c: out of memory",
        ),
        ("[ $# -eq 1 ] && echo cc 1 && exit; exit 3", "can't compile yardstick.c: it ended with 3"),
    ],
)
def test_a_compiler_that_fails_is_named(
    script: str, reason: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Such a compiler was once reported as missing, or caused a traceback if it had printed no message."""
    cc = tmp_path / "cc"
    cc.write_text(f"#!/bin/sh\n{script}\n", encoding="utf-8")
    cc.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(NoCompilerError, match=re.escape(reason)):
        Yardstick(FAMICOM, tmp_path)


def test_groups_of_five_have_no_yardstick(tmp_path: Path) -> None:
    """C knows groups of four only. Ochibot once said that the results disagreed, and asked users to report a bug."""
    with pytest.raises(NoYardstickError, match="groups of 4 only, under rules five 5 clear"):
        Yardstick(dataclasses.replace(FAMICOM, name="five", clear_size=5), tmp_path)


def test_pairs_that_turn_within_a_box_have_no_yardstick(tmp_path: Path) -> None:
    with pytest.raises(NoYardstickError, match="turn around their axis, under rules box within a box"):
        Yardstick(dataclasses.replace(FAMICOM, name="box", turns="box"), tmp_path)


def test_rules_under_which_full_boards_make_no_chains() -> None:
    """The search for full boards with chains once ran for ever under such rules."""
    with pytest.raises(NoBoardsError, match="full under rules low"):
        boards("full_boards", dataclasses.replace(FAMICOM, name="low", visible_rows=4))


@pytest.mark.long
@with_cc
def test_the_command_writes_json(tmp_path: Path) -> None:
    file = tmp_path / "bench.json"
    command = [
        sys.executable,
        "-m",
        "ochibot",
        "bench",
        "search",
        "--rounds",
        "1",
        "--pieces",
        "1000",
        "--threads",
        "2",
    ]
    done = subprocess.run([*command, "--json", str(file)], capture_output=True, text=True, check=False, timeout=600)
    assert done.returncode == 0, done.stderr
    report = json.loads(file.read_text(encoding="utf-8"))
    assert report["leaves_per_second"] > 0
    assert report["boards_per_second"].keys() == report["c_boards_per_second"].keys() == set(KINDS)
    assert report["threads_speedup"] > 0
    assert "2 threads" in done.stdout

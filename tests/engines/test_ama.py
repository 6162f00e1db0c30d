"""The engine that lets ama play (tools/ama). ama itself isn't here: give OCHIBOT_AMA, the folder of a checkout."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.commands import ROOT, ochibot

FOLDER = ROOT / "tools" / "ama"
AMA = os.environ.get("OCHIBOT_AMA")


def make(*words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(["make", "-C", str(FOLDER), *words], capture_output=True, text=True, check=False)


@pytest.mark.skipif(shutil.which("make") is None, reason="no make here")
def test_without_a_checkout_make_says_what_to_give(tmp_path: Path) -> None:
    done = make(f"AMA={tmp_path / 'none'}", f"OUT={tmp_path / 'engine'}")
    assert done.returncode == 2
    assert "there is no checkout of ama in" in done.stderr
    assert "give AMA=DIR" in done.stderr


@pytest.mark.long
@pytest.mark.skipif(AMA is None, reason="no ama here (OCHIBOT_AMA=DIR names a checkout of github.com/citrus610/ama)")
def test_it_builds_and_plays_matches_by_the_rules(tmp_path: Path) -> None:
    engine = tmp_path / "engine"
    done = make(f"AMA={AMA}", f"OUT={engine}")
    assert done.returncode == 0, done.stderr
    one = f"engine[width=20,time_ms=20000]:{engine}"
    words = ("--game", "tsu", "--colors", 4, "--games", 2, "--max-pieces", 12, "--workers", 1)
    done = ochibot("arena", one, "article", *words, "-o", tmp_path / "run", "--json", "-")
    assert done.returncode == 0, done.stderr
    report = json.loads(done.stdout)
    assert report["faults"] == []
    assert report["players"][0]["games"] == 2
    # it refuses what ama doesn't know
    rules = {"visible_rows": 12, "clear_size": 4, "nuisance": {"margin": None}}
    game = {"type": "new", "family": "puyo", "rules": rules}
    turn = {"type": "turn", "id": 1, "field": ["......"] * 13 + ["RGBYP."], "pair": "RG", "next": ["BB"], "legal": [{}]}
    said = "\n".join(map(json.dumps, (game, turn)))
    refused = subprocess.run([str(engine)], input=said, capture_output=True, text=True, check=False)
    assert refused.returncode == 2
    assert refused.stderr == "ama knows four colours: deal no more (--colors 4)\n"

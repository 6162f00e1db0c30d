"""Explanations: the best line is the search's choice, and its terms add up to its value."""

from __future__ import annotations

import json
from pathlib import Path
from subprocess import CompletedProcess

import numpy as np
import pytest
from ochibot.data import data_path
from ochibot.errors import FieldError
from ochibot.puyo import Field, Pair, Snapshot
from ochibot.puyo.search import TwoPly, load_player
from ochibot.puyo.search.evaluate import explain

from tests.commands import ochibot as run
from tests.puyo import FAMICOM, SPAWN, reference
from tests.puyo.fields import random_cells

PLAYER = load_player(data_path("configs/players/article.yaml"))


def ochibot(*arguments: str) -> CompletedProcess[str]:
    return run("explain", *arguments)


@pytest.mark.parametrize("pieces", [("RG", "BB"), ("YY", "RB"), ("**", "RG"), ("RG", "&&"), ("RG", None)])
def test_the_first_line_is_the_search_s_choice(pieces: tuple[str, str | None]) -> None:
    pair, following = Pair.parse(pieces[0]), Pair.parse(pieces[1]) if pieces[1] else None
    seen = 0
    for cells in random_cells(60, 12):
        grid = reference.resolve(cells.tolist())[0]
        if reference.is_over(grid) or seen == 6:
            continue
        seen += 1
        field = Field.from_cells(np.array(grid))
        found = explain(field, pair, following, PLAYER, FAMICOM)
        plies = 2 if following else 1
        decision = TwoPly(PLAYER, FAMICOM, plies).choose(Snapshot(field, pair, following or Pair(1, 1), 0, SPAWN))
        assert decision is not None
        assert (found[0].placement, found[0].value, found[0].outcome) == (
            decision.placement,
            decision.value,
            decision.outcome,
        )
        assert [one.value for one in found] == sorted((one.value for one in found), reverse=True)
        assert all(one.evaluation is None or one.evaluation.total == one.value for one in found)


def test_a_piece_that_cannot_appear() -> None:
    with pytest.raises(FieldError, match="can't appear"):
        explain(Field.parse("..o...\n" * 13), Pair(1, 2), None, PLAYER, FAMICOM)


def test_the_command_lists_every_placement_and_draws_the_best(tmp_path: Path) -> None:
    file = tmp_path / "field.txt"
    file.write_text("...B..\nRGRG..\n", encoding="utf-8")
    done = ochibot("--field", str(file), "--pair", "RG", "--next", "BB", "--json", str(tmp_path / "out.json"))
    assert done.returncode == 0, done.stderr
    lines = done.stdout.split("\n")
    assert len([line for line in lines if " x=" in line and "best" not in line]) == 22
    assert "variance" in lines[0]
    assert "  rg.B..   RG.B.." in lines
    report = json.loads((tmp_path / "out.json").read_text(encoding="utf-8"))
    best = report["placements"][0]
    terms = [metric["weighted"] for metric in best["metrics"].values()]
    assert sum(terms) == pytest.approx(best["value"])
    assert best["placement"] == {"x": 1, "y": 12, "orientation": "right", "path": best["placement"]["path"]}
    again = ochibot("--text", "...B../RGRG..", "--pair", "RG", "--next", "BB", "--json", "-")
    assert json.loads(again.stdout) == report


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (["--pair", "RG"], "give the field"),
        (["--pair", "RX", "--text", "R....."], "is not a pair"),
        (["--pair", "RG", "--text", "R...."], "draw 6 cells"),
        (["--pair", "RG", "--field", "/nowhere.txt"], "can't read the field"),
        (["--pair", "RG", "--text", "R.....", "--rules", "nobody"], "no such rules file"),
        (["--pair", "RG", "--text", "R.....", "--player", "nobody"], "no such player file"),
        (["--pair", "RG", "--text", "/".join(["..o..."] * 13)], "can't appear"),
    ],
)
def test_what_is_refused(arguments: list[str], reason: str) -> None:
    done = ochibot(*arguments)
    assert done.returncode == 2
    assert reason in done.stderr
    assert len(done.stderr.strip().split("\n")) == 1

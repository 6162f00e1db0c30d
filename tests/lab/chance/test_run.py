"""The command ``ochibot chance``: resuming, workers, and what it refuses."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from ochibot.data import data_path
from ochibot.falling.chance import load_chance
from ochibot.puyo.chance import FEATURES

from tests.commands import ochibot

WORDS = ("chance", "trained", "article", "--games", "3", "--held", "2", "--moments", "6", "--colors", "6")


def run(folder: Path, *words: object, code: int = 0) -> str:
    done = ochibot(*WORDS, "-o", folder, *words)
    assert done.returncode == code, done.stderr
    return done.stdout if code == 0 else done.stderr


def files(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir() if not path.name.startswith(".")}


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder: Path = tmp_path_factory.mktemp("chance") / "run"
    run(folder, "--workers", 1)
    return folder


def test_a_resumed_run_equals_an_uninterrupted_one(whole: Path, tmp_path: Path) -> None:
    """Of the first run, a killed process has left four matches and a part of a line."""
    folder = tmp_path / "run"
    folder.mkdir()
    lines = (whole / "shards.jsonl").read_bytes().splitlines(keepends=True)
    assert len(lines) == 10
    (folder / "experiment.json").write_bytes((whole / "experiment.json").read_bytes())
    (folder / "shards.jsonl").write_bytes(b"".join([lines[7], lines[0], lines[3], lines[2], lines[1][:50]]))
    assert "has 4 of 10 matches" in run(folder, "--workers", 2)
    assert files(folder) == files(whole)


def test_the_weights_are_of_the_features_and_the_summary_has_all_stages(whole: Path) -> None:
    load_chance(whole / "chance.yaml", "puyo", FEATURES)
    assert "ochibot chance trained article --game puyo --games 3" in (whole / "chance.yaml").read_text()
    summary = json.loads((whole / "summary.json").read_text())
    assert [stage["sixth"] for stage in summary["stages"]] == [1, 2, 3, 4, 5, 6]
    assert [player["name"] for player in summary["players"]] == ["trained", "article"]
    assert summary["held_seed"] == 1001


def test_weights_are_measured_on_the_same_matches_without_a_fit(whole: Path, tmp_path: Path) -> None:
    run(tmp_path / "run", "--weights", whole / "chance.yaml", "--workers", 1)
    assert not (tmp_path / "run/chance.yaml").exists()
    before, after = (json.loads((folder / "summary.json").read_text()) for folder in (whole, tmp_path / "run"))
    assert after["stages"] == before["stages"]


@pytest.mark.long
def test_a_model_with_hidden_units_is_fitted_and_measured(tmp_path: Path) -> None:
    folder = tmp_path / "run"
    run(folder, "--workers", 1, "--hidden", 2)
    model = load_chance(folder / "chance.yaml", "puyo", FEATURES)
    assert len(model.units) == 2
    assert "--hidden 2" in (folder / "chance.yaml").read_text()
    again = tmp_path / "again"
    run(again, "--workers", 1, "--weights", folder / "chance.yaml")
    before, after = (json.loads((one / "summary.json").read_text()) for one in (folder, again))
    assert after["hidden"] == before["hidden"]
    assert after["stages"] == before["stages"]


def test_what_the_command_refuses(tmp_path: Path) -> None:
    file = data_path("configs/chance/no_offset.yaml")
    assert "--hidden is for a fit" in run(tmp_path / "b", "--weights", file, "--hidden", 2, code=2)
    assert "--held-seed is the run's seed" in run(tmp_path / "a", "--held-seed", 1, code=2)
    assert "the match is of puyo" in run(tmp_path / "b", "--weights", data_path("configs/chance/nyaa.yaml"), code=2)
    assert not (tmp_path / "a").exists()
    assert not (tmp_path / "b").exists()


def test_a_run_without_a_decided_match_says_so(tmp_path: Path) -> None:
    assert "no match was decided" in run(tmp_path / "run", "--max-pieces", 2, "--workers", 1, code=2)


@pytest.mark.long
def test_the_results_are_drawn(whole: Path, tmp_path: Path) -> None:
    done = ochibot("plot", whole, "-o", tmp_path / "chances.svg", "--json", tmp_path / "chances.json")
    assert done.returncode == 0, done.stderr
    assert "chances.svg: chances" in done.stdout
    assert "reliability" in json.loads((tmp_path / "chances.json").read_text())["chances"][0]
    assert (tmp_path / "chances.svg").read_text().startswith("<?xml")


def test_a_run_with_other_matches_is_refused(whole: Path, tmp_path: Path) -> None:
    folder = tmp_path / "run"
    folder.mkdir()
    for name, data in files(whole).items():
        (folder / name).write_bytes(data)
    assert "holds another experiment" in run(folder, "--seed", 2, code=2)
    lines = (whole / "shards.jsonl").read_text().splitlines(keepends=True)
    swapped = lines[0].replace('"decisions":', '"decision":')
    (folder / "shards.jsonl").write_text(swapped)
    assert "is damaged in line 1" in run(folder, code=2)

"""Pochi & Nyaa's lab: series counted by contestant, margins, the arena's report. Also tests player files."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from ochibot.data import data_path
from ochibot.errors import ConfigError, UsageError
from ochibot.falling.series import SeriesGame
from ochibot.lab.nyaa import arena
from ochibot.lab.nyaa.match import NyaaResult, Series, deal_of, play_series
from ochibot.nyaa.search import METRICS, NyaaPlayer, NyaaWeights, RandomPlayer, load_nyaa_player
from ochibot.nyaa.sim.match import Deal, Match

from tests.nyaa.profiles import MVS

SHIPPED = data_path("configs/players/nyaa.yaml")
PLAYED = NyaaResult(1, 900, (20, 22), (5, 30), (4, 12), (), Match(Deal(1), MVS))


def test_a_series_counts_by_contestant() -> None:
    series = Series()
    series.add(PLAYED, SeriesGame.of(0))  # the first contestant sat at seat 1 and lost
    series.add(replace(PLAYED, loser=1), SeriesGame.of(1))
    series.add(replace(PLAYED, loser=2), SeriesGame.of(3))
    series.add(replace(PLAYED, loser=None), SeriesGame.of(2))
    assert (series.games, series.wins, series.draws) == (4, [1, 2], 1)
    assert series.sent == [5 + 30 + 30 + 5, 30 + 5 + 5 + 30]
    assert series.best_attack == [12, 12]
    assert series.rate == 1 / 3
    low, high = series.interval
    assert low < 1 / 3 < high


def test_each_deal_is_played_from_both_sides() -> None:
    assert [deal_of(3, number) for number in range(4)] == [deal_of(3, 0)] * 2 + [deal_of(3, 2)] * 2
    config = load_nyaa_player(SHIPPED)
    series = play_series((NyaaPlayer(config, MVS), RandomPlayer(1, MVS)), MVS, 2, 1)
    assert series.wins == [2, 0]
    # equal players on equal deals: both games end as draws by ``max_pieces``, with the same nuisance sent
    equal = play_series((NyaaPlayer(config, MVS), NyaaPlayer(config, MVS)), MVS, 2, 1, max_pieces=5)
    assert (equal.draws, equal.sent[0]) == (2, equal.sent[1])


def test_the_arena_reports(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    target = tmp_path / "arena.json"
    arena.main(
        [
            "--games",
            "2",
            "--against",
            "random",
            "--against",
            f"{SHIPPED}:1",
            "--max-pieces",
            "40",
            "--json",
            str(target),
        ]
    )
    report = json.loads(target.read_text(encoding="utf-8"))
    assert report["holds"] is True
    assert report["random"]["wins"] == [2, 0]
    assert report[f"{SHIPPED}:1"]["games"] == 2
    assert "against random: 2 won, 0 lost" in capsys.readouterr().out
    for wrong, problem in ((["--games", "0"], UsageError), (["--against", "nobody.yaml"], ConfigError)):
        with pytest.raises(problem):
            arena.main(wrong)


def test_player_files(tmp_path: Path) -> None:
    shipped = load_nyaa_player(SHIPPED)
    assert len(shipped.weights.factors) == len(METRICS) == len(NyaaWeights.model_fields)
    assert tuple(NyaaWeights.model_fields) == METRICS
    assert NyaaWeights(sent=2).factors[METRICS.index("sent")] == 2.0
    path = tmp_path / "wrong.yaml"
    for text, problem in (
        ("name: x\nprovenance: y\nweights: {colour: 1}", "weights.colour"),
        ("name: x\nprovenance: y\nweights: {sent: .inf}", "weights.sent"),
        ("name: x\nprovenance: y\nweights: {sent: 1001}", "weights.sent"),
        ("name: x\nweights: {}", "provenance"),
    ):
        path.write_text(text, encoding="utf-8")
        with pytest.raises(ConfigError, match=problem):
            load_nyaa_player(path)

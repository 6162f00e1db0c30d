"""The players of Pochi & Nyaa judge the grid after a decision by its metrics, and list the largest terms first."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from ochibot.data import data_path
from ochibot.nyaa.rules.file import load_rules
from ochibot.nyaa.rules.grid import Grid
from ochibot.nyaa.rules.pair import SPAWN, Pair
from ochibot.nyaa.rules.snapshot import Opponent, Snapshot
from ochibot.nyaa.search.beam.player import LIBRARY as BEAM
from ochibot.nyaa.search.beam.player import NyaaBeamPlayer, load_nyaa_beam, plan_of
from ochibot.nyaa.search.engine import LIBRARY, prepare
from ochibot.nyaa.search.metrics import METRICS
from ochibot.nyaa.search.player import BY_HAND, GREEDY, load_nyaa_player
from ochibot.nyaa.search.twoply import NyaaPlayer, bits_of

MVS = load_rules("mvs")
HERE = Grid.parse("r.g.b..\nrrgbbby")
THERE = Grid.parse("yyy....\nrrrr...")
SNAPSHOT = Snapshot(HERE, Pair(1, 2), (Pair(3, 4), Pair(1, 1)), pending=3, opponent=Opponent(THERE, Pair(2, 2), 5))


def beam() -> NyaaBeamPlayer:
    return NyaaBeamPlayer(load_nyaa_beam(data_path("configs/players/nyaa_beam.yaml")), MVS, nodes=60)


def two_ply() -> NyaaPlayer:
    return NyaaPlayer(load_nyaa_player(data_path("configs/players/nyaa.yaml")), MVS)


@pytest.mark.parametrize("made", [two_ply, beam])
def test_a_judgement_is_of_the_grid_after_the_decision(made: Any) -> None:
    player = made()
    decision = player.choose(SNAPSHOT)
    assert decision is not None
    judged = player.judge(SNAPSHOT, decision)
    after = Snapshot(decision.outcome.grid, Pair(3, 4), (Pair(1, 1), Pair(1, 1)), SPAWN, 3, SNAPSHOT.opponent)
    seen = made().measure(after)
    assert judged.total == seen.value
    weights = player.config.weights.model_dump()
    every = sorted((abs(weights[name] * value) for name, value in seen.metrics.items()), reverse=True)
    assert len(judged.terms) == 8
    assert [abs(term) for _, term in judged.terms] == every[:8]
    assert all(term == weights[name] * seen.metrics[name] for name, term in judged.terms)
    # judging has no side effects: a second judgement and the player's next decision are the same
    assert player.judge(SNAPSHOT, decision) == judged
    assert made().choose(SNAPSHOT) == player.choose(SNAPSHOT) == decision


def test_a_measured_grid_is_the_sum_of_its_metrics() -> None:
    for config in (GREEDY, BY_HAND):
        player = NyaaPlayer(config, MVS)
        seen = player.measure(SNAPSHOT)
        assert tuple(seen.metrics) == METRICS
        total = 0.0
        for metric, factor in zip(METRICS, config.weights.factors, strict=True):
            total += seen.metrics[metric] * factor
        assert seen.value == total
        assert seen.metrics["height"] == sum(height**2 for height in (2, 1, 2, 1, 2, 1, 1))
        assert (seen.metrics["pending"], seen.metrics["nuisance"]) == (3, 0)
        # without an opponent, no nuisance waits on the other side
        alone = player.measure(replace(SNAPSHOT, opponent=None))
        assert (alone.metrics["pressure"], alone.metrics["unanswered"]) == (0, 0)


@pytest.mark.parametrize(("made", "library"), [(two_ply, LIBRARY), (beam, BEAM), (prepare, LIBRARY)])
def test_prepared_players_have_their_kernels(made: Any, library: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    loaded = set[str]()
    plain = type(library).load

    def load(own: Any, name: str, variant: Any = None) -> Any:
        loaded.add(f"{own.name}.{name}")
        return plain(own, name, variant)

    monkeypatch.setattr(type(library), "load", load)
    player = made()
    if player is not None:
        player.prepare()
    assert {f"{library.name}.{name}" for name in library.kernels} <= loaded
    assert "nyaa-search.two_ply" in loaded


def test_a_plan_spends_its_share_on_the_pairs_to_come() -> None:
    """From a board come about 28 boards, one for each lock. A finalist is tried with ten pairs, so it costs 280."""
    for nodes in (1, 20, 1000, 5600, 60_000, 1_000_000):
        for share in (0.0, 0.3, 0.9):
            plan = plan_of(nodes, share)
            assert plan.finalists == nodes * share // 280
            assert 1 <= plan.width <= 2000
            if 1 < plan.width < 2000:
                spent = plan.finalists * 280 + 28 * min(2 * plan.width, plan.width + 28)
                assert nodes - 60 < spent <= nodes


def test_the_colours_of_a_pair_as_bits() -> None:
    assert [bits_of(Pair(*one)) for one in ((1, 1), (1, 2), (4, 3), (4, 4))] == [1, 3, 12, 8]


def test_by_other_rules_pairs_appear_elsewhere() -> None:
    rules = replace(MVS, spawn_column=2, over_cell=(2, 12))
    for player in (NyaaPlayer(BY_HAND, rules), NyaaBeamPlayer(beam().config, rules, nodes=60)):
        decision = player.choose(replace(SNAPSHOT, state=SPAWN._replace(x=2)))
        assert decision is not None
        assert player.judge(SNAPSHOT, decision).total < 1e9

"""The beam player of Pochi & Nyaa agrees with a naive beam search, repeats its decisions and keeps its budgets."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import count
from pathlib import Path

import numpy as np
import pytest
from ochibot.errors import ConfigError, FieldError
from ochibot.falling.deciding import tie_order
from ochibot.nyaa import Grid
from ochibot.nyaa.rules.lock import place
from ochibot.nyaa.rules.pair import SPAWN, Pair, Placement
from ochibot.nyaa.rules.snapshot import Opponent, Snapshot
from ochibot.nyaa.search import NyaaPlayer
from ochibot.nyaa.search.beam.player import BeamPlan, NyaaBeamConfig, NyaaBeamPlayer, load_nyaa_beam, plan_of
from ochibot.nyaa.search.locks import lock_order, lock_positions

from tests.nyaa.fields import drawing, random_grid
from tests.nyaa.profiles import MVS, edited
from tests.nyaa.search import reference
from tests.nyaa.search.test_search import every_metric, sample, walled


def only(column: int) -> Callable[[Placement], bool]:
    """Hands for a snapshot that reach only placements in this column."""
    return lambda placement: placement.x == column


def config_of(seed: int, *, plies: int = 3, nodes: int = 20_000, expecting: float = 0.0) -> NyaaBeamConfig:
    """A player file's content in which every metric has a random weight."""
    weights = every_metric(seed).weights
    return NyaaBeamConfig(
        kind="nyaa_beam",
        name="any",
        nodes=nodes,
        plies=3 if plies == 3 else 2,
        expecting=expecting,
        weights=weights,
        provenance="random",
    )


def planned(config: NyaaBeamConfig, plan: BeamPlan, seed: int) -> NyaaBeamPlayer:
    """A player that searches by ``plan``, not by the plan that its number of nodes gives."""
    player = NyaaBeamPlayer(config, MVS, seed)
    player.plan, player._width = plan, plan.width
    return player


def tight(seed: int) -> Snapshot | None:
    """A random snapshot in which few places can be reached, so that a naive search is quick; None if there are many."""
    dice = np.random.default_rng(seed)
    grid = walled(dice)
    if len({(x, o) for x, _, o in reference.locks(drawing(grid), reference.SPAWN)}) > 8:
        return None
    pairs = [Pair(*dice.integers(1, 5, 2).tolist()) for _ in range(3)]
    waits = int(dice.integers(0, 9)) * int(dice.integers(2))
    there = Opponent(random_grid(dice, 5), None, int(dice.integers(0, 30)))
    return Snapshot(grid, pairs[0], (pairs[1], pairs[2]), SPAWN, waits, there)


@pytest.mark.parametrize("most", [2, pytest.param(5, marks=pytest.mark.long)])
def test_a_narrow_beam_is_the_naive_one(most: int) -> None:
    boards, lost, values = 0, 0, set()
    for seed in count():
        if (seen := tight(seed)) is None:
            continue
        assert seen.opponent is not None
        plan = BeamPlan(2 + seed % 2, 2 * (seed % 2))
        config = config_of(seed)
        decision = planned(config, plan, seed).choose(seen)
        plain = NyaaPlayer(config.plainly(), MVS, 2, seed).choose(seen)
        assert (decision is None) == (plain is None)
        if decision is None or plain is None or plain.value == -2e9:
            assert decision == plain
            continue
        lock, value = reference.beam(
            drawing(seen.grid),
            [str(seen.pair), *map(str, seen.nexts)],
            reference.SPAWN,
            seen.pending,
            drawing(seen.opponent.grid),
            seen.opponent.pending,
            list(config.weights.factors),
            plan.width,
            plan.finalists,
            tie_order(52, seed).tolist(),
        )
        placement = decision.placement
        assert lock_order().index((placement.x, placement.orientation, placement.needle)) == lock, seen
        assert decision.value == value  # equal to the last bit
        assert decision.outcome == place(seen.grid, seen.pair, placement, MVS)
        assert placement in lock_positions(seen.grid, seen.pair, seen.state)
        boards += 1
        lost += value == -1e9
        values.add(value)
        if boards == most:
            break
    assert lost < 4
    assert len(values) > 1


def test_two_pairs_in_full_are_the_two_ply_player() -> None:
    for seed in range(60, 72):
        seen, config = sample(seed, 9, single=seed % 4 == 0), config_of(seed, plies=2, nodes=100_000)
        decision = NyaaBeamPlayer(config, MVS, seed).choose(seen)
        plain = NyaaPlayer(config.plainly(), MVS, 2, seed).choose(seen)
        assert decision is not None
        assert plain is not None
        assert (decision.placement, decision.value) == (plain.placement, plain.value)


def test_equal_snapshots_get_equal_decisions_whatever_came_before() -> None:
    config = config_of(3, nodes=4000, expecting=0.4)
    used = NyaaBeamPlayer(config, MVS, seed=4)
    for seed in range(40, 48):
        seen = sample(seed, 9, single=False)
        assert used.choose(seen) == NyaaBeamPlayer(config, MVS, seed=4).choose(seen)


def test_a_budget_is_kept_about() -> None:
    assert plan_of(1, 0.0) == BeamPlan(1, 0)
    leaves = []
    for nodes in (2_000, 8_000, 16_000):
        player = NyaaBeamPlayer(config_of(5, expecting=0.3), MVS, 1, nodes=nodes)
        found = [player.choose(sample(seed, 6, single=False)) for seed in range(61, 73)]
        leaves.append(np.mean([decision.leaves for decision in found if decision is not None]))
    assert leaves == pytest.approx([2_000, 8_000, 16_000], rel=0.4)


@pytest.mark.long
def test_a_time_budget_ends_the_search_by_its_own_clock() -> None:
    """At each look, the clock has advanced by ``tick`` seconds. The 100 ms end after one look, after many, or never."""
    seen = sample(61, 6, single=False)

    def leaves(tick: float) -> int:
        looks = count()
        player = NyaaBeamPlayer(config_of(5, expecting=0.5), MVS, 1, budget_ms=100, clock=lambda: tick * next(looks))
        decision = player.choose(seen)
        assert decision is not None
        assert decision.placement in lock_positions(seen.grid, seen.pair, seen.state)
        return decision.leaves

    slow, some, all_of_it = leaves(1.0), leaves(0.001), leaves(0.0)
    assert slow < some < all_of_it
    assert slow < 1_500


def test_hands_that_come_late_choose_what_they_reach() -> None:
    player = NyaaBeamPlayer(config_of(5, nodes=3000), MVS, 1)
    for seed in range(61, 67):
        seen = sample(seed, 6, single=False)
        free = player.choose(seen)
        assert free is not None
        same = player.choose(replace(seen, hands=lambda _: True))
        assert same == free
        column = 1 + free.placement.x % 7
        bound = player.choose(replace(seen, hands=only(column)))
        assert bound is not None
        assert bound.placement.x == column
        assert player.choose(replace(seen, hands=lambda _: False)) == free


def test_what_it_cannot_take(tmp_path: Path) -> None:
    player = NyaaBeamPlayer(config_of(5, nodes=3000), MVS, 1)
    pairs = Pair.parse("rg"), (Pair.parse("rg"),) * 2
    with pytest.raises(FieldError, match="at rest"):
        player.choose(Snapshot(Grid.parse("R......"), *pairs))
    with pytest.raises(FieldError, match="code 5"):
        player.choose(Snapshot(Grid.empty(), Pair(5, 1), pairs[1]))
    assert player.choose(Snapshot(Grid.parse("...o...\n" * 12), *pairs)) is None
    doomed = player.choose(Snapshot(Grid.parse("...o...\n" * 11), Pair.parse("rg"), pairs[1], pending=21))
    assert doomed is not None
    assert doomed.value == -2e9
    with pytest.raises(ConfigError, match="give ruleset: mvs"):
        NyaaBeamPlayer(config_of(5), edited(tmp_path, ruleset="ps2"))
    text = "kind: nyaa_beam\nname: mine\nprovenance: test\nweights: {attack: 3}\n"
    wrong = ("nodes: 0\n", "nodes"), ("nodes: 9\nplies: 4\n", "plies"), ("nodes: 9\nexpecting: 1\n", "expecting")
    for entry, told in wrong:
        (tmp_path / "mine.yaml").write_text(text + entry)
        with pytest.raises(ConfigError, match=rf"mine\.yaml: {told}"):
            load_nyaa_beam(tmp_path / "mine.yaml")
    (tmp_path / "mine.yaml").write_text(text + "nodes: 9\n")
    assert load_nyaa_beam(tmp_path / "mine.yaml").weights.attack == 3.0

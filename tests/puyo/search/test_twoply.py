"""Tests that the two-ply player chooses as a naive search through all locks does, from any start, and survives."""

from __future__ import annotations

import sys
from dataclasses import replace
from functools import partial
from pathlib import Path
from subprocess import run

import numpy as np
import pytest
from ochibot.data import data_path
from ochibot.errors import ConfigError, FieldError
from ochibot.falling.deciding import tie_order
from ochibot.jit.library import code_for_all
from ochibot.lab.selfplay import SelfPlay
from ochibot.puyo import Field, Orientation, Pair, PairState, Placement, Snapshot, UniformDealer, place
from ochibot.puyo.rules.profile import Extra
from ochibot.puyo.search import PlayerConfig, TwoPly, load_player, lock_positions
from ochibot.puyo.search.engine import OVER_NEXT, OVER_NOW, SEARCH_KERNELS
from ochibot.puyo.search.evaluate import Explained, explain
from ochibot.puyo.search.locks import lock_order

from tests.puyo import FAMICOM, SPAWN, TSU, reference
from tests.puyo.fields import random_cells
from tests.puyo.rules.test_rules import law_of

LOCKS = lock_order()


@pytest.fixture(scope="module")
def player() -> PlayerConfig:
    return load_player(data_path("configs/players/article.yaml"))


def sample_snapshots() -> list[Snapshot]:
    """Resolved fields, half of them high, with random pairs; some of the pairs don't start at the spawn."""
    rng = np.random.default_rng(8)
    snapshots: list[Snapshot] = []
    for i, cells in enumerate(random_cells()[2000:]):
        grid = reference.resolve(cells.tolist())[0]
        height = 14 - min((y for y in range(14) if any(grid[y])), default=14)
        if reference.is_over(grid) or height < (11 if len(snapshots) % 2 else 1):
            continue
        pairs = rng.integers(1, 5, 4).tolist()
        state = PairState(int(rng.integers(1, 7)), 4, Orientation.UP) if i % 5 == 0 else SPAWN
        field = Field.from_cells(np.array(grid))
        snapshots.append(Snapshot(field, Pair(*pairs[:2]), Pair(*pairs[2:]), 0, state))
        if len(snapshots) == 40:
            break
    return snapshots


def test_choice_is_that_of_trying_everything(player: PlayerConfig) -> None:
    factors = list(player.factors)
    two_ply = TwoPly(player, FAMICOM)
    heights = set()
    for seen in sample_snapshots():
        lock, value, leaves = reference.two_ply(
            seen.field.cells.tolist(), seen.pair, seen.next_pair, factors, seen.state
        )
        decision = two_ply.choose(seen)
        if decision is None:
            assert lock is None
            continue
        found = decision.placement
        assert (found.x, found.y, found.orientation) == lock, seen
        assert decision.value == value, seen  # equal to the last bit
        assert decision.leaves == leaves
        assert decision.outcome == place(seen.field, seen.pair, found, FAMICOM)
        assert found in lock_positions(seen.field, seen.pair, FAMICOM, seen.state)  # the path is compared too
        heights.add(max(seen.field.heights()))
    assert max(heights) >= 13


def test_one_ply_is_the_best_single_lock(player: PlayerConfig) -> None:
    for seen in sample_snapshots()[:20]:
        decision = TwoPly(player, FAMICOM, plies=1).choose(seen)
        values = {}
        for lock in lock_positions(seen.field, seen.pair, FAMICOM, seen.state):
            after = place(seen.field, seen.pair, lock, FAMICOM)
            value = reference.value(after.field.cells.tolist(), list(player.factors))
            values[lock] = OVER_NOW if after.game_over else value
        assert (decision is None) == (not values)
        if decision:
            assert decision.value == max(values.values())
            assert decision.placement == next(lock for lock in values if values[lock] == decision.value)


@pytest.mark.parametrize("plies", [0, 3])
def test_other_numbers_of_plies_are_refused(player: PlayerConfig, plies: int) -> None:
    with pytest.raises(ConfigError, match="plies"):
        TwoPly(player, FAMICOM, plies)


def test_game_over_is_worse_than_anything(player: PlayerConfig) -> None:
    """On the first field, no line survives both pairs. On the second, only a pair upright in column 3 ends the game."""
    rows = ["RG.BRG"] + ["GBYRGB", "RGBYRG"] * 6
    field = Field.parse("\n".join(rows))
    decision = TwoPly(player, FAMICOM).choose(Snapshot(field, Pair.parse("PC"), Pair.parse("PC"), 0, SPAWN))
    assert decision is not None
    assert decision.value in (OVER_NOW, OVER_NEXT)
    rows = [".G.BRG", ".BYRGB"] + ["RGBYRG", "GBYRGB"] * 5
    field = Field.parse("\n".join(rows))
    decision = TwoPly(player, FAMICOM).choose(Snapshot(field, Pair.parse("PC"), Pair.parse("PC"), 0, SPAWN))
    assert decision is not None
    assert not decision.outcome.game_over


def test_no_lock_no_decision(player: PlayerConfig) -> None:
    pairs = Pair.parse("RG"), Pair.parse("RG")
    assert TwoPly(player, FAMICOM).choose(Snapshot(Field.parse("..o...\n" * 13), *pairs, 0, SPAWN)) is None
    for state in (PairState(0, 5, Orientation.UP), PairState(3, 14, Orientation.UP), PairState(3, 0, Orientation.UP)):
        assert TwoPly(player, FAMICOM).choose(Snapshot(Field.empty(), *pairs, 0, state)) is None


@pytest.mark.parametrize("code", [0, 7, 8])
def test_pairs_that_are_not_of_a_colour_are_refused(player: PlayerConfig, code: int) -> None:
    for pair, following in ((Pair(code, 1), Pair(1, 1)), (Pair(1, 1), Pair(1, code))):
        with pytest.raises(FieldError, match=f"code {code}"):
            TwoPly(player, FAMICOM).choose(Snapshot(Field.empty(), pair, following, 0, SPAWN))


@pytest.mark.parametrize("field", ["RRR...\n......\nGG....\n......", "RGBYRG\n......\n......"])
def test_floating_puyos_fall_after_the_current_pair(player: PlayerConfig, field: str) -> None:
    """On the first field the pair can slip below the floating puyos; on the second they cover all columns."""
    seen = Snapshot(Field.parse(field), Pair.parse("RB"), Pair.parse("GY"), 0, SPAWN)
    decision = TwoPly(player, FAMICOM).choose(seen)
    assert decision is not None
    assert decision.outcome == place(seen.field, seen.pair, decision.placement, FAMICOM)
    lock, value, leaves = reference.two_ply(seen.field.cells.tolist(), seen.pair, seen.next_pair, list(player.factors))
    found = decision.placement
    assert ((found.x, found.y, found.orientation), decision.value, decision.leaves) == (lock, value, leaves)


def test_ties_go_to_the_first_lock() -> None:
    config = load_player(data_path("configs/players/article.yaml"))
    nothing = config.weights.model_copy(update=dict.fromkeys(config.weights.model_dump(), 0.0))
    blind = config.model_copy(update={"weights": nothing})
    decision = TwoPly(blind, FAMICOM).choose(Snapshot(Field.empty(), Pair.parse("RG"), Pair.parse("BY"), 0, SPAWN))
    assert decision is not None
    assert decision.placement == lock_positions(Field.empty(), Pair.parse("RG"), FAMICOM)[0]


def test_a_seed_decides_between_equal_locks_only(player: PlayerConfig) -> None:
    """Of the locks with the best value, found naively by ``explain``, the first in the seed's order is chosen.

    Locks that lead to the same field count as the first of them.
    """
    zero = dict.fromkeys(player.weights.model_dump(), 0.0) | {"links": 100.0}
    coarse = player.model_copy(update={"weights": player.weights.model_copy(update=zero)})
    seeds = (None, *range(6))
    players = [TwoPly(coarse, FAMICOM, seed=seed) for seed in seeds]
    differ = 0
    for seen in sample_snapshots()[:20]:
        ranked = explain(seen.field, seen.pair, seen.next_pair, coarse, FAMICOM) if seen.state == SPAWN else []
        if not ranked:
            continue
        best = [one for one in ranked if one.value == ranked[0].value]
        chosen = set()
        for seed, two_ply in zip(seeds, players, strict=True):
            decision = two_ply.choose(seen)
            assert decision is not None
            ranks = tie_order(22, seed)
            fields: dict[str, Explained] = {}
            for one in best:
                fields.setdefault(str(one.outcome.field), one)
            first = min(
                fields.values(), key=lambda one: ranks[LOCKS.index((one.placement.x, one.placement.orientation))]
            )
            assert decision.value == ranked[0].value
            assert decision.placement == first.placement
            assert two_ply.choose(seen) == decision
            chosen.add(decision.placement)
        differ += len(chosen) > 1
    assert differ > 3


def test_self_play_is_the_player_with_the_dealer(player: PlayerConfig) -> None:
    """The self-play kernel plays the same game as a loop in Python with TwoPly, ``place`` and UniformDealer."""
    game = SelfPlay(player, 5, 77, FAMICOM)
    dealer = UniformDealer(77, 5)
    two_ply = TwoPly(player, FAMICOM)
    field, pair, following = Field.empty(), next(dealer), next(dealer)
    score = cleared = leaves = 0
    for _ in range(150):
        decision = two_ply.choose(Snapshot(field, pair, following, 0, SPAWN))
        assert decision is not None
        outcome = place(field, pair, decision.placement, FAMICOM)
        field, pair, following = outcome.field, following, next(dealer)
        score, cleared, leaves = score + outcome.score, cleared + outcome.cleared, leaves + decision.leaves
        seen = game.play(1)
        assert game.field == field
        assert (seen.score, seen.cleared, seen.leaves) == (score, cleared, leaves)
    assert seen.pieces == 150
    assert seen.counts.sum() == 150
    assert score > 0


@pytest.mark.parametrize("colors", [4, 5])
def test_the_article_s_player_survives(player: PlayerConfig, colors: int) -> None:
    seen = SelfPlay(player, colors, 1, FAMICOM).play(50_000)
    assert seen.game_overs == 0
    assert seen.mean < 14


def test_saved_self_play_goes_on_as_if_never_stopped(player: PlayerConfig, tmp_path: Path) -> None:
    whole = SelfPlay(player, 4, 3, FAMICOM).play(2_000)
    first = SelfPlay(player, 4, 3, FAMICOM)
    first.play(900)
    first.save(tmp_path / "state.npz")
    second = SelfPlay(player, 4, 3, FAMICOM)
    second.load(tmp_path / "state.npz")
    assert str(second.play(1_100)) == str(whole)
    with pytest.raises(ConfigError, match="another player"):
        SelfPlay(player, 4, 4, FAMICOM).load(tmp_path / "state.npz")
    with np.load(tmp_path / "state.npz") as saved:
        arrays = dict(saved)
    for cells in (arrays["cells"] + 7, arrays["cells"][1:], None):  # other codes, another shape, an older file
        np.savez(tmp_path / "odd.npz", **{k: v for k, v in {**arrays, "cells": cells}.items() if v is not None})
        with pytest.raises(ConfigError, match=r"odd\.npz is not a self-play that this Ochibot saved"):
            SelfPlay(player, 4, 3, FAMICOM).load(tmp_path / "odd.npz")


def test_a_state_of_rules_that_older_versions_knew_is_saved_as_they_saved_it(player: PlayerConfig) -> None:
    """Otherwise a self-play that an older version saved couldn't go on."""
    known = [*player.factors, 13, 13, 14, 14, 4, 1, 0, 0, 4, 3]
    assert SelfPlay(player, 4, 3, FAMICOM)._who().tolist() == known
    extra = replace(FAMICOM, extra=Extra(per_cell=10))
    assert SelfPlay(player, 4, 3, extra)._who().tolist() == [*known[:-2], 1, *known[-2:]]
    box = replace(FAMICOM, turns="box")
    assert SelfPlay(player, 4, 3, box)._who().tolist() == [*known[:-2], 0, 1, *known[-2:]]


def test_importing_the_face_does_not_import_numba() -> None:
    code = "import sys, ochibot.puyo, ochibot.puyo.search, ochibot.lab.selfplay; sys.exit('numba' in sys.modules)"
    assert run([sys.executable, "-c", code], check=False).returncode == 0


def is_in(column: int, lock: Placement) -> bool:
    return lock.x == column


def test_hands_leave_out_what_they_cannot_reach_unless_nothing_is_left(player: PlayerConfig) -> None:
    """The player chooses the best lock that the hands reach, or the best of all locks if they reach none."""
    two, field, pair, following = TwoPly(player, FAMICOM), Field.parse("R.....\nRGB.Y.\n"), Pair(1, 2), Pair(3, 3)
    best = two.choose(Snapshot(field, pair, following, 0, SPAWN))
    assert best is not None
    found = two.choose(Snapshot(field, pair, following, 0, SPAWN, hands=lambda lock: lock.x != best.placement.x))
    assert found is not None
    assert found.placement.x != best.placement.x
    left = {lock.x for lock in lock_positions(field, pair, FAMICOM)}
    for x in left:
        only = two.choose(Snapshot(field, pair, following, 0, SPAWN, hands=partial(is_in, x)))
        assert only is not None
        assert only.placement.x == x
        assert only.value <= best.value
    nothing = two.choose(Snapshot(field, pair, following, 0, SPAWN, hands=lambda _: False))
    assert nothing == best


def test_one_code_serves_all_geometries(player: PlayerConfig, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Experiments once compiled the search anew for each size of field that they tried."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    seen = sample_snapshots()
    low = [one for one in seen if max(one.field.heights()) < 9][:3]
    small = replace(FAMICOM, clear_size=3, visible_rows=12, hidden_rows=2)
    with code_for_all():
        SEARCH_KERNELS.library.forget()
        chosen = {rules: [TwoPly(player, rules).choose(one) for one in seen] for rules in (FAMICOM, TSU)}
        others = [TwoPly(player, small).choose(one) for one in low]
    assert [file.parent.name for file in tmp_path.rglob("*.two_ply.code")] == ["any"]
    SEARCH_KERNELS.library.forget()
    monkeypatch.undo()
    for rules in (FAMICOM, TSU):
        assert chosen[rules] == [TwoPly(player, rules).choose(one) for one in seen]
    for one, decision in zip(low, others, strict=True):
        expected = reference.two_ply(
            one.field.cells.tolist(), one.pair, one.next_pair, list(player.factors), one.state, law_of(small)
        )
        assert decision is not None
        found = decision.placement
        assert ((found.x, found.y, found.orientation), decision.value, decision.leaves) == expected

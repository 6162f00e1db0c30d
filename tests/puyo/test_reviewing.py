"""The reviewer of Puyo Puyo: what it says of placements, beside the plain rules and on positions made by hand."""

from __future__ import annotations

from dataclasses import replace
from statistics import median
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from ochibot.data import data_path
from ochibot.falling.orientation import Orientation
from ochibot.falling.review import EARLY, MISSED, OVER
from ochibot.puyo.reviewing import PuyoReviewer
from ochibot.puyo.rules.field import Field
from ochibot.puyo.rules.file import load_rules
from ochibot.puyo.rules.pair import UNKNOWN, Pair, Placement
from ochibot.puyo.rules.resolve import place
from ochibot.puyo.rules.snapshot import Rival, Snapshot
from ochibot.puyo.search.chain.config import load_chain_player
from ochibot.puyo.search.chain.player import ChainPlayer
from ochibot.puyo.search.placements import placements
from ochibot.puyo.sim.dealer import PoolDealer

TSU = load_rules("tsu")
FEW = 20_000
SETTLED = """
..B...
.GRB..
RGRBYB
BRGGRR
"""


def snapshot_of(field: str | Field, *pairs: str, rival: Rival | None = None) -> Snapshot:
    here = Field.parse(field) if isinstance(field, str) else field
    seen = [Pair.parse(pair) for pair in pairs]
    return Snapshot(here, seen[0], seen[1], 0, TSU.spawn, foreseen=tuple(seen[2:]), rival=rival)


@pytest.fixture(scope="module")
def reviewer() -> PuyoReviewer:
    return PuyoReviewer(TSU, FEW)


def drawn(seed: int, count: int) -> Field:
    """A field after ``count`` placements at random, none of which ended the game."""
    dealer, here = PoolDealer("modern", seed, 4), Field.empty()
    for number in range(count):
        pair = next(dealer)
        found = placements(here, pair, TSU)
        outcome = place(here, pair, found[(seed * 31 + number * 7) % len(found)], TSU)
        if outcome.game_over:
            break
        here = outcome.field
    return here


@given(st.integers(0, 1000), st.integers(0, 24), st.integers(0, 21))
@settings(max_examples=15, deadline=None)
def test_what_it_tells_is_so_by_the_plain_rules(seed: int, count: int, which: int) -> None:
    snapshot = snapshot_of(drawn(seed, count), "RG", "BY", "GG")
    every = placements(snapshot.field, snapshot.pair, TSU)
    mine = every[which % len(every)]
    verdict = PuyoReviewer(TSU, FEW).judge(snapshot, mine)
    assert verdict is not None
    outcome = place(snapshot.field, snapshot.pair, mine, TSU)
    assert verdict.played.after == str(outcome.field).replace("\n", "/")
    assert (verdict.played.steps, verdict.played.over) == (outcome.chain, outcome.game_over)
    lasting = [one for one in (place(snapshot.field, snapshot.pair, each, TSU) for each in every) if not one.game_over]
    assert verdict.now == max((one.score for one in lasting if one.chain), default=0)
    assert all(verdict.best.value >= one.value for one in (*verdict.choices, verdict.played))
    assert 0 <= verdict.lost <= verdict.measured <= 1
    # two places may leave the same field, once something has cleared
    assert len({one.cells for one in verdict.choices}) == len(verdict.choices)
    assert (verdict.chance, verdict.chance_lost) == (None, 0)


def test_equal_positions_get_equal_verdicts_whatever_came_before(reviewer: PuyoReviewer) -> None:
    snapshot, where = snapshot_of(SETTLED, "RG", "BY", "GG"), Placement(5, 11, Orientation.UP)
    alone = PuyoReviewer(TSU, FEW).judge(snapshot, where)
    reviewer.judge(snapshot_of(drawn(3, 20), "GG", "BY"), Placement(1, 3, Orientation.UP))
    assert reviewer.judge(snapshot, where) == alone


def test_a_pair_of_one_colour_the_other_way_round_is_the_same_placement(reviewer: PuyoReviewer) -> None:
    snapshot = snapshot_of(SETTLED, "BB", "RG")
    both = (Placement(1, 11, Orientation.UP), Placement(1, 10, Orientation.DOWN))
    up, down = (reviewer.judge(snapshot, one) for one in both)
    assert up is not None
    assert down is not None
    assert (up.lost, up.played.after) == (down.lost, down.played.after)


def test_the_end_of_the_game_loses_everything(reviewer: PuyoReviewer) -> None:
    field = Field.parse("\n".join(["..G...", "..R...", "..G...", "..R..."] * 2 + ["..G...", "..R...", "..G..."]))
    deadly = next(
        one for one in placements(field, Pair.parse("YB"), TSU) if place(field, Pair.parse("YB"), one, TSU).game_over
    )
    verdict = reviewer.judge(snapshot_of(field, "YB", "YB"), deadly)
    assert verdict is not None
    assert (verdict.lost, verdict.measured, verdict.played.over, OVER in verdict.marks) == (1, 1, True, True)
    assert not verdict.best.over


def built(seed: int) -> list[tuple[Snapshot, Placement, int]]:
    """The positions of a game of the player that builds chains, with its placements and their chains' steps."""
    dealer = PoolDealer("modern", seed, 4)
    pairs = [next(dealer) for _ in range(52)]
    config = load_chain_player(data_path("configs/players/chain.yaml"))
    player, here, found = ChainPlayer(config, TSU, nodes=4_000), Field.empty(), []
    for number in range(50):
        snapshot = Snapshot(here, pairs[number], pairs[number + 1], 0, TSU.spawn, foreseen=(pairs[number + 2],))
        decision = player.choose(snapshot)
        assert decision is not None
        found.append((snapshot, decision.placement, decision.outcome.chain))
        here = decision.outcome.field
        if decision.outcome.chain > 6:
            break
    return found


def test_small_chains_are_set_off_too_early_while_a_long_one_is_built() -> None:
    reviewer, game = PuyoReviewer(TSU, 60_000), built(3)
    assert game[-1][2] > 6
    lost = []
    for snapshot, mine, _ in game[12:-4]:
        for one in placements(snapshot.field, snapshot.pair, TSU):
            outcome = place(snapshot.field, snapshot.pair, one, TSU)
            if outcome.chain and one != mine:
                verdict = reviewer.judge(snapshot, one)
                assert verdict is not None
                lost.append(verdict.lost)
                if verdict.lost > 0.1:
                    assert EARLY in verdict.marks
                    assert MISSED not in verdict.marks
    assert len(lost) > 10
    assert median(lost) > 0.1


def test_a_long_chain_on_a_full_field_is_missed_by_who_does_not_set_it_off() -> None:
    reviewer, (snapshot, fired, steps) = PuyoReviewer(TSU, 60_000), built(3)[-1]
    verdict = reviewer.judge(snapshot, fired)
    assert verdict is not None
    assert (verdict.played.steps, verdict.now_steps) == (steps, steps)
    others = [reviewer.judge(snapshot, one) for one in placements(snapshot.field, snapshot.pair, TSU)]
    small = [one for one in others if one is not None and 0 < one.played.steps < steps]
    assert all(one.lost > verdict.lost for one in small)


def test_items_and_floating_puyos_are_not_judged(reviewer: PuyoReviewer) -> None:
    where = Placement(3, 12, Orientation.UP)
    floating = Field.parse("R.....\n......")
    assert reviewer.judge(snapshot_of(floating, "RG", "BY"), where) is None
    snapshot = Snapshot(Field.empty(), Pair.parse("**"), Pair.parse("RG"), 0, TSU.spawn)
    assert reviewer.judge(snapshot, where) is None


def test_with_no_next_pair_shown_it_still_judges(reviewer: PuyoReviewer) -> None:
    snapshot = Snapshot(drawn(5, 10), Pair(1, 2), UNKNOWN, 0, TSU.spawn)
    verdict = reviewer.judge(snapshot, placements(snapshot.field, snapshot.pair, TSU)[0])
    assert verdict is not None
    assert verdict.best.then == ()


def test_in_a_match_the_chance_of_winning_decides_where_chains_do(reviewer: PuyoReviewer) -> None:
    field = Field.parse(SETTLED)
    calm = Rival(drawn(7, 8), (Pair(1, 2), Pair(2, 3)))
    snapshot = snapshot_of(field, "RG", "BY", "GG", rival=calm)
    quiet = next(
        one for one in placements(field, snapshot.pair, TSU) if not place(field, snapshot.pair, one, TSU).chain
    )
    verdict = reviewer.judge(snapshot, quiet)
    assert verdict is not None
    assert verdict.chance is not None
    assert 0 < verdict.chance < 1
    assert all(one.chance is not None and 0 <= one.chance <= 1 for one in verdict.choices)
    threat = Rival(drawn(7, 8), (Pair(1, 2), Pair(2, 3)), coming=30, frames=200)
    threatened = reviewer.judge(snapshot_of(field, "RG", "BY", "GG", rival=threat), quiet)
    assert threatened is not None
    assert threatened.chance is not None
    assert threatened.chance < verdict.chance
    assert threatened.lost in (0, 1)


@pytest.mark.parametrize(
    ("first", "second", "lost"), [(6, 2, 0.02), (10, 30, 0.1), (10, -3, 0.0), (4, 2, 0.04), (4, 0, 0.04)]
)
def test_what_seems_a_mistake_is_looked_at_again_and_the_smaller_loss_counts(
    first: int, second: int, lost: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    snapshot, mine = snapshot_of(SETTLED, "RG", "BY", "GG"), Placement(5, 11, Orientation.UP)
    looked: list[list[list[Pair]]] = []
    found = PuyoReviewer._try

    def given(self: Any, here: Snapshot, where: Placement, rest: Any, futures: Any, colors: Any) -> Any:
        """The best placement is worth 100 along each future, the played one less."""
        if futures not in looked:
            looked.append(futures)
        worth = (
            100 - (first, second)[len(looked) - 1]
            if where.x == mine.x and where.orientation == mine.orientation
            else 100
        )
        return replace(found(self, here, where, rest, futures, colors), values=np.full(len(futures), float(worth)))

    monkeypatch.setattr(PuyoReviewer, "_try", given)
    verdict = PuyoReviewer(TSU, FEW).judge(snapshot, mine)
    assert verdict is not None
    assert verdict.lost == pytest.approx(lost)
    assert len(looked) == (2 if first >= 5 else 1)

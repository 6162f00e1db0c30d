"""Players that don't know the next pair, because the game shows none."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations_with_replacement
from typing import Any

import pytest
from ochibot.games import find_game
from ochibot.players import open_player
from ochibot.puyo.rules.field import Field
from ochibot.puyo.rules.file import load_rules
from ochibot.puyo.rules.pair import UNKNOWN, Pair
from ochibot.puyo.rules.snapshot import Rival, Snapshot
from ochibot.puyo.search.placements import placements
from ochibot.puyo.search.twoply import Decision

RULES = load_rules("tsu")
FIELD = Field.parse("\n".join([*["......"] * 11, "...Y..", "RR.YB.", "RGGYBB"]))
SNAPSHOT = Snapshot(FIELD, Pair.parse("RG"), UNKNOWN, 0, RULES.spawn)


def decided(player: Any, snapshot: Snapshot) -> Decision:
    found = player.choose(snapshot)
    assert isinstance(found, Decision)
    return found


def test_an_unknown_pair_is_written_and_read() -> None:
    assert str(UNKNOWN) == "??"
    assert Pair.parse("??") == UNKNOWN
    assert UNKNOWN.is_unknown
    assert not UNKNOWN.is_item
    assert "next  ??" in str(SNAPSHOT)


def test_the_two_ply_player_takes_the_mean_over_all_pairs_that_may_come() -> None:
    player = open_player("article", find_game("tsu"), RULES)
    chosen = decided(player, SNAPSHOT)
    means = {}
    for where in placements(FIELD, SNAPSHOT.pair, RULES, SNAPSHOT.state):
        total = weight = 0.0
        for a, b in combinations_with_replacement(range(1, 5), 2):

            def only(other: object, where: object = where) -> bool:
                return (other.x, other.y, other.orientation) == (where.x, where.y, where.orientation)  # type: ignore[attr-defined]

            one = decided(player, replace(SNAPSHOT, next_pair=Pair(a, b), hands=only))
            times = 1 if a == b else 2
            total, weight = total + times * one.value, weight + times
            assert only(one.placement)
        means[where.x, where.y, where.orientation] = total / weight
    assert chosen.value == pytest.approx(max(means.values()))
    spot = chosen.placement
    assert means[spot.x, spot.y, spot.orientation] == pytest.approx(chosen.value)


def test_a_lock_that_slow_hands_do_not_reach_is_not_chosen() -> None:
    player = open_player("article", find_game("tsu"), RULES)
    best = decided(player, SNAPSHOT).placement
    chosen = decided(player, replace(SNAPSHOT, hands=lambda where: where.x != best.x)).placement
    assert chosen.x != best.x


@pytest.mark.parametrize("name", ["article", "chain", "versus"])
@pytest.mark.parametrize("rival", [False, True])
def test_every_player_places_a_pair_without_knowing_the_next_one(name: str, *, rival: bool) -> None:
    player = open_player(name, find_game("tsu"), RULES)
    other = Rival(FIELD, (Pair(1, 2), UNKNOWN), waiting=2) if rival else None
    chosen = decided(player, replace(SNAPSHOT, rival=other, waiting=6 if rival else 0))
    assert chosen.placement in placements(FIELD, SNAPSHOT.pair, RULES, SNAPSHOT.state)

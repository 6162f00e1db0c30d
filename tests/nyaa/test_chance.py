"""The chance of winning in Pochi & Nyaa, by the shipped weights: what must hold of any."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from ochibot.nyaa.chance import FEATURES, Chance, own_side, sides
from ochibot.nyaa.rules.file import load_rules
from ochibot.nyaa.rules.grid import Grid
from ochibot.nyaa.rules.pair import Pair
from ochibot.nyaa.rules.snapshot import Burning, Opponent, Snapshot

RULES = load_rules("nyaa_mvs")
EMPTY = Opponent(Grid.empty(), Pair(1, 2))
LOW = Opponent(Grid.parse("r......\nrrr.ggg\nbbbyyyg"), Pair(1, 3))
HIGH = Opponent(Grid.parse("\n".join(["ooyrogo", "obogryo"] * 5)), Pair(4, 4))
SIDES = {"empty": EMPTY, "low": LOW, "high": HIGH, "waiting": replace(LOW, pending=30), "no pair": Opponent(LOW.grid)}


@pytest.mark.parametrize("one", SIDES)
@pytest.mark.parametrize("two", SIDES)
def test_swapped_sides_have_the_rest_of_the_chance(one: str, two: str) -> None:
    chance = Chance(RULES)
    p, q = (chance.between(SIDES[a], SIDES[b]) for a, b in ((one, two), (two, one)))
    assert 0 < p < 1
    assert p + q == pytest.approx(1, abs=1e-12)
    if one == two:
        assert p == 0.5


@pytest.mark.parametrize("name", SIDES)
def test_deadly_nuisance_that_waits_is_not_better(name: str) -> None:
    chance, side = Chance(RULES), replace(SIDES[name], pending=0)
    found = [chance.between(replace(side, pending=pending), LOW) for pending in (0, 84, 200)]
    assert found == sorted(found, reverse=True)
    assert found[-1] < found[0]


def test_nuisance_that_kills_at_once_nearly_decides() -> None:
    assert Chance(RULES).between(replace(HIGH, pending=60), LOW) < 0.2


def test_the_snapshot_of_a_seat_gives_the_same_as_its_sides() -> None:
    snapshot = Snapshot(LOW.grid, Pair(1, 3), (Pair(2, 2), Pair(4, 1)), pending=9, opponent=HIGH)
    chance = Chance(RULES)
    assert own_side(snapshot) == replace(LOW, pending=9)
    assert chance.chance(snapshot) == chance.between(replace(LOW, pending=9), HIGH)
    row = chance.measure(snapshot)
    assert row is not None
    assert [part.shape for part in sides(np.array([row]), RULES)] == [(1, len(FEATURES))] * 2
    assert row[0] == LOW.grid.count()
    assert chance.chance(replace(snapshot, opponent=None)) is None


@pytest.mark.parametrize("pending", [0, 3, 40])
def test_an_ignition_under_way_counts_as_what_it_leaves_and_sends(pending: int) -> None:
    chance = Chance(RULES)
    lit = replace(LOW, pending=pending, burning=Burning(EMPTY.grid, Pair(2, 3), 12))
    after = Opponent(EMPTY.grid, Pair(2, 3), max(0, pending - 12))
    sent = max(0, 12 - pending)
    assert lit.burnt_out(RULES) == (after, sent)
    assert chance.between(HIGH, lit) == chance.between(replace(HIGH, pending=sent), after)
    assert chance.between(lit, HIGH) == pytest.approx(1 - chance.between(HIGH, lit), abs=1e-12)
    # no more can wait than the rules say
    full = replace(HIGH, pending=RULES.attack.most_pending)
    assert chance.between(full, lit) == chance.between(full, after)


def test_a_grid_with_needles_and_floating_blocks_is_measured_as_it_will_lie() -> None:
    """The other side of a console's match may be in the middle of an ignition."""
    floating = Opponent(Grid.parse("R......\n.......\nbbbyyyg"), Pair(1, 3))
    assert 0 < Chance(RULES).between(LOW, floating) < 1

"""The chance of winning in Puyo Puyo, by the shipped weights: what must hold of any."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from ochibot.puyo.chance import FEATURES, Chance, own_side, shipped, sides
from ochibot.puyo.rules.field import Field
from ochibot.puyo.rules.file import load_rules
from ochibot.puyo.rules.pair import Pair
from ochibot.puyo.rules.profile import Rules
from ochibot.puyo.rules.snapshot import Rival, Snapshot

TSU, FAMICOM = load_rules("tsu"), load_rules("famicom")
PAIRS = (Pair(1, 2), Pair(3, 4), Pair(2, 2))
LOW = Rival(Field.parse("R.....\nRR.GGB\nBBYRGB"), PAIRS)
HIGH = Rival(Field.parse("\n".join(["BYRGBY", "YBGRYB"] * 4 + ["RRYBBG"])), PAIRS)
CHAIN = Rival(Field.parse("....Y.\nR...G.\nRR.YGG\nRYYYGB"), (Pair(1, 1), Pair(3, 4)))
SIDES = {"low": LOW, "high": HIGH, "chain": CHAIN, "waiting": replace(LOW, waiting=40)}
SIDES["running"] = replace(LOW, coming=20, frames=200)
BOTH = pytest.mark.parametrize("rules", [TSU, FAMICOM], ids=["tsu", "famicom"])


@BOTH
@pytest.mark.parametrize("one", SIDES)
@pytest.mark.parametrize("two", SIDES)
@pytest.mark.parametrize("frame", [0, 900, 8_000])
def test_swapped_sides_have_the_rest_of_the_chance(rules: Rules, one: str, two: str, frame: int) -> None:
    chance = Chance(rules)
    p, q = (chance.between(SIDES[a], SIDES[b], frame, 4) for a, b in ((one, two), (two, one)))
    assert 0 < p < 1
    assert p + q == pytest.approx(1, abs=1e-12)
    if one == two:
        assert p == 0.5


@BOTH
@pytest.mark.parametrize("name", SIDES)
@pytest.mark.parametrize("frame", [0, 900, 8_000])
def test_more_nuisance_that_waits_is_never_better(rules: Rules, name: str, frame: int) -> None:
    chance = Chance(rules)
    found = [
        chance.between(replace(SIDES[name], waiting=waiting), LOW, frame, 4)
        for waiting in (0, 1, 5, 6, 12, 29, 30, 31, 60, 72, 200, 9_999)
    ]
    assert found == sorted(found, reverse=True)
    assert found[-1] < found[0]


@BOTH
@pytest.mark.parametrize("name", ["low", "chain"])
def test_more_nuisance_that_a_chain_will_send_is_never_worse(rules: Rules, name: str) -> None:
    chance = Chance(rules)
    running = replace(SIDES[name], frames=300)
    found = [chance.between(replace(running, coming=coming), LOW, 900, 4) for coming in (0, 1, 6, 30, 72, 300)]
    assert found == sorted(found)


def test_a_deadly_attack_without_an_answer_nearly_decides() -> None:
    assert Chance(TSU).between(replace(HIGH, waiting=60), LOW, 900, 4) < 0.15


def test_the_snapshot_of_a_seat_gives_the_same_as_its_sides() -> None:
    """A seat's snapshot is the same in a simulated match and on a console."""
    snapshot = Snapshot(LOW.field, *PAIRS[:2], 0, TSU.spawn, 1, 4, PAIRS[2:], waiting=7, frame=600, rival=CHAIN)
    chance = Chance(TSU)
    assert own_side(snapshot) == replace(LOW, waiting=7)
    assert chance.chance(snapshot) == chance.between(replace(LOW, waiting=7), CHAIN, 600, 4)
    row = chance.measure(snapshot)
    assert row is not None
    assert shipped(TSU).chances(*sides(np.array([row]), TSU))[0] == chance.chance(snapshot)


def test_nothing_is_said_without_a_rival() -> None:
    snapshot = Snapshot(LOW.field, *PAIRS[:2], 0, TSU.spawn)
    assert Chance(TSU).chance(snapshot) is None
    assert Chance(TSU).measure(snapshot) is None


def test_a_side_of_which_little_is_known_has_a_chance() -> None:
    """``ochibot.games.unread`` shows an empty field without pairs until it has read one."""
    assert 0 < Chance(TSU).between(LOW, Rival(Field.empty()), 0, 5) < 1


def test_the_row_of_a_position_is_what_its_text_says() -> None:
    snapshot = Snapshot(CHAIN.field, *PAIRS[:2], 0, TSU.spawn, 1, 4, waiting=3, frame=6_000, rival=HIGH)
    row = Chance(TSU).measure(snapshot)
    assert row is not None
    puyos, nuisance, spawn, highest, squares, free = row[:6]
    assert (puyos, nuisance, spawn, highest, free) == (14, 0, 1, 4, 11)
    assert squares == sum(height**2 for height in CHAIN.field.heights())
    assert row[10:13] == (3, 0, 0)
    assert row[-2:] == (TSU.nuisance.points_at(6_000), 6_000)
    assert sides(np.array([row]), TSU)[0].shape == (1, len(FEATURES))

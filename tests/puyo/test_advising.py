"""What the coach says about Puyo Puyo."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from ochibot.falling.advice import DEADLY, NOTE, STONE, WARNING
from ochibot.puyo.advising import PuyoAdviser
from ochibot.puyo.family import FAMILY
from ochibot.puyo.rules.field import Field
from ochibot.puyo.rules.file import load_rules
from ochibot.puyo.rules.pair import Pair
from ochibot.puyo.rules.resolve import place
from ochibot.puyo.rules.snapshot import Rival, Snapshot
from ochibot.puyo.search.twoply import Decision

RULES = load_rules("tsu")
READY = "R.....\nRGG...\nRBBB.G"
"""Red on the first column clears it; nothing follows."""
TWO_STEPS = "B.....\nR.....\nR.....\nRB....\nBB...."
"""Red on the second column clears the reds beside it, and the blue above them falls on the other blues."""


def snapshot(field: str, pair: str = "RY", following: str = "YG") -> Snapshot:
    return Snapshot(Field.parse(field), Pair.parse(pair), Pair.parse(following), 0, RULES.spawn)


@pytest.fixture(scope="module")
def adviser() -> PuyoAdviser:
    return PuyoAdviser(RULES)


def decided(seen: Snapshot, *words: object) -> Decision:
    return FAMILY.decide(seen, FAMILY.named(seen, words, RULES), RULES)


def test_a_chain_that_is_set_off_is_named_with_its_points_and_its_nuisance(adviser: PuyoAdviser) -> None:
    alone = snapshot(TWO_STEPS)
    chain = decided(alone, 2, "up")
    ((now, _),) = adviser.effects(alone, [chain])
    # two steps by the rules: 4 x 10, then 4 x 10 x 8 (chain power of the second step)
    assert now == "2-chain, 360 points"
    assert adviser.fire(alone, chain) == "set it off now: 2-chain, 360 points"
    match = replace(alone, rival=Rival(Field.empty()))
    ((now, _),) = adviser.effects(match, [chain])
    assert now == "2-chain, 360 points, 5 nuisance"  # 360 // 70


def test_a_chain_that_waits_is_named_too(adviser: PuyoAdviser) -> None:
    seen = snapshot(TWO_STEPS)
    elsewhere = decided(seen, 6, "up")
    ((now, towards),) = adviser.effects(seen, [elsewhere])
    assert now == ""
    assert towards.startswith("towards about a ")
    assert adviser.fire(seen, elsewhere) == "don't set off the 2-chain yet"
    assert adviser.fire(snapshot("RGB..."), decided(snapshot("RGB..."), 6, "up")) == ""


def test_the_chain_that_is_built_towards_is_no_smaller_than_the_one_that_waits(adviser: PuyoAdviser) -> None:
    reaches = adviser.reaches(snapshot(TWO_STEPS))
    assert reaches is not None
    assert float(np.max(reaches)) >= 360


def dangers(adviser: PuyoAdviser, field: str, **known: object) -> dict[str, int]:
    found = adviser.dangers(replace(snapshot(field), **known))  # type: ignore[arg-type]
    return {str(one): one.grave for one in found}


def test_alone_only_a_high_third_column_is_dangerous(adviser: PuyoAdviser) -> None:
    high = "\n".join(["..G...", "..R..."] * 5)
    assert dangers(adviser, READY) == {}
    assert dangers(adviser, high) == {"your third column has 2 free rows": WARNING}
    assert dangers(adviser, "..Y...\n" + high) == {"your third column has 1 free row": DEADLY}
    assert dangers(adviser, READY, waiting=30) == {}


def test_nuisance_above_the_field_and_on_its_way(adviser: PuyoAdviser) -> None:
    nothing = Rival(Field.empty())
    assert dangers(adviser, READY, rival=nothing, waiting=3) == {"3 nuisance above your field": NOTE}
    assert dangers(adviser, READY, rival=nothing, waiting=6) == {"6 nuisance above your field": WARNING}
    # six columns, and twelve free rows in the third one
    deadly = 6 * (12 - 2)
    assert dangers(adviser, READY, rival=nothing, waiting=deadly) == {f"{deadly} nuisance above your field": DEADLY}
    comes = replace(nothing, coming=24, frames=90)
    assert dangers(adviser, READY, rival=comes) == {"the other side's chain sends 24, in about 1.5 s": WARNING}


def test_what_the_other_side_can_send(adviser: PuyoAdviser) -> None:
    theirs, reds, others = Field.parse(TWO_STEPS), Pair.parse("RR"), Pair.parse("GY")
    # five reds by the rules: 5 x 10 x 2, and four blues 4 x 10 x 8: 420 points, 70 for each nuisance puyo
    at_once = dangers(adviser, READY, rival=Rival(theirs, (reds, others)))
    assert at_once == {"the other side can send 6 at once": NOTE}
    later = dangers(adviser, READY, rival=Rival(theirs, (others, reds)))
    assert later == {"the other side can send 6 with its next pairs": NOTE}
    # what waits there is cancelled first
    assert dangers(adviser, READY, rival=Rival(theirs, (reds, others), waiting=1)) == {}
    high = "\n".join(["..G...", "..R..."] * 5 + ["..G..."])
    assert dangers(adviser, high, rival=Rival(theirs, (reds,))) == {
        "your third column has 1 free row": DEADLY,
        "the other side can send 6 at once": WARNING,
    }


def test_the_rows_are_those_in_sight(adviser: PuyoAdviser) -> None:
    rows = adviser.rows(snapshot("Ro...."))
    assert len(rows) == RULES.visible_rows
    assert rows[-1] == [1, STONE, 0, 0, 0, 0]
    assert adviser.row_of(13) == len(rows) - 1


def test_items_and_floating_puyos_have_no_chain_to_build_towards(adviser: PuyoAdviser) -> None:
    floating = snapshot("R.....\n......\n......")
    assert adviser.reaches(floating) is None


def brute(seen: Snapshot) -> int:
    """The points of the best chain that one of the two visible pairs sets off, by the rules."""
    best = 0
    for first in FAMILY.placements(seen, RULES):
        outcome = place(seen.field, seen.pair, first, RULES)
        best = max(best, outcome.score)
        if outcome.game_over:
            continue
        then = replace(seen, field=outcome.field, pair=seen.next_pair)
        for second in FAMILY.placements(then, RULES):
            best = max(best, place(then.field, then.pair, second, RULES).score)
    return best


def test_what_is_in_reach_is_what_the_visible_pairs_can_set_off(adviser: PuyoAdviser) -> None:
    deal = np.random.default_rng(7)
    found = set()
    for _ in range(12):
        field = Field.empty()
        for _ in range(int(deal.integers(6, 22))):
            pair = Pair(*(int(color) for color in deal.integers(1, 5, 2)))
            seen = Snapshot(field, pair, pair, 0, RULES.spawn)
            locks = FAMILY.placements(seen, RULES)
            outcome = place(field, pair, locks[int(deal.integers(len(locks)))], RULES)
            field = field if outcome.game_over else outcome.field
        pairs = [Pair(*(int(color) for color in deal.integers(1, 5, 2))) for _ in range(2)]
        seen = Snapshot(field, pairs[0], pairs[1], 0, RULES.spawn)
        reach = adviser.in_reach(seen)
        assert reach is not None
        assert reach.made == brute(seen), str(seen)
        assert reach.sent == reach.made // 70
        found.add(reach.made)
    assert len(found) > 3
    two = adviser.in_reach(snapshot(TWO_STEPS))
    assert two is not None
    assert (two.steps, two.made) == (2, 360)
    assert adviser.in_reach(snapshot("", "**", "RG")) is None

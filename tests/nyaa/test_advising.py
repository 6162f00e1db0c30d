"""What the coach says about Pochi & Nyaa."""

from __future__ import annotations

from dataclasses import replace

import pytest
from ochibot.falling.advice import DEADLY, NOTE, STONE, WARNING
from ochibot.nyaa.advising import NyaaAdviser
from ochibot.nyaa.family import FAMILY
from ochibot.nyaa.rules.file import load_rules
from ochibot.nyaa.rules.grid import Grid
from ochibot.nyaa.rules.pair import Pair
from ochibot.nyaa.rules.snapshot import Burning, Opponent, Snapshot

RULES = load_rules("mvs")
REDS = "rrrrrr.\nrrrrrr."
GREEN = Pair.parse("gg")


def snapshot(grid: str, pair: str = "rg") -> Snapshot:
    return Snapshot(Grid.parse(grid), Pair.parse(pair), (GREEN, GREEN))


@pytest.fixture(scope="module")
def adviser() -> NyaaAdviser:
    return NyaaAdviser(RULES)


def test_an_attack_is_named_with_its_nuisance(adviser: NyaaAdviser) -> None:
    seen = snapshot(REDS)
    lit = FAMILY.decide(seen, FAMILY.named(seen, (3, "up", "needles"), RULES), RULES)
    attack = lit.outcome.attack
    assert attack > 0
    ((now, _),) = adviser.effects(seen, [lit])
    assert now == f"attack {attack}, {attack * RULES.attack.nuisance_each} nuisance"
    assert adviser.fire(seen, lit) == f"light it now: {now}"


def test_what_is_in_reach_is_the_best_single_needle(adviser: NyaaAdviser) -> None:
    seen = snapshot(REDS, "gg")
    blocks = FAMILY.decide(seen, FAMILY.named(seen, (7, "up"), RULES), RULES)
    # every red needle on a landing cell, by the rules: one half of a pair that is green and red
    best = 0
    for place in FAMILY.placements(replace(seen, grid=blocks.outcome.grid, pair=Pair.parse("rg")), RULES):
        if place.needle:
            made = FAMILY.decide(replace(seen, grid=blocks.outcome.grid, pair=Pair.parse("rg")), place, RULES)
            best = max(best, made.outcome.attack)
    ((now, towards),) = adviser.effects(seen, [blocks])
    assert now == ""
    reach = int(towards.removeprefix("an attack of ").removesuffix(" in reach"))
    assert 0 < reach <= best
    found = adviser.in_reach(replace(seen, grid=blocks.outcome.grid))
    assert (found.steps, found.made, found.sent) == (0, reach, reach * RULES.attack.nuisance_each)


def dangers(adviser: NyaaAdviser, grid: str, **known: object) -> dict[str, int]:
    found = adviser.dangers(replace(snapshot(grid), **known))  # type: ignore[arg-type]
    return {str(one): one.grave for one in found}


def test_a_high_middle_column_and_nuisance_above_the_grid(adviser: NyaaAdviser) -> None:
    column, row = RULES.over_cell
    high = "\n".join("." * (column - 1) + "rgby"[y % 4] + "." * (7 - column) for y in range(row - 3))
    assert dangers(adviser, REDS) == {}
    assert dangers(adviser, high) == {"your middle column has 2 free rows": WARNING}
    assert dangers(adviser, REDS, pending=3) == {"3 nuisance above your grid": NOTE}
    assert dangers(adviser, REDS, pending=7) == {"7 nuisance above your grid": WARNING}
    assert dangers(adviser, REDS, pending=7 * row) == {f"{7 * row} nuisance above your grid": DEADLY}


def test_what_the_other_side_s_pair_can_light(adviser: NyaaAdviser) -> None:
    theirs = Grid.parse("\n".join([REDS] * 4))
    red = dangers(adviser, REDS, opponent=Opponent(theirs, Pair.parse("rr")))
    assert len(red) == 1
    assert next(iter(red)).startswith("the other side can send ")
    assert dangers(adviser, REDS, opponent=Opponent(theirs, GREEN)) == {}


def test_nuisance_of_an_ignition_that_burns(adviser: NyaaAdviser) -> None:
    def burning(attack: int, pending: int = 0) -> Opponent:
        return Opponent(Grid.empty(), GREEN, pending, Burning(Grid.empty(), GREEN, attack))

    each = RULES.attack.nuisance_each
    assert dangers(adviser, REDS, opponent=burning(0)) == {}
    assert dangers(adviser, REDS, opponent=burning(4)) == {f"{4 * each} nuisance comes when their ignition ends": NOTE}
    assert dangers(adviser, REDS, opponent=burning(9, pending=2 * each)) == {
        f"{7 * each} nuisance comes when their ignition ends": WARNING
    }
    several = dangers(adviser, REDS, pending=3, opponent=burning(100))
    assert several == {
        "3 nuisance above your grid": NOTE,
        f"{100 * each} nuisance comes when their ignition ends": DEADLY,
    }


def test_the_rows_and_their_numbers(adviser: NyaaAdviser) -> None:
    rows = adviser.rows(snapshot("ro....."))
    assert rows[-1] == [1, STONE, 0, 0, 0, 0, 0]
    assert adviser.row_of(1) == len(rows) - 1 == 11

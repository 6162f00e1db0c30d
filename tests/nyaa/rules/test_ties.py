"""All ways to settle an ignition's ties are found. If there are too many to try, this is reported."""

from __future__ import annotations

import random

import pytest
from ochibot.nyaa.rules.grid import CELLS, Grid
from ochibot.nyaa.rules.profile import Ruleset, attack_of
from ochibot.nyaa.rules.ties import Sums, attack_range, options_of, sums_of
from ochibot.nyaa.rules.wave import burn, groups_of


def drawn(seed: int) -> Grid:
    """A grid with red blocks nearly everywhere and two red needles, whose waves meet."""
    dice = random.Random(seed)
    codes = bytearray(1 if dice.random() < 0.8 else 0 for _ in range(CELLS))
    for cell in dice.sample(range(CELLS), 2):
        codes[cell] = 6
    return Grid(bytes(codes))


GRIDS = [drawn(seed) for seed in range(40)]


def ways(grid: Grid, ruleset: Ruleset) -> set[Sums]:
    """The sums of a grid's only group for every way to settle its ties, listed naively."""
    (group,) = groups_of(grid)
    found, waiting, seen = set(), [frozenset[int]()], set()
    while waiting:
        second = waiting.pop()
        burnt = burn(group, ruleset, second)
        found.add(sums_of(burnt))
        for tie in burnt.ties:
            if (more := second | {tie}) not in seen:
                seen.add(more)
                waiting.append(more)
    return found


@pytest.mark.parametrize("ruleset", Ruleset)
def test_all_ways_are_found_and_said_to_be_all(ruleset: Ruleset) -> None:
    tied = 0
    for grid in GRIDS:
        groups = groups_of(grid)
        count = sum(len(burn(group, ruleset).ties) for group in groups)
        if len(groups) != 1 or count > 6:
            continue
        tied += count > 0
        found, whole = options_of(groups, ruleset)
        assert whole
        attacks = {attack_of(ruleset, *sums) for sums in ways(grid, ruleset)}
        assert {attack_of(ruleset, *sums) for sums in found} == attacks
        assert attack_range(grid, ruleset) == (min(attacks), max(attacks), True)
        first = sums_of(burn(groups[0], ruleset))
        assert next(iter(found)) == first, "that of the tie rule comes first"
        if count == 0:
            assert options_of(groups, ruleset, 1) == ({first: frozenset()}, True)
    assert tied > 5


@pytest.mark.parametrize("ruleset", Ruleset)
def test_too_many_ways_are_said_to_be_too_many(ruleset: Ruleset) -> None:
    cut = 0
    for grid in GRIDS:
        groups = groups_of(grid)
        every, whole = options_of(groups, ruleset)
        few, all_of_them = options_of(groups, ruleset, 1)
        assert few.keys() <= every.keys() or not whole
        assert len(few) >= 1
        cut += not all_of_them
        if len(every) > 1 and whole:
            assert not all_of_them
            assert len(few) < len(every)
    assert cut > 5

"""Heat maps, best ignitions and best blocks to add, compared with naive searches on drawings."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from ochibot.nyaa import (
    Grid,
    Ruleset,
    best_additions,
    best_ignition,
    best_of_pairs,
    best_pair,
    heat_map,
    ignite,
    practice_board,
    settled,
)
from ochibot.nyaa.calculator.heat import open_columns

from tests.nyaa.profiles import MVS, PS2

columns = st.lists(st.text("rrrgbo", max_size=11), min_size=7, max_size=7)
LETTERS = "rgby"


def drawn(stacks: list[str]) -> str:
    """The drawing of seven columns, each from the floor up."""
    return "\n".join("".join(stack.ljust(12, ".")[y] for stack in stacks) for y in range(11, -1, -1))


def attack(stacks: list[str], ruleset: Ruleset) -> tuple[int, int]:
    found = ignite(Grid.parse(drawn(stacks)), ruleset)
    return found.low, found.high


def on(stacks: list[str], *dropped: tuple[int, str]) -> list[str]:
    """The stacks after the blocks of ``dropped``, (column from 0, letter), have been dropped."""
    after = list(stacks)
    for column, letter in dropped:
        after[column] += letter
    return after


def best_single(stacks: list[str], ruleset: Ruleset) -> tuple[int, int]:
    return max(attack(on(stacks, (x, letter)), ruleset) for x in range(7) for letter in "RGBY")


@settings(max_examples=3, deadline=None)
@given(columns, st.sampled_from(Ruleset), st.tuples(st.integers(1, 4), st.integers(1, 4)))
def test_best_needle_pair_and_block_beside_trying_all_drops(
    stacks: list[str], ruleset: Ruleset, pair: tuple[int, int]
) -> None:
    grid = Grid.parse(drawn(stacks))
    now = best_single(stacks, ruleset)
    found = best_ignition(grid, ruleset)
    assert (found.low, found.high) == now if found else now == (0, 0)
    first, second = (LETTERS[color - 1].upper() for color in pair)
    drops = [((x, a), (x, b)) for x in range(7) if len(stacks[x]) < 11 for a, b in ((first, second), (second, first))]
    drops += [((x, a), (x + 1, b)) for x in range(6) for a, b in ((first, second), (second, first))]
    most = max(attack(on(stacks, *drop), ruleset) for drop in drops)
    both = best_pair(grid, pair, ruleset)
    assert (both.low, both.high) == most if both else most == (0, 0)
    wanted = {
        (x, letter): best_single(on(stacks, (x, letter)), ruleset)[0] - now[0]
        for x in range(7)
        if all(len(stack) < 11 for stack in stacks)
        for letter in LETTERS
    }
    if wanted:
        added = best_additions(grid, ruleset, count=1000)
        told = {(one.x - 1, LETTERS[one.color - 1]): one.gain for one in added}
        assert told == {key: gain for key, gain in wanted.items() if gain > 0}
        assert [one.gain for one in added] == sorted(told.values(), reverse=True)


def test_only_blocks_that_gain_something_are_reported() -> None:
    """Three reds lie on the floor. Reds that are added beside or on them gain something, blocks elsewhere don't."""
    stacks = ["", "r", "r", "r", "", "", ""]
    grid = Grid.parse(drawn(stacks))
    for ruleset in Ruleset:
        now = best_single(stacks, ruleset)[0]
        assert now > 0
        gains = {
            (x, letter): best_single(on(stacks, (x, letter)), ruleset)[0] - now for x in range(7) for letter in LETTERS
        }
        useful = {key: gain for key, gain in gains.items() if gain > 0}
        assert 0 < len(useful) < sum(gain == 0 for gain in gains.values())
        told = {(one.x - 1, LETTERS[one.color - 1]): one.gain for one in best_additions(grid, ruleset, count=1000)}
        assert told == useful


@settings(max_examples=4, deadline=None)
@given(columns, st.sampled_from(Ruleset))
def test_heat_map_of_every_cell_in_reach(stacks: list[str], ruleset: Ruleset) -> None:
    grid = Grid.parse(drawn(stacks))
    found = heat_map(grid, ruleset)
    for x in range(7):
        for y in range(12):
            assert found.resting[11 - y, x] == (y == len(stacks[x]))
            for color, letter in enumerate("RGBY"):
                here = int(found.low[color, 11 - y, x]), int(found.high[color, 11 - y, x])
                if y < len(stacks[x]):
                    assert here == (-1, -1)
                else:
                    floating = list(stacks)
                    floating[x] = stacks[x].ljust(y, ".") + letter
                    assert here == attack(floating, ruleset)


WALLED = """
    ..o....
    ..o....
    ..o....
    ..o....
    ..o....
    ..o....
    ..o....
    ..o....
    ..o....
    ..o....
    rro..rr
    rro.r.r
"""


def test_columns_behind_a_full_one_are_out_of_reach_unless_anywhere() -> None:
    grid = Grid.parse(WALLED)
    near = heat_map(grid, Ruleset.MVS)
    assert (near.low[:, :, :2] == -1).all()
    assert (near.low[:, :10, 3:] >= 0).all()
    assert not near.resting[:, :2].any()
    best = best_ignition(grid, Ruleset.MVS)
    assert best is not None
    assert (best.x, best.y, best.color, best.low) == (7, 3, 1, 4)
    anywhere = best_ignition(grid, Ruleset.MVS, anywhere=True)
    assert anywhere is not None
    assert (anywhere.x, anywhere.y, anywhere.color, anywhere.low) == (1, 3, 1, 4)
    everywhere = heat_map(grid, Ruleset.MVS, anywhere=True)
    assert everywhere.low[0, 9, 0] == 4
    assert everywhere.low[:, 11, 5].tolist() == [2, 0, 0, 0]  # column 6 in the bottom row: an empty cell beside reds
    assert everywhere.resting[11, 5]


def test_what_is_in_reach_is_seen_from_where_the_rules_let_pairs_appear() -> None:
    grid = Grid.parse(WALLED)
    left = replace(MVS, spawn_column=1)
    assert open_columns(grid, left) == [0, 1]
    assert open_columns(grid, PS2) == [3, 4, 5, 6]
    best = best_ignition(grid, left)
    assert best is not None
    assert (best.x, best.y, best.color, best.low) == (1, 3, 1, 4)
    assert (heat_map(grid, left).low[:, :, 3:] == -1).all()
    both = best_pair(grid, (1, 1), left)
    assert both is not None
    assert {x for x, _, _ in both.halves} <= {1, 2}
    assert {block.x for block in best_additions(grid, left, count=100)} <= {1, 2}


def test_nothing_attacks_on_an_empty_grid() -> None:
    assert best_ignition(Grid.empty(), Ruleset.PS2) is None
    assert best_pair(Grid.empty(), (1, 2), Ruleset.PS2) is None
    assert best_additions(Grid.empty(), Ruleset.PS2) == []
    assert best_of_pairs(Grid.empty(), Ruleset.PS2) is None


def test_needles_that_lie_on_the_grid_ignite_with_the_new_one() -> None:
    grid = Grid.parse("R......\nrr...gg")
    for ruleset in Ruleset:
        now = best_ignition(grid, ruleset)
        assert now is not None
        assert (now.color, now.low) == (2, 4)
        assert heat_map(grid, ruleset).low[1, -2, 5] == 4
        # a needle that lights nothing isn't a move, although the board attacks without it
        assert heat_map(grid, ruleset).low[3, -1, 3] == 0
        both = best_pair(grid, (2, 2), ruleset)
        assert both is not None
        assert (both.low, both.halves) == (4, ((4, 1, 2), (5, 1, 2)))
        # a block gains what the best needle gains by it, not what the board had before
        assert {block.gain for block in best_additions(grid, ruleset, count=100)} <= {1, 2}


def test_a_block_gains_nothing_where_the_board_as_it_lies_attacks_more() -> None:
    """Another needle splits the wave of the one that lies there, so that the board alone attacks most."""
    rows = ".b...r. .bb.rrr bb...rb .b.R.r. bbbrrrr b.brb.r gBbbbgr g..bygo gg.byyo ogybbyo"
    grid = Grid.parse("\n".join(rows.split()))
    alone, best = ignite(grid, Ruleset.MVS).low, best_ignition(grid, Ruleset.MVS)
    assert best is not None
    assert alone > best.low
    for block in best_additions(grid, Ruleset.MVS, count=100):
        assert block.gain == block.best.low - alone > 0


@settings(max_examples=3, deadline=None)
@given(columns, st.sampled_from(Ruleset))
def test_the_best_of_all_pairs_is_the_best_of_each(stacks: list[str], ruleset: Ruleset) -> None:
    grid = Grid.parse(drawn(stacks))
    each = [((a, b), best_pair(grid, (a, b), ruleset)) for a in range(1, 5) for b in range(a, 5)]
    known = [(pair, found) for pair, found in each if found is not None]
    wanted = max(known, key=lambda one: (one[1].low, one[1].high), default=None)
    assert best_of_pairs(grid, ruleset) == wanted


def test_practice_boards_are_settled_exact_and_the_same_for_a_seed() -> None:
    for seed in range(12):
        grid = practice_board(seed, colors=1 + seed % 4)
        assert grid == practice_board(seed, colors=1 + seed % 4) == settled(grid)
        assert np.count_nonzero(grid.needles) == 1
        assert int(np.max(grid.blocks[grid.blocks < 5])) <= 1 + seed % 4
        for ruleset in Ruleset:
            found = ignite(grid, ruleset)
            assert found.exact
            assert found.low >= 4 or ruleset is Ruleset.PS2
    assert practice_board(1) != practice_board(2)
    assert str(practice_board(1)).split("\n")[-3:] == ["ggyygyy", "rrrrgyg", "roggggg"]
    assert PS2.ruleset is Ruleset.PS2

"""Locks and their outcomes, compared with the naive reference and with outcomes worked out by hand."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from ochibot.errors import ConfigError, FieldError
from ochibot.falling.orientation import Orientation
from ochibot.nyaa import Grid
from ochibot.nyaa.rules.lock import drop_nuisance, heights, locked, place, same_landing
from ochibot.nyaa.rules.pair import NyaaState, Pair, Placement
from ochibot.nyaa.rules.resolve import resolve
from ochibot.nyaa.rules.snapshot import Opponent, Snapshot
from ochibot.nyaa.search.locks import lock_positions

from tests.nyaa.fields import drawing, random_grid
from tests.nyaa.profiles import MVS
from tests.nyaa.search import reference


def test_place_is_the_naive_composition() -> None:
    dice = np.random.default_rng(5)
    ignited = lost = 0
    for highest in (3, 6, 9, 12) * 4:
        grid = random_grid(dice, highest)
        pair = Pair(*dice.integers(1, 5, 2).tolist())
        for lock in lock_positions(grid, pair)[:: int(dice.integers(1, 4))]:
            outcome = place(grid, pair, lock, MVS)
            rows, attack, lit = reference.lock(drawing(grid), str(pair), lock.x, int(lock.orientation), lock.needle)
            assert drawing(outcome.grid) == rows, (grid, pair, lock)
            assert (outcome.attack, outcome.ignited, outcome.over) == (attack, lit, reference.over(rows))
            again = resolve(locked(grid, pair, lock)[0], MVS)
            assert (again.after, again.attack, again.t) == (outcome.grid, outcome.attack, outcome.t)
            before = 84 - str(grid).count(".") + 2 - outcome.lost
            spent = before - outcome.cleared - (84 - str(outcome.grid).count("."))
            assert 0 <= spent <= 2  # the number of needles that lit something
            assert (spent > 0) == lit
            ignited += lit
            lost += outcome.lost > 0
    assert ignited > 50
    assert lost > 2


def test_the_drop_is_the_most_rows_that_a_half_falls_on_its_own() -> None:
    """Both halves count, as blocks and as needles. A half that is lost above the grid counts as not fallen."""
    steps = Grid.parse("o......\n" * 9 + "oo.....\n" * 2 + "ooo....")  # the first columns are 12, 3 and 1 rows high
    assert heights(steps) == (12, 3, 1, 0, 0, 0, 0)
    for x, y, orientation, needle, drop in (
        (2, 9, Orientation.RIGHT, False, 2),  # the axis rests, the partner falls from 3 rows to 1
        (3, 9, Orientation.LEFT, False, 2),  # the partner rests, the axis falls from 3 rows to 1
        (3, 9, Orientation.LEFT, True, 2),
        (4, 11, Orientation.LEFT, False, 1),
        (5, 12, Orientation.RIGHT, False, 0),
        (2, 9, Orientation.UP, False, 0),
        (4, 11, Orientation.DOWN, False, 0),  # upright: the upper half stays on the lower one
        (2, 0, Orientation.LEFT, False, 9),  # the left half is lost on the full column, the right one falls
    ):
        outcome = place(steps, Pair.parse("rg"), Placement(x, y, orientation, needle=needle), MVS)
        assert outcome.drop == drop, (x, y, orientation, needle)
        assert outcome.lost == (y == 0)


def test_halves_fall_apart_and_ignite_together() -> None:
    """The red needle lights the three reds from the side, the green one the two greens; the nuisance also pops."""
    grid = Grid.parse("o......\nr......\nr..g...\nrbbg...")
    outcome = place(grid, Pair.parse("rg"), Placement(2, 10, Orientation.RIGHT, needle=True), MVS)
    # The red needle comes to rest on the second column, beside a red block; the green needle on the third column,
    # beside the upper green block.
    assert str(outcome.grid).split() == ["......."] * 11 + [".bb...."]
    assert (outcome.popped, outcome.cleared, outcome.tails, outcome.t) == (5, 6, 3, 2)
    # tails: red up 2, red down 2, green 2: (100 * 6 + 4 * 2 * 6) // 100
    assert outcome.attack == 6
    assert outcome.drop == 1
    assert not outcome.over


def test_a_needle_that_lights_nothing_becomes_a_block() -> None:
    outcome = place(Grid.parse("b......"), Pair.parse("rb"), Placement(2, 12, Orientation.RIGHT, needle=True), MVS)
    assert str(outcome.grid).split()[-1] == "brb...."
    assert not outcome.ignited
    one_lit = place(Grid.parse("b......"), Pair.parse("br"), Placement(2, 12, Orientation.RIGHT, needle=True), MVS)
    assert str(one_lit.grid).split()[-1] == "..r...."
    assert one_lit.ignited
    assert one_lit.attack == 0  # one tail of 1 adds only 4 % of 1, which is rounded down


def test_needles_that_vanish_and_ignitions_that_repeat() -> None:
    """If needles that light nothing don't stay, no needle is left, so repeated ignition changes nothing."""
    dice = np.random.default_rng(8)
    ignited = 0
    for idle in ("block", "vanish"):
        for highest in (4, 9) * 3:
            grid = random_grid(dice, highest)
            pair = Pair(*dice.integers(1, 5, 2).tolist())
            rules: Any = replace(MVS, idle_needle=idle, repeated_ignition=True)
            for lock in lock_positions(grid, pair):
                if lock.needle:
                    outcome = place(grid, pair, lock, rules)
                    again = resolve(locked(grid, pair, lock)[0], rules)
                    assert (again.after, again.attack, again.popped) == (outcome.grid, outcome.attack, outcome.popped)
                    assert not outcome.grid.has_needle()
                    ignited += outcome.ignited
    assert ignited > 20


def test_needles_that_stay_are_refused() -> None:
    """Such needles would lie on the grid at the next lock, and ``place`` doesn't support grids with needles.

    Rules with two hidden rows are refused too.
    """
    lock = Placement(2, 12, Orientation.RIGHT, needle=True)
    for rules in (replace(MVS, idle_needle="stay"), replace(MVS, hidden_rows=2)):
        with pytest.raises(ConfigError, match="the rules nyaa_mvs"):
            place(Grid.parse("b......"), Pair.parse("rb"), lock, rules)


def test_a_half_above_the_grid_is_lost_and_ignites_nothing() -> None:
    column = "r......\n" * 12
    outcome = place(Grid.parse(column), Pair.parse("gr"), Placement(2, 0, Orientation.LEFT, needle=True), MVS)
    assert outcome.lost == 1
    assert not outcome.ignited
    assert str(outcome.grid).split()[-1] == "rg....."
    assert not outcome.over


def test_the_game_is_over_when_the_top_centre_is_taken() -> None:
    grid = Grid.parse("...o...\n" * 11)
    assert place(grid, Pair.parse("rg"), Placement(4, 1, Orientation.UP), MVS).over
    assert not place(grid, Pair.parse("rg"), Placement(3, 11, Orientation.UP), MVS).over


def test_where_a_pair_cannot_lock() -> None:
    pair = Pair.parse("rg")
    for at in (Placement(1, 5, Orientation.LEFT), Placement(3, 0, Orientation.UP), Placement(3, 12, Orientation.DOWN)):
        with pytest.raises(FieldError, match="doesn't fit"):
            place(Grid.empty(), pair, at, MVS)
    for text in ("r......\n.......", "R......"):
        with pytest.raises(FieldError, match="at rest"):
            place(Grid.parse(text), pair, Placement(4, 5, Orientation.UP), MVS)


def test_nuisance_falls_in_rows_then_in_the_columns_drawn() -> None:
    dice = np.random.default_rng(6)
    for highest in (0, 5, 12) * 3:
        grid = random_grid(dice, highest)
        count, order = int(dice.integers(0, 40)), (dice.permutation(7) + 1).tolist()
        assert drawing(drop_nuisance(grid, count, order)) == reference.rain(drawing(grid), count, order)
    for count, order in ((1, [1, 2, 3]), (-1, list(range(1, 8)))):
        with pytest.raises(FieldError, match="every column"):
            drop_nuisance(Grid.empty(), count, order)


def test_the_next_pair_is_the_first_of_those_shown_and_the_field_is_the_grid() -> None:
    snapshot = Snapshot(Grid.parse("r......"), Pair(1, 2), (Pair(3, 4), Pair(2, 1)))
    assert snapshot.next_pair == Pair(3, 4)
    assert snapshot.field is snapshot.grid


@pytest.mark.parametrize("needle", [False, True])
def test_landings_are_the_same_where_the_same_lies_on_the_same_cells(needle: bool) -> None:
    grid = Grid.parse("r......\nr......")
    up, down, left, right = Orientation.UP, Orientation.DOWN, Orientation.LEFT, Orientation.RIGHT
    one, two = Pair(1, 1), Pair(1, 2)
    for pair, landed, target, same in (
        (one, (3, up), (3, down), True),
        (two, (3, up), (3, down), False),
        (one, (3, left), (2, right), True),
        (two, (3, left), (2, right), False),
        (two, (4, up), (4, up), True),
        (two, (4, up), (5, up), False),
    ):
        at = [12 - (orientation is down) for _, orientation in (landed, target)]
        seen = NyaaState(landed[0], at[0], landed[1], needle)
        wanted = Placement(target[0], at[1], target[1], needle)
        assert same_landing(grid, pair, seen, wanted) is same
        assert not same_landing(grid, pair, seen._replace(needle=not needle), wanted), "a needle is no block"
    # places where no pair can be: inside the stack, or partly outside the columns
    target_there = Placement(1, 10, up, needle)
    for x, y, orientation in ((1, 12, up), (0, 5, up), (1, 5, left)):
        assert not same_landing(grid, two, NyaaState(x, y, orientation, needle), target_there)


def test_a_snapshot_is_drawn_with_its_pair_above_the_grid_and_the_other_side_beside_it() -> None:
    grid = Grid.parse("rgbyrgb\no.....o")
    nexts = Pair(3, 4), Pair(2, 1)
    alone = Snapshot(grid, Pair(1, 2), nexts, NyaaState(4, 1, Orientation.UP), 5)
    lines = str(alone).split("\n")
    empty = "......."
    assert [line.split("  ")[0] for line in lines[:4]] == ["...g...", "...r...", empty, empty]
    assert [line.split("  ")[-1] for line in lines[:4]] == ["hidden row", "pair rg", "next by gr", "pending 5"]
    assert lines[4:] == [empty] * 7 + ["rgbyrgb", "o.....o"]
    lying = NyaaState(1, 3, Orientation.RIGHT, needle=True)
    both = Snapshot(grid, Pair(1, 2), nexts, lying, 5, Opponent(Grid.parse("yyyyyyy"), None, 7))
    drawn = str(both).split("\n")
    assert len(drawn) == 13
    assert drawn[0] == f"{empty}{' ' * 9}  hidden row"
    assert drawn[3] == f"RG.....  {empty}  pending 5"
    assert drawn[4] == f"{empty}  {empty}  opponent: pair ?, pending 7"
    assert drawn[12] == "o.....o  yyyyyyy"
    # a half outside the grid is not drawn
    outside = str(Snapshot(grid, Pair(1, 2), nexts, NyaaState(7, 0, Orientation.RIGHT))).split("\n")
    assert outside[0].split() == ["......r", "hidden", "row"]


def test_a_place_in_words_says_needles_where_it_has_some() -> None:
    state = NyaaState(3, 12, Orientation.LEFT)
    assert str(state) == "column 3, row 12, partner left"
    assert str(state._replace(needle=True)) == "column 3, row 12, partner left, needles"

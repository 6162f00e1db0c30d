"""Compares the places where a pair can lock, and the fewest presses to each, with a naive search."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from ochibot.errors import FieldError
from ochibot.falling.orientation import Orientation
from ochibot.nyaa import Grid
from ochibot.nyaa.rules.pair import SPAWN, Action, NyaaState, Pair, Placement, cells_of, dropped, fits, halves, move
from ochibot.nyaa.search.locks import find_path, is_open, lock_order, lock_positions

from tests.nyaa.fields import drawing, grids, random_grid
from tests.nyaa.search import reference

starts = st.builds(NyaaState, st.integers(1, 7), st.integers(0, 12), st.sampled_from(Orientation), st.booleans())


@settings(max_examples=40, deadline=None)
@given(grids, st.one_of(st.just(SPAWN), starts))
@example(Grid.empty(), SPAWN)
def test_every_reachable_lock_by_the_fewest_presses(grid: Grid, start: NyaaState) -> None:
    expected = reference.locks(drawing(grid), (start.x, start.y, int(start.orientation)))
    found = lock_positions(grid, Pair(1, 2), start)
    presses = {(lock.x, lock.y, int(lock.orientation), lock.needle): len(lock.path) for lock in found}
    assert presses == {
        (*place, needle): count + (needle != start.needle)
        for place, count in expected.items()
        for needle in (False, True)
    }
    cells = cells_of(grid)
    for lock in found:
        state = start
        for action in lock.path:
            after = move(cells, state, action)
            assert after != state
            state = after
        assert dropped(cells, state) == (lock.x, lock.y, lock.orientation, lock.needle)


@settings(max_examples=60, deadline=None)
@given(grids, starts, st.sampled_from(Action))
def test_one_press_is_that_of_the_naive_rules(grid: Grid, state: NyaaState, action: Action) -> None:
    place = (state.x, state.y, int(state.orientation))
    assert fits(cells_of(grid), state) == reference.free(drawing(grid), place)
    if not reference.free(drawing(grid), place):
        return
    after = move(cells_of(grid), state, action)
    if action is Action.NEEDLE:
        assert after == state._replace(needle=not state.needle)
        assert move(cells_of(grid), after, action) == state
        return
    to = reference.pressed(drawing(grid), place)[(0, 1, 2, 3, 4)[action]]
    assert (after.x, after.y, int(after.orientation), after.needle) == (*to, state.needle)


def test_an_open_grid_gives_the_same_locks_by_table_and_by_search() -> None:
    dice = np.random.default_rng(3)
    for _ in range(10):
        grid = random_grid(dice, 10)
        assert is_open(grid)
        searched = {(lock.x, lock.orientation, lock.needle): lock for lock in lock_positions(grid, Pair(1, 2), SPAWN)}
        assert tuple(searched) == lock_order()
        for lock in searched.values():
            assert find_path(grid, SPAWN, lock) == lock.path


@settings(max_examples=25, deadline=None)
@given(grids)
def test_a_pair_of_one_colour_locks_on_the_same_cells_once(grid: Grid) -> None:
    both, single = lock_positions(grid, Pair(1, 2)), lock_positions(grid, Pair(3, 3))
    assert {(frozenset(halves(lock)), lock.needle) for lock in both} == {
        (frozenset(halves(lock)), lock.needle) for lock in single
    }
    assert len({(frozenset(halves(lock)), lock.needle) for lock in single}) == len(single)
    assert [lock for lock in both if lock in single] == single


def test_the_order_of_locks() -> None:
    order = [(lock.x, int(lock.orientation), lock.needle) for lock in lock_positions(Grid.empty(), Pair(1, 2))]
    assert order == reference.LOCKS


def test_a_full_column_is_a_wall() -> None:
    grid = Grid.parse("..o....\n" * 12)
    assert {lock.x for lock in lock_positions(grid, Pair(1, 2))} == {4, 5, 6, 7}
    assert find_path(grid, SPAWN, Placement(2, 12, Orientation.UP)) is None


def test_a_pair_pushed_up_by_its_own_column_climbs_over_a_full_one() -> None:
    grid = Grid.parse("..o....\n" + "ooooooo\n" * 11)
    path = find_path(grid, SPAWN, Placement(2, 1, Orientation.UP))
    assert path is not None
    assert {lock.x for lock in lock_positions(grid, Pair(1, 2))} == {1, 2, 3, 4, 5, 6, 7}


@pytest.mark.parametrize("text", ["", "r", "rgb", "ro", "r.", "RG", "xy"])
def test_what_is_no_pair(text: str) -> None:
    with pytest.raises(FieldError, match="such as rg"):
        Pair.parse(text)
    assert str(Pair.parse("gy")) == "gy"

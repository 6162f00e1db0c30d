"""Items in the search: where they can go, and the choice with an item as the current and as the next piece."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest
from ochibot.data import data_path
from ochibot.puyo import BIG, CARBUNCLE, Action, Field, Orientation, Pair, PairState, Snapshot, place
from ochibot.puyo.rules.motion import dropped, move
from ochibot.puyo.search import TwoPly, find_path, load_player, lock_positions

from tests.puyo import FAMICOM, SPAWN, reference
from tests.puyo.fields import random_cells

PLAYER = load_player(data_path("configs/players/article.yaml"))
BIG_PUYO, CARBUNCLES = Pair(BIG, BIG), Pair(CARBUNCLE, CARBUNCLE)
ITEMS = (BIG_PUYO, CARBUNCLES)


def sample() -> list[Field]:
    """40 resolved fields on which the game isn't over; every second one has a column of 12 or more puyos."""
    fields: list[Field] = []
    for cells in random_cells()[3000:]:
        grid = reference.resolve(cells.tolist())[0]
        height = 14 - min((y for y in range(14) if any(grid[y])), default=14)
        if not reference.is_over(grid) and height >= (12 if len(fields) % 2 else 1):
            fields.append(Field.from_cells(np.array(grid)))
        if len(fields) == 40:
            return fields
    raise AssertionError("too few fields")


def test_an_open_field_has_five_and_six_positions() -> None:
    assert [lock.x for lock in lock_positions(Field.empty(), BIG_PUYO, FAMICOM)] == [3, 2, 4, 1, 5]
    assert [lock.x for lock in lock_positions(Field.empty(), CARBUNCLES, FAMICOM)] == [3, 2, 4, 1, 5, 6]


@pytest.mark.parametrize("pair", ITEMS)
def test_lock_positions_are_the_reference_s(pair: Pair) -> None:
    for cells in random_cells()[:600]:
        field = Field.from_cells(cells)
        for start in (SPAWN, PairState(5, 6, Orientation.UP)):
            found = lock_positions(field, pair, FAMICOM, start)
            grid = cells.tolist()
            assert [(lock.x, lock.y, 2) for lock in found] == reference.ordered_locks(grid, pair, start)
            fewest = reference.locks(grid, start, pair)
            assert [len(lock.path) for lock in found] == [fewest[lock.x, lock.y, 2] for lock in found]


def test_a_big_puyo_over_puyos_can_lock_where_it_is_or_shift_away() -> None:
    field = Field.parse("...o..\n" * 13)
    locks = {(lock.x, lock.y): lock.path for lock in lock_positions(field, BIG_PUYO, FAMICOM)}
    assert locks == {(3, 1): (), (2, 13): (Action.LEFT,), (1, 13): (Action.LEFT, Action.LEFT)}


@pytest.mark.parametrize("pair", ITEMS)
def test_paths_lead_to_their_locks(pair: Pair) -> None:
    for field in sample():
        for lock in lock_positions(field, pair, FAMICOM):
            state = SPAWN
            for action in lock.path:
                state = move(field.cells, state, action, pair, FAMICOM)
            assert dropped(field.cells, state, pair, FAMICOM) == (lock.x, lock.y, lock.orientation)
            assert find_path(field, SPAWN, lock, pair, FAMICOM) == lock.path


@pytest.mark.long
@pytest.mark.parametrize(
    ("pair", "following"),
    [*((item, Pair(1, 2)) for item in ITEMS), *((Pair(2, 3), item) for item in ITEMS), ITEMS, ITEMS[::-1]],
)
def test_choice_is_that_of_trying_everything(pair: Pair, following: Pair) -> None:
    two_ply = TwoPly(PLAYER, FAMICOM)
    for i, field in enumerate(sample()):
        state = PairState(4, 3, Orientation.UP) if i % 5 == 0 else SPAWN
        lock, value, leaves = reference.two_ply(field.cells.tolist(), pair, following, list(PLAYER.factors), state)
        decision = two_ply.choose(Snapshot(field, pair, following, 0, state))
        if decision is None:
            assert lock is None
            continue
        found = decision.placement
        assert ((found.x, found.y, found.orientation), decision.value, decision.leaves) == (lock, value, leaves)
        assert decision.outcome == place(field, pair, found, FAMICOM)
        assert found in lock_positions(field, pair, FAMICOM, state)


def test_floating_puyos_fall_after_an_item() -> None:
    field = Field.parse("RRR...\n......\nGG.Y..\n......")
    for pair in ITEMS:
        decision = TwoPly(PLAYER, FAMICOM).choose(Snapshot(field, pair, Pair(1, 2), 0, SPAWN))
        assert decision is not None
        assert decision.outcome == place(field, pair, decision.placement, FAMICOM)


@pytest.mark.long
@pytest.mark.parametrize("item", [BIG, CARBUNCLE])
def test_an_item_starts_only_where_it_can_be(item: int) -> None:
    """The kernel once let a carbuncle start in the row above all rows that hold puyos; Python found no path from it."""
    rules = dataclasses.replace(FAMICOM, name="vanish", visible_rows=10, ceiling="vanish")
    two, pair, started = TwoPly(PLAYER, rules, plies=1), Pair(item, item), 0
    for field in (Field.empty(), Field.parse("RGBY..\n" * 10)):
        for x in range(1, 7):
            for y in range(14):
                state = PairState(x, y, Orientation.UP)
                locks = lock_positions(field, pair, rules, state)
                decision = two.choose(Snapshot(field, pair, Pair(1, 2), 0, state))
                assert (decision is None) == (not locks), (field, state)
                assert decision is None or decision.placement in locks
                started += bool(locks)
    assert 40 < started < 160

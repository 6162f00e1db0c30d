"""Lock positions: the published counts; and search in Python, kernel and reference find the same positions."""

from __future__ import annotations

import pytest
from ochibot.puyo import Action, Field, Orientation, Pair, PairState, Placement, move
from ochibot.puyo.rules.motion import dropped
from ochibot.puyo.search import find_path, lock_positions
from ochibot.puyo.search.locks import is_open, open_paths, presses

from tests.puyo import FAMICOM, SPAWN, reference
from tests.puyo.fields import FIELDS, Cells, boards_of, ordered_kernel_locks, random_cells, sampled

RG, RR = Pair.parse("RG"), Pair.parse("RR")


def test_published_counts_on_an_empty_field() -> None:
    assert len(lock_positions(Field.empty(), RG, FAMICOM)) == 22
    assert len(lock_positions(Field.empty(), RR, FAMICOM)) == 11


def kernel_locks(cells: Cells, single: bool, start: tuple[int, int, int] = SPAWN) -> list[set[reference.Lock]]:
    """For each field, the kernel's locks. single: whether the pair is of one colour."""
    found = [set(locks) for locks in ordered_kernel_locks(boards_of(cells), FAMICOM, int(single), start)]
    assert all(0 <= y < 14 for locks in found for _, y, _ in locks)
    return found


@pytest.fixture(scope="module")
def high_fields() -> Cells:
    """20,000 fields that are more than 40 % full and have a puyo in the three top rows, where it is in the pairs' way.

    On emptier fields, the reference is slow and always finds the same locks.
    """
    cells = random_cells(3 * FIELDS, 3)
    chosen: Cells = cells[(cells[:, :3] != 0).any(axis=(1, 2)) & ((cells == 0).mean(axis=(1, 2)) < 0.6)][:FIELDS]
    assert len(chosen) == FIELDS
    return chosen


@sampled(5_000, FIELDS)
def test_kernel_finds_the_locks_of_the_reference(fields: int, high_fields: Cells) -> None:
    high_fields = high_fields[:fields]
    two = kernel_locks(high_fields, False)
    one = kernel_locks(high_fields, True)
    for i, cells in enumerate(high_fields):
        grid = cells.tolist()
        expected = set(reference.locks(grid))
        assert two[i] == expected, Field.from_cells(cells)
        if i % 4 == 0:
            assert one[i] == set(reference.ordered_locks(grid, (1, 1))), Field.from_cells(cells)
    assert len({len(found) for found in two}) > 10  # the fields differ in how many locks they have


@pytest.mark.long
def test_kernel_from_other_starts() -> None:
    cells = random_cells()[:400]
    for start in ((1, 0, 0), (6, 4, 2), (3, 7, 1), (4, 0, 3), (2, 13, 2)):
        found = kernel_locks(cells, False, start)
        for i, one in enumerate(cells):
            assert found[i] == set(reference.locks(one.tolist(), start)), (start, Field.from_cells(one))


@sampled(200, 700)
def test_python_finds_the_locks_of_the_reference_in_order(fields: int) -> None:
    for cells in random_cells()[:fields]:
        field = Field.from_cells(cells)
        for pair in (RG, RR):
            found = lock_positions(field, pair, FAMICOM)
            expected = reference.ordered_locks(cells.tolist(), pair)
            assert [(lock.x, lock.y, int(lock.orientation)) for lock in found] == expected, field
            fewest = reference.locks(cells.tolist())
            assert [len(lock.path) for lock in found] == [fewest[lock] for lock in expected], field


@pytest.mark.long
def test_paths_lead_to_their_locks() -> None:
    for cells in random_cells()[700:900]:
        field = Field.from_cells(cells)
        for lock in lock_positions(field, RG, FAMICOM):
            state = SPAWN
            for action in lock.path:
                after = move(cells, state, action, None, FAMICOM)
                assert after != state
                state = after
            assert dropped(cells, state, None, FAMICOM) == (lock.x, lock.y, lock.orientation)
            assert find_path(field, SPAWN, lock, None, FAMICOM) == lock.path
            assert find_path(field, state, lock, None, FAMICOM) == ()


def test_open_fields_need_only_the_presses_of_the_order() -> None:
    assert all(len(path) == presses(*lock) for lock, path in open_paths(FAMICOM).items())
    field = Field.parse("o.o.oo\n" * 11)
    assert is_open(field, FAMICOM)
    assert {
        lock.x: lock.path for lock in lock_positions(field, RG, FAMICOM) if lock.orientation is Orientation.DOWN
    } == {x: path for (x, orientation), path in open_paths(FAMICOM).items() if orientation is Orientation.DOWN}


def test_a_column_of_thirteen_is_a_wall_and_twelve_is_none() -> None:
    wall = Field.parse("...o..\n" * 13)
    assert [lock for lock in lock_positions(wall, RG, FAMICOM) if lock.x > 4] == []
    assert len(lock_positions(Field.parse("...o..\n" * 12), RG, FAMICOM)) == 22


def test_a_kick_off_the_stack_climbs_into_the_hidden_row() -> None:
    """Two turns on a column of twelve lift the axis to row 0; a third lays the pair over a column of thirteen."""
    field = Field.parse(".o....\n" + ".oo...\n" * 12)
    locks = {(lock.x, lock.y, lock.orientation): lock.path for lock in lock_positions(field, RG, FAMICOM)}
    assert locks[3, 0, Orientation.LEFT] == (Action.ROTATE_CW,) * 3
    lower = Field.parse(".o....\n" * 2 + ".oo...\n" * 11)
    assert not [
        lock for lock in lock_positions(lower, RG, FAMICOM) if lock.x == 3 and lock.orientation is Orientation.LEFT
    ]


def test_down_is_in_a_path_only_under_an_overhang() -> None:
    field = Field.parse("ooo...\n......\n......")
    tucked = Placement(2, 13, Orientation.UP)
    (lock,) = [lock for lock in lock_positions(field, RG, FAMICOM) if (lock.x, lock.y, lock.orientation) == (2, 13, 2)]
    assert Action.DOWN in lock.path
    assert find_path(field, PairState(4, 13, Orientation.UP), tucked, None, FAMICOM) == (Action.LEFT, Action.LEFT)
    assert find_path(field, PairState(2, 8, Orientation.UP), tucked, None, FAMICOM) != ()


def test_what_can_no_longer_be_reached() -> None:
    field = Field.parse("..o...\n" * 6)
    assert find_path(field, PairState(1, 13, Orientation.UP), Placement(5, 13, Orientation.UP), None, FAMICOM) is None
    assert find_path(field, PairState(3, 13, Orientation.UP), Placement(3, 7, Orientation.UP), None, FAMICOM) is None
    assert lock_positions(field, RG, FAMICOM, PairState(3, 9, Orientation.UP)) == []
    assert lock_positions(field, RG, FAMICOM, PairState(0, 9, Orientation.UP)) == []

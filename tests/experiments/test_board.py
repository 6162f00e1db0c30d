"""Experiments on a naive board: how it is set, where colours are, what links, vanishes and scores."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from ochibot.errors import CalibrationError
from ochibot.experiments.colors import (
    MASKS,
    ColorByte,
    candidates,
    cells_ahead,
    find_byte,
    joined,
    pokes_for,
    sample,
)
from ochibot.experiments.effects import Poker, sort_codes
from ochibot.experiments.fields import _links, lifted
from ochibot.experiments.floor import ring_above, ring_below, with_floor, with_top
from ochibot.experiments.grid import Grid
from ochibot.experiments.learnt import Learnt
from ochibot.experiments.moments import clear_some, drop_some, known_places, only_kept
from ochibot.experiments.setting import MOST_FIELDS, Setting, find_setting, pokes_of
from ochibot.experiments.signs import SignByte

from tests.experiments.board import (
    CLOCK,
    CODES,
    COLUMNS,
    COPY,
    FAR,
    FLOOR,
    HEIGHTS,
    LEFT_X,
    NEAR,
    NEXT,
    NEXT2,
    NUMBER,
    ROWS,
    SIZE,
    SPAWN,
    SPRITE,
    STEP_X,
    UP,
    Board,
    X,
    Y,
    field_at,
    ground,
    landings,
    turning_at,
)

# -- how a board is set


@pytest.mark.parametrize(
    ("lands", "first", "kind", "floor"),
    [
        ("cells", FLOOR, "cells", FLOOR),
        # the copy is likelier, but nothing lands on it
        ("cells", COPY, "cells", FLOOR),
        ("hidden", FLOOR, "cells", COPY),
        ("either", FLOOR, "mirror", FLOOR),
        ("either", COPY, "mirror", COPY),
        ("heights", FLOOR, "heights", FLOOR),
        # the place where a piece lands is worked out when it moves, so the first one doesn't see what is written
        ("moved", FLOOR, "cells", FLOOR),
    ],
)
def test_what_pieces_land_on_is_found(lands: str, first: int, kind: str, floor: int) -> None:
    board = Board(lands)
    seen = landings(board)
    other = COPY if first == FLOOR else FLOOR
    field, setting = find_setting(board.driver, [field_at(first), field_at(other)], seen)
    assert (field.grid.floor, setting.kind) == (floor, kind)
    assert [grid.floor for grid in setting.grids] == ([] if kind == "cells" else [other])
    if kind == "heights":
        assert setting.heights is not None
        assert (setting.heights.first, setting.heights.stride) == (HEIGHTS, 1)
        assert (setting.heights.base, setting.heights.step) == (0, 1)


def test_where_pieces_land_on_nothing_that_is_known_nothing_is_set() -> None:
    board = Board("hidden")
    field, setting = find_setting(board.driver, [field_at(FLOOR)], landings(board))
    assert (field.grid.floor, setting.kind) == (FLOOR, "none")
    # each of three pieces is tried
    assert len({column for column, *_ in board.falls}) > 1


def test_of_many_fields_only_some_are_tried() -> None:
    board = Board("hidden")
    seen = landings(board, 8)
    others = [field_at(FLOOR)] * (MOST_FIELDS - 1)
    assert find_setting(board.driver, [*others, field_at(COPY)], seen)[1].kind == "cells"
    assert find_setting(board.driver, [field_at(FLOOR), *others, field_at(COPY)], seen)[1].kind == "none"
    # what isn't the field may still be its copy, which is written with it
    field, setting = find_setting(board.driver, [field_at(FLOOR), field_at(COPY)], seen, 1)
    assert (field.grid.floor, setting.kind, [grid.floor for grid in setting.grids]) == (FLOOR, "mirror", [COPY])


def test_a_copy_without_room_for_all_rows_is_not_written() -> None:
    """What looked like a copy ended before RAM did, and writing the field's other rows ended the engine."""
    board = Board("hidden")
    seen = landings(board)
    short = field_at(SIZE - 2 * UP, rows=2)
    field, setting = find_setting(board.driver, [field_at(FLOOR), short], seen)
    assert (field.grid.floor, setting.kind) == (FLOOR, "none")


@pytest.mark.parametrize(
    ("refuses", "kind"), [("none", "cells"), ("what is written", "none"), ("what is emptied", "cells"), ("all", "none")]
)
def test_pieces_that_do_not_come_to_rest_show_nothing(refuses: str, kind: str) -> None:
    """A game may end, or a level may, where some fields are written."""
    board = Board()
    seen, fall = landings(board), board.fall

    def some(state: Any, *, pokes: Any = None, **said: Any) -> Any:
        full = sum(bool(value) for at, value in (pokes or {}).items() if at >= FLOOR)
        if refuses == "all" or (pokes and refuses == ("what is written" if full > 4 else "what is emptied")):
            raise CalibrationError("no next piece comes")
        return fall(state, pokes=pokes, **said)

    driver = board.driver
    driver.fall = some
    field, setting = find_setting(driver, [field_at(FLOOR)], seen)
    assert (field.grid.floor, setting.kind) == (FLOOR, kind)
    assert setting.grids == ()


class Jointed(Board):
    """Each cell has a second byte with its joints to equal neighbours; a cell with joints holds what falls on it."""

    ACROSS, UP, FIRST = 2, 16, 0x200

    def at(self, column: int, row: int) -> int:
        return self.FIRST + self.ACROSS * column + self.UP * row

    def filled(self, column: int, row: int) -> bool:
        at = self.at(column, row)
        return bool(self.ram[at] or self.ram[at + 1])

    def kinds(self) -> dict[tuple[int, int], int]:
        every = {(c, r): int(self.ram[self.at(c, r)]) >> 4 for c in range(COLUMNS) for r in range(ROWS)}
        return {spot: kind for spot, kind in every.items() if kind}

    def put(self, cells: Mapping[tuple[int, int], int]) -> None:
        for column in range(COLUMNS):
            for row in range(ROWS):
                kind = cells.get((column, row), 0)
                near = [cells.get((column, row + 1)), cells.get((column + 1, row))]
                near += [cells.get((column, row - 1)), cells.get((column - 1, row))]
                joints = sum(1 << at for at, other in enumerate(near) if kind and other == kind)
                self.ram[[self.at(column, row), self.at(column, row) + 1]] = kind << 4, joints


def test_joints_beside_the_cells_are_emptied_with_them() -> None:
    """In a game of the Mega Drive, cells that were emptied held pieces up as long as their joints stood beside them."""
    board = Jointed()
    # the first piece has two equal halves, so its cells are joined
    board.ram[[NEAR, FAR]] = 2, 2
    field = replace(field_at(0), grid=Grid(Jointed.FIRST, Jointed.ACROSS, Jointed.UP, COLUMNS, 0))
    seen = landings(board)
    found, setting = find_setting(board.driver, [field], seen)
    joints = Grid(Jointed.FIRST + 1, Jointed.ACROSS, Jointed.UP, COLUMNS, 0)
    assert (found, setting.kind, setting.grids, setting.cleared) == (field, "cells", (), (joints,))
    assert setting.lifted(1).cleared == (replace(joints, floor=joints.floor + Jointed.UP),)
    pokes = pokes_of(field, setting, {(2, 0): 0x10})
    assert (pokes[board.at(2, 0)], pokes[board.at(2, 0) + 1], pokes[board.at(2, 1)]) == (0x10, 0, 0)
    assert len(pokes) == 2 * COLUMNS * ROWS


# -- the rows beyond those that landings show


class Hanging(Board):
    """Nothing falls after a lock, and nothing vanishes."""

    def resolve(self) -> int:
        return 0


def test_the_floor_may_be_many_rows_below_what_pieces_reach() -> None:
    """In a bottle with a few viruses no piece had come to the lowest rows, and the map lacked three."""
    board = Hanging()
    viruses = {(0, 1): 2, (3, 2): 2, (3, 4): 1, (1, 5): 3, (5, 5): 2, (4, 9): 2}
    board.put(viruses | {(2, 5): 1, (0, 5): 3})
    right = field_at(FLOOR)
    shown = replace(lifted(right, 5), rows=ROWS - 5)
    found, _ = with_floor(board.driver, shown, Setting("cells"), landings(board, 12))
    assert (found.grid.floor, found.rows, found.floor_y) == (FLOOR, ROWS, right.floor_y)


@pytest.mark.parametrize("away", [-1, 0, 1, 2])
@pytest.mark.parametrize("tall", [ROWS, ROWS + 1, ROWS + 2])
def test_a_field_has_the_rows_into_which_cells_fall_or_from_which_they_do(away: int, tall: int) -> None:
    """What landings show may lack the lowest row, or begin below the floor; rows above it count if their cells fall."""
    board, plain = Board(tall=tall), Setting("cells")
    driver, seen = board.driver, landings(board)
    right = field_at(FLOOR, rows=ROWS - 2)
    shown = replace(lifted(right, away), rows=ROWS - 2 - away)
    found, setting = with_floor(driver, shown, plain, seen)
    assert (found.grid.floor, found.rows, found.floor_y) == (FLOOR, ROWS - 2, right.floor_y)
    assert setting == plain
    assert with_top(driver, found, plain, seen) == replace(found, rows=tall)
    assert ring_above(driver, found, plain, seen) is None
    assert ring_below(driver, found, plain, seen) is None
    # where nothing can be written, or no piece comes to rest, there is nothing to see
    none = Setting("none")
    assert with_floor(driver, shown, none, seen) == (shown, none)
    assert with_top(driver, found, none, seen) == found
    assert not ring_above(driver, found, none, seen)
    assert not ring_below(driver, found, none, seen)

    def refused(*_: Any, **__: Any) -> Any:
        raise CalibrationError("no next piece comes")

    driver.fall = refused
    assert with_floor(driver, shown, plain, seen) == (shown, plain)
    assert with_top(driver, found, plain, seen) == found
    assert not ring_above(driver, found, plain, seen)
    assert not ring_below(driver, found, plain, seen)


# -- links in a field's cells


@pytest.mark.parametrize(
    ("changes", "links"),
    [
        # a neighbour of the same colour came beside a cell, twice in a hundred cells that stay
        ([0x20, 0x10], 0x30),
        # something else wrote other codes there
        ([0x7E, 0x81], 0),
        # cells on both sides of many came at once
        ([0x03] * 4, 0x03),
    ],
)
def test_bits_that_change_alone_or_often_in_cells_that_stay_are_links(changes: list[int], links: int) -> None:
    lattice: Any = SimpleNamespace(at=lambda column, row: 10 * row + column)
    spots = {(column, row) for column in range(10) for row in range(10)}
    before = np.full(100, 0x41, np.uint8)
    after = before.copy()
    after[: len(changes)] ^= np.array(changes, np.uint8)
    one: Any = SimpleNamespace(before=before, after=after)
    assert _links(lattice, [one], spots, 0, 100) == links


# -- colours


@pytest.mark.parametrize("half", ["near", "far"])
@pytest.mark.parametrize("ahead", [0, 1, 2])
def test_the_bytes_of_colours_are_found_and_their_copies_are_not(half: str, ahead: int) -> None:
    board = Board()
    some = sample(ground(board), 0)
    assert len(some) == 28
    place = (NEAR, NEXT, NEXT2)[ahead] + (half == "far")
    found = find_byte(ground(board), some, half, ahead)
    assert found is not None
    assert (found.offset, found.followed, found.mask) == (place, True, 0xFF)
    assert found.values == {code: code >> 4 for code in CODES}
    assert [found.kind(np.full(0x300, number, np.uint8)) for number in range(6)] == [None, *CODES, None]
    # what is refused isn't taken, and a copy is the best that is left
    other = find_byte(ground(board), some, half, ahead, refused=[place])
    wanted = SPRITE + (half == "far")
    assert (None if other is None else (other.offset, other.followed)) == ((wanted, False) if not ahead else None)


def test_a_copy_with_the_values_of_the_piece_s_byte_is_the_nearest() -> None:
    board = Board()
    some = sample(ground(board), 0)
    like = ColorByte(NEAR, 0xFF, {code: code >> 4 for code in CODES}, followed=True)
    turned = ColorByte(NEAR, 0xFF, {code: 9 - (code >> 4) for code in CODES}, followed=True)
    for one in some:
        assert one is not None
        one.ram[0x90], one.ram[0x94], one.ram[0x20] = one.near >> 4, 9 - (one.near >> 4), one.near >> 4
    refused = [NEAR, SPRITE]
    assert find_byte(ground(board), some, "near", 0, like=like, refused=refused).offset == 0x20  # type: ignore[union-attr]
    assert find_byte(ground(board), some, "near", 0, like=turned, refused=refused).offset == 0x94  # type: ignore[union-attr]
    first = find_byte(ground(board), some, "near", 0, refused=refused, first=[0x94])
    assert first is not None
    assert (first.offset, first.followed) == (0x94, False)


def test_pieces_of_two_colours_tell_too_little() -> None:
    board = Board()
    some = [one and replace(one, near=CODES[number % 2]) for number, one in enumerate(sample(ground(board), 0))]
    assert find_byte(ground(board), some, "near", 0) is None


def test_bits_that_go_with_time_are_no_colour() -> None:
    """All cells have a bit of the moment in which they landed."""
    board = Board()
    known = ground(board, mask=0xFF)
    fall = board.fall

    def late(*said: Any, **more: Any) -> Any:
        fallen = fall(*said, **more)
        kept = fallen.ram.copy()
        cells = (kept >= 0x10) & (np.arange(len(kept)) >= FLOOR) & (np.arange(len(kept)) < COPY)
        kept[cells] |= 2 + board.peek(NUMBER) % 2
        return replace(fallen, ram=kept)

    known.driver.fall = late  # type: ignore[method-assign]
    found = sample(known, 1, 12)
    # the bit that all cells have at all times may well be of their colour
    assert known.mask == 0xFE
    assert {one.near for one in found if one} == {code | 2 for code in CODES}
    assert [one.near_row for one in found if one] == [1] * 12
    assert all(one.far == (one.ram[NEAR] << 4 | 2) for one in found if one)


@pytest.mark.parametrize(("lost", "enough"), [(9, True), (10, False)])
def test_a_third_of_the_pieces_may_leave_other_cells(lost: int, enough: bool) -> None:
    board = Board()
    known = ground(board)
    fall = board.fall

    def some(state: Any, **said: Any) -> Any:
        fallen = fall(state, **said)
        if state[NUMBER] < lost:
            fallen.ram[FLOOR : FLOOR + 64] = 0
        return fallen

    known.driver.fall = some  # type: ignore[method-assign]
    if not enough:
        with pytest.raises(CalibrationError, match=r"left the cells \[\], not two above each other"):
            sample(known, 0)
        return
    found = sample(known, 0)
    assert [one is None for one in found] == [True] * lost + [False] * (28 - lost)


@pytest.mark.parametrize(("until", "enough"), [(13, False), (14, True), (20, True)])
def test_the_game_may_end_after_some_pieces(until: int, enough: bool) -> None:
    board = Board()
    known = ground(board)
    fall = board.fall

    def some(state: Any, **said: Any) -> Any:
        if state[NUMBER] >= until:
            raise CalibrationError("no next piece comes")
        return fall(state, **said)

    known.driver.fall = some  # type: ignore[method-assign]
    if enough:
        assert len(sample(known, 0)) == until
    else:
        with pytest.raises(CalibrationError, match="no next piece"):
            sample(known, 0)
    # what can't fall leaves nothing
    board.ram[NUMBER] = until - 1
    assert cells_ahead(known, board.save(), {}, 0).keys() == {(SPAWN, 0), (SPAWN, 1)}
    assert cells_ahead(known, board.save(), {}, 1) == {}


def test_candidates_are_bytes_that_are_equal_where_kinds_are() -> None:
    dice = np.random.default_rng(2)
    kinds = dice.integers(0, 4, 30).tolist()
    rams = dice.integers(0, 256, (30, 64)).astype(np.uint8)
    rams[:, 10] = [7 - kind for kind in kinds]
    rams[:, 20] = [kind << 4 | 0x80 | int(low) for kind, low in zip(kinds, dice.integers(0, 16, 30), strict=True)]
    rams[:, 30] = [min(kind, 2) for kind in kinds]
    rams[:, 40] = 5
    naive: dict[int, list[int]] = {}
    for mask in MASKS:
        for place in range(64):
            pairs = {(kind, int(ram[place]) & mask) for kind, ram in zip(kinds, rams, strict=True)}
            if len(pairs) == len({kind for kind, _ in pairs}) == len({value for _, value in pairs}):
                naive.setdefault(mask, []).append(place)
    assert {mask: found for mask in MASKS if (found := candidates(list(rams), kinds, mask))} == naive
    assert 10 in naive[0xFF]
    assert 20 in naive[0x70]
    # two of thirty may contradict, and three not
    for wrong in range(4):
        for number in range(wrong):
            rams[number, 10] = 99 + number
        found = candidates(list(rams), kinds, 0xFF)
        assert (10 in found) is (wrong < 3)
        # those that nothing contradicts come first
        rams[:, 50] = [kind * 3 for kind in kinds]
        assert candidates(list(rams), kinds, 0xFF)[0] == (50 if wrong else 10)
        rams[:, 50] = 0


def test_halves_with_the_same_codes_know_each_other_s_colours() -> None:
    low = ColorByte(4, 0x0F, {1: 5, 2: 6, 3: 7}, followed=True)
    high = ColorByte(4, 0xF0, {2: 0x60, 3: 0x70, 4: 0x80}, followed=True)
    one, other = joined(low, high)
    assert one.values == {1: 5, 2: 6, 3: 7, 4: 8}
    assert other.values == {1: 0x50, 2: 0x60, 3: 0x70, 4: 0x80}
    # one code that differs, or only one that both have, is too little
    unlike = replace(high, values={2: 0x60, 3: 0x90, 4: 0x80})
    assert joined(low, unlike) == (low, unlike)
    few = replace(high, values={3: 0x70, 4: 0x80})
    assert joined(low, few) == (low, few)
    several = replace(high, more={0x60: 2, 0x70: 3, 0xA0: 3})
    assert joined(low, several) == (low, several)


def test_both_halves_of_a_byte_are_poked_together() -> None:
    ram = np.full(8, 0x99, np.uint8)
    low = ColorByte(4, 0x07, {1: 5, 2: 6}, followed=True)
    high = ColorByte(4, 0x70, {1: 0x50, 2: 0x60}, followed=True)
    assert pokes_for(low, high, (1, 2), ram) == {4: 0x88 | 0x65}
    whole = ColorByte(4, 0xFF, {1: 0, 2: 0}, followed=True, more={3: 1, 4: 1, 5: 2})
    other = replace(whole, more={3: 1, 4: 2, 5: 1})
    assert pokes_for(whole, other, (1, 2), ram) == {4: 4}
    with pytest.raises(CalibrationError, match="no value is known"):
        pokes_for(whole, other, (2, 2), ram)
    # in a table the index tells which byte it is; a turned piece has other values
    at = ColorByte(2, 0xFF, {1: 5, 2: 6}, followed=True, index=0, step=2, begun={1: 9})
    ram[0] = 2
    assert pokes_for(at, replace(at, offset=3), (1, 2), ram) == {6: 9, 7: 6}


# -- what links, vanishes and scores


def poker(board: Board, **said: Any) -> Poker:
    values = {code: code >> 4 for code in CODES}
    near, far = (ColorByte(place, 0xFF, values, followed=True) for place in (NEAR, FAR))
    return Poker(ground(board, **said), near, far, near_below=True)


def test_codes_that_no_piece_had_are_colours_nuisance_or_neither() -> None:
    board = Board(size=4)
    tried = [0x20, 0x50, 0x60, 0x70]
    assert sort_codes(poker(board, colors=CODES[:1] + CODES[2:]), 4, tried).colors == (0x20, 0x60, 0x70)[:1]
    found = sort_codes(poker(board), 4, tried)
    assert found.nuisance == (0x50,)
    # what was seen in the field is tried, too
    assert sort_codes(poker(board), 4, [0x60], [0x50]).nuisance == (0x50,)


@pytest.mark.parametrize("near_below", [True, False])
def test_a_piece_gets_the_colours_that_are_poked(near_below: bool) -> None:
    board = Board()
    one = replace(poker(board), near_below=near_below)
    low, high = (NEAR, FAR) if near_below else (FAR, NEAR)
    assert one.pokes(0x20, 0x40) == {low: 2, high: 4}
    with pytest.raises(CalibrationError, match="no value is known that gives a half this colour"):
        one.pokes(0x20, 0x50)
    with pytest.raises(CalibrationError, match="no value is known that gives a half this colour"):
        one.pokes(0x50, 0x20)


# -- pieces that are watched


def test_pieces_are_dropped_on_emptied_fields_into_columns_by_a_seed() -> None:
    board = Board()
    board.put({(3, row): 1 + row % 3 for row in range(9)})
    known = ground(board)
    falls = drop_some(known, 7, 12, known.state, idle=2)
    assert len(falls) == 12
    assert all(fallen.trace is not None for fallen in falls)
    assert all(len(known.cells(fallen.ram)) == 2 for fallen in falls)
    assert [(column is None, pad, keep) for column, _, pad, keep in board.falls] == (
        [(True, 0, True)] * 2 + [(False, None, True)] * 10
    )
    again = Board()
    drop_some(ground(again), 7, 12, again.save())
    other = Board()
    drop_some(ground(other), 8, 12, other.save())
    columns = [[column for column, *_ in one.falls] for one in (again, other)]
    assert columns[0][2:] == [column for column, *_ in board.falls][2:]
    assert columns[0] != columns[1]
    assert {column for column, *_ in again.falls} <= {LEFT_X + STEP_X * column for column in range(COLUMNS)}


def test_where_a_piece_can_not_fall_the_first_one_is_dropped_anew() -> None:
    board = Board()
    known = ground(board)
    begun, fall = known.state, board.fall
    seen: list[int] = []

    def some(state: Any, **said: Any) -> Any:
        seen.append(int(state[NUMBER]))
        if state[NUMBER] == 3:
            raise CalibrationError("the other side has lost")
        return fall(state, **said)

    known.driver.fall = some  # type: ignore[method-assign]
    assert len(drop_some(known, 1, 6, begun)) == 6
    assert seen == [0, 1, 2, 3, 0, 1, 2]

    def none(*_: Any, **__: Any) -> Any:
        raise CalibrationError("no next piece comes")

    known.driver.fall = none  # type: ignore[method-assign]
    with pytest.raises(CalibrationError, match="no piece comes to rest"):
        drop_some(known, 1, 6, begun)


def learnt(**said: Any) -> Learnt:
    values = {code: code >> 4 for code in CODES}
    near, far = (ColorByte(place, 0xFF, values, followed=True) for place in (NEAR, FAR))
    usual = {"size": 4, "near": near, "far": far, "following": ((replace(near, offset=NEXT), replace(far, offset=7)),)}
    stance = SimpleNamespace(near_row=0, partner=None, turning=turning_at(None))
    basis = SimpleNamespace(x=(X, STEP_X), y=(Y, 8))
    return SimpleNamespace(**{**usual, "stance": stance, "basis": basis, **said})  # type: ignore[return-value]


@pytest.mark.parametrize("near_row", [0, 1])
def test_chains_are_set_off_by_the_piece_s_own_colours(near_row: int) -> None:
    board = Board(size=4)
    if near_row:
        # the half at x and y is the upper one
        fall = board.fall

        def swapped(state: Any, **said: Any) -> Any:
            turned = state.copy()
            turned[[NEAR, FAR]] = state[[FAR, NEAR]]
            return fall(turned, **said)

        board.fall = swapped  # type: ignore[method-assign]
    known = ground(board)
    stance = SimpleNamespace(near_row=near_row, partner=None, turning=turning_at(None))
    falls = clear_some(known, learnt(stance=stance), board.save())
    gone = np.diff([0, *(int(fallen.ram[0x30]) for fallen in falls)]).tolist()
    # chains of one, two and one steps, each of four cells; where both halves are alike, the first has one more
    alike = [int(fallen.flying[NEAR] == fallen.flying[FAR]) for fallen in falls]
    assert gone == [4 * steps + more for steps, more in zip((1, 2, 1), alike, strict=True)]
    assert all(fallen.trace is not None for fallen in falls)
    assert clear_some(known, learnt(size=None), board.save()) == []
    assert clear_some(ground(board, colors=CODES[:2]), learnt(), board.save()) == []


def test_a_sign_that_the_game_writes_anew_is_none() -> None:
    board = Board()
    board.ram[[0x90, CLOCK]] = 5, 7
    signs = [SignByte(place, (1,), (2, 3), 0, 0) for place in (0x90, SPRITE, 0x92)]
    assert [sign.offset for sign in only_kept(ground(board), signs)] == [0x90, 0x92]
    # a value that the byte has anyway shows nothing
    board.ram[0x92] = 4
    same = SignByte(0x92, (4,), (), 0, 0)
    assert only_kept(ground(board), [same]) == []


def test_places_that_are_known_are_those_of_the_piece_next_and_the_field() -> None:
    known = ground(Board())
    field = {FLOOR + column + 8 * row for column in range(COLUMNS) for row in range(12)}
    assert known_places(known, learnt()) == field | {X, Y, NEAR, FAR, NEXT, 7}
    stance = SimpleNamespace(near_row=0, partner=(0x50, 0x51), turning=turning_at(2))
    assert known_places(known, learnt(stance=stance, following=())) == field | {X, Y, NEAR, FAR, 0x50, 0x51, 2}

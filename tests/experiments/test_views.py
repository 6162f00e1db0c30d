"""Views of odd fields, and the map entries made of them, beside a map that reads the same RAM."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import product
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from ochibot.console import NES, Ram
from ochibot.errors import CalibrationError
from ochibot.experiments import basis, learn
from ochibot.experiments.apart import odd_columns, starts_of
from ochibot.experiments.behind import _apart, find_behind
from ochibot.experiments.documented import NO_HINTS
from ochibot.experiments.driver import Driver, Place
from ochibot.experiments.explore import Route
from ochibot.experiments.fields import Field
from ochibot.experiments.grid import Grid
from ochibot.experiments.landings import Landing, Mask
from ochibot.experiments.lattice import Spots
from ochibot.experiments.layouts import _plane_starts, _plane_view, _with_rare, find_views, unlike_pieces
from ochibot.experiments.likely import viewed_fields
from ochibot.experiments.motion import Motion
from ochibot.experiments.pointers import pointed
from ochibot.experiments.rig import Rig
from ochibot.experiments.setting import Setting
from ochibot.experiments.strange import find_strange
from ochibot.experiments.views import View, cropped, deepened, view_of, with_plane, without_repeats
from ochibot.ram import BoundMap, RamMap

from tests.strangers.maker import draw
from tests.strangers.maker.console import StrangerConsole

DICE = np.random.default_rng(1)
COLUMNS, ROWS = 6, 13


def nibbles(high_first: bool, first: int, line: int) -> View:
    """Rows of nibbles from the floor up, the floor last in RAM."""
    numbers = [2 * 0x300 + first + (ROWS - 1 - row) * line + column for row in range(ROWS) for column in range(COLUMNS)]
    shifts = tuple(4 * (number % 2 ^ high_first) for number in numbers)
    return View(COLUMNS, tuple((number // 2,) for number in numbers), shifts, 4, high_first)


def apart(rows: bool) -> View:
    """Rows, or columns, in another order."""
    order = DICE.permutation(ROWS if rows else COLUMNS).tolist()
    places = [0x300 + (order[row] * 8 + column if rows else order[column] * 16 + row) for row in range(ROWS)
              for column in range(COLUMNS)]  # fmt: skip
    return View(COLUMNS, tuple((place,) for place in places), (0,) * len(places))


def planes(high_first: bool, *, binary: bool = False) -> View:
    """Four bit masks for each row, or three whose bits are the digits of a number."""
    firsts = (0x300, 0x320, 0x390) if binary else (0x300, 0x320, 0x390, 0x340)
    places = [tuple(first + row for first in firsts) for row in range(ROWS) for _ in range(COLUMNS)]
    shifts = tuple(7 - column if high_first else column for _ in range(ROWS) for column in range(COLUMNS))
    return View(COLUMNS, tuple(places), shifts, 1, high_first, binary)


VIEWS = {
    "nibbles": nibbles(False, 0, 6),
    "nibbles of odd lines": nibbles(True, 1, 7),
    "rows apart": apart(True),
    "columns apart": apart(False),
    "masks": planes(True),
    "masks, the lowest bit first": planes(False),
    "masks of digits": planes(True, binary=True),
}


BEGUN = DICE.bit_generator.state


@pytest.fixture(autouse=True)
def _the_same_draws() -> None:
    """Each test draws the same, in whatever order they run: few of the landings drawn otherwise show no field."""
    DICE.bit_generator.state = BEGUN


def read_by_a_map(entry: dict[str, Any], ram: np.ndarray[tuple[int], np.dtype[np.uint8]]) -> list[list[int]]:
    data = {
        "game": "kumi", "name": "test", "system": "nes", "seat": 1,
        "entries": {"cells": {**entry, "note": True, "source": "calibrated"}},
    }  # fmt: skip
    bound = BoundMap(RamMap.model_validate(data), Ram(ram, NES.ram), {})
    found: list[list[int]] = bound.grid("cells").tolist()
    return found


@pytest.mark.parametrize("name", VIEWS)
@pytest.mark.parametrize("rows", [ROWS, ROWS - 1])
def test_the_entry_of_a_view_reads_the_same_cells(name: str, rows: int) -> None:
    view = VIEWS[name]
    ram = DICE.integers(0, 256, 0x800, dtype=np.uint8)
    seen = view.cells(ram).reshape(ROWS, COLUMNS)[:rows][::-1]
    assert read_by_a_map(view.entry(rows, COLUMNS, int), ram) == seen.tolist()
    part = cropped(view, (1, COLUMNS), (1, ROWS))
    assert part.cells(ram).tolist() == view.cells(ram).reshape(ROWS, COLUMNS)[1:, 1:].reshape(-1).tolist()


@pytest.mark.parametrize("name", VIEWS)
def test_cells_of_a_view_are_written_through_the_rig(name: str) -> None:
    rig = Rig(StrangerConsole(draw(1, "family")))
    view = VIEWS[name]
    plain = rig.snap()
    rig.look(view)
    assert (rig.size, rig.own) == (len(plain) + view.size, len(plain))
    wanted = [number % 5 for number in range(view.size)]
    rig.poke({rig.own + number: value for number, value in enumerate(wanted)})
    assert rig.snap()[rig.own :].tolist() == wanted == [rig.peek(rig.own + number) for number in range(view.size)]
    assert rig.trace([0, 0]).shape == (2, rig.size)
    places = {place for cell in view.places for place in cell}
    assert rig.address(rig.own) == view.places[0][0]
    rig.look(None)
    changed = np.flatnonzero(rig.snap() != plain)
    assert set(changed[changed < 0x400].tolist()) <= places | set(range(0x300))


def landed(view: View, pieces: int, own: int = 4, low: int = 0) -> list[Landing]:
    """Pieces, half of them lying, that land in a field which begins anew when it is full, amid other bytes. own: how
    many of the four colours the cell has that is at x and y. low: so many rows are full at the start.
    """
    found = []
    begun = np.zeros(0x800, np.uint8)
    for number in range(low * COLUMNS):
        put(view, begun, number, 5 + number % 3)
    heights, ram = [low] * COLUMNS, begun.copy()
    for _ in range(pieces):
        column = int(DICE.integers(COLUMNS))
        lying = column < COLUMNS - 1 and (own < 4 or bool(DICE.integers(2)))
        columns = (column, column + lying)
        if max(heights[one] for one in columns) + 2 > ROWS:
            heights, ram = [low] * COLUMNS, begun.copy()
        row, before = heights[column], ram.copy()
        for one in columns:
            put(view, ram, heights[one] * COLUMNS + one, int(DICE.integers(1, own + 1 if one == column else 5)))
            heights[one] += 1
        ram[0x500:0x510] = DICE.integers(0, 256, 16)
        found.append(Landing(b"", before, ram.copy(), ram.copy(), column, ROWS - 1 - row, 0, int(lying), 0))
    return found


def put(view: View, ram: np.ndarray[tuple[int], np.dtype[np.uint8]], number: int, value: int) -> None:
    for place, now in view.pokes(number, value, lambda at: int(ram[at])).items():
        ram[place] = now


@pytest.mark.parametrize(("name", "own"), [*((name, 4) for name in VIEWS), ("masks", 3)])
def test_odd_fields_are_found_in_what_landings_changed(name: str, own: int) -> None:
    view = VIEWS[name]
    landings = landed(view, 150, own)
    restless = np.zeros(0x800, bool)
    for found in find_views(landings, range(COLUMNS), 1, restless, 0x800):
        cells = {(found.places[at], found.shifts[at]): divmod(at, found.columns) for at in range(found.size)}
        wanted = [
            cells.get((tuple(sorted(view.places[at])), view.shifts[at])) for at in range(COLUMNS * (ROWS - 2))
        ]  # fmt: skip
        rows = [one[0] - at // COLUMNS if one else None for at, one in enumerate(wanted)]
        if found.bits == view.bits and None not in wanted and len(set(rows)) == 1:
            assert found.binary == view.binary
            return
    raise AssertionError("no view has the field's cells")


def test_columns_in_which_all_pieces_stood_upright_begin_where_others_do() -> None:
    # y is that of the upper cell; the columns lie apart, with a row every 10 bytes
    firsts, changed, spots = (785, 783, 781, 905, 903, 901), [], []
    for at in range(60):
        column, row = at % COLUMNS, 1 + at // COLUMNS
        upright = column in (1, 4) or at // COLUMNS % 3
        cell = firsts[column] + 10 * row
        changed.append(np.array([cell - 10, cell] if upright else [cell, firsts[column - 1] + 10 * row]))
        spots.append((column, row))
    line, other = np.array(spots).T
    assert starts_of(changed, line, other, 10, np.zeros(0, np.uint8)) == list(firsts)


def test_a_row_of_a_ring_that_few_pieces_reached_is_not_left_out() -> None:
    # the ring's first row is the sixth
    firsts = [0x340 + 6 * (at % 13) for at in range(5, -8, -1)]
    changed, spots = [], []
    for row, column in product(range(9), range(1, 5)):
        lying, upright = [(row, column), (row, column + 1)], [(row, column), (row + 1, column)]
        for cells in (lying, lying, upright) if row < 8 else (upright,) * 3:
            # the ninth row's bytes change too often to be seen
            changed.append(np.array([firsts[at] + across for at, across in cells if at != 8]))
            spots.append((row, column))
    line, other = np.array(spots).T
    found = starts_of(changed, line, other, 1, np.zeros(0, np.uint8), 4)
    assert len(found) > 8
    assert found == firsts[: len(found)]


def test_a_row_of_a_ring_lies_between_the_rows_beside_it() -> None:
    # a heap lies in the lowest rows at the start; two pieces reached the second one, and cleared what they landed on
    firsts = [0x340 + 6 * at for at in range(9, -1, -1)]
    changed, spots = [], []
    for row, column in product(range(9), range(1, 5)):
        for at in range(3 if row != 1 else column > 2):
            own = 0x61 if row == 1 else firsts[row]
            changed.append(np.array([own + column, firsts[row + at % 2] + column]))
            spots.append((row, column))
    line, other = np.array(spots).T
    assert starts_of(changed, line, other, 1, np.zeros(0, np.uint8), 4)[:9] == firsts[:9]


def test_the_second_bytes_of_cells_are_no_column_of_a_field() -> None:
    # three columns lie apart from the others; a byte beside each cell follows it, and in one column a little better
    lines = []
    for column, place in enumerate((40, 42, 44, 140, 142, 144)):
        right = np.zeros(8 * 200, np.int64)
        right[8 * place : 8 * place + 16] = [7 + (column != 3)] * 8 + [7 + (column == 3)] * 8
        lines.append((right, np.zeros_like(right)))
    assert _apart(lines, np.zeros(200, np.uint8)) == [8 * place for place in (40, 42, 44, 140, 142, 144)]


@pytest.mark.parametrize("wrong", [False, True])
def test_a_table_of_pointers_has_rows_that_no_piece_has_reached(wrong: bool) -> None:
    order = DICE.permutation(ROWS)
    starts = {row: 0x300 + 8 * int(at) for row, at in enumerate(order)}
    ram = DICE.integers(0, 256, 0x800).astype(np.uint8)
    for row, start in starts.items():
        # from the top down, low bytes and high bytes apart; the leftmost byte of a row is a wall
        ram[[0x90 - row, 0xA0 - row]] = start - 1 & 255, start - 1 >> 8
    known = {row: start for row, start in starts.items() if 2 <= row <= 7}
    if wrong:
        known[4] += 3
    assert pointed(ram, known, COLUMNS) == starts
    ram[0x90 - 3] += 1
    assert pointed(ram, {**known, 6: 9}, COLUMNS) == {}


def test_a_plane_of_cells_that_no_piece_has_is_of_the_field() -> None:
    view = VIEWS["masks"]
    landings = landed(view, 60)
    # 0x360: the nuisance that fell onto two of the columns after half of the pieces
    for one in landings[30:]:
        heights = [max((row + 1 for row in range(ROWS) if view.cells(one.after)[row * COLUMNS + column]), default=0)
                   for column in (1, 4)]  # fmt: skip
        for column, height in zip((1, 4), heights, strict=True):
            one.after[0x360 + height] |= 0x80 >> column
    found = next(find_views(landings, range(COLUMNS), 1, np.zeros(0x800, bool), 0x800))
    assert {place - found.places[0][0] for place in found.places[0]} == {0, 0x20, 0x40, 0x60, 0x90}


@pytest.mark.parametrize(("view", "code"), [(planes(False), 5), (planes(False, binary=True), 8)])
def test_a_plane_of_cells_that_fall_by_themselves_is_found_later(view: View, code: int) -> None:
    # nothing fell while the field was learnt; what is in an unknown plane isn't emptied, and pieces come to rest on it
    grey = View(view.columns, tuple((*places, places[0] + 0x71) for places in view.places), view.shifts, 1)
    other = View(view.columns, tuple((places[0] + 0x250,) for places in view.places), view.shifts, 1)
    ram = np.zeros(0x800, np.uint8)
    fallen: list[int] = []

    def fall(state: bytes, *, column: int, **_: Any) -> Any:
        fallen.append(column)
        ram[0x300:0x360] = 0
        for at in (3, 4) if len(fallen) == 40 else ():
            put(grey, ram, at, len(grey.places[0]))
        # somebody else's plane has more cells; above the field, a plane has other things
        for at in (0, 1, COLUMNS, COLUMNS + 1) if len(fallen) == 40 else ():
            put(other, ram, at, 1)
        for plane in range(len(grey.places[0])):
            ram[grey.places[-1][plane]] |= 0x10
        low = int(grey.cells(ram)[column] != 0)
        for row in (low, low + 1):
            put(view, ram, row * COLUMNS + column, 1 + len(fallen) % 4)
        return SimpleNamespace(state=state, ram=np.concatenate([ram, view.cells(ram)]))

    driver = SimpleNamespace(fall=fall)
    kinds = {1: 1, 2: 2, 3: 3, 4: 4}
    ground: Any = SimpleNamespace(
        rig=SimpleNamespace(view=view, own=0x800), driver=driver, state=b"", columns=tuple(range(COLUMNS)),
        colors=(1, 2, 3, 4), painted=dict, kinds=lambda _: kinds, place=SimpleNamespace(rows=ROWS - 1),
        setting=Setting("cells"),
    )  # fmt: skip
    found = find_strange(ground)
    assert (found.plane, list(found.codes), found.falls) == (0x71, [code], 1)
    assert with_plane(view, 0x71).places == grey.places


@pytest.mark.parametrize("rests", [True, False])
def test_a_plane_of_its_own_that_holds_nothing_up_is_somebody_else_s(rests: bool) -> None:
    """In family 516 an opponent's plane was taken for the nuisance that falls into a field of bit masks."""
    bits = np.zeros((9, 8 * 0x800), bool)
    starts, other = [8 * 0x300, 8 * 0x320], 8 * 0x500
    cells = np.arange(8) - 8 * np.arange(8)[:, None]
    bits[:, other + cells[0, [1, 4]]] = True
    bits[:, starts[0] + cells[0, 2]] = True
    bits[6:, starts[1] + cells[1, 4 if rests else 2]] = True
    assert unlike_pieces(bits, starts, cells, 4) == [other]
    assert unlike_pieces(bits, starts, cells, 4, held=True) == ([other] if rests else [])


def test_a_view_of_masks_has_all_bits_of_a_byte_near_those_that_pieces_reach() -> None:
    # of bars that lie over three columns of seven, the cell at x and y seems to be the right one
    spots = Spots(np.arange(5), np.arange(5), 1, 0)
    bits = np.zeros((5, 8 * 0x800), bool)
    view = _plane_view([8 * 0x300 + 2, 8 * 0x320 + 2], bits, spots, 1, 8, 0x800, high_first=False)
    assert view is not None
    assert (view.columns, view.shifts[:8], view.places[0]) == (8, tuple(range(8)), view.places[7])


def test_planes_with_wrong_strides_may_lead_out_of_ram() -> None:
    bits = np.unpackbits(np.stack([one.after for one in landed(VIEWS["masks"], 8)]), axis=1) > 0
    for starts in ([0x7F0 * 8], [8]):
        for up in (-8, 8, 0x800 * 8):
            unlike_pieces(bits, starts, np.arange(8) + up * np.arange(8)[:, None])


def test_a_plane_without_which_cells_hang_anyway_is_none() -> None:
    # of a tetromino game with one mask, another seat's field seemed to be a second one (stranger 758831)
    dice = np.random.default_rng(5)
    cells = np.arange(6) + 8 * np.arange(8)[:, None]
    mine, other = np.zeros((20, 8, 6), bool), np.zeros((20, 8, 6), bool)
    mine[:, 1:6:2] = dice.integers(0, 2, (20, 3, 6)) > 0
    other[:, 0] = ~mine[:, 1]
    bits = np.zeros((20, 400), bool)
    bits[:, cells], bits[:, cells + 160] = mine, other
    assert unlike_pieces(bits, [0], cells) == []
    # nuisance on which all others lie
    bits[:] = False
    mine[:], other[:] = False, False
    mine[:, 2], other[:, :2] = True, True
    bits[:, cells], bits[:, cells + 160] = mine, other
    assert unlike_pieces(bits, [0], cells) == [160]


def test_of_wide_cells_the_first_bytes_are_taken() -> None:
    # a cell's second byte changes with the first one (stranger 838)
    changed, spots = [], []
    for column, row in product(range(6), range(10)):
        start = (0x300, 0x480)[column % 2] + 20 * row + 4 * (column // 2)
        changed.append(np.array([start, start + 1]))
        spots.append((column, row))
    columns, rows = np.array(spots).T
    (found,) = odd_columns(changed, Spots(columns, rows, 1, 0), 0x800)
    assert [place for (place,) in found.places[:6]] == [0x300, 0x480, 0x304, 0x484, 0x308, 0x488]


def test_rows_to_which_a_table_points_are_found_in_few_landings() -> None:
    view = VIEWS["rows apart"]
    landings = landed(view, 48)
    for one in landings:
        for ram in (one.before, one.after):
            for row in range(ROWS):
                ram[[0x610 - row, 0x620 - row]] = (
                    view.places[row * COLUMNS][0] & 255,
                    view.places[row * COLUMNS][0] >> 8,
                )
    found = find_views(landings, range(COLUMNS), 1, np.zeros(0x800, bool), 0x800)
    assert view.places in [one.places for one in found]


def test_columns_apart_are_found_where_many_pieces_vanish_at_once() -> None:
    view = VIEWS["columns apart"]
    landings = landed(view, 190)
    for number, one in enumerate(landings):
        if number % 20 < 8:
            # both halves vanish with others, and what else has changed stays so
            other = np.arange(len(one.after)) >= 0x500
            one.after[~other] = one.before[~other]
    found = find_views(landings, range(COLUMNS), 1, np.zeros(0x800, bool), 0x800)
    assert view.places[:COLUMNS] in [one.places[:COLUMNS] for one in found]


@pytest.mark.parametrize(("moves", "copied"), [((8, 8), True), ((8, 3), False)])
def test_x_and_y_that_go_with_others_are_copies(moves: tuple[int, int], copied: bool) -> None:
    landings = []
    for number in range(20):
        ram = np.zeros(16, np.uint8)
        x, y = number % 6, number % 13
        ram[[0, 1]] = 16 * x + 3, y
        ram[[4, 5]] = 200 + moves[0] * x, 90 - moves[1] * y & 255
        landings.append(Landing(b"", ram, ram, ram, 0, 0, 0, 0, 0))
    first, other = (Driver(None, Place(at, x), Place(at + 1, y)) for at, x, y in ((0, 16, 1), (4, 8, -8)))  # type: ignore[arg-type]
    found = basis._Found(first, (3, 19), landings, [], 0.5, (0, 0), None)
    assert basis._copied(found, other) is copied


def test_more_pieces_are_not_played_twice_where_they_showed_no_field(monkeypatch: pytest.MonkeyPatch) -> None:
    # as in puyovnes, where they took 40,924 frames on a screen on which no field is found
    rig: Any = SimpleNamespace(frames=0, check=lambda: None, look=lambda _: None)
    ram = np.zeros(16, np.uint8)
    piece = Landing(b"", ram, ram, ram, 0, 0, 0, 0, 0)
    played: list[tuple[int, bool]] = []

    def fields(driver: Driver, *_: Any, slow: Any = None, **_more: Any) -> Any:
        played.append((driver.x.offset, slow is not None))
        rig.frames += 900
        return basis._Found(driver, (0, 1), [piece] * (9 if driver.x.offset else 2), [], 0.0, (0, 0), None)

    drivers = [Driver(rig, Place(at, 1), Place(at + 1, 1)) for at in (0, 4)]
    monkeypatch.setattr(basis, "coordinates", lambda *_: iter([(one, (0, 1), (0, 0), 1) for one in drivers]))
    monkeypatch.setattr(basis, "_copied", lambda *_: False)
    monkeypatch.setattr(basis, "_fields", fields)
    with pytest.raises(CalibrationError):
        list(basis.find_bases(rig, b"", Motion({0: 1}, {1: 1})))
    assert played == [(0, False), (4, False)]


def test_in_slow_games_more_pieces_are_played_before_a_doubtful_field_is_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    rig: Any = SimpleNamespace(frames=0, check=lambda: None, look=lambda _: None)
    ram = np.zeros(16, np.uint8)
    piece = Landing(b"", ram, ram, ram, 0, 0, 0, 0, 0)
    played: list[tuple[int, bool]] = []

    def fields(driver: Driver, *_: Any, slow: Any = None, **_more: Any) -> Any:
        played.append((driver.x.offset, slow is not None))
        rig.frames += 900
        share = 0.9 if slow is not None else 0.0
        place = Field(Grid(0, 1, 6, 6, 0), 10, 1, 9, 0, 1, 1, ((1, 9),), 9, 9)
        return basis._Found(driver, (0, 1), [piece] * 2, [place] if share else [], share, (0, 0), None, took=450)

    # the second x is a copy of the first
    drivers = [Driver(rig, Place(at, 1), Place(at + 1, 1)) for at in (0, 4)]
    monkeypatch.setattr(basis, "coordinates", lambda *_: iter([(one, (0, 1), (0, 0), 1) for one in drivers]))
    monkeypatch.setattr(basis, "_fields", fields)
    monkeypatch.setattr(basis, "_bases", lambda found, _: iter([found.share]))
    bases: list[Any] = list(basis.find_bases(rig, b"", Motion({0: 1}, {1: 1})))
    assert bases == [0.9]
    assert played == [(0, False), (0, True)]


def test_with_bytes_that_keep_what_is_poked_more_pieces_are_played_than_showed_a_part(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    # the row that was tried last goes by rows and shows a part of the field; y goes by pixels and shows none so soon
    rig: Any = SimpleNamespace(frames=0, check=lambda: None, look=lambda _: None)
    ram = np.zeros(16, np.uint8)
    piece = Landing(b"", ram, ram, ram, 0, 0, 0, 0, 0)

    def fields(driver: Driver, *_: Any, slow: Any = None, **_more: Any) -> Any:
        rig.frames += 900
        share = 0.9 if slow is not None else 0.4 if driver.y.offset == 5 else 0.0
        place = Field(Grid(0, 1, 6, 6, 0), 10, 1, 9, 0, 1, 1, ((1, 9),), 9, 9)
        return basis._Found(driver, (0, 1), [piece] * 2, [place] if share else [], share, (0, 0), None, took=450)

    drivers = [Driver(rig, Place(0, 1), Place(at, 1)) for at in (1, 5)]
    kept = iter((2, 1))
    monkeypatch.setattr(basis, "coordinates", lambda *_: iter([(one, (0, 1), (0, 0), next(kept)) for one in drivers]))
    monkeypatch.setattr(basis, "_copied", lambda *_: False)
    monkeypatch.setattr(basis, "_fields", fields)
    monkeypatch.setattr(basis, "_bases", lambda found, _: iter([(found.driver.y.offset, found.share)]))
    bases: list[Any] = list(basis.find_bases(rig, b"", Motion({0: 1}, {1: 1})))
    assert bases[0] == (1, 0.9)


def test_pieces_that_were_read_with_a_view_are_read_without_it_again(monkeypatch: pytest.MonkeyPatch) -> None:
    rig = Rig(StrangerConsole(draw(1, "family")))
    ram = np.zeros(rig.own + 60, np.uint8)
    driver = Driver(rig, Place(0, 1), Place(1, 1))
    first = basis._Found(driver, (0, 1), [Landing(b"", ram, ram, ram, 0, 0, 0, 0, 0)], [], 0.5, (0, 0), None)
    for name, made in (
        ("play", []),
        ("restless", np.zeros(rig.own, bool)),
        ("likely_fields", []),
        ("viewed_fields", []),
    ):
        monkeypatch.setattr(basis, name, lambda *_, made=made, **__: made)
    found = basis._fields(driver, (0, 1), b"", (0, 0), views=True, slow=first)
    assert [len(one.before) for one in found.landings] == [rig.own]


def with_table(view: View, landings: list[Landing], rows: int) -> list[Landing]:
    """Puts a table of pointers to so many rows of a view into what was seen."""
    for one in landings:
        for ram in (one.before, one.after):
            for row in range(rows):
                first = view.places[row * COLUMNS][0]
                ram[0x600 + row], ram[0x620 + row] = first & 0xFF, first >> 8
    return landings


def test_a_table_has_rows_that_are_full_at_the_start() -> None:
    view = VIEWS["rows apart"]
    landings = with_table(view, landed(view, 48, low=3), ROWS)
    driver: Any = SimpleNamespace(rig=SimpleNamespace(own=0x800), y=Place(1, 1))
    _, field, found = viewed_fields(driver, landings, range(COLUMNS), np.zeros(0x800, bool))[0]
    assert (field.grid.floor - 0x800) // found.columns == 0
    assert [place for (place,) in found.places[:: found.columns]][:ROWS] == [
        place for (place,) in view.places[::COLUMNS]
    ]


def test_an_empty_row_below_the_floor_is_none_of_a_table() -> None:
    # what lies before a table of pointers may happen to point to a row's length below the floor (family 622)
    view = VIEWS["rows apart"]
    places = (*((0x300 + ROWS * 8 + column,) for column in range(COLUMNS)), *view.places)
    below = View(COLUMNS, places, (0,) * len(places))
    landings = with_table(below, landed(view, 48), ROWS + 1)
    driver: Any = SimpleNamespace(rig=SimpleNamespace(own=0x800), y=Place(1, 1))
    _, field, found = viewed_fields(driver, landings, range(COLUMNS), np.zeros(0x800, bool))[0]
    at = (field.grid.floor - 0x800) // found.columns
    assert [place for (place,) in found.places[:: found.columns]][at : at + ROWS] == [
        place for (place,) in view.places[::COLUMNS]
    ]


@pytest.mark.parametrize("name", ["nibbles", "columns apart"])
def test_what_is_drawn_into_an_odd_field_as_it_falls_has_not_landed(name: str) -> None:
    view, quiet = VIEWS[name], np.zeros(0x800, bool)
    landings = landed(view, 188)
    top = [[(ROWS - 1 - row) * COLUMNS + column for row, column in shape]
           for shape in ([(0, 2), (0, 3)], [(0, 2), (1, 2)], [(0, 3), (1, 3)])]  # fmt: skip
    for number, one in enumerate(landings):
        for ram, shape in ((one.before, top[number % 3]), (one.after, top[(number + 1) % 3])):
            held = ram.tolist()
            for cell in {cell for some in top for cell in some}:
                for place, value in view.pokes(cell, int(cell in shape), held.__getitem__).items():
                    ram[place] = held[place] = value
    quiet[[place for some in top for cell in some for place in view.places[cell]]] = True
    driver: Any = SimpleNamespace(rig=SimpleNamespace(own=0x800), y=Place(1, 1))
    assert viewed_fields(driver, landings, range(COLUMNS), quiet)[0][0] > 0.6


@pytest.mark.parametrize("name", VIEWS)
def test_an_odd_field_is_found_behind_a_plain_copy_of_it(name: str) -> None:
    view = VIEWS[name]
    copy = Field(
        Grid(0x600, 1, COLUMNS, COLUMNS, 0), ROWS - 2, 1, ROWS - 1, 0, 1, 1, ((1, 9), (2, 9), (3, 9), (4, 9)), 9, 9
    )
    landings = landed(view, 60)
    for one in landings:
        for ram in (one.before, one.after):
            ram[0x600 : 0x600 + view.size] = view.cells(ram)
    taken = np.zeros(0x800, bool)
    taken[0x600 : 0x600 + view.size] = True
    place, found = next(find_behind(landings, copy, taken, 0x800))
    known = COLUMNS * place.rows
    cells = [(tuple(sorted(places)), shift) for places, shift in zip(view.places, view.shifts, strict=True)]
    assert list(zip(found.places, found.shifts, strict=True))[:known] == cells[:known]
    assert (found.bits, found.binary, place.rows, len(place.codes)) == (view.bits, view.binary, ROWS - 2, 4)


def test_a_plane_behind_a_plain_copy_may_be_of_cells_that_no_piece_has() -> None:
    view = planes(True)
    with_grey = replace(view, places=tuple((*places, places[0] + 0x60) for places in view.places))
    copy = Field(Grid(0x600, 1, COLUMNS, COLUMNS, 0), ROWS - 2, 1, ROWS - 1, 0, 1, 1, ((1, 9), (2, 9)), 9, 9)
    copy = replace(copy, codes=((1, 9), (2, 9), (3, 9), (4, 9)))
    landings = landed(view, 60)
    for number, one in enumerate(landings):
        for ram in (one.before, one.after):
            # grey cells that come and go
            for column in range(COLUMNS) if number % 3 else ():
                put(with_grey, ram, (number % 4) * COLUMNS + column, 5)
            ram[0x600 : 0x600 + view.size] = with_grey.cells(ram)
    taken = np.zeros(0x800, bool)
    taken[0x600 : 0x600 + view.size] = True
    _, found = next(find_behind(landings, copy, taken, 0x800))
    assert sorted(found.places[0]) == sorted(with_grey.places[0])


def test_two_cells_of_a_row_in_one_byte_are_no_bytes_of_their_own() -> None:
    # a copy tells both nibbles of a byte, so both columns seem to be there
    rows = [[[8 * (0x300 + 3 * row + column // 2)] for column in range(COLUMNS)] for row in range(ROWS)]
    assert view_of(rows, 8, 0x800, high_first=False) is None
    apart = [[[8 * (0x300 + 6 * row + column)] for column in range(COLUMNS)] for row in range(ROWS)]
    found = view_of(apart, 8, 0x800, high_first=False)
    assert found is not None
    assert found.size == COLUMNS * ROWS


def test_a_view_ends_where_the_next_column_begins() -> None:
    """Twelve rows of nibbles, column after column. What was poked above them once emptied the feet of the columns."""
    numbers = [2 * 0x300 + 12 * column - row for row in range(-2, 16) for column in range(COLUMNS)]
    shifts = tuple(4 * (number % 2) for number in numbers)
    view = without_repeats(View(COLUMNS, tuple((number // 2,) for number in numbers), shifts, 4), 2)
    assert view.size == COLUMNS * (2 + 12)
    assert without_repeats(view, 2) is view


def test_a_ring_behind_a_mirror_is_found_although_some_of_its_rows_look_like_a_field(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Rows that lie apart were also guessed in the mirror itself, and the ring's own rows taken for a copy of it."""
    spare = View(COLUMNS, tuple((0x600 + cell,) for cell in range(ROWS * COLUMNS)), (0,) * ROWS * COLUMNS)
    ring = View(COLUMNS, tuple((0x300 + cell,) for cell in range(ROWS * COLUMNS)), (0,) * ROWS * COLUMNS)
    mirror = Field(Grid(0x600, 1, COLUMNS, COLUMNS, 0), ROWS, 1, ROWS - 1, 0, 1, 1, ((1, 9),), 9, 9)
    part = replace(mirror, grid=replace(mirror.grid, floor=0x300), rows=6)
    tried = []

    def find_setting(_driver: object, fields: list[Field], *_: object) -> tuple[Field, Setting]:
        tried.append([one.grid.floor for one in fields])
        return fields[0], Setting("mirror")

    def behind(_landings: object, _copy: object, taken: Mask, _size: int) -> Iterator[tuple[Field, View]]:
        assert taken[0x600]
        assert not taken[0x300]
        return iter([])

    with StrangerConsole(draw(1)) as console:
        rig = Rig(console)
        driver = Driver(rig, Place(0, 1), Place(1, 1))
        found = basis._Found(driver, (), [], [mirror, part], 1.0, (0, 0), None)
        place = replace(mirror, grid=replace(mirror.grid, floor=rig.own))
        monkeypatch.setattr(basis, "restless", lambda *_: np.zeros(0x800, bool))
        monkeypatch.setattr(basis, "play", lambda *_, **__: [])
        monkeypatch.setattr(basis, "viewed_fields", lambda *_: [(1.0, place, spare), (1.0, place, ring)])
        monkeypatch.setattr(basis, "find_behind", behind)
        monkeypatch.setattr(basis, "shared", lambda *_: 1.0)
        monkeypatch.setattr(basis, "find_setting", find_setting)
        assert basis._behind(found, rig.save()) is not None
    assert tried == [[rig.own, 0x600]]


def test_the_search_for_another_way_to_play_sees_ram_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """The field of the way before may have been a view, and screens can't be compared with and without its cells."""
    routes = [Route((), (), Motion({1: 1}, {2: 1}), bytes([number]), (), 1) for number in range(2)]
    views: list[View | None] = []

    class Menus:
        screens = 2

        def __init__(self, rig: Rig, _: object) -> None:
            self.rig = rig

        def find(self) -> Route:
            views.append(self.rig.view)
            return routes[len(views) - 1]

    def basis_at(route: Route) -> Any:
        rig.look(VIEWS["masks"])
        if route is routes[0]:
            raise CalibrationError("no button turns the piece")

    monkeypatch.setattr(learn, "Explorer", Menus)
    with StrangerConsole(draw(1)) as console:
        rig = Rig(console)
        assert learn._reach(rig, NO_HINTS, basis_at, None, None) is routes[1]
    assert views == [None, None]


def test_planes_are_told_where_all_landings_set_other_numbers_of_bits() -> None:
    sets = [np.arange(8, 8 * number, 8) for number in range(2, 22)]
    rows = np.zeros(len(sets), np.int64)
    assert next(_with_rare(list(range(0, 160, 8)), sets, Spots(rows, rows, 1, 0), 1, 8)) == list(range(0, 160, 8))
    assert len(list(_with_rare(list(range(0, 160, 8)), sets, Spots(rows, rows, 1, 0), 1, 8))) == 1


@pytest.mark.parametrize("name", VIEWS)
def test_a_view_goes_on_below_at_the_distance_of_its_rows(name: str) -> None:
    view = VIEWS[name]
    rows = view.size // view.columns
    upper = cropped(view, (0, view.columns), (2, rows))
    deeper = deepened(upper, 2, 0x800, rows - 2)
    assert deeper == (upper if name == "rows apart" else view)
    # its rows are the first ones of RAM, or the last
    assert deepened(upper, 2, min(upper.bytes), rows - 2) == upper


def test_the_rows_below_a_view_may_begin_with_the_first_byte_of_ram() -> None:
    view = View(6, tuple((number,) for number in range(72)), (0,) * 72)
    assert deepened(cropped(view, (0, 6), (2, 12)), 2, 0x800, 10) == view
    assert deepened(cropped(view, (0, 6), (2, 12)), 3, 0x800, 10) == view


def test_a_column_that_few_pieces_reached_lies_where_the_columns_beside_it_tell() -> None:
    # the odd columns lie apart; as often as the last one's cell, a byte elsewhere changes
    firsts = (0x300, 0x380, 0x301, 0x381, 0x302, 0x382, 0x303, 0x383)
    changed, spots = [], []
    for column, row in [*product(range(7), range(6)), (7, 0), (7, 1)]:
        other = [0x50 + 6 * row] if column == 7 else []
        changed.append(np.array([*other, firsts[column] + 6 * row]))
        spots.append((column, row))
    line, other_line = np.array(spots).T
    assert starts_of(changed, line, other_line, 6, np.zeros(0, np.uint8)) == list(firsts)


def test_the_lowest_of_three_cells_is_the_same_in_all_columns() -> None:
    # three jewels upright; three columns lie apart, and the cell below a piece changes now and then
    firsts = (256, 258, 260, 768, 770, 772)
    changed, spots = [], []
    for column, row in product(range(6), range(10)):
        cells = range(-(row == 5), 3 - (column in (1, 2, 3) and row % 2))
        changed.append(np.array([firsts[column] + 6 * (row + up) for up in cells]))
        spots.append((column, row))
    line, other = np.array(spots).T
    assert starts_of(changed, line, other, 6, np.zeros(0, np.uint8)) == list(firsts)


def test_a_game_with_one_colour_may_keep_one_mask_for_each_row() -> None:
    # a row is two bytes, as with ten columns
    places = [(column, row) for row in range(12) for column in range(0, 9, 2)]
    sets = [np.array([8 * 0x300 + 16 * row + column, 8 * 0x300 + 16 * row + column + 1, 8 * (0x20 + row)])
            for column, row in places]  # fmt: skip
    columns, rows = np.array(places).T
    assert _plane_starts(sets, Spots(columns, rows, 1, 0), 1, 16) == [8 * 0x300]


def test_a_view_tells_whether_its_rows_are_in_order() -> None:
    assert VIEWS["nibbles"].regular
    assert VIEWS["masks"].regular
    assert VIEWS["columns apart"].regular
    assert not VIEWS["rows apart"].regular


@pytest.mark.parametrize("upright", [1, 3])
def test_odd_columns_may_have_other_steps_than_even_ones(upright: int) -> None:
    # seven columns, of which three lie apart: 4 and 3 bytes a row; pieces are upright, of one cell or three
    view = View(7, tuple((0x300 + 4 * row + column // 2 if column % 2 == 0 else 0x100 + 3 * row + column // 2,)
                         for row in range(16) for column in range(7)), (0,) * 112)  # fmt: skip
    changed, spots = [], []
    for column, row in product(range(7), range(10)):
        cells = [view.places[(row + up) * 7 + column][0] for up in range(upright)]
        changed.append(np.array(sorted([*cells, 0x40 + 7 * row + column])))
        spots.append((column, row))
    columns, rows = np.array(spots).T
    (found,) = odd_columns(changed, Spots(columns, rows, 1, 0), 0x800)
    assert found.places[: 7 * 10] == view.places[: 7 * 10]
    entry = found.entry(4, 7, int)
    assert read_by_a_map(entry, np.arange(0x800).astype(np.uint8)) == [
        [view.places[row * 7 + column][0] & 255 for column in range(7)] for row in range(3, -1, -1)
    ]  # fmt: skip


def test_odd_columns_with_the_same_steps_are_found_in_few_landings() -> None:
    # strangers 8450436 and 838
    places = [((0x300, 0x380)[column % 2] + 8 * row + column // 2,) for row in range(ROWS) for column in range(COLUMNS)]
    view = View(COLUMNS, tuple(places), (0,) * len(places))
    seen = find_views(landed(view, 45), range(COLUMNS), 1, np.zeros(0x800, bool), 0x800)
    assert any(found.columns == COLUMNS and found.places[: 8 * COLUMNS] == view.places[: 8 * COLUMNS] for found in seen)


def test_the_cells_of_one_plane_are_none_of_another() -> None:
    # the second plane begins where the first one ends; by chance, its top row changes with some landings
    changed, spots = [], []
    for number, (column, row) in enumerate(product(range(4), range(12))):
        plane = (0x30B, 0x317, 0x323)[number % 3]
        # what vanished at once left no bit
        start = 0x30C if number in (1, 4, 10, 19, 25) else plane
        changed.append(np.array([8 * (start - row) + column]))
        spots.append((column, row))
    columns, rows = np.array(spots).T
    found = _plane_starts(changed, Spots(columns, rows, 1, 0), 1, -8)
    assert found == [8 * plane for plane in (0x30B, 0x317, 0x323)]

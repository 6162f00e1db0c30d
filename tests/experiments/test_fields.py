"""The field from landings: raw values that wrap, columns between taps, floors and rows that pieces never reach."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace
from typing import Any
from unittest.mock import Mock

import numpy as np
import pytest
from ochibot.console import Button
from ochibot.errors import CalibrationError
from ochibot.experiments import basis, fields, floor, likely, setting, stance
from ochibot.experiments.coordinates import coordinates
from ochibot.experiments.driver import Driver, Fallen, Place
from ochibot.experiments.facts import Basis
from ochibot.experiments.fields import Field, came, field_of
from ochibot.experiments.grid import Drawn, Grid
from ochibot.experiments.landings import MOST_LOST, Landing, finer, play
from ochibot.experiments.lattice import Lattice, spots_of
from ochibot.experiments.likely import likely_fields, likeness, of_a_part
from ochibot.experiments.motion import motion
from ochibot.experiments.pad import Tap, measure_tap, unanswered
from ochibot.experiments.parts import partial, usual_shape
from ochibot.experiments.rig import Rig
from ochibot.experiments.turning import drops, find_turning
from ochibot.experiments.views import View

from tests.strangers.maker import Spec, Truth, draw
from tests.strangers.maker.console import StrangerConsole
from tests.strangers.maker.player import Player

RAM = np.zeros(4, np.uint8)


def landing(x: int, y: int, top: int) -> Landing:
    return Landing(b"", RAM, RAM, RAM, x, y, top, 0, 0)


@pytest.mark.parametrize(("times", "columns"), [(1, 6), (4, 7)])
def test_what_lands_beside_a_field_at_the_same_time_is_of_another_one(times: int, columns: int) -> None:
    # in some landings in the last column that x reaches, something lies to the right of the piece; nobody was there
    lattice = Lattice(512, 8, -56, 1, 7, 40, 40, (((0, 0), 40), ((0, 1), 36), ((1, 0), 6), ((1, 1), 6)))
    seen = []
    for at in range(36):
        column, row = at % 6, at // 6
        before = np.zeros(1024, np.uint8)
        after = before.copy()
        beside = column == 5 and row < times
        after[[lattice.at(column, row), lattice.at(column + beside, row + (not beside))]] = 1
        seen.append(Landing(b"", before, after, after, column, 7 - row, 0, 0, 0))
    assert field_of(lattice, seen, range(6), 1, 1024).grid.columns == columns


def test_raw_y_may_go_through_zero_on_the_way_down() -> None:
    seen = [landing(24 + 16 * (at % 6), 241 + 16 * (at % 8) & 255, 129) for at in range(48)]
    spots = spots_of(seen, range(24, 120, 16), -1)[0]
    assert (spots.unit, spots.floor_y, set(spots.rows.tolist())) == (16, 241, set(range(8)))


def test_rows_are_multiples_of_a_step_down() -> None:
    seen = [landing(at % 6, 8 * (at % 11), 0) for at in range(48)]
    assert [spots.unit for spots in spots_of(seen, range(6), 8)] == [8]


def test_rests_at_exact_rows_are_no_rows_that_are_a_pixel_higher() -> None:
    # 17 pixels fit roughly, as in games in which pieces bounce
    seen = [landing(at % 6, 180 - 16 * (at % 5), 0) for at in range(48)]
    assert [spots.unit for spots in spots_of(seen, range(6), 1)] == [16, 8]


def test_pieces_rest_between_the_columns_that_single_taps_lead_to() -> None:
    seen = [landing(24 + 16 * (at % 5), 0, 0) for at in range(40)]
    assert finer((24, 56, 88), seen) == (24, 40, 56, 72, 88)
    assert finer((24, 56, 88), [replace(one, x=24) for one in seen]) == (24, 56, 88)


def test_a_byte_that_changes_once_beside_a_field_is_none_of_its_cells() -> None:
    # the right halves of pairs may fall on by two rows; a byte beside the field looks like that of the sixth pair
    columns, rows = 6, 8
    cells = (((0, 0), 40), ((1, -2), 4), ((1, 0), 36))
    lattice = Lattice(512, 8, -48, 1, rows - 1, 40, 40, cells)
    seen = []
    for at in range(40):
        column, row = at % columns, at // columns
        after = np.zeros(1024, np.uint8)
        after[lattice.at(column, row)] = 1
        after[lattice.at(min(column + 1, columns - 1), row) if at != 5 else lattice.at(6, -2)] = 1
        seen.append(Landing(b"", np.zeros(1024, np.uint8), after, after, column, rows - 1 - row, 0, 0, 0))
    field = field_of(lattice, seen, range(columns), 1, 1024)
    assert (field.grid.floor, field.grid.columns, field.rows) == (512, columns, 7)


def test_linked_cells_that_fill_the_lowest_row_at_the_start_are_of_the_field() -> None:
    # the high bits are a cell's kind; the low ones tell which neighbours are alike, in ways that no other cell has
    columns, lattice = 6, Lattice(512, 1, -6, 1, 7, 40, 40, (((0, 0), 40), ((0, 1), 40)))
    seen = []
    for at in range(40):
        column, row = at % columns, at // columns
        before = np.zeros(1024, np.uint8)
        before[518:524] = 19, 35, 16, 32, 51, 48
        before[[lattice.at(other, 0) for other in range(columns) if other != column]] = 16
        for under in range(row):
            before[lattice.at(column, under)] = 16 * (1 + under % 3)
        after = before.copy()
        after[lattice.at(column, row - 1)] |= 1 + at % 2
        after[[lattice.at(column, row), lattice.at(column, row + 1)]] = 32 + at % 2 * 8, 48 + at % 3 * 4
        seen.append(Landing(b"", before, after, after, column, 7 - row, 0, 0, 0))
    field = field_of(lattice, seen, range(columns), 1, 1024)
    assert field.grid.floor == 518


def test_a_cell_into_which_another_one_falls_is_not_linked() -> None:
    # now and then something blows up elsewhere and a cell has another code then; below the field is another one's top
    columns, lattice = 6, Lattice(512, 1, -6, 1, 7, 40, 40, (((0, 0), 40), ((0, 1), 40)))
    seen = []
    for at in range(40):
        column, row = at % columns, at // columns
        before = np.zeros(1024, np.uint8)
        before[518:524] = 0, 24, 30, 110, 0, at % 2 * 82
        before[[lattice.at(other, 0) for other in range(columns) if other != column]] = 48
        for under in range(row):
            before[lattice.at(column, under)] = 48 + 4 * (under % 2)
        after = before.copy()
        if at in (20, 26):
            after[lattice.at(column + 1, 0)] = 78 if at == 20 else 156
        after[[lattice.at(column, row), lattice.at(column, row + 1)]] = (48, 161, 156)[at % 3], 52
        seen.append(Landing(b"", before, after, after, column, 7 - row, 0, 0, 0))
    field = field_of(lattice, seen, range(columns), 1, 1024)
    assert field.grid.floor == 512


def test_a_cell_of_two_bytes_is_one_cell() -> None:
    # the second byte is never 0; a row is 16 pixels high, and half of it could be a row, too
    columns, rows, empty = 6, 10, np.zeros(1024, np.uint8)
    empty[513:640:2] = 7
    seen = []
    for at in range(48):
        place, row, after = 512 + 20 * (at % columns), at // columns, empty.copy()
        for number in (place + 2 * row, place + 2 * row + 2):
            after[number], after[number + 1] = 1 + at % 2, 8 + at % 2
        seen.append(Landing(b"", empty, after, after, at % columns, 16 * (rows - row), 0, 0, 0))
    field = likely_fields(seen, range(columns), 1, np.zeros(1024, bool), 1024)[0][1]
    assert (field.grid.floor, field.grid.across, field.grid.up, field.unit) == (512, 20, 2, 16)


def in_control(game: int | Spec, kind: str = "family") -> tuple[Rig, dict[str, Any]]:
    """A stranger with its first piece under control, and where that piece's place is in RAM."""
    console = StrangerConsole(draw(game, kind) if isinstance(game, int) else game)
    rig, player = Rig(console), Player(console.game)
    player.start()
    while not player.truth.control:
        player.step()
    return rig, player.truth.describe()["place"]


def test_a_piece_that_rests_before_it_reaches_a_wall_is_none_of_the_next_ones() -> None:
    # the field is half full, and the pad is read every 9 frames
    rig, place = in_control(525)
    driver, state = Driver(rig, Place(place["x"][0], 16), Place(place["y"][0], 1)), rig.save()
    driver.tap = measure_tap(rig, state, driver.x.offset)
    assert driver.columns(state) == tuple(range(8, 104, 16))


def test_a_button_that_drops_is_no_button_that_turns_where_one_tap_leads_to_the_wall() -> None:
    # DOWN isn't needed, and the pad is read every 12 frames, when it moves the piece by several columns
    spec = draw(535, "family")
    assert (spec.poll, spec.drop) == (12, "b")
    rig, place = in_control(replace(spec, place="axis", cell=16, sub="pixels", repeat_after=6, repeat_every=2))
    driver, state = Driver(rig, Place(place["x"][0], 16), Place(place["y"][0], -1), tap=Tap(12, 12)), rig.save()
    assert [drops(driver, state, button) for button in (Button.A, Button.B)] == [False, True]


def test_a_piece_may_answer_a_held_button_before_it_answers_a_fresh_press() -> None:
    # its place is a pointer, so sprites tell it
    console = StrangerConsole(draw(529, "family"))
    rig, player, states = Rig(console), Player(console.game), []
    player.start()
    while not player.truth.control:
        states.append(rig.save())
        player.step()
    turning = find_turning(driver_at(rig, {"x": [0x213], "y": [0x214]}, 8, 8), states[-3])
    assert (turning.button, turning.cycle) == (Button.UP, (2, 0, 6, 4))


def slow_to_turn() -> Spec:
    """A game whose pieces appear lying and fall for little longer than four taps take."""
    spec = replace(draw(530, "family"), poll=11, debounce=False, grace=8, lock=3, landing="heights")
    return replace(spec, sides=(0, 1, 2, 3), boot=0, ready=30, entry=False)


def test_a_slow_piece_is_turned_as_it_appears() -> None:
    # four taps take nearly as long as the fall; the piece appears lying, and a tap makes it upright
    rig, place = in_control(slow_to_turn())
    rig.run([0] * 42)
    driver = driver_at(rig, place, 16, 1)
    driver.tap, driver.first = Tap(11, 11), (int(Button.A),)
    turning = find_turning(driver, rig.save())
    assert (turning.button, turning.cycle) == (Button.A, (2, 3, 0, 1))


def test_a_place_that_was_tried_at_a_wall_goes_back_by_itself() -> None:
    # that is nobody else who steers the piece
    rig, _ = in_control(slow_to_turn())
    rig.run([0] * 18)
    assert motion(rig, rig.save())


def driver_at(rig: Rig, place: dict[str, Any], across: int, down: int) -> Driver:
    return Driver(rig, Place(place["x"][0], across), Place(place["y"][0], down))


def learnt(spec: Spec) -> tuple[Basis, Rig, Truth]:
    """The field of a stranger whose x and y are known."""
    console = StrangerConsole(spec)
    rig, player = Rig(console), Player(console.game)
    player.start()
    while not player.truth.control:
        player.step()
    place = player.truth.describe()["place"]
    down = -spec.cell if spec.count_up else spec.cell
    driver = driver_at(rig, place, spec.cell, down)
    state = rig.save()
    driver.tap = measure_tap(rig, state, driver.x.offset)
    found = next(basis._bases(basis._fields(driver, driver.columns(state), state, (1, 1), views=True), state))
    rig.load(state)
    return found, rig, player.truth


@pytest.mark.parametrize(("kind", "only"), [("family", "appears_inside"), ("other", "begins_full")])
def test_a_field_has_the_rows_that_pieces_never_reach(kind: str, only: str) -> None:
    spec = draw(900, kind, only)
    found, rig, truth = learnt(spec)
    cells = truth.describe()["field"]["places"][0]["cells"]
    assert found.setting.kind == "cells"
    assert [rig.address(found.grid.cell(0, row)) for row in range(found.place.rows)] == [
        cells[row * spec.width] for row in range(spec.height - 1, -1, -1)
    ]


def test_columns_apart_have_a_lowest_row_that_is_full_at_the_start() -> None:
    # pieces land by a cache of heights, so no piece comes to the floor unless the cache says so
    found, rig, truth = learnt(draw(301, "family"))
    cells = truth.describe()["field"]["places"][0]["cells"]
    assert found.view is not None
    assert [rig.address(place) for (place,) in found.view.places[:6]] == cells[-6:]


def test_a_piece_that_is_drawn_into_the_field_is_none_of_its_cells() -> None:
    # cells that rest have a bit of their own, and the piece has just appeared in rows of the field
    found, rig, truth = learnt(draw(512, "family"))
    cells = truth.describe()["field"]["places"][0]["cells"]
    assert (found.setting.kind, found.view, found.drawn and len(found.drawn.cells)) == ("cells", None, 2)
    assert rig.address(found.grid.floor) == cells[-found.grid.columns]


def test_what_looks_like_cells_above_a_field_holds_no_piece() -> None:
    # the border above ten rows isn't empty; a single cell falls on the floor, or on what was written
    field = Field(Grid(0, 1, 6, 6, 0), 11, 1, 10, 0, 1, 1, ((1, 9), (2, 9)), 9, 9)
    before = np.zeros(66, np.uint8)
    before[60:66] = 5
    ram = before.copy()

    def fall(_state: bytes, *, column: int, pokes: dict[int, int], most: int) -> Fallen:
        ram[list(pokes)] = list(pokes.values())
        row = next(row for row in range(11) if not ram[6 * row + column])
        return Fallen(b"", ram, 10 - row, 0, 0, most, column, ram)

    after = before.copy()
    after[2] = 1
    one = replace(landing(2, 10, 0), before=before, after=after)
    trial = object.__new__(setting._Trial)
    rig = SimpleNamespace(run=lambda _pads: None, snap=lambda: ram)
    vars(trial).update(driver=SimpleNamespace(fall=fall, rig=rig), landing=one, rest=one, others=[one], number=0, raw=2)
    assert trial.holds(field, setting.Setting("cells"))


def test_as_many_rows_are_written_as_leave_room_where_pieces_appear_inside_the_field() -> None:
    # the heap is two rows high, and pieces of two cells appear in the seventh and eighth row of nine
    field = Field(Grid(0, 1, 6, 6, 0), 9, 1, 8, 0, 1, 1, ((1, 9), (2, 9)), 9, 9)
    before = np.zeros(54, np.uint8)
    before[:12] = 2
    after, ram = before.copy(), before.copy()
    after[[14, 20]] = 1

    def fall(_state: bytes, *, column: int, pokes: dict[int, int], most: int) -> Fallen:
        ram[list(pokes)] = list(pokes.values())
        row = next(row for row in range(9) if not ram[6 * row + column])
        if row + 1 >= 6:
            raise CalibrationError("no next piece comes after this one")
        return Fallen(b"", ram, 8 - row, 0, 2, most, column, ram)

    one = replace(landing(2, 6, 2), before=before, after=after)
    trial = object.__new__(setting._Trial)
    rig = SimpleNamespace(run=lambda _pads: None, snap=lambda: ram)
    vars(trial).update(driver=SimpleNamespace(fall=fall, rig=rig), landing=one, rest=one, others=[one], number=0, raw=2)
    assert trial.holds(field, setting.Setting("cells"))


@pytest.mark.parametrize(
    ("lost", "holds"),
    [
        ([], True),
        # over a pit, a column falls into rows below those that pieces reached; as in a game of capsules
        ([(4, 0), (4, 1), (4, 2)], True),
        ([(column, row) for column in (1, 4) for row in range(3)], False),
        ([(1, 0), (2, 0), (3, 1), (4, 1)], False),
    ],
)
def test_rows_that_are_written_stay_but_for_a_column_that_falls(lost: list[tuple[int, int]], holds: bool) -> None:
    field = Field(Grid(0, 1, 6, 6, 0), 10, 1, 9, 0, 1, 1, ((1, 9), (2, 9)), 9, 9)
    before, after, ram = np.zeros((3, 60), np.uint8)
    after[[2, 3]] = 1

    def fall(_state: bytes, *, column: int, pokes: dict[int, int], most: int) -> Fallen:
        ram[list(pokes)] = list(pokes.values())
        ram[[field.grid.cell(*spot) for spot in lost]] = 0
        return Fallen(b"", ram, 9 - 3, 0, 0, most, column, ram)

    one = replace(landing(2, 9, 0), before=before, after=after)
    trial = object.__new__(setting._Trial)
    rig = SimpleNamespace(run=lambda _pads: None, snap=lambda: ram)
    vars(trial).update(driver=SimpleNamespace(fall=fall, rig=rig), landing=one, rest=one, others=[one], number=0, raw=2)
    assert trial.holds(field, setting.Setting("cells")) is holds


def test_garbage_that_falls_beside_a_piece_says_nothing_of_where_it_rests() -> None:
    # the piece lies where the first one lay; garbage lies on it, and on what lay beside it
    field = Field(Grid(0, 1, 6, 6, 0), 10, 1, 9, 0, 1, 1, ((1, 9), (2, 9)), 9, 9)
    before, first, second = np.zeros((3, 60), np.uint8)
    before[[0, 6]] = first[[0, 6]] = second[[0, 6]] = 2
    first[[2, 8]] = second[[2, 8]] = 1
    second[[12, 14]] = 2
    one = replace(landing(2, 9, 0), before=before, after=first)
    driver = SimpleNamespace(fall=lambda *_, **__: Fallen(b"", second, 9, 0, 0, 1, 2, second))
    trial = object.__new__(setting._Trial)
    vars(trial).update(driver=driver, landing=one, rest=one, next=b"", raw=2)
    assert trial.empties(field, setting.Setting("cells"))


def test_a_piece_between_two_rows_may_be_drawn_into_either() -> None:
    found, *_ = learnt(draw(516, "family"))
    assert found.drawn is not None
    assert len(found.drawn.cells) == 2


def test_a_copy_of_a_field_may_have_idle_bits_of_its_own() -> None:
    dice = np.random.default_rng(1)
    field, copy = (
        Field(Grid(first, 1, 6, 6, 0), 10, 1, 9, 0, 1, 1, codes, 9, 9)
        for first, codes in ((0, ((1, 9), (2, 9))), (100, ((18, 9), (34, 9), (35, 9))))
    )
    cells = dice.integers(0, 3, 60, dtype=np.uint8)
    ram = np.concatenate([cells, np.zeros(40, np.uint8), (cells << 4) + 2 * (cells > 0) + dice.integers(0, 2, 60)])
    seen = [replace(landing(0, 0, 0), after=ram.astype(np.uint8))]
    assert [code & ~1 for _, code in setting._codes(copy, field, seen) or ()] == [18, 34]
    assert setting._codes(copy, field, [replace(seen[0], after=dice.permutation(seen[0].after))]) is None


@pytest.mark.parametrize(("begins", "lowest"), [(2, 9), (8, 7)])
def test_the_rows_of_a_copy_may_be_a_ring(begins: int, lowest: int) -> None:
    # the highest of ten rows is the ring's row ``begins``; the copy was found in eight that follow each other
    dice = np.random.default_rng(1)
    field = Field(Grid(0, 1, 6, 6, 0), 10, 1, 9, 0, 1, 1, ((1, 9),), 9, 9)
    copy = replace(field, grid=Grid(100 + 6 * lowest, 1, -6, 6, 0), rows=8)
    seen = []
    for _ in range(12):
        ram, cells = np.zeros(200, np.uint8), dice.integers(0, 2, (10, 6), np.uint8)
        ram[:60] = cells.ravel()
        for row in range(10):
            at = 100 + 6 * ((begins + 9 - row) % 10)
            ram[at : at + 6] = cells[row]
        seen.append(replace(landing(0, 0, 0), after=ram))
    grid = setting._level(copy, field, seen)
    assert [grid.cell(0, row) for row in range(10)] == [100 + 6 * ((begins + 9 - row) % 10) for row in range(10)]


def test_x_alone_may_keep_what_is_poked() -> None:
    # y is that of a sprite; the sprite's x explains as many landings, and isn't where the piece is
    rig, place = in_control(525)
    rig.run([0] * 4)
    state = rig.save()
    kept = {driver.x.offset: kept for driver, *_, kept in coordinates(rig, state, motion(rig, state))}
    assert kept[place["x"][0]] > kept[0x217]


def test_bytes_of_several_cells_are_no_copy_of_the_field_behind(monkeypatch: pytest.MonkeyPatch) -> None:
    rig = Rig(StrangerConsole(draw(1, "family")))
    view = View(6, tuple((0x300 + at // 2,) for at in range(60)), (0, 4) * 30, 4)
    behind, copy, pairs = (
        Field(Grid(first, 1, up, up, 0), rows, 1, 9, 0, 1, 1, ((1, 9), (2, 9)), 9, 9)
        for first, up, rows in ((rig.own, 6, 10), (0x600, 6, 10), (0x300, 3, 10))
    )
    written: list[Field] = []

    def find_setting(_driver: Driver, fields: list[Field], *_: object) -> tuple[Field, setting.Setting]:
        written.extend(fields)
        return fields[0], setting.Setting("mirror")

    monkeypatch.setattr(basis, "restless", lambda *_: np.zeros(rig.own, bool))
    monkeypatch.setattr(basis, "viewed_fields", lambda *_: iter(()))
    monkeypatch.setattr(basis, "shared", lambda *_: 0.75)
    monkeypatch.setattr(basis, "find_behind", lambda *_: iter([(behind, view)]))
    monkeypatch.setattr(basis, "find_setting", find_setting)
    driver = Driver(rig, Place(0, 1), Place(1, 1))
    found = basis._Found(driver, tuple(range(6)), [], [copy, pairs], 0.6, (1, 1), None)
    assert basis._behind(found, rig.save()) is not None
    assert written == [behind, copy]


def test_the_other_half_is_found_where_the_piece_is_about_to_go_down_a_row() -> None:
    # the places of both halves are written anew then
    found, rig, truth = learnt(draw(858, "family"))
    place = truth.describe()["place"]
    partner = stance.find_stance(rig, rig.save(), found).partner
    assert partner is not None
    assert [rig.address(one) for one in partner] == [place["x"][1], place["y"][1]]


def test_the_first_piece_may_have_been_turned_by_the_last_tap_of_the_way() -> None:
    found, rig, truth = learnt(draw(900, "family", "gain"))
    told = truth.describe()["place"]["orientation"]["codes"]
    rig.run(found.tap.pads(Button.A))
    assert stance.find_stance(rig, rig.save(), found).symbols == told


def test_x_is_of_the_same_half_as_the_only_y_that_keeps_what_is_poked() -> None:
    # the piece is about to go down a row, and then a game writes the places of both halves anew
    rig, place = in_control(412)
    rig.run([0] * 40)
    state = rig.save()
    driver, *_ = next(coordinates(rig, state, motion(rig, state)))
    assert (driver.x.offset, driver.y.offset) in zip(place["x"], place["y"], strict=True)


@pytest.mark.parametrize("seed", [3653025, 3653037])
def test_a_byte_that_goes_sideways_or_begins_anew_alone_is_no_y(seed: int) -> None:
    # cells through which pieces fall sink and come to rest as y does, and so does the pointer to the piece's cell;
    # these games have no bytes of x and y but those of sprites
    rig, place = in_control(seed, "other")
    state = rig.save()
    found = {driver.y.offset for driver, *_ in coordinates(rig, state, motion(rig, state))}
    assert place["form"] in ("cell", "pointer")
    assert found <= {528, 532, 536}


def test_a_piece_answers_at_once_on_frames_between_looks_at_the_pad() -> None:
    # frames that were waited out paid a row with DOWN held to some locks, and none to others
    rig, place = in_control(858)
    driver = driver_at(rig, place, 8, 1)
    driver.tap = Tap(5, 5)
    late = []
    for _ in range(4):
        late.append(driver._not_yet())
        rig.step()
    assert late == [0] * 4


def test_how_a_piece_turns_is_seen_on_an_empty_field(monkeypatch: pytest.MonkeyPatch) -> None:
    # on a heap, it may come to rest before it was turned four times
    found, rig, _ = learnt(draw(900, "other", "begins_full"))
    state = rig.save()
    seen = []

    def find_turning(_driver: Driver, state: bytes, _first: int | None) -> None:
        rig.load(state)
        seen.append(found.place.cells(rig.snap()))
        raise CalibrationError

    monkeypatch.setattr(stance, "find_turning", find_turning)
    with pytest.raises(CalibrationError):
        stance.find_stance(rig, state, found)
    assert found.place.cells(rig.after(state, []))
    assert seen == [{}]


@pytest.mark.parametrize("frames", [36, 60])
def test_start_does_not_end_a_piece_that_rests_meanwhile(frames: int) -> None:
    rig, _ = in_control(530)
    rig.run([0] * frames)
    found = motion(rig, rig.save())
    assert found
    assert not found.doubtful


def test_steps_through_rows_in_another_order_are_no_copy_of_a_field(monkeypatch: pytest.MonkeyPatch) -> None:
    # the rows of the field behind lie in any order, and each of them is a row of bytes at equal distances
    rig, dice = Rig(StrangerConsole(draw(1, "family"))), np.random.default_rng(1)
    copy, twin, behind = (
        Field(Grid(first, 1, 6, 6, 0), 10, 1, 9, 0, 1, 1, ((1, 9), (2, 9)), 9, 9) for first in (0x600, 0x500, 0x300)
    )
    seen = []
    for _ in range(12):
        ram, cells = np.zeros(rig.own, np.uint8), dice.integers(0, 3, (10, 6), np.uint8)
        ram[copy.offsets()], ram[twin.offsets()] = (cells.T.ravel(),) * 2
        ram[behind.offsets()] = cells[[3, 1, 8, 0, 5, 9, 2, 7, 4, 6]].T.ravel()
        seen.append(replace(landing(0, 0, 0), before=ram, after=ram))
    taken: list[int] = []

    def find_behind(_landings: object, _copy: Field, mask: Any, _size: int) -> Any:
        taken.extend(np.flatnonzero(mask))
        return iter(())

    monkeypatch.setattr(basis, "restless", lambda *_: np.zeros(rig.own, bool))
    monkeypatch.setattr(basis, "viewed_fields", lambda *_: iter(()))
    monkeypatch.setattr(basis, "find_behind", find_behind)
    monkeypatch.setattr(basis, "play", lambda *_args, **_more: [])
    driver = Driver(rig, Place(0, 1), Place(1, 1))
    found = basis._Found(driver, tuple(range(6)), seen, [copy, twin, behind], 0.6, (1, 1), None)
    assert basis._behind(found, rig.save()) is None
    assert set(taken) == {*copy.offsets(), *twin.offsets()}


def test_a_field_that_was_found_behind_a_copy_has_no_other_behind_it(monkeypatch: pytest.MonkeyPatch) -> None:
    field = Field(Grid(64, 1, 6, 6, 0), 10, 1, 9, 0, 1, 1, ((1, 9), (2, 9)), 9, 9)
    view = View(6, tuple((at,) for at in range(60)), (0,) * 60)
    plain = basis._Found(None, (), [landing(0, 0, 0)], [field], 0.9, (1, 1), None)  # type: ignore[arg-type]
    monkeypatch.setattr(basis, "_set", lambda *_: (replace(plain, view=view), field, setting.Setting("cells")))
    monkeypatch.setattr(basis, "_basis", lambda *_: "a basis")
    assert len(list(basis._bases(plain, b""))) == 3


def test_a_field_with_some_of_the_columns_is_a_part_of_the_one_that_a_copy_shows() -> None:
    # the odd columns lie apart: each piece lies over two columns, and leaves one cell in either part
    copy = Field(Grid(64, 1, 6, 6, 0), 10, 1, 9, 0, 1, 1, ((1, 9),), 9, 9)
    part = replace(copy, grid=Grid(0, 1, 6, 5, 0))
    seen = []
    for column in range(5):
        before, after = np.zeros(128, np.uint8), np.zeros(128, np.uint8)
        after[[64 + column, 65 + column, column + column % 2]] = 1
        seen.append(replace(landing(column, 9, 0), before=before, after=after))
    assert [partial(field, copy, seen) for field in (copy, part)] == [False, True]


def test_halves_that_fell_deeper_say_nothing_of_where_a_piece_rests() -> None:
    field = Field(Grid(0, 1, 6, 6, 0), 10, 1, 9, 0, 1, 1, ((1, 9),), 9, 9)
    seen = []
    # of most pieces that lie across a pit, the other half falls to its floor
    for column, row, deeper in ((0, 4, 4), (2, 4, 4), (4, 4, 4), (0, 0, 0), (1, 0, 0), (3, 1, 1), (4, 2, 1)):
        before, after = np.zeros(128, np.uint8), np.zeros(128, np.uint8)
        after[[6 * row + column, 6 * (row - deeper) + column + 1]] = 1
        if not deeper:
            after[6 * row + column + 1] = 1
        seen.append(replace(landing(column, 9 - row, 0), before=before, after=after))
    assert usual_shape([came(field, one) for one in seen]) == ((0, 0), (1, 0))
    assert not partial(field, field, seen)


def test_rows_are_written_where_there_is_room_below_a_piece(monkeypatch: pytest.MonkeyPatch) -> None:
    # the first piece was seen late: it is deep down already, over fewer cells
    field = Field(Grid(0, 1, 6, 6, 0), 10, 1, 9, 0, 1, 1, ((1, 9), (2, 9)), 9, 9)
    seen = []
    for cells, top in ((5, 6), (8, 1), (30, 0)):
        before, after = np.zeros(60, np.uint8), np.zeros(60, np.uint8)
        before[:cells] = after[: cells + 1] = 1
        seen.append(replace(landing(cells % 6, 9 - cells // 6, top), before=before, after=after))
    tried: list[tuple[int, bool]] = []

    def trial(_driver: object, one: Landing, *_: object, steered: bool) -> Any:
        tried.append((one.top, steered))
        raise CalibrationError

    monkeypatch.setattr(setting, "_Trial", trial)
    driver: Any = SimpleNamespace(x=SimpleNamespace(offset=59))
    setting.find_setting(driver, [field], seen)
    # at last one that landed in another column than it appeared in is steered there
    assert tried == [(1, False), (0, False), (6, False), (1, True)]


def test_garbage_in_high_rows_is_of_the_field() -> None:
    # its code is none that pieces leave
    found, rig, truth = learnt(draw(633, "family"))
    cells = truth.describe()["field"]["places"][0]["cells"]
    assert found.place.rows == 13
    assert rig.address(found.grid.cell(0, 12)) == cells[0]


def test_rows_are_written_that_the_piece_on_them_does_not_complete() -> None:
    # three alike vanish: on rows of its own codes, a piece vanishes with cells of them
    seen = []
    for code in (3, 5, 7, 9):
        after = np.zeros(60, np.uint8)
        after[[0, 6]] = code
        seen.append(replace(landing(0, 9, 0), before=np.zeros(60, np.uint8), after=after))

    def chosen(codes: tuple[int, ...], own: set[int], number: int) -> list[int]:
        field = Field(Grid(0, 1, 6, 6, 0), 10, 1, 9, 0, 1, 1, tuple((code, 9) for code in codes), 9, 9)
        others = [one for one in seen if int(one.after[0]) in codes]
        trial: Any = SimpleNamespace(number=number, others=others)
        return setting._Trial._unlike(trial, field, own)

    assert chosen((3, 5, 7, 9), {3, 9}, 0) == [5, 7]
    # of three codes, each trial has two different ones
    assert chosen((3, 5, 7), set(), 1) == [3, 7]


@pytest.mark.parametrize(("above", "top"), [(2, 9), (5, 9), (2, 8)])
def test_the_rows_above_the_top_of_a_ring_lie_below_its_floor(
    monkeypatch: pytest.MonkeyPatch, above: int, top: int
) -> None:
    # a ring of rows of which so many lie below the lowest one; the first row of all may be none
    field = Field(Grid(64 + 8 * 6, 1, -6, 6, 0), 9, 1, 8, 0, 1, 1, ((1, 9), (2, 9)), 9, 9)
    after = np.zeros(256, np.uint8)
    after[[112, 106]] = 1
    seen = [replace(landing(0, 8, 0), before=np.zeros(256, np.uint8), after=after)]

    def falls(_driver: Driver, _field: Field, _setting: Any, _landing: Landing, row: int) -> bool:
        return -above <= row < top

    monkeypatch.setattr(floor, "_falls", falls)
    driver: Any = SimpleNamespace(rig=SimpleNamespace(size=256, own=256))
    ring = floor.ring_above(driver, field, setting.Setting("cells"), seen)
    assert ring is not None
    assert [place for (place,) in ring.places[::6]] == [
        *range(112, 112 - 6 * top, -6),
        *range(112 + 6 * above, 112, -6),
    ]
    assert floor.ring_above(driver, field, setting.Setting("none"), seen) is None


def test_the_rows_below_the_floor_of_a_ring_lie_above_its_top() -> None:
    # a ring of 11 rows whose lowest row is its first; most pieces lie on others, over two heights
    field = Field(Grid(64 + 6 * 10, 1, -6, 6, 0), 8, 1, 8, 0, 1, 1, ((1, 9), (2, 9)), 9, 9)

    def piece(*rows: tuple[int, int]) -> Any:
        after = np.zeros(256, np.uint8)
        after[[field.grid.cell(*place) for place in rows]] = 1
        return after

    void = piece()
    seen = [replace(landing(0, 9, 0), before=void, after=piece((0, 10), (1, 10)))]
    for own, rows in ((8, ((0, 0), (1, 0))), (7, ((0, 1), (1, 0))), (6, ((0, 2), (1, 0)))):
        seen += [replace(landing(0, own, 0), before=void, after=piece(*rows))] * 2
    fallen = Fallen(b"", seen[0].after, 9, 0, 0, 0, 0, void)
    driver: Any = SimpleNamespace(rig=SimpleNamespace(size=256, own=256), fall=lambda *_, **_more: fallen)
    ring = floor.ring_below(driver, field, setting.Setting("cells"), seen)
    assert ring is not None
    assert (ring[0].rows, ring[0].floor_y) == (9, 9)
    assert [place for (place,) in ring[1].places[::6]] == [64, *range(124, 64, -6)]
    # where no piece has fallen so deep, one is dropped on an empty field
    assert floor.ring_below(driver, field, setting.Setting("cells"), seen[1:]) == ring
    fallen = replace(fallen, lowest=8)
    assert floor.ring_below(driver, field, setting.Setting("cells"), seen[1:]) is None


def test_the_floor_is_where_the_whole_of_a_piece_rests() -> None:
    # of most bars the left parts fell deeper; what lies below the field looks like its lowest row
    field = Field(Grid(48, 1, -6, 6, 0), 8, 1, 8, 0, 1, 1, ((1, 9), (2, 9)), 9, 9)
    seen = []
    for row, deeper in ((4, 3), (5, 3), (6, 3), (3, 0)):
        before, after = np.zeros(80, np.uint8), np.zeros(80, np.uint8)
        after[[field.grid.cell(2, row - deeper), field.grid.cell(3, row)]] = 1
        seen.append(replace(landing(3, 8 - row, 0), state=bytes([row]), before=before, after=after))
    ram = np.zeros(80, np.uint8)
    rig = SimpleNamespace(load=lambda _: None, snap=lambda: ram, size=80, own=80)
    driver: Any = SimpleNamespace(rig=rig, fall=lambda *_, column, **__: Fallen(b"", ram, 7, 0, 0, 0, column, ram))
    found, _ = floor.with_floor(driver, field, setting.Setting("cells"), seen)
    assert (found.grid.floor, found.rows) == (42, 7)


def test_rows_that_are_full_at_the_start_are_emptied_to_find_the_floor() -> None:
    # three rows below those that pieces reach, with cells of other codes; in one column each of them is empty
    whole = Grid(42, 1, -6, 6, 0)
    field = Field(whole.lifted(3), 5, 1, 4, 0, 1, 1, ((1, 9), (2, 9)), 9, 9)
    begun = np.zeros(60, np.uint8)
    for row in range(3):
        begun[[whole.cell(column, row) for column in range(6) if column != (5, 4, 1)[row]]] = row + 9
    # nobody writes here
    begun[48:54] = 5
    after = begun.copy()
    after[field.grid.cell(2, 0)] = 1
    seen = [replace(landing(2, 4, 0), before=begun, after=after)]

    def fall(_state: bytes, *, column: int, pokes: dict[int, int], about: bool) -> Fallen:
        ram = begun.copy()
        ram[list(pokes)] = list(pokes.values())
        row = next(row for row in range(8) if not ram[[whole.cell(column, up) for up in range(row, 8)]].any())
        ram[whole.cell(column, row)] = about
        return Fallen(b"", ram, 7 - row, 0, 0, 0, column, ram)

    rig = SimpleNamespace(load=lambda _: None, snap=lambda: begun, size=60, own=60)
    driver: Any = SimpleNamespace(rig=rig, fall=fall)
    found, _ = floor.with_floor(driver, field, setting.Setting("cells"), seen)
    assert (found.grid.floor, found.rows) == (42, 8)
    # a row of one code from wall to wall is the floor, through which pieces fall when it is emptied, as in Dushlan
    begun[[whole.cell(column, 2) for column in range(6)]] = 7
    found, _ = floor.with_floor(driver, field, setting.Setting("cells"), seen)
    assert found == field


@pytest.mark.parametrize("beside", [-1, 6])
def test_walls_below_a_field_are_not_rows_that_are_full_at_the_start(beside: int) -> None:
    # columns of 16 bytes with walls around them; below the first column is a byte that is something else
    grid = Grid(21, 16, 1, 6, 0)
    field = Field(grid, 12, 1, 11, 0, 1, 1, ((1, 9), (2, 9)), 9, 9)
    begun = np.zeros(140, np.uint8)
    for column in range(6):
        begun[[grid.cell(column, row) for row in (-2, -1, 12, 13)]] = 255
    begun[[grid.cell(beside, row) for row in range(-2, 14)]] = 255
    begun[20] = 30
    after = begun.copy()
    after[field.grid.cell(2, 0)] = 1
    seen = [replace(landing(2, 11, 0), before=begun, after=after)]

    def fall(_state: bytes, *, column: int, pokes: dict[int, int], about: bool) -> Fallen:
        ram = begun.copy()
        ram[list(pokes)] = list(pokes.values())
        row = next(row for row in range(-1, 12) if not ram[[grid.cell(column, up) for up in range(row, 12)]].any())
        ram[grid.cell(column, row)] = about
        return Fallen(b"", ram, 11 - row, 0, 0, 0, column, ram)

    rig = SimpleNamespace(load=lambda _: None, snap=lambda: begun, size=140, own=140)
    driver: Any = SimpleNamespace(rig=rig, fall=fall)
    found, _ = floor.with_floor(driver, field, setting.Setting("cells"), seen)
    assert found == field


@pytest.mark.parametrize("below", [False, True])
def test_what_is_always_full_below_a_field_is_none_of_its_rows(below: bool) -> None:
    # a piece falls a row deeper than any before: into the row below, or into another one, as in a ring
    field = Field(Grid(48, 1, -6, 6, 0), 5, 1, 8, 0, 1, 1, ((1, 9), (2, 9)), 9, 9)
    before = np.zeros(80, np.uint8)
    before[54:60] = 0 if below else 15
    after = before.copy()
    after[[48, 42]] = 1
    seen = [replace(landing(0, 8, 0), before=before, after=after)]
    fallen = before.copy()
    fallen[57 if below else 3] = 1
    rig = SimpleNamespace(load=lambda _: None, snap=lambda: before, size=80, own=80)
    driver: Any = SimpleNamespace(
        rig=rig, fall=lambda *_, column, **__: Fallen(b"", fallen, 9, 0, 0, 0, column, fallen)
    )
    found, _ = floor.with_floor(driver, field, setting.Setting("cells"), seen)
    assert found.rows == (6 if below else 5)


@pytest.mark.parametrize(("first", "rows"), [(20, 6), (74, 5)])
def test_a_mirror_has_no_row_below_it_that_is_not_in_ram(first: int, rows: int) -> None:
    field = Field(Grid(48, 1, -6, 6, 0), 5, 1, 8, 0, 1, 1, ((1, 9), (2, 9)), 9, 9)
    before = np.zeros(80, np.uint8)
    after, fallen = before.copy(), before.copy()
    after[[48, 42]] = fallen[57] = 1
    seen = [replace(landing(0, 8, 0), before=before, after=after)]

    def fall(*_: object, column: int, pokes: dict[int, int], **__: object) -> Fallen:
        assert max(pokes) < 80
        return Fallen(b"", fallen, 9, 0, 0, 0, column, fallen)

    rig = SimpleNamespace(load=lambda _: None, snap=lambda: before, size=80, own=80)
    driver: Any = SimpleNamespace(rig=rig, fall=fall)
    mirror = setting.Setting("mirror", (Grid(first, 1, -1, 6, 0),))
    found, set_so = floor.with_floor(driver, field, mirror, seen)
    assert found.rows == rows
    assert set_so.grids[0].floor == first + rows - 5


def test_landings_after_which_a_group_vanished_say_nothing_about_a_field() -> None:
    field = Field(Grid(0, 1, 6, 6, 0), 8, 1, 7, 0, 1, 1, ((1, 9),), 9, 9)
    lower, upper, void = np.zeros(60, np.uint8), np.zeros(60, np.uint8), np.zeros(60, np.uint8)
    lower[[0, 6]] = upper[[0, 6, 12, 18]] = 1
    rests = replace(landing(0, 7, 0), before=void, after=lower)
    vanishes = replace(landing(0, 5, 0), before=lower, after=void)
    beside = replace(landing(5, 7, 0), before=void, after=lower)
    assert likeness(field, [rests, rests, rests, vanishes, vanishes]) == 1
    assert likeness(field, [rests, beside, vanishes]) == 0.5
    # where most do, they are no groups
    assert likeness(field, [rests, vanishes, vanishes]) < 0.5


def test_a_piece_that_came_after_another_one_shows_where_it_is_drawn() -> None:
    # the first piece of a game may have sunk before it is under control
    seen = [replace(landing(0, 9, 0), state=bytes([number]), game=number // 2) for number in range(1, 4)]
    found = basis._Found(None, (), seen, [], 0.9, (1, 1), None)  # type: ignore[arg-type]
    assert basis._appeared(found, b"first") == b"\x03"
    assert basis._appeared(replace(found, landings=seen[:2]), b"first") == b"first"


@pytest.mark.parametrize(
    ("begins", "every", "looks", "early"),
    [(5, 1, 1, 5), (0, 1, 1, 0), (0, 8, 1, 0), (40, 1, 1, 0), (8, 1, 1, 8), (8, 2, 2, 6), (0, 2, 2, 0)],
)
def test_short_presses_are_answered_some_frames_late(begins: int, every: int, looks: int, early: int) -> None:
    class Piece:
        """It moves when a button is held for so many looks at the pad, and was not before."""

        def load(self, _: bytes) -> None:
            self.frame, self.x, self.held = 0, 8, 0

        def run(self, pads: list[int]) -> None:
            for pad in pads:
                if self.frame >= begins and not self.frame % every:
                    self.held = self.held + 1 if pad else 0
                    self.x += self.held == looks
                elif every == 1:
                    self.held = looks if pad else 0
                self.frame += 1

        def peek(self, _: int) -> int:
            return self.x

        def branch(self, state: bytes, pads: list[int]) -> Any:
            self.load(state)
            seen = []
            for pad in pads:
                self.run([pad])
                seen.append([self.x])
            return np.array(seen, np.uint8)

    assert unanswered(Piece(), b"", 0) == early  # type: ignore[arg-type]


@pytest.mark.parametrize("rows", [1, 2])
def test_what_lies_below_a_copy_is_not_written(rows: int) -> None:
    # a score follows the copy, and was once taken for its lowest row; what comes next, for its lowest two
    field = Field(Grid(30, 1, -6, 6, 0), 5, 1, 9, 0, 1, 1, ((7, 9),), 9, 9)
    copy = replace(field, grid=replace(field.grid, floor=90 + 6 * rows), rows=5 + rows)
    ram = np.zeros(128, np.uint8)
    for spot in ((0, 0), (1, 0), (1, 1)):
        ram[[field.grid.cell(*spot), field.grid.cell(*spot) + 60]] = 7
    ram[98] = 4
    seen = [Landing(b"", ram, ram, ram, 0, 0, 0, 0, 0)]
    (copies,) = setting._copies(field, [field, copy], seen)
    assert [grid.floor for grid in copies.grids] == [90]


def test_a_field_is_found_behind_a_late_copy_that_looks_like_a_part_of_one(monkeypatch: pytest.MonkeyPatch) -> None:
    rig = Rig(StrangerConsole(draw(1, "family")))
    copy = Field(Grid(0x600, 1, 6, 6, 0), 10, 1, 9, 0, 1, 1, ((1, 9), (2, 9)), 9, 9)
    place = replace(copy, grid=replace(copy.grid, floor=rig.own))
    late, behind = (View(6, tuple((first + at,) for at in range(60)), (0,) * 60) for first in (0x600, 0x300))

    def viewed(*given: Any) -> list[Any]:
        # of all views in which the same pieces show, the one with most votes
        return [(0.8, place, late if not given[-1][0x600] else behind)]

    def find_setting(*_: object) -> tuple[Field, setting.Setting]:
        return place, setting.Setting("cells" if rig.view is behind else "none")

    monkeypatch.setattr(basis, "restless", lambda *_: np.zeros(rig.own, bool))
    monkeypatch.setattr(basis, "alike", lambda *_: False)
    monkeypatch.setattr(basis, "shared", lambda *_: 0.75)
    monkeypatch.setattr(basis, "viewed_fields", viewed)
    monkeypatch.setattr(basis, "find_behind", lambda *_: iter(()))
    monkeypatch.setattr(basis, "find_setting", find_setting)
    monkeypatch.setattr(basis, "play", lambda *_args, **_more: [])
    driver = Driver(rig, Place(0, 1), Place(1, 1))
    found = basis._behind(basis._Found(driver, tuple(range(6)), [], [copy], 0.6, (1, 1), None), rig.save())
    assert found is not None
    assert found[0].view is behind


def test_the_rows_of_a_field_may_be_in_another_order_than_it_seemed(monkeypatch: pytest.MonkeyPatch) -> None:
    # the falling piece is drawn into it, so that its cells change by themselves
    rig = Rig(StrangerConsole(draw(1, "family")))
    copy = Field(Grid(0x600, 1, 6, 6, 0), 10, 1, 9, 0, 1, 1, ((1, 9), (2, 9)), 9, 9)
    place = replace(copy, grid=replace(copy.grid, floor=rig.own))
    mixed = View(6, tuple((0x600 + 6 * (7 * (at // 6) % 10) + at % 6,) for at in range(60)), (0,) * 60)
    wrong, right = Drawn(copy.grid, 10, ((2, 3),), 0, 1), Drawn(place.grid, 10, ((2, 9),), 0, 1)
    drawn: list[Drawn | None] = []

    def viewed(*given: Any) -> list[Any]:
        return [] if given[-1][0x601] else [(0.99, place, mixed)]

    def find_setting(*_: object) -> tuple[Field, setting.Setting]:
        drawn.append(driver.drawn)
        return place, setting.Setting("none" if len(drawn) == 1 else "cells")

    monkeypatch.setattr(basis, "restless", lambda *_: np.arange(rig.own) == 0x600)
    monkeypatch.setattr(basis, "alike", lambda *_: True)
    monkeypatch.setattr(basis, "shared", lambda *_: 0.75)
    monkeypatch.setattr(basis, "viewed_fields", viewed)
    monkeypatch.setattr(basis, "find_behind", lambda *_: iter(()))
    monkeypatch.setattr(basis, "find_setting", find_setting)
    monkeypatch.setattr(basis, "find_drawn", lambda _driver, field, _state: right if field is place else wrong)
    monkeypatch.setattr(basis, "play", lambda *_args, **_more: [])
    driver = Driver(rig, Place(0, 1), Place(1, 1))
    driver.drawn = wrong
    found = basis._behind(basis._Found(driver, tuple(range(6)), [], [copy], 0.6, (1, 1), None), rig.save())
    assert found is not None
    assert found[0].view is mixed
    assert drawn == [right, right]


@pytest.mark.parametrize(("then", "now", "rows"), [(7, 7, 1), (40, 40, 1), (7, 8, 1), (40, 48, 0)])
def test_what_looks_like_a_pointer_beside_a_table_is_none_to_a_row(then: int, now: int, rows: int) -> None:
    # the bytes below the field are always filled, with what cells have or with something else, such as x
    field = Field(Grid(6, 1, 6, 6, 0), 5, 1, 4, 0, 1, 1, ((1, 9),), 9, 9)
    rams = np.zeros((2, 36), np.uint8)
    rams[:, 6:12] = 7, 7, 8, 8, 7, 7
    rams[:, 2:6] = [[then], [now]]
    assert likely._filled(field, [replace(landing(0, 0, 0), before=ram, after=ram) for ram in rams], 1) == rows


@pytest.mark.parametrize(("y", "empty"), [(3, {(2, 9), (2, 10)}), (4, {(2, 8), (2, 9)}), (1, {(2, 9), (2, 10)})])
def test_a_piece_that_sank_before_it_was_under_control_is_taken_out_where_it_is(
    y: int, empty: set[tuple[int, int]]
) -> None:
    # its y may be the last piece's: then it is taken out where pieces appear
    grid = Grid(0, 1, 6, 6, 0)
    ram = np.full(72, 7, np.uint8)
    Drawn(grid, 11, ((2, 9), (2, 10)), 3, 1).taken_out(ram, y)
    assert {(at % 6, at // 6) for at in np.flatnonzero(ram == 0).tolist()} == empty


def test_a_piece_between_two_rows_is_taken_out_of_either() -> None:
    ram = np.full(72, 7, np.uint8)
    Drawn(Grid(0, 1, 6, 6, 0), 11, ((2, 10),), 250, 16).taken_out(ram, 2)
    assert np.flatnonzero(ram == 0).tolist() == [6 * 9 + 2, 6 * 10 + 2]


def test_what_stands_for_good_where_pieces_appear_is_no_row(monkeypatch: pytest.MonkeyPatch) -> None:
    # above a field of masks for each row lies another byte, some of whose bits are set: pieces fall through its rows
    field = Field(Grid(0, 1, 6, 6, 0), 5, 1, 5, 0, 1, 1, ((1, 9),), 9, 9)
    monkeypatch.setattr(fields, "_piled", lambda *_: [])
    for stands, rows in ((0, 9), (1, 6)):
        before = np.zeros(60, np.uint8)
        before[[36, 38]] = stands
        after = before.copy()
        after[[0, 6]] = 1
        seen = [replace(landing(0, 5, 0), before=before, after=after, top=254)] * 4
        driver: Any = SimpleNamespace(rig=SimpleNamespace(size=60), drawn=None)
        assert fields.with_height(field, driver, seen, np.zeros(60, bool)).rows == rows


@pytest.mark.parametrize(("below", "rows"), [("seeds", 7), ("wall", 5), ("nothing", 5), ("other bytes", 5)])
def test_what_two_copies_have_below_is_of_the_field(below: str, rows: int) -> None:
    # pieces land on a late mirror, so that nothing can be written, and seeds fill rows that none of them reaches
    field = Field(Grid(30, 1, -6, 6, 0), 5, 1, 4, 0, 1, 1, ((1, 9),), 9, 9)
    copy = replace(field, grid=Grid(90, 1, -6, 6, 9))
    before = np.zeros(120, np.uint8)
    before[90:102] = before[60:90] = 9
    for at, (one, other) in enumerate([(7, 3), (0, 9), (8, 4), (7, 3), (0, 9), (7, 3)] * 2):
        if below == "wall":
            one, other = 7, 3
        elif below == "nothing":
            one, other = 0, 9
        elif below == "other bytes":
            one, other = at, 9
        before[36 + at], before[96 + at] = one, other
    before[48:54], before[108:114] = 0, 9
    after = before.copy()
    after[[30, 90]] = 1
    seen = [replace(landing(0, 4, 0), before=before, after=after)]
    found = floor.with_shared_rows(field, setting.Setting("none"), [field, copy], seen)
    assert (found.rows, found.grid.floor) == (rows, 30 + 6 * (rows - 5))
    assert floor.with_shared_rows(field, setting.Setting("cells"), [field, copy], seen) == field


def test_rows_are_no_multiples_of_three_where_pieces_of_three_cells_lie_on_each_other() -> None:
    # nothing vanishes; now and then garbage falls elsewhere, which steps of three rows hardly show
    dice = np.random.default_rng(5)
    heights, now, seen = [0] * 6, np.zeros(400, np.uint8), []
    for number in range(48):
        column = int(dice.integers(6))
        if heights[column] > 12:
            heights, now = [0] * 6, np.zeros(400, np.uint8)
        row, before = heights[column], now.copy()
        now[[300 - 6 * (row + up) + column for up in range(3)]] = dice.integers(1, 6, 3)
        heights[column] += 3
        if number % 3 == 0:
            now[300 - 6 * 14 + (column + 3) % 6] ^= 1
        seen.append(replace(landing(column, 15 - row, 0), before=before, after=now.copy()))
    best = likely_fields(seen, range(6), 1, np.zeros(400, bool), 400)[0][1]
    assert (best.unit, best.grid.up, best.grid.floor) == (1, -6, 300)


@pytest.mark.parametrize(("columns", "first", "part"), [(6, 300, True), (9, 300, False), (6, 100, False)])
def test_parts_of_the_cells_of_a_wider_field_are_no_field(columns: int, first: int, part: bool) -> None:
    plain = Field(Grid(300, 1, -9, 9, 24), 11, 8, 176, 24, 8, 1, ((97, 30),), 25, 48)
    places = tuple((first - 9 * row + column,) for row in range(12) for column in range(columns))
    view = View(columns, places, (0,) * len(places), 4)
    field = replace(plain, grid=Grid(400, 1, columns, columns, 8))
    assert of_a_part(field, view, plain) is part


def test_a_view_of_a_part_of_a_field_explains_no_more_than_the_field(monkeypatch: pytest.MonkeyPatch) -> None:
    plain = Field(Grid(30, 1, -9, 9, 0), 3, 8, 176, 24, 8, 1, ((97, 30),), 25, 48)
    view = View(6, tuple((30 - 9 * row + column,) for row in range(3) for column in range(6)), (0,) * 18, 4)
    rig: Any = SimpleNamespace(frames=0, size=64, own=64, look=lambda _: None, with_cells=lambda ram: ram)
    driver = Driver(rig, Place(0, 8), Place(1, 8))
    for name, made in (
        ("find_turning", CalibrationError("none")),
        ("play", [landing(0, 0, 0)]),
        ("finer", (0, 8)),
        ("restless", np.zeros(64, bool)),
        ("likely_fields", [(0.74, plain)]),
        ("viewed_fields", [(0.86, replace(plain, grid=Grid(64, 1, 6, 6, 8)), view)]),
    ):
        monkeypatch.setattr(basis, name, Mock(**{"side_effect" if name == "find_turning" else "return_value": made}))
    assert basis._fields(driver, (0, 8), b"", (0, 0), views=True).fields == [plain]


def test_pieces_are_played_no_longer_where_half_of_them_never_answer() -> None:
    # as with a sprite's x, at which each game's second piece is not seen
    rig: Any = SimpleNamespace(check=lambda: None, load=lambda _: None, snap=lambda: RAM, run=lambda _: None)
    rig.save = lambda: b"begun"
    rig.peek = lambda _: 0
    driver: Any = Driver(rig, Place(0, 8), Place(1, 8))
    tried: list[bytes] = []

    def fall(state: bytes, **_: Any) -> Fallen:
        tried.append(state)
        if state == b"second":
            raise CalibrationError("the next piece answers no press")
        return Fallen(b"second", RAM, 0, 0, 0, 0, 0, RAM)

    driver.fall = fall
    assert len(play(driver, b"first", (0, 8), None)) == MOST_LOST
    assert len(tried) == 2 * MOST_LOST


def test_a_field_in_whose_second_columns_nothing_lands_explains_few_landings() -> None:
    # the odd columns lie elsewhere; most pieces lie over an even column and an odd one
    dice = np.random.default_rng(3)
    heights, now, seen = [0] * 6, np.zeros(2048, np.uint8), []
    for _ in range(48):
        column = int(dice.integers(5))
        row = max(heights[column : column + 2])
        if row > 9:
            heights, now, row = [0] * 6, np.zeros(2048, np.uint8), 0
        before = now.copy()
        for place in (column, column + 1):
            now[(300 if place % 2 == 0 else 1300) + place // 2 * 2 - 12 * row] = dice.integers(1, 6)
            heights[place] = row + 1
        seen.append(replace(landing(column, 15 - row, 0), before=before, after=now.copy()))
    found = likely_fields(seen, range(5), 1, np.zeros(2048, bool), 2048)
    assert max((share for share, _ in found), default=0.0) <= 0.6

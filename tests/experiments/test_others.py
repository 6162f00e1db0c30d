"""What games with other rules taught: rows that pieces never reach, columns beside, drawn pieces, what tells them."""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from ochibot.console import Button
from ochibot.errors import CalibrationError
from ochibot.experiments import basis as bases
from ochibot.experiments import control, draft, events, fields, floor, landings, likely, points, setting, told
from ochibot.experiments.colors import ColorByte
from ochibot.experiments.draft import Draft
from ochibot.experiments.drawn import find_drawn, joined, with_others
from ochibot.experiments.driver import Fallen, Place
from ochibot.experiments.exam import Exam
from ochibot.experiments.fields import Field, field_of
from ochibot.experiments.grid import Drawn, Grid
from ochibot.experiments.landings import Landing
from ochibot.experiments.lattice import Lattice, Spots, changed_bytes, find_lattices
from ochibot.experiments.layouts import _plane_view
from ochibot.experiments.motion import Motion
from ochibot.experiments.pad import Tap
from ochibot.experiments.rig import Bytes
from ochibot.experiments.views import View

WIDE = 6


def void(size: int = 256) -> Bytes:
    return np.zeros(size, np.uint8)


def landed(x: int, y: int, before: Bytes, after: Bytes, *, state: bytes = b"", game: int = 0) -> Landing:
    return Landing(state, before, after, after, x, y, 0, 0, game)


@pytest.mark.parametrize("deep", [False, True])
def test_a_ring_that_is_full_at_the_start_is_emptied_down_to_its_floor(deep: bool) -> None:
    # 11 rows, of which the lowest is the third; the lowest three are full but for the column 3, and y goes round
    whole = Grid(64 + WIDE * 2, 1, -WIDE, WIDE, 0, (3, 11))
    field = Field(Grid(64 + WIDE * 10, 1, -WIDE, WIDE, 0), 6, 1, 254, 0, 1, 1, ((1, 9), (2, 9)), 9, 9)
    begun = void()
    for row, columns in enumerate(((0, 1, 2, 4, 5), (0, 1, 3), (0, 2, 4, 5))):
        begun[[whole.cell(column, row) for column in columns]] = 9
    seen = [landed(0, 254, begun, begun.copy())]
    seen[0].after[[field.grid.cell(0, 0), field.grid.cell(0, 1)]] = 1

    def fall(_state: bytes, *, column: int, pokes: Mapping[int, int], about: bool) -> Fallen:
        ram = begun.copy()
        ram[list(pokes)] = list(pokes.values())
        row = next(row for row in range(11) if not ram[[whole.cell(column, up) for up in range(row, 9)]].any())
        ram[[whole.cell(column, row), whole.cell(column, row + 1)]] = about
        return Fallen(b"", ram, 254 + 3 - row & 255, 0, 0, 0, column, ram)

    driver: Any = SimpleNamespace(rig=SimpleNamespace(size=256, own=256), fall=fall)
    # also where pieces fall through two rows at once (stranger 554)
    begun[[whole.cell(column, 1) for column in (1, 3)]] = 9 * (not deep)
    ring = floor.ring_below(driver, field, setting.Setting("cells"), seen)
    assert ring is not None
    assert (ring[0].rows, ring[0].floor_y) == (9, 1)
    assert [place for (place,) in ring[1].places[::WIDE]] == [whole.cell(0, row) for row in range(11)]


def test_a_piece_that_is_drawn_into_the_field_has_not_landed_there() -> None:
    # pieces of several shapes appear in the highest row (strangers 480 and 569)
    field = Field(Grid(48, 1, -WIDE, WIDE, 0), 8, 1, 8, 0, 1, 1, ((1, 9), (2, 9)), 9, 9)
    flying, later = void(), void()
    later[[field.grid.cell(1, 0), field.grid.cell(2, 0)]] = 1
    before, after = flying.copy(), later.copy()
    before[[field.grid.cell(2, 7), field.grid.cell(3, 7)]] = 2
    after[[field.grid.cell(column, 7) for column in (0, 1, 2, 3)]] = 1
    one = replace(landed(1, 8, before, after), flying=flying, later=later)
    found = fields.came(field, one)
    assert (found.spots, found.gone) == (((1, 0), (2, 0)), 0)
    assert changed_bytes([one, *[landed(0, 0, void(), void())] * 3], None)[0].tolist() == [
        field.grid.cell(column, 0) for column in (1, 2)
    ]
    # of the last piece of a game nothing is known later: what is drawn in both places is told from the others
    found = fields.came(field, replace(one, later=None))
    assert (set(found.spots), found.gone) == ({(1, 0), (2, 0), (0, 7), (1, 7)}, 0)


def test_pieces_are_followed_by_what_the_next_one_leaves() -> None:
    fallen = [Fallen(bytes([at]), void(), 0, 0, 0, 0, 0, void() + np.uint8(at)) for at in range(4)]
    turns = iter([*fallen[:2], None, *fallen[2:]])

    def fall(*_: Any, **__: Any) -> Fallen:
        one = next(turns)
        if one is None:
            raise CalibrationError("no next piece comes")
        return one

    rig = SimpleNamespace(load=lambda _: None, snap=void, check=lambda: None, run=lambda _: None, save=bytes)
    driver: Any = SimpleNamespace(rig=rig, fall=fall, settled=lambda ram: ram, y_now=lambda: 0)
    seen = landings.play(driver, b"", (0, 1), None, 4)
    assert [None if one.later is None else int(one.later[0]) for one in seen] == [1, None, 3, None]


def test_tiles_that_fall_apart_rest_where_the_highest_does() -> None:
    # what lies below the field looks like a row of it; of most bars two tiles fell on by a row
    field = Field(Grid(48, 1, -WIDE, WIDE, 0), 8, 1, 8, 0, 1, 1, ((1, 9), (2, 9)), 9, 9)
    seen = []
    for row in (4, 5, 6):
        after = void(80)
        after[[field.grid.cell(2, row), field.grid.cell(3, row - 1), field.grid.cell(4, row - 1)]] = 1
        seen.append(landed(2, 8 - row, void(80), after))
    ram = void(80)
    rig = SimpleNamespace(load=lambda _: None, snap=lambda: ram, size=80, own=80)
    driver: Any = SimpleNamespace(rig=rig, fall=lambda *_, column, **__: Fallen(b"", ram, 7, 0, 0, 0, column, ram))
    found, _ = floor.with_floor(driver, field, setting.Setting("cells"), seen)
    assert (found.grid.floor, found.rows) == (42, 7)


@pytest.mark.parametrize("table", [True, False])
def test_a_table_of_pointers_tells_the_rows_below_a_view(table: bool) -> None:
    # the pieces reached all rows but the lowest two
    order = [5, 2, 7, 0, 6, 1, 4, 3]
    rows = [64 + WIDE * number for number in order]
    view = View(WIDE, tuple((first + column,) for first in rows[2:] for column in range(WIDE)), (0,) * 6 * WIDE)
    ram = void()
    for row, first in enumerate(rows if table else ()):
        ram[[20 - row, 40 - row]] = first & 255, first >> 8
    field = Field(Grid(256, 1, WIDE, WIDE, 0), 6, 1, 5, 0, 1, 1, ((1, 9),), 9, 9)
    looked: list[View] = []
    rig: Any = SimpleNamespace(own=256, look=looked.append, with_cells=lambda ram: ram)
    field, deeper, _ = floor.with_rows_below(rig, field, view, [landed(0, 0, ram, ram)], 6)
    assert field.grid.floor == 256 + (2 * WIDE if table else 0)
    assert [place for (place,) in deeper.places[::WIDE]] == (rows if table else rows[2:])


def test_a_view_whose_first_row_is_just_below_the_field_has_rows_below_it() -> None:
    # a row was full at the start, and a view began between it and the lowest landing (stranger 838)
    rows = [[100 + 10 * row + column for column in range(WIDE)] for row in range(8)]
    view = View(WIDE, tuple((place,) for row in rows[1:] for place in row), (0,) * 7 * WIDE)
    field = Field(Grid(256 + WIDE, 1, WIDE, WIDE, 0), 6, 1, 5, 0, 1, 1, ((1, 9),), 9, 9)
    rig: Any = SimpleNamespace(own=256, look=lambda _: None, with_cells=lambda ram: ram)
    found, deeper, _ = floor.with_rows_below(rig, field, view, [landed(0, 0, void(), void())], 6)
    assert deeper.places == tuple((place,) for row in rows for place in row)
    assert found.grid.floor == 256 + 2 * WIDE
    # it has enough of them
    field = replace(field, grid=replace(field.grid, floor=256 + 2 * WIDE), rows=5)
    assert floor.with_rows_below(rig, field, view, [landed(0, 0, void(), void())], 5)[:2] == (field, view)


def test_what_lies_above_one_part_of_a_field_may_be_the_lowest_row_of_the_other() -> None:
    # two columns of each of 12 rows lie in either part, one part after the other; no piece came to the lowest row
    rows = [(100 + 4 * row, 102 + 4 * row, 148 + 4 * row, 150 + 4 * row) for row in range(13)]
    view = View(4, tuple((place,) for row in rows[1:] for place in row), (0,) * 48)
    field = Field(Grid(256, 1, 4, 4, 0), 11, 1, 8, 0, 1, 1, ((1, 9),), 9, 9)
    rig: Any = SimpleNamespace(own=256, look=lambda _: None, with_cells=lambda ram: ram)
    field, deeper, _ = floor.with_rows_below(rig, field, view, [landed(0, 0, void(), void())], field.rows)
    assert field.grid.floor == 256 + 4
    assert deeper.places == tuple((place,) for row in rows[:12] for place in row)


@pytest.mark.parametrize("floor_at", [0, 2])
def test_the_rows_below_a_view_of_columns_are_not_those_above_the_column_before(
    floor_at: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    # columns of 8 rows without a gap (stranger 537): no piece came to rest in the lowest two, and the view goes on
    # above the top for two rows
    high, known = 8, 4
    columns = [[96 + high * column - row for row in range(2, 10)] for column in range(WIDE)]
    view = View(WIDE, tuple((line[row],) for row in range(8) for line in columns), (0,) * 8 * WIDE)
    field = Field(Grid(256, 1, WIDE, WIDE, 0), known, 1, 5, 0, 1, 1, ((1, 9),), 9, 9)
    looked: list[View] = []
    rig: Any = SimpleNamespace(own=256, look=looked.append, with_cells=lambda ram: ram)

    def with_floor(_driver: object, field: Field, how: object, _seen: object) -> Any:
        row = looked[-1].places.index((96 - floor_at,)) // WIDE
        return replace(field, grid=replace(field.grid, floor=256 + row * WIDE)), how

    monkeypatch.setattr(floor, "with_floor", with_floor)
    ram = void()
    driver: Any = SimpleNamespace(rig=rig)
    found, _, deeper, _ = floor.floored(driver, field, setting.Setting("cells"), view, [landed(0, 0, ram, ram)])
    assert deeper is not None
    assert deeper == looked[-1]
    assert deeper.places[found.grid.floor - 256] == (96 - floor_at,)
    # the rows above the known ones give way only where the floor is lower
    assert (deeper.places[-1] == view.places[-1]) == (floor_at == 2)


@pytest.mark.parametrize("filled", [True, False])
def test_rows_of_bits_that_are_filled_below_a_field_are_not_those_above_the_next_plane(filled: bool) -> None:
    # two planes of 12 rows, one after the other; no piece came below the third row, and the lowest are full
    bits = np.zeros((40, 8 * 0x800), bool)
    planes = [0x300, 0x30C]
    for row in (0, 1) if filled else ():
        for column in range(WIDE):
            bits[:, 8 * (planes[(row + column) % 2] + 11 - row) + column] = True
    spots = Spots(np.arange(40) % WIDE, np.arange(40) % 6, 1, 0)
    starts = [8 * (first + 9) for first in planes]
    view = _plane_view(starts, bits, spots, 1, -8, 0x800, high_first=False)
    assert view is not None
    lowest = view.places[0]
    # what lies below may be of it, where nothing tells otherwise
    assert lowest[0] >= 0x30B if filled else lowest[0] < 0x30B


def test_what_changes_apart_from_a_piece_is_somebody_else_s() -> None:
    # four columns further on is an opponent's field, which changes after every fifth piece
    seen = []
    for number in range(60):
        column, row = number % WIDE, number // WIDE % 8
        after = void(1024)
        after[[512 + 16 * column - row, 512 + 16 * column - row - 1]] = 1
        if number % 5 == 0:
            after[512 + 16 * (column + 4) - row] = 1
        seen.append(landed(column, 7 - row, void(1024), after))
    best = next(one for one in find_lattices(seen, range(WIDE), 1) if (one.across, one.up) == (16, -1))
    assert {column for (column, _), _ in best.cells} == {0}


def test_one_landing_shows_no_column() -> None:
    # with one of 40 pieces of two cells, two cells beside the field changed
    lattice = Lattice(512, 8, -64, 1, 7, 40, 40, (((0, 0), 40), ((0, 1), 40), ((1, 0), 6), ((1, 1), 6)))
    seen = []
    for number in range(40):
        column, row = number % WIDE, number // WIDE
        after = void(1024)
        after[[lattice.at(column if number != 5 else WIDE, row + up) for up in (0, 1)]] = 1
        seen.append(landed(column, 7 - row, void(1024), after))
    field = field_of(lattice, seen, range(WIDE), 1, 1024)
    assert (field.grid.floor, field.grid.columns) == (512, WIDE)


class Lying:
    """A rig of a game that draws a lying piece of some cells into a field of 8 columns; a tap moves it by two."""

    own = size = 128

    def __init__(self, cells: int) -> None:
        self.cells, self.x = cells, 4

    def load(self, _state: bytes) -> None:
        self.x = 4

    def save(self) -> bytes:
        return b""

    def step(self) -> None:
        """Nothing sinks."""

    def snap(self) -> Bytes:
        ram = void(128)
        ram[:8] = 3
        ram[[8 * 6 + self.x + number for number in range(self.cells)]] = 1
        return ram


@pytest.mark.parametrize("cells", [1, 2, 3, 4])
def test_a_long_piece_is_seen_drawn_where_parts_of_it_were_before(cells: int) -> None:
    rig = Lying(cells)
    field = Field(Grid(0, 1, 8, 8, 0), 10, 1, 9, 0, 1, 1, ((1, 9),), 9, 9)

    def nudge(button: Button) -> bool:
        rig.x += 2 if button == Button.RIGHT else -2
        return True

    driver: Any = SimpleNamespace(rig=rig, nudge=nudge, x_now=lambda: rig.x, y_now=lambda: 3)
    drawn = find_drawn(driver, field, b"")
    assert drawn is not None
    assert drawn.cells == tuple((4 + number, 6) for number in range(cells))


def test_where_a_piece_is_drawn_it_is_locked_when_the_cells_change() -> None:
    # it comes to rest in the field a frame after y; six frames later it is locked, and the next one is drawn
    trace = void(32 * 40).reshape(40, 32)
    trace[:, 1] = [min(frame, 20) if frame < 35 else 0 for frame in range(40)]
    trace[21:, 6] = 1
    trace[27:, 7] = 1
    driver: Any = SimpleNamespace(y=Place(1, 1), drawn=object(), latency=1, control_delay=4, tap=SimpleNamespace(on=3))
    cycle = control.cycle_of(driver, Fallen(b"", trace[-1], 20, 36, 0, 40, 0, trace[0], trace), [6, 7])
    assert (cycle.down, cycle.lock) == (20, 27)


def test_a_game_may_obey_another_value_than_the_usual_one(monkeypatch: pytest.MonkeyPatch) -> None:
    # a piece is announced by 2, the most usual value, and then it answers at once; 7 stops it
    monkeypatch.setattr(control, "_poked", lambda _driver, _state, place, value: ((place, value) == (9, 7), False))
    trace = void(32 * 50).reshape(50, 32)
    trace[:, 1] = [min(frame, 20) if frame < 45 else 0 for frame in range(50)]
    trace[22:, 6] = 1
    trace[:, 4] = trace[:, 9] = 5
    trace[22:30, 4] = trace[22:30, 9] = 7
    trace[30:49, 4] = trace[30:49, 9] = 2
    driver: Any = SimpleNamespace(
        rig=SimpleNamespace(address=int, console=SimpleNamespace(rom=SimpleNamespace(system="gameboy"))),
        y=Place(1, 1), drawn=None, latency=1, control_delay=4, tap=SimpleNamespace(on=3),
    )  # fmt: skip
    falls = [Fallen(b"", trace[-1], 20, 46, 0, 50, 0, trace[0], trace)] * 14
    found = control.find_control(driver, b"", falls, [6], [1, 6])
    assert found is not None
    assert (found.offset, found.obeyed, found.evidence.grade) == (9, True, "known")
    # what nobody obeys may be a copy, or go with it by chance
    monkeypatch.setattr(control, "_poked", lambda *_: (False, True))
    found = control.find_control(driver, b"", falls, [6], [1, 6])
    assert found is not None
    assert (found.offset, found.evidence.grade) == (4, "likely")


def test_a_score_may_change_when_a_piece_that_is_drawn_has_landed() -> None:
    seen = void(32 * points.IDLE).reshape(points.IDLE, 32)
    seen[:, 1] = [frame // 8 if frame < 60 else 0 for frame in range(points.IDLE)]
    seen[60:, 8] = 7
    # its cells change as it falls
    seen[:, 20] = seen[:, 1]
    rig = SimpleNamespace(size=32, branch=lambda *_: seen)
    driver: Any = SimpleNamespace(rig=rig, drawn=object(), y=Place(1, 1))
    event = events.Event(b"", {}, 0, (), seen[0], seen[0], 0)
    assert points._steady(driver, [event], [20])[[8, 20]].tolist() == [True, False]


def _made(basis: Any, shape: Any) -> Draft:
    return Draft(SimpleNamespace(state=b"begun"), basis, "", None, shapes={(None, 0): shape})  # type: ignore[arg-type]


def test_pieces_after_rows_vanished_are_examined_too(monkeypatch: pytest.MonkeyPatch) -> None:
    # in a ring, a row that vanishes moves all others to other bytes
    field = Field(Grid(0, 1, WIDE, WIDE, 0), 6, 1, 5, 0, 1, 1, ((1, 9),), 9, 9)

    def play(_driver: object, state: bytes, *_: object, **__: object) -> list[Landing]:
        after = void(64)
        after[[12, 18] if state == b"cleared" else [0, 6]] = 1
        return [landed(0, 5, void(64), after)] * 3

    monkeypatch.setattr(draft, "play", play)
    made = _made(SimpleNamespace(place=field), ((0, 0), (0, 1)))
    assert draft.examine(made, None, [], None).agreement == 1  # type: ignore[arg-type]
    assert draft.examine(made, None, [], None, b"cleared").agreement == 0.5  # type: ignore[arg-type]


@pytest.mark.parametrize(("agreed", "copied"), [(12, True), (8, False)])
def test_a_copy_is_read_where_it_agrees_with_more_pieces(
    agreed: int, copied: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    field = Field(Grid(0, 1, WIDE, WIDE, 0), 6, 1, 5, 0, 1, 1, ((1, 9),), 9, 9)
    basis: Any = SimpleNamespace(place=field, view=None, setting="own")
    copy: Any = SimpleNamespace(place=field, view=None, setting="copy")
    monkeypatch.setattr(draft, "driver_of", lambda *_: SimpleNamespace(first=(), columns=lambda _: ()))
    monkeypatch.setattr(draft, "_turning", lambda *_: None)
    monkeypatch.setattr(draft, "play", lambda *_, **__: [])
    monkeypatch.setattr(draft, "_learn", lambda *_: b"cleared")
    monkeypatch.setattr(draft, "by_a_copy", lambda *_: copy)
    monkeypatch.setattr(draft, "replace", lambda one, **more: SimpleNamespace(**{**vars(one), **more}))
    monkeypatch.setattr(draft, "_doubt", lambda *_: "")
    monkeypatch.setattr(draft, "examine", lambda made, *_: Exam("landing", 12, 9 if made.basis is basis else agreed))
    made, exam = draft.draft(None, SimpleNamespace(state=b""), basis, "")  # type: ignore[arg-type]
    assert made.basis is (copy if copied else basis)
    assert made.examined == (exam.agreed, 12 - exam.agreed) == ((agreed, 12 - agreed) if copied else (9, 3))
    assert not made.doubt


@pytest.mark.parametrize(("columns", "grade"), [(WIDE, "known"), (WIDE + 2, "likely")])
def test_an_x_that_leaves_the_field_isn_t_known(columns: int, grade: str, monkeypatch: pytest.MonkeyPatch) -> None:
    # the byte had the place that was tried last, which a wall may have refused (stranger 885)
    field = Field(Grid(0, 1, WIDE, WIDE, 0), 6, 1, 5, 0, 1, 1, ((1, 9),), 47, 48)
    basis: Any = SimpleNamespace(place=field, view=None, decoys=())
    told: dict[str, Any] = {"_turning": None, "play": [], "by_a_copy": None, "_learn": None}
    told["examine"] = Exam("landing", 60, 60, "")
    for name, result in told.items():
        monkeypatch.setattr(draft, name, lambda *_, result=result, **__: result)
    monkeypatch.setattr(draft, "driver_of", lambda *_: SimpleNamespace(first=(), columns=lambda _: range(columns)))
    made, _ = draft.draft(None, SimpleNamespace(state=b""), basis, "")  # type: ignore[arg-type]
    assert made.seen.grade == grade


def test_no_more_slow_pieces_are_played_for_what_lies_behind_a_copy(monkeypatch: pytest.MonkeyPatch) -> None:
    # they took all frames, and a field that was found was lost (stranger 447)
    field = Field(Grid(48, 1, -WIDE, WIDE, 0), 6, 1, 5, 0, 1, 1, ((1, 9),), 48, 48)
    driver: Any = SimpleNamespace(rig=SimpleNamespace(own=256), drawn=None)
    played: list[int] = []
    monkeypatch.setattr(bases, "restless", lambda *_: np.zeros(256, bool))
    monkeypatch.setattr(bases, "find_behind", lambda *_: iter(()))
    monkeypatch.setattr(bases, "viewed_fields", lambda *_: [])

    def play(*_: Any, **__: Any) -> list[Landing]:
        played.append(1)
        return []

    monkeypatch.setattr(bases, "play", play)
    one = landed(1, 5, void(), void())
    for took in (bases.MOST_TAKEN, bases.MOST_TAKEN + 1):
        found = bases._Found(driver, tuple(range(WIDE)), [one], [field], 1.0, (0, 0), None, took=took)
        assert bases._behind(found, b"") is None
    assert len(played) == 1


def test_a_field_isn_t_known_before_other_pieces_confirmed_it(monkeypatch: pytest.MonkeyPatch) -> None:
    # a ring whose rows are exchanged was known after 46 of 48 landings, when the frames were used up (stranger 758820)
    field = Field(Grid(0, 1, WIDE, WIDE, 0), 6, 1, 5, 0, 1, 1, ((1, 9),), 46, 48)
    basis: Any = SimpleNamespace(place=field, view=None, decoys=())
    made_up: dict[str, Any] = {"_turning": None, "play": []}
    for name, result in made_up.items():
        monkeypatch.setattr(draft, name, lambda *_, result=result, **__: result)
    monkeypatch.setattr(draft, "driver_of", lambda *_: SimpleNamespace(first=(), columns=lambda _: ()))

    def run_out(*_: Any) -> None:
        raise CalibrationError("the frames are used up")

    monkeypatch.setattr(draft, "by_a_copy", run_out)
    made, exam = draft.draft(None, SimpleNamespace(state=b""), basis, "")  # type: ignore[arg-type]
    assert (exam.pieces, made.seen.grade) == (0, "likely")


def _told(left: Any, rows: int = 20) -> list[told.Told]:
    basis: Any = SimpleNamespace(place=SimpleNamespace(offsets=list, rows=rows), x=(0, 1), y=(1, 1))
    return told._told(None, basis, left, 0, [], Motion({}, {}))  # type: ignore[arg-type]


@pytest.fixture
def _plain(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(told, "on_stack", lambda *_: False)
    monkeypatch.setattr(told, "clean", lambda *_: True)
    monkeypatch.setattr(told._Search, "_keeps", lambda *_: True)


@pytest.mark.usefixtures("_plain")
def test_a_byte_that_tells_one_cell_is_free_for_the_bits_that_tell_all() -> None:
    # the low bits of the first cell mean nothing: only without them both cells are told
    dice = random.Random(5)
    left: list[Any] = []
    for number in range(48):
        kinds = dice.choices((0x10, 0x20, 0x40, 0x50), k=2)
        ram = void(200)
        ram[100], ram[101] = kinds
        # a sprite's colours don't tell all kinds that may come
        ram[150] = kinds[1] >> 4 & 3
        cells = ((0, 0), kinds[0] | dice.randrange(8)), ((0, 1), kinds[1])
        played = SimpleNamespace(flying=ram, game=0, turns=0, state=bytes([number]))
        left.append(SimpleNamespace(landing=played, shape=((0, 0), (0, 1)), cells=cells, spots=((0, 0), (0, 1))))
    assert [(one.byte.offset, one.byte.mask) for one in _told(left)] == [(100, 0xFF), (101, 0xFF)]


@pytest.mark.usefixtures("_plain")
def test_three_pieces_may_be_shown_before_they_fall() -> None:
    dice = random.Random(5)
    kinds = dice.choices((3, 4, 5, 6), k=60)
    left: list[Any] = []
    for number in range(48):
        ram = void(200)
        ram[100], *ram[110:113] = kinds[number : number + 4]
        played = SimpleNamespace(before=ram, flying=ram, game=0, turns=0, state=bytes([number]))
        spots = ((0, 0), (0, 1), (kinds[number] & 1, 2 + (kinds[number] >> 2)))
        cells = tuple((spot, 9) for spot in spots)
        left.append(SimpleNamespace(landing=played, shape=spots, cells=cells, spots=spots))
    basis: Any = SimpleNamespace(place=SimpleNamespace(offsets=list, rows=20), x=(0, 1), y=(1, 1))
    found = told.find_told(None, basis, left, Motion({}, {}))  # type: ignore[arg-type]
    assert [(one.name, one.ahead, one.byte.offset) for one in found] == [
        ("piece", 0, 100), ("piece", 1, 110), ("piece", 2, 111), ("piece", 3, 112),
    ]  # fmt: skip


def test_a_button_may_exchange_the_codes_of_a_pieces_cells() -> None:
    class Exchanging:
        def after(self, state: bytes, pads: list[int]) -> Bytes:
            a, b, c = state
            codes = {Button.A: (c, a, b), Button.B: (b, c, a), Button.X: (a, a, a)}.get(Button(max(pads)), (a, b, c))
            return np.array(codes, np.uint8)

    dice = random.Random(5)
    pieces = [bytes(dice.choices((1, 2, 3), k=3)) for _ in range(20)]
    left: list[Any] = [SimpleNamespace(landing=SimpleNamespace(state=one)) for one in pieces]
    known: list[Any] = [
        SimpleNamespace(name=f"cell{at + 1}", ahead=0, byte=ColorByte(at, 0xFF, {}, followed=False)) for at in range(3)
    ]
    driver: Any = SimpleNamespace(rig=Exchanging(), tap=Tap())
    assert told.exchanges(driver, left, known) == {"a": (2, 0, 1), "b": (1, 2, 0)}
    # equal cells show no order
    same: list[Any] = [SimpleNamespace(landing=SimpleNamespace(state=bytes([2, 2, 2])))]
    assert told.exchanges(driver, same, known) == {}
    assert told.exchanges(driver, left, known[:1]) == {}


@pytest.mark.usefixtures("_plain")
def test_pieces_at_the_top_may_have_cells_above_the_field() -> None:
    dice = random.Random(5)
    left: list[Any] = []
    for number in range(40):
        kinds = dice.choices((3, 4, 5), k=2)
        ram = void(200)
        ram[100], ram[101] = kinds
        row = 7 if number % 4 == 0 else 2
        cells = tuple(((0, up), kind) for up, kind in enumerate(kinds) if row + up < 8)
        played = SimpleNamespace(flying=ram, game=0, turns=0, state=bytes([number]))
        shape = tuple(spot for spot, _ in cells)
        spots = tuple((0, row + up) for _, up in shape)
        left.append(SimpleNamespace(landing=played, shape=shape, cells=cells, spots=spots))
    assert [(one.name, one.byte.offset) for one in _told(left, 8)] == [("cell1", 100), ("cell2", 101)]


@pytest.mark.usefixtures("_plain")
def test_some_numbers_of_shapes_that_look_alike_are_likely_where_all_games_begin_alike() -> None:
    # three games deal the same 14 pieces: seven numbers, five shapes
    numbers = [0, 1, 2, 3, 4, 5, 6, 3, 2, 0, 1, 6, 5, 4]
    rams: list[Bytes] = []
    left: list[Any] = []
    for game in range(3):
        for at, number in enumerate(numbers):
            ram = void(200)
            ram[50], ram[60] = 30 + number, at
            rams.append(ram)
            played = SimpleNamespace(flying=ram, game=game, state=bytes([game, at]))
            left.append(SimpleNamespace(landing=played))
    basis: Any = SimpleNamespace(place=SimpleNamespace(offsets=list), x=(0, 1), y=(1, 1))
    search = told._Search(None, basis, left, 0, [], Motion({}, {}))  # type: ignore[arg-type]
    search.dealt = [search.number(one) for one in left]
    found = search.find("piece", rams, [number % 5 for number in numbers] * 3, [str(kind) for kind in range(5)])
    assert found is not None
    assert (found.byte.offset, found.evidence.grade) == (50, "likely")


def test_a_copy_that_was_not_examined_is_not_read(monkeypatch: pytest.MonkeyPatch) -> None:
    # the frames run out while the copy is tried
    field = Field(Grid(0, 1, WIDE, WIDE, 0), 6, 1, 5, 0, 1, 1, ((1, 9),), 9, 9)
    own: Any = SimpleNamespace(place=field, view=None, setting="own")
    monkeypatch.setattr(draft, "driver_of", lambda *_: SimpleNamespace(first=(), columns=lambda _: ()))
    monkeypatch.setattr(draft, "_turning", lambda *_: None)
    monkeypatch.setattr(draft, "play", lambda *_, **__: [])
    monkeypatch.setattr(draft, "_learn", lambda *_: b"cleared")
    monkeypatch.setattr(draft, "by_a_copy", lambda *_: SimpleNamespace(place=field))

    def examine(made: Draft, *_: object) -> Exam:
        if made.basis is not own:
            raise CalibrationError("the frames are used up")
        return Exam("landing", 12, 9)

    monkeypatch.setattr(draft, "examine", examine)
    made, _ = draft.draft(None, SimpleNamespace(state=b""), own, "")  # type: ignore[arg-type]
    assert (made.basis is own, made.examined) == (True, (9, 3))


def test_a_copy_is_known_though_rows_have_been_exchanged(monkeypatch: pytest.MonkeyPatch) -> None:
    # a game takes full rows out by a table of pointers (other 8450451)
    rows = [4, 0, 5, 2, 1, 3]
    view = View(WIDE, tuple((WIDE * row + column,) for row in rows for column in range(WIDE)), (0,) * WIDE * 6)
    copied = Field(Grid(0x80, 1, WIDE, WIDE, 0), 6, 1, 5, 0, 1, 1, ((1, 9),), 9, 9)
    field = replace(copied, grid=replace(copied.grid, floor=256))
    rig: Any = SimpleNamespace(own=256)

    def frame(shown: set[int], order: list[int]) -> Bytes:
        ram = void()
        for at in shown:
            ram[0x80 + at] = ram[WIDE * order[at // WIDE] + at % WIDE] = 1
        return np.concatenate([ram, view.cells(ram)])

    empty, some, full = frame(set(), rows), frame({0, 1}, rows), frame({0, 1, 2, 3, 6}, rows)
    moved = [frame(shown, [0, 5, 2, 1, 3, 4]) for shown in ({0}, {0, 1})]
    seen = [landed(0, 5, *both) for both in ((empty, some), (some, full), (full, moved[0]), moved)]
    monkeypatch.setattr(draft, "restless", lambda *_: np.zeros(256, bool))
    monkeypatch.setattr(draft, "likely_fields", lambda *_: [(1.0, copied)])
    basis: Any = SimpleNamespace(place=field, view=view, columns=(), decoys=())
    monkeypatch.setattr(draft, "replace", lambda one, **more: SimpleNamespace(**more) if one is basis
                        else replace(one, **more))  # fmt: skip
    found: Any = draft.by_a_copy(SimpleNamespace(rig=rig, y=Place(1, 1)), basis, seen)  # type: ignore[arg-type]
    assert found is not None
    assert found.grid.floor == 0x80


def test_where_rows_move_a_copy_is_examined_first(monkeypatch: pytest.MonkeyPatch) -> None:
    # the frames ran out before the copy had been tried (stranger 543)
    field = Field(Grid(0, 1, WIDE, WIDE, 0), 6, 1, 5, 0, 1, 1, ((1, 9),), 9, 9)
    own: Any = SimpleNamespace(place=field, view=SimpleNamespace(regular=False), setting="own")
    copy: Any = SimpleNamespace(place=field, view=None, setting="copy")
    monkeypatch.setattr(draft, "driver_of", lambda *_: SimpleNamespace(first=(), columns=lambda _: ()))
    monkeypatch.setattr(draft, "replace", lambda one, **more: SimpleNamespace(**{**vars(one), **more}))
    for name, result in {"_turning": None, "_learn": b"", "by_a_copy": copy, "_doubt": "", "play": []}.items():
        monkeypatch.setattr(draft, name, lambda *_, result=result, **__: result)
    tried = []

    def examine(made: Draft, *_: object) -> Exam:
        tried.append(made.basis)
        if len(tried) > 1:
            raise CalibrationError("the frames are used up")
        return Exam("landing", 12, 11)

    monkeypatch.setattr(draft, "examine", examine)
    made, exam = draft.draft(None, SimpleNamespace(state=b""), own, "")  # type: ignore[arg-type]
    assert (tried, made.basis, exam.agreed) == ([copy, own], copy, 11)


def test_rows_in_which_only_the_drawn_piece_moves_are_of_the_field() -> None:
    # pieces of two shapes appear in the two rows above the highest landing, and sink from there; beside the third row
    # above it, something else changes (game_g.gb)
    whole = Field(Grid(0, 1, WIDE, WIDE, 0), 8, 1, 7, 0, 1, 1, ((1, 9), (2, 9)), 9, 9)
    field = replace(whole, rows=5)
    x, y = 120, 121
    shapes = [((0, 0), (1, 0)), ((0, 0), (0, 1))]

    def frame(number: int, sunk: int) -> Bytes:
        ram = void()
        ram[x], ram[y] = 2, 2 + sunk
        ram[[whole.grid.cell(2 + c, 5 - sunk + r) for c, r in shapes[number % 2]]] = 1
        ram[whole.grid.cell(5, 7)] = 7 * sunk
        return ram

    seen = [landed(2, 7, frame(number, 0), void(), state=bytes([number])) for number in range(6)]
    rig: Any = SimpleNamespace(size=128, own=128)
    rig.branch = lambda state, pads: np.stack([frame(state[0], at // 30) for at in range(len(pads))])
    codes = {0, 1, 2}
    driver: Any = SimpleNamespace(rig=rig, x=Place(x, 1), y=Place(y, 1))
    quiet = fields._of_the_piece(whole, driver, seen, codes)
    assert {*range(8)} - {row for row in range(8) if whole.grid.cell(5, row) not in quiet} == {*range(7)}
    # what is taken out of RAM then is what pieces of any shape show as they appear
    drawn = Drawn(field.grid, 5, ((2, 5), (3, 5)), 2, 1)
    more = with_others(drawn, replace(field, rows=7), 5, seen)
    assert more is not None
    assert (more.rows, more.cells) == (7, ((2, 5), (2, 6), (3, 5)))
    assert not any(more.taken_out(frame(number, 0), 2)[:42].any() for number in range(2))
    assert joined(drawn, more) == replace(more, rows=5)


def test_pieces_of_three_cells_and_of_four_explain_a_field() -> None:
    # 15 of 40 pieces have three cells (strangers 541 and 945)
    field = Field(Grid(48, 1, -WIDE, WIDE, 0), 8, 1, 8, 0, 1, 1, ((1, 9),), 9, 9)
    seen = []
    for number in range(40):
        after = void()
        cells = 3 if number % 8 < 3 else 4
        after[[field.grid.cell(at, 0) for at in range(cells)]] = 1
        seen.append(landed(1, 8, void(), after))
    assert likely.likeness(field, seen) == 1
    # two cells are a part of four
    for one in seen:
        one.after[[field.grid.cell(2, 0)]] = 0
    assert likely.likeness(field, seen) == 25 / 40


def test_a_field_without_columns_in_which_pieces_rest_explains_so_much_less(monkeypatch: pytest.MonkeyPatch) -> None:
    # two columns of nibbles are one of bytes (stranger 541): what lands in six is seen in four
    field = Field(Grid(48, 1, -4, 4, 0), 8, 1, 8, 0, 1, 1, ((1, 9),), 9, 9)
    seen = []
    for number in range(36):
        after = void()
        after[field.grid.cell(number % 6 * 4 // 6, 0)] = 1
        seen.append(landed(number % 6, 8, void(), after))
    monkeypatch.setattr(likely, "find_lattices", lambda *_: [None])
    monkeypatch.setattr(likely, "field_of", lambda *_: field)
    assert likely.likeness(field, seen) == 1
    ((share, _),) = likely.likely_fields(seen, range(6), 1, np.zeros(256, bool), 256)
    assert share == pytest.approx(4 / 6)

"""What is watched without knowing a game: garbage, the number of a cell, who answers the pad, and what moves."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import numpy as np
import pytest
from ochibot.console import Button
from ochibot.errors import CalibrationError
from ochibot.experiments import strange
from ochibot.experiments.cap import measure_cap
from ochibot.experiments.control import find_control, find_over
from ochibot.experiments.digits import Form
from ochibot.experiments.driver import Fallen
from ochibot.experiments.events import events_of
from ochibot.experiments.facts import Strange
from ochibot.experiments.fields import came
from ochibot.experiments.grid import Grid
from ochibot.experiments.landings import Landing
from ochibot.experiments.motion import AFTER, Drop, across, falls
from ochibot.experiments.notebook import Notebook, _digest, _kind
from ochibot.experiments.pad import Tap
from ochibot.experiments.score import Score
from ochibot.experiments.setting import Setting
from ochibot.experiments.strange import MOST_LOST, PIECES, find_strange

from tests.experiments import board as boards
from tests.experiments.board import COLUMNS, FLOOR, NUMBER, UP, Board, field_at, ground, landings

# -- cells that come by themselves


class Garbage(Board):
    """After every so many pieces, some cells of two kinds that no piece has lie in the field."""

    def __init__(self, every: int, cells: int = 3) -> None:
        super().__init__()
        self.every, self.cells = every, cells

    def fall(self, state: Any, **said: Any) -> Fallen:
        fallen = super().fall(state, **said)
        if self.ram[NUMBER] % self.every == 0:
            for column in range(self.cells):
                self.ram[FLOOR + column + UP * 9] = 0x50 + 0x10 * (column % 2)
        return replace(fallen, ram=self.snap(), state=self.save())


@pytest.mark.parametrize(
    ("every", "found"),
    [
        (4, Strange({0x50: 4, 0x60: 2}, 2, 8)),
        (20, Strange({0x50: 4, 0x60: 2}, 2, 40)),
        # the second time comes too late
        (30, Strange({0x50: 2, 0x60: 1}, 1, PIECES)),
        (50, Strange({}, 0, PIECES)),
    ],
)
def test_what_falls_by_itself_is_counted_until_it_fell_twice(every: int, found: Strange) -> None:
    assert find_strange(ground(Garbage(every))) == found


def test_two_cells_are_the_piece_s_own_whatever_they_are() -> None:
    board = Board()
    # a piece of a colour that no other piece had
    board.dealt[60:64] = [7, 7, 7, 7]
    assert find_strange(ground(board)).falls == 0


def test_a_copy_of_the_field_is_no_plane_of_other_cells(monkeypatch: pytest.MonkeyPatch) -> None:
    """In family 203 bits of a copy were taken for the mask of a kind of cell that no piece has."""
    board, seen = Board(), []
    monkeypatch.setattr(strange, "_plane", lambda _view, rams, _rows: seen.extend(rams))
    board.view = cast(Any, "bit masks")
    known = replace(ground(board), setting=Setting("mirror", (Grid(boards.COPY, 1, UP, COLUMNS, 0),)))
    assert find_strange(known) == Strange({}, 0, PIECES)
    assert len(seen) == PIECES
    rows = range(0, UP * known.place.rows, UP)
    own, copied = (
        [first + column + row for column in range(COLUMNS) for row in rows] for first in (FLOOR, boards.COPY)
    )
    assert all(ram[own].any() and not ram[copied].any() for ram in seen)


@pytest.mark.parametrize("lost", [MOST_LOST, MOST_LOST + 1])
def test_some_pieces_may_not_be_dropped(lost: int) -> None:
    board, left = Board(), [lost]
    fall = board.fall

    def some(state: Any, **said: Any) -> Fallen:
        if left[0] and state[NUMBER] == 2:
            left[0] -= 1
            raise CalibrationError("it doesn't get there")
        return fall(state, **said)

    known = ground(board)
    known.driver.fall = some  # type: ignore[method-assign]
    if lost > MOST_LOST:
        with pytest.raises(CalibrationError, match="doesn't get there"):
            find_strange(known)
    else:
        assert find_strange(known) == Strange({}, 0, PIECES)


# -- who answers the pad

X, Y, CELL, PHASE, COPY, FLAG, COUNT, STACKED, ALWAYS = 0, 1, 2, 3, 4, 5, 6, 0x110, 8


def traced(number: int, *, disturbed: bool = False) -> Fallen:
    """A piece sinks for 40 frames, rests for six, and cells vanish for 14, before the next one answers."""
    trace = np.zeros((60, 0x140), np.uint8)
    frames = np.arange(60)
    trace[:, Y] = np.where(frames < 56, np.minimum(frames // 4, 10), 0)
    trace[46:, CELL] = 1 + number % 3
    trace[:, PHASE] = np.select([frames < 46, frames < 56], [3, 5], 6)
    trace[-1, PHASE] = 3
    trace[:, COPY] = trace[:, STACKED] = trace[:, PHASE]
    # too early: it is already there while cells still vanish
    trace[:, FLAG] = np.where((frames >= 46) & (frames < 50), 1, 0)
    trace[:, COUNT] = number
    trace[:, ALWAYS] = frames % 9
    if disturbed:
        trace[20, [PHASE, COPY]] = 5
    return Fallen(b"", trace[-1], 10, 56, 0, 60, 0, trace[40], trace)


class Answering:
    """A piece that moves to a side while the phase is 3. obeys: whether the game looks at that byte."""

    console = SimpleNamespace(rom=SimpleNamespace(system="nes"))

    def __init__(self, *, obeys: bool = True) -> None:
        self.obeys = obeys

    def address(self, offset: int) -> int:
        return offset

    def after(self, _: bytes, pads: list[int], pokes: Mapping[int, int]) -> Any:
        ram = np.zeros(0x140, np.uint8)
        ram[[X, PHASE, STACKED]] = 5, 3, 3
        ram[[*pokes]] = [*pokes.values()]
        # the copies are made anew on each frame
        ram[COPY] = ram[PHASE]
        if not self.obeys or ram[PHASE] == 3:
            ram[X] = 5 + (Button.RIGHT in pads) - (Button.LEFT in pads)
        return ram


def driver_of(rig: Any) -> Any:
    return SimpleNamespace(
        rig=rig, x=SimpleNamespace(offset=X), y=SimpleNamespace(offset=Y), drawn=None, latency=2, tap=Tap(),
        control_delay=4,
    )  # fmt: skip


@pytest.mark.parametrize("pieces", [4, 5, 11, 12, 14])
def test_the_byte_that_the_game_obeys_tells_control(pieces: int) -> None:
    driver = driver_of(Answering())
    # one of twelve pieces may have been disturbed
    seen = [traced(number, disturbed=number == 3) for number in range(pieces)]
    found = find_control(driver, b"", seen, [CELL], {X, Y, CELL})
    if pieces < 5:
        assert found is None
        return
    assert found is not None
    if pieces < 12:
        # then only what no piece contradicts is left
        assert found.offset == STACKED
        return
    assert (found.offset, found.values, found.obeyed) == (PHASE, (3,), True)
    assert (found.evidence.supported, found.evidence.contradicted, found.evidence.doubt) == (pieces, 0, "")
    assert set(found.others) == {5, 6}


def test_bytes_that_are_taken_or_that_no_piece_obeys() -> None:
    driver = driver_of(Answering(obeys=False))
    seen = [traced(number) for number in range(12)]
    found = find_control(driver, b"", seen, [CELL], {X, Y, CELL})
    assert found is not None
    # none is obeyed; the copy doesn't keep what is poked, and the stack comes last
    assert (found.offset, found.obeyed, found.evidence.doubt) == (PHASE, False, "no piece obeys it")
    found = find_control(driver, b"", seen, [CELL], {X, Y, CELL, PHASE, COPY})
    assert found is not None
    assert found.offset == STACKED
    assert find_control(driver, b"", seen, [CELL], {X, Y, CELL, PHASE, COPY, STACKED}) is None


SPRITES, LAST = slice(0x20, 0x40), 0x60


class Sprites(Answering):
    """A game that obeys its byte ``LAST``. Parts of sprites at lower offsets look like it, and keep what is poked."""

    def after(self, state: bytes, pads: list[int], pokes: Mapping[int, int]) -> Any:
        ram = super().after(state, [], pokes)
        ram[SPRITES], ram[LAST] = 3, 3
        ram[[*pokes]] = [*pokes.values()]
        if ram[LAST] == 3:
            ram[X] = 5 + (Button.RIGHT in pads) - (Button.LEFT in pads)
        return ram


def test_the_byte_that_the_game_obeys_is_found_behind_many_that_look_like_it() -> None:
    seen = [traced(number) for number in range(12)]
    for one in seen:
        assert one.trace is not None
        one.trace[:, SPRITES] = one.trace[:, [LAST]] = one.trace[:, [PHASE]]
    found = find_control(driver_of(Sprites()), b"", seen, [CELL], {X, Y, CELL, PHASE, COPY, STACKED})
    assert found is not None
    assert (found.offset, found.values, found.obeyed) == (LAST, (3,), True)


BAG, OTHER, CAUSE, TEXT = 9, 10, 11, 12


class Ending(Answering):
    """A game that ends when pieces are piled up. The byte ``CAUSE`` has 7 then, and so do others; poked, it ends it."""

    def __init__(self, *, ends: bool = True, caused: bool = True) -> None:
        super().__init__()
        self.ends, self.caused, self.left = ends, caused, 0
        self.ram = np.zeros(0x140, np.uint8)

    def load(self, state: bytes) -> None:
        """``state``: how many pieces there is room for; then what the bag holds."""
        self.left, bag = state[0], state[1]
        self.ram = np.array([0] * 0x140, np.uint8)
        self.ram[[PHASE, BAG]] = 3, bag
        if len(state) > 2:
            self.ram[:] = np.frombuffer(state[2:], np.uint8)

    def save(self) -> bytes:
        return bytes([self.left, self.ram[BAG], *self.ram.tolist()])

    def poke(self, pokes: Mapping[int, int]) -> None:
        self.ram[[*pokes]] = [*pokes.values()]

    def peek(self, at: int) -> int:
        return int(self.ram[at])

    def snap(self) -> Any:
        return self.ram.copy()

    def run(self, pads: list[int]) -> None:
        if pads and self.caused and self.ram[CAUSE] == 7:
            self.ram[TEXT] = 7

    def trace(self, pads: list[int]) -> Any:
        assert pads[:60] == [Button.DOWN] * 60
        seen = np.tile(self.ram, (len(pads), 1))
        seen[70:, [PHASE, FLAG, OTHER, CAUSE, TEXT]] = 9, 9, 7, 7, 7
        seen[20:, CELL] = 77
        return seen


def piled(rig: Ending) -> Any:
    """A driver that piles pieces up."""
    driver = driver_of(rig)

    def fall(state: bytes) -> Any:
        if not state[0] and rig.ends:
            raise CalibrationError("no next piece comes")
        return SimpleNamespace(state=bytes([max(0, state[0] - 1), state[1]]))

    def answers(state: bytes) -> bool:
        rig.load(state)
        return not (rig.caused and rig.ram[TEXT] == 7)

    driver.fall, driver.answers = fall, answers
    return driver


def played_pieces(bags: tuple[int, ...] = (2, 2)) -> list[Landing]:
    """Landings of as many games; the bag's first entry was another one while the pieces fell."""
    ram = np.zeros(0x140, np.uint8)
    ram[[PHASE, BAG]] = 3, 4
    return [Landing(bytes([5 - number, bag]), ram, ram, ram, 0, 0, 0, 0, number) for number, bag in enumerate(bags)]


def control(place: int, *, obeyed: bool = True) -> Any:
    return SimpleNamespace(offset=place, obeyed=obeyed)


@pytest.mark.parametrize("place", [PHASE, FLAG])
def test_a_game_whose_pieces_pile_up_has_an_end(place: int) -> None:
    seen = [traced(number) for number in range(6)]
    found = find_over(piled(Ending()), seen, played_pieces(), [CELL], control(place), {X, Y})
    assert found is not None
    assert (found.offset, found.value) == (place, 9)
    # a game that doesn't end
    assert find_over(piled(Ending(ends=False)), seen, played_pieces(), [CELL], control(PHASE), {X, Y}) is None


def test_of_bytes_that_show_all_ends_the_one_that_ends_the_game_is_taken() -> None:
    """One of two games gave a scratch byte for it, which stands before it in RAM."""
    seen = [traced(number) for number in range(6)]
    taken = {PHASE, FLAG, COPY, STACKED}
    found = find_over(piled(Ending()), seen, played_pieces(), [CELL], None, taken)
    assert found is not None
    assert (found.offset, found.value) == (CAUSE, 7)
    # where none ends the game, nothing tells them apart, except that one tells control
    still = piled(Ending(caused=False))
    assert find_over(still, seen, played_pieces(), [CELL], None, taken) is None
    own = find_over(still, seen, played_pieces(), [CELL], control(OTHER, obeyed=False), taken)
    assert own is not None
    assert own.offset == OTHER
    alone = find_over(still, seen, played_pieces(), [CELL], None, {*taken, BAG, CAUSE, TEXT})
    assert alone is not None
    assert alone.offset == OTHER


@pytest.mark.parametrize("bags", [(2, 2), (2, 3), (4, 4)])
def test_what_is_the_same_at_one_end_by_chance_is_no_sign_of_the_end(bags: tuple[int, ...]) -> None:
    """The first entry of a bag was one that no piece in the traces had, and was taken for the sign of the end."""
    seen = [traced(number) for number in range(6)]
    others = {PHASE, FLAG, COPY, STACKED, OTHER, CAUSE, TEXT}
    found = find_over(piled(Ending(caused=False)), seen, played_pieces(bags), [CELL], None, others)
    assert (found is not None) is (bags == (2, 2))


# -- pieces after which cells vanish


def test_pieces_on_filled_rows_show_what_vanishes() -> None:
    board = Board(size=4)
    left = [came(field_at(FLOOR), one) for one in landings(board, 24)]
    basis: Any = SimpleNamespace(place=field_at(FLOOR), setting=Setting("cells"))
    board.falls.clear()
    found, traced_, cleared = events_of(board.driver, basis, left, None)
    played, made = found[:24], found[24:]
    assert [one.gone for one in played] == [one.gone for one in left]
    # two codes, and one to four rows of each
    assert len(made) == 8
    assert {len(one.pokes) for one in made} == {12 * COLUMNS}
    for number, one in enumerate(made):
        rows = 1 + number // 2
        assert sum(code != 0 for code in one.pokes.values()) == rows * COLUMNS
        assert one.gone >= rows * COLUMNS - 2
    assert len({tuple(sorted(set(one.pokes.values()))) for one in made}) == 2
    assert cleared is not None
    assert all(keep for *_, keep in board.falls)
    # ten of the pieces that were played are traced, those after which cells vanished among them
    assert len(traced_) == 10 + 8
    none: Any = SimpleNamespace(place=field_at(FLOOR), setting=Setting("none"))
    found, traced_, cleared = events_of(board.driver, none, left, None)
    assert (len(found), len(traced_), cleared) == (24, 10, None)


def test_pieces_that_do_not_come_down_again_are_left_out() -> None:
    board = Board(size=4)
    left = [came(field_at(FLOOR), one) for one in landings(board, 24)]
    fall = board.fall

    def some(state: Any, **said: Any) -> Fallen:
        if state[NUMBER] % 2:
            raise CalibrationError("no next piece comes")
        return fall(state, **said)

    driver = board.driver
    driver.fall = some
    basis: Any = SimpleNamespace(place=field_at(FLOOR), setting=Setting("cells"))
    found, traced_, _ = events_of(driver, basis, left, None)
    assert 24 < len(found) < 32
    assert 0 < len(traced_) < 18


def test_rows_that_stay_are_no_events() -> None:
    board = Board(size=99)
    left = [came(field_at(FLOOR), one) for one in landings(board, 24)]
    basis: Any = SimpleNamespace(place=field_at(FLOOR), setting=Setting("cells"))
    found, _, cleared = events_of(board.driver, basis, left, None)
    assert (len(found), cleared) == (24, None)
    # without pieces that lie alone nothing is dropped on rows
    turned = [replace(one, landing=replace(one.landing, turns=1)) for one in left]
    assert len(events_of(board.driver, basis, turned, int(Button.A))[0]) == 24


# -- what moves


class Moving:
    """Frames of a menu or of play, by the buttons that are held."""

    def branch(self, _: bytes, pads: list[int]) -> Any:
        held = np.array(pads, np.int64)
        left, right = (np.cumsum((held & int(button)) > 0) for button in (Button.LEFT, Button.RIGHT))
        seen = np.zeros((len(pads), 12), np.uint8)
        moved = (right > 3).astype(int) - (left > 3).astype(int)
        seen[:, 0] = 40 + 8 * moved
        seen[:, 1] = 100 - moved
        # a cursor that goes down with both; one that only RIGHT moves; a clock; a byte that moves by itself, too
        seen[:, 2] = np.abs(moved) * 5
        seen[:, 3] = np.maximum(moved, 0)
        seen[:, 4] = np.arange(len(pads))
        seen[:, 5] = 40 + 8 * moved + np.arange(len(pads)) % 2
        # too far for a step, or nearly so
        seen[:, 6] = (60 * moved) * 2 & 255
        seen[:, 7] = 121 * moved & 255
        seen[:, 8] = np.where(moved > 0, 3, np.where(moved < 0, 250, 0))
        return seen


def test_what_left_and_right_move_to_opposite_sides_follows_them() -> None:
    rig: Any = Moving()
    found, leaning, sinking = across(rig, b"")
    assert found == {0: 8, 1: -1, 6: 120, 8: 3}
    assert leaning == {0, 1, 5, 6, 7, 8}
    assert sinking == []


@pytest.mark.parametrize("sign", [1, -1])
def test_bytes_that_fell_and_began_anew(sign: int) -> None:
    until, size = 80, 80 + 2 * AFTER
    frames = np.arange(size)

    def down(top: int, every: int, step: int, rests: int, again: int) -> Any:
        fell = np.minimum(frames // every, rests) * step
        return top + sign * np.where(frames < again, fell, np.maximum(0, frames - again) // every * step) & 255

    rows = [
        down(30, 4, 1, 12, until),
        down(250, 5, 8, 10, until + 2),
        down(30, 4, 1, 12, size),
        frames,
        np.full(size, 9),
        down(60, 2, 40, 2, until),
    ]
    seen = np.array(rows, np.uint8).T
    found = falls(Drop(np.array([5, 17, 20, 21, 22, 23]), seen, until, (0,), (until,)))
    assert found.keys() == {5, 17}
    one, other = found[5], found[17]
    assert (one.step, one.depth, one.rest, one.again) == (sign, 12 * sign, 30 + 12 * sign & 255, until)
    assert (other.step, other.depth, other.again) == (8 * sign, 80 * sign, until + 2)
    assert other.rest == 250 + 80 * sign & 255


# -- the highest score


@pytest.mark.parametrize("form", [Form(2, little=True), Form(5, little=False, digits="decimal"), Form(3, True, "bcd")])
@pytest.mark.parametrize("scale", [1, 10])
@pytest.mark.parametrize("limit", [9_999, 65_535, 99_999, 999_999, None])
def test_a_score_stops_where_the_game_says(
    limit: int | None, scale: int, form: Form, monkeypatch: pytest.MonkeyPatch
) -> None:
    score = Score(20, form, scale, kept=True)
    each, room = 40, {"": 256, "bcd": 100, "decimal": 10}[form.digits] ** form.width

    def after(_: object, pokes: dict[int, int], size: int) -> Any:
        assert size == 4
        ram = np.zeros(40, np.uint8)
        ram[[*pokes]] = [*pokes.values()]
        number = int(form.read(ram)[20]) + each
        written = form.written(min(number, limit) if limit is not None and limit < room else number % room)
        ram[20 : 20 + form.width] = written
        return ram

    monkeypatch.setattr("ochibot.experiments.cap.score_after", after)
    if limit is not None and limit < room:
        assert measure_cap(SimpleNamespace(), score, 4) == limit * scale  # type: ignore[arg-type]
    else:
        with pytest.raises(CalibrationError, match=r"doesn't stop|beyond every likely limit"):
            measure_cap(SimpleNamespace(), score, 4)  # type: ignore[arg-type]
    with pytest.raises(CalibrationError, match="own number was not found"):
        measure_cap(SimpleNamespace(), replace(score, kept=False), 4)  # type: ignore[arg-type]


# -- notebooks of others, and damaged ones


@pytest.mark.parametrize(("part", "value"), [("about", "another ROM"), ("version", 4)])
def test_pages_of_another_rom_or_version_are_not_read(part: str, value: object, tmp_path: Path) -> None:
    book = Notebook(tmp_path, "mine", warn=lambda line: pytest.fail(line))
    assert book.page("one", lambda: 3) == 3
    assert Notebook(tmp_path, "mine").page("one", lambda: 4) == 3
    assert book.path is not None
    data = json.loads(book.path.read_text(encoding="utf-8"))
    del data["digest"]
    data[part] = value
    data["digest"] = _digest(data)
    book.path.write_text(json.dumps(data), encoding="utf-8")
    # it isn't damaged, and so nothing is said of it
    again = Notebook(tmp_path, "mine", warn=lambda line: pytest.fail(line))
    assert again.page("one", lambda: 4) == 4


@pytest.mark.parametrize("name", ["os.path", "grid", "grid.Grid.cell", "grid.ceil", "rig.Rig", "views.View "])
def test_only_results_of_experiments_are_kinds_of_pages(name: str) -> None:
    with pytest.raises((ValueError, ImportError, AttributeError)):
        _kind(name)
    assert _kind("grid.Grid") is Grid
    # one that another module has only imported
    with pytest.raises(ValueError, match="no kind of page"):
        _kind("fields.Grid")

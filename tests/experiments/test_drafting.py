"""What drafts rest on: bytes that tell a piece, the byte that tells control, the score. On RAM made by hand."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from types import SimpleNamespace
from typing import Any, cast

import numpy as np
import pytest
from ochibot.console import Button
from ochibot.errors import CalibrationError
from ochibot.experiments import control, draft
from ochibot.experiments.colors import candidates
from ochibot.experiments.control import find_control
from ochibot.experiments.draft import Draft
from ochibot.experiments.driver import MOST_TAPS, Driver, Fallen, Place
from ochibot.experiments.events import Event
from ochibot.experiments.facts import Basis
from ochibot.experiments.fields import Came, Field, came, ended
from ochibot.experiments.grid import Grid
from ochibot.experiments.landings import Landing, play
from ochibot.experiments.pad import Tap
from ochibot.experiments.points import find_number
from ochibot.experiments.rig import Bytes
from ochibot.experiments.turning import Turning, two_ways
from ochibot.experiments.views import View

from tests.experiments.frames import Frames

SIZE = 32


def ram(values: Mapping[int, int]) -> Bytes:
    made = np.zeros(SIZE, np.uint8)
    for at, value in values.items():
        made[at] = value & 255
    return made


def test_a_kind_that_was_seen_once_may_be_a_mistake() -> None:
    kinds = [0, 1, 2] * 6
    samples = [ram({5: 10 + kind}) for kind in kinds]
    assert candidates(samples, kinds, 0xFF) == [5]
    # two pieces that came down as one look like a shape of their own
    assert candidates([*samples, ram({5: 11})], [*kinds, 3], 0xFF) == [5]
    assert candidates([*samples, *[ram({5: 11})] * 5], [*kinds, *[3] * 5], 0xFF) == []


def test_a_game_has_ended_where_most_cells_are_gone() -> None:
    field = Field(Grid(0, 1, 4, 4, 0), 6, 1, 5, 0, 1, 1, ((1, 9),), 9, 9)

    def landing(before: int, after: int) -> Landing:
        rams = [ram(dict.fromkeys(range(number), 1)) for number in (before, after)]
        return Landing(b"", rams[0], rams[0], rams[1], 0, 0, 0, 0, 0)

    assert ended(field, landing(16, 4))
    assert not ended(field, landing(16, 10))
    assert not ended(field, landing(6, 2))


def test_garbage_that_comes_while_a_piece_is_drawn_ends_no_game() -> None:
    # the piece at the top was taken for a cell that isn't raised (stranger 541)
    field = Field(Grid(0, 1, 16, 16, 0), 4, 1, 2, 0, 1, 1, ((1, 9),), 9, 9)
    before, flying, after = (np.zeros(64, np.uint8) for _ in range(3))
    before[0:16:2] = flying[0:16:2] = after[16:32:2] = after[:15] = 1
    before[53] = after[54] = 1
    assert not ended(field, Landing(b"", before, flying, after, 0, 0, 0, 0, 0))


def test_a_row_of_garbage_from_below_ends_no_game() -> None:
    """Games were taken to end with the first one, so that only their first pieces were ever seen (stranger 558)."""
    field = Field(Grid(0, 1, 16, 16, 0), 3, 1, 2, 0, 1, 1, ((1, 9),), 9, 9)
    before, after = np.zeros(48, np.uint8), np.zeros(48, np.uint8)
    before[0:16:2] = after[16:32:2] = after[:15] = 1
    raised = Landing(b"", before, before, after, 0, 0, 0, 0, 0)
    assert not ended(field, raised)
    after[16] = 0
    assert ended(field, raised)
    # nothing has vanished
    before[0], before[15], after[32] = 0, 1, 1
    after[31] = 1
    assert came(field, raised).gone == 0


@pytest.mark.parametrize("last", [10, 10_000])
def test_a_piece_that_taps_move_too_far_is_dropped_before_it_lands_by_itself(last: int) -> None:
    """Once it was tapped to and fro, until the piece after it was steered as if it were the same one."""
    rig = SimpleNamespace(x=0, taps=0)
    rig.peek = lambda _: rig.x
    driver = Driver(rig, Place(0, 1), Place(1, 1))  # type: ignore[arg-type]

    def run(pads: Sequence[int]) -> None:
        rig.taps += 1
        right = driver.tap.pads(int(pads[0])) == list(pads) and pads[0] & 128
        rig.x = min(max(rig.x + (2 if right else -2), 0), last)

    assert not driver.go(3, run)
    assert rig.taps <= MOST_TAPS


class Sinking(Frames):
    """A rig of a game whose piece sinks by two pixels a frame from y 9 to y 197, and then the next one appears."""

    def __init__(self, y: int) -> None:
        self.y = self.frames = y

    def step(self, pad: int = 0) -> None:
        self.y = 9 if self.y == 197 else min(self.y + (4 if pad else 2), 197)

    def poke(self, pokes: Mapping[int, int]) -> None:
        pass

    def snap(self) -> Bytes:
        return np.array([3, self.y], np.uint8)

    def save(self) -> Any:
        return self.y

    def load(self, state: Any) -> None:
        self.y = state


@pytest.mark.parametrize("start", [9, 13, 57, 151])
def test_a_piece_that_has_sunk_far_before_its_savestate_rests_where_it_lands(
    start: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The next piece's y, far above the first one's, once seemed to be below the floor, because y wraps at 256."""
    rig: Any = Sinking(start)
    driver = Driver(rig, Place(0, 1), Place(1, 2))
    monkeypatch.setattr(driver, "_measure_delay", lambda _: 0)
    monkeypatch.setattr(driver, "_not_yet", lambda: 0)
    fallen = driver.fall(cast("bytes", start))
    assert (fallen.lowest, fallen.top, cast("int", fallen.state)) == (197, 9, 9)


class Piling(Sinking):
    """A rig of a game with 5 columns and 10 rows, in which pieces appear in column 2. They move by a column a frame and
    sink by a row in so many frames, with DOWN in one. x is the byte 0, y the byte 1.
    """

    def __init__(self, heights: Sequence[int], frames: int) -> None:
        self.heights, self.frames = list(heights), frames
        self._appear()

    def _appear(self) -> None:
        self.x, self.y, self.frame = 2, 0, 0

    def step(self, pad: int = 0) -> None:
        self.frame += 1
        to = self.x + bool(pad & int(Button.RIGHT)) - bool(pad & int(Button.LEFT))
        if to in range(5) and self.heights[to] < 10 - self.y:
            self.x = to
        if pad & int(Button.DOWN) or not self.frame % self.frames:
            if self.heights[self.x] < 9 - self.y:
                self.y += 1
            else:
                self.heights[self.x] += 1
                self._appear()

    def peek(self, offset: int) -> int:
        return (self.x, self.y)[offset]

    def snap(self) -> Bytes:
        return np.array([self.x, self.y, *self.heights], np.uint8)

    def save(self) -> Any:
        return (self.x, self.y, self.frame, tuple(self.heights))

    def load(self, state: Any) -> None:
        self.x, self.y, self.frame, heights = state
        self.heights = list(heights)


@pytest.mark.parametrize(
    ("heights", "target", "frames", "rest"),
    [
        # it rests as high as it appeared, a column aside
        ([0, 0, 0, 9, 0], 3, 6, (3, 0)),
        # so it does while it is moved on, against a full column
        ([0, 0, 0, 9, 10], 4, 3, (3, 0)),
        # it sinks by some rows before it rests so
        ([0, 0, 7, 7, 10], 4, 1, (3, 2)),
    ],
)
def test_a_piece_that_rests_while_it_is_steered_is_not_taken_for_the_next_one(
    heights: Sequence[int], target: int, frames: int, rest: tuple[int, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    rig: Any = Piling(heights, frames)
    driver = Driver(rig, Place(0, 1), Place(1, 1), tap=Tap(1, 1))
    monkeypatch.setattr(driver, "_measure_delay", lambda _: 0)
    monkeypatch.setattr(driver, "_not_yet", lambda: 0)
    fallen = driver.fall(rig.save(), column=target, about=True)
    assert (fallen.x, fallen.lowest) == rest
    assert sum(fallen.ram[2:].tolist()) == sum(heights) + 1


def test_pieces_reach_the_left_columns_as_often_as_the_right_ones(monkeypatch: pytest.MonkeyPatch) -> None:
    # a column left of raw x 0 once was 255, to the right of all
    rig: Any = Piling([0] * 5, 6)
    driver = Driver(rig, Place(0, 1), Place(1, 1), tap=Tap(1, 1))
    state = rig.save()
    aimed: list[int] = []

    def fall(_: object, *, column: int, **_more: object) -> Any:
        rig.load(state)
        driver.go(column)
        aimed.append(driver.x_now())
        raise CalibrationError

    monkeypatch.setattr(driver, "fall", fall)
    monkeypatch.setattr("ochibot.experiments.landings.MOST_FAILURES", 90)
    rig.check = lambda: None
    with pytest.raises(CalibrationError):
        play(driver, state, range(5), None, 90)
    assert abs(aimed.count(0) - aimed.count(4)) < 20


@pytest.mark.parametrize(
    ("seen", "examined", "grade"),
    [(41, (0, 0), "likely"), (45, (59, 1), "known"), (41, (59, 1), "likely"), (36, (35, 25), "unknown")],
)
def test_predicted_landings_tell_how_sure_a_field_is(seen: int, examined: tuple[int, int], grade: str) -> None:
    basis: Any = SimpleNamespace(place=SimpleNamespace(seen=seen, of=48), decoys=(7,))
    made = Draft(None, basis, "", None, examined=examined)  # type: ignore[arg-type]
    assert (made.seen.grade, made.seen.others) == (grade, 1)


class Played:
    """A rig and a driver whose game adds points, in BCD, to the bytes 8 (high) and 9."""

    size = SIZE
    drawn: Mapping[int, int] = {}

    def __init__(self) -> None:
        self.rig = self

    def branch(self, state: bytes, pads: Sequence[int]) -> Bytes:
        still = np.tile(np.frombuffer(state, np.uint8), (len(pads), 1))
        # seconds of play
        still[:, 20] += np.arange(len(pads), dtype=np.uint8) // 60
        return still

    def fall(self, state: bytes, *, pokes: Mapping[int, int], **_: Any) -> Any:
        return SimpleNamespace(ram=self.after(np.frombuffer(state, np.uint8), pokes))

    def after(self, before: Bytes, pokes: Mapping[int, int]) -> Bytes:
        now = before.copy()
        for at, value in pokes.items():
            now[at] = value
        score = (int(f"{now[8]:x}{now[9]:02x}") + int(now[31])) % 10_000
        now[8], now[9] = int(f"{score // 100}", 16), int(f"{score % 100}", 16)
        # a high score that looks like the score, and a number of pieces
        now[14] = max(now[14], now[8])
        now[15] = now[9] if now[14] == now[8] else now[15]
        now[16] += 1
        return now


def test_the_score_is_the_number_that_the_game_adds_to_after_it_was_poked() -> None:
    game = Played()
    events, now = [], ram({})
    for points in (0, 0, 40, 0, 10, 120, 0, 40, 0, 0, 80, 0):
        now = now.copy()
        now[31] = points
        then = game.after(now, {})
        events.append(Event(now.tobytes(), {}, 0, (), now, then, points // 10))
        now = then
    found = find_number(game, events, [], {31})  # type: ignore[arg-type]
    assert found is not None
    assert found.kept
    assert found.form.digits == "bcd"
    # nothing is carried into the bytes before it
    assert (found.offset, found.form.width) == (8, 2)


class Tetris(Played):
    """Lines are counted, and each lock pays drop points. Both numbers have 16 bits."""

    def after(self, before: Bytes, pokes: Mapping[int, int]) -> Bytes:
        now = before.copy()
        for at, value in pokes.items():
            now[at] = value
        lines, drop = int(now[30]), int(now[31])
        score = (int(now[8]) + 256 * int(now[9]) + (0, 50, 150, 350, 800)[lines] + drop) % 65_536
        now[8], now[9] = score % 256, score // 256
        total = int(now[24]) + 256 * int(now[25]) + lines
        now[24], now[25] = total % 256, total // 256 % 256
        # which row vanished, and how many at once: overwritten by each clear
        now[12], now[13] = (lines, 7 * lines + drop % 3) if lines else (now[12], now[13])
        return now


def played_lines(game: Tetris, lines: Sequence[int]) -> list[Event]:
    events, now = [], ram({})
    for number, count in enumerate(lines):
        now = now.copy()
        now[30], now[31] = count, 5 + 7 * number % 12
        then = game.after(now, {})
        # what is still to fall hides some of the cells
        events.append(Event(now.tobytes(), {}, 0, (), now, then, 10 * count - 2 * (count % 2)))
        now = then
    return events


def test_a_count_of_lines_is_not_the_score() -> None:
    game = Tetris()
    events = played_lines(game, (0, 1, 0, 2, 0, 0, 4, 0, 3, 0, 1, 0, 0, 2, 0, 4))
    found = find_number(game, events, [], {30, 31})  # type: ignore[arg-type]
    assert found is not None
    assert (found.offset, found.form.name, found.kept) == (8, "u16le", True)
    assert found.evidence.doubt == ""


def test_a_number_that_only_counts_is_the_score_where_there_is_no_other() -> None:
    game = Tetris()
    events = played_lines(game, (0, 1, 0, 2, 0, 0, 4, 0, 3, 0, 1, 0, 0, 2, 0, 4))
    found = find_number(game, events, [], {8, 9, 10, 30, 31})  # type: ignore[arg-type]
    assert found is not None
    assert (found.offset, found.kept) == (24, True)


class Digits(Tetris):
    """The same with a score of six ASCII digits, and a level, one more digit, behind it."""

    def after(self, before: Bytes, pokes: Mapping[int, int]) -> Bytes:
        now = before.copy()
        for at, value in pokes.items():
            now[at] = value
        lines, drop = int(now[30]), int(now[31])
        score = (int(bytes(now[4:10])) + (0, 100, 300, 500, 800)[lines] + drop) % 1_000_000
        now[4:10] = list(f"{score:06}".encode())
        now[24] += lines
        now[10] = 0x31 + now[24] // 10
        return now


@pytest.mark.parametrize("drops", [True, False])
def test_the_last_digit_is_of_the_score_and_the_level_behind_it_is_not(drops: bool) -> None:
    game = Digits()
    begun = ram({})
    begun[4:11] = list(b"0000001")
    events, now = [], begun
    for number, count in enumerate((0, 1, 0, 2, 0, 0, 4, 0, 3, 0, 1, 0, 0, 2, 0, 4)):
        now = now.copy()
        now[30], now[31] = count, drops * (14 if count else 5 + 7 * number % 11)
        then = game.after(now, {})
        events.append(Event(now.tobytes(), {}, 0, (), now, then, 10 * count))
        now = then
    found = find_number(game, events, [], {30, 31})  # type: ignore[arg-type]
    assert found is not None
    low = found.offset + found.form.place(0)
    found_form = found.form.digits, found.form.zero, found.form.little, low, found.kept
    # of the digits that are always 0, all but one may belong to another number
    assert found_form == ("decimal", 0x30, False, 9 if drops else 8, True)


@pytest.mark.parametrize(("wrong", "found"), [(0, 40), (2, 40), (12, None)])
def test_a_bit_that_tells_whether_a_piece_lies_or_stands_is_its_orientation(wrong: int, found: int | None) -> None:
    """A game may keep no more of a capsule than that, and exchange its colours in a half turn."""
    dice = np.random.default_rng(3)
    left: list[Any] = []
    for number in range(48):
        turns = number % 4
        flying = dice.integers(0, 256, 64).astype(np.uint8)
        flying[40] = turns % 2 if number >= wrong else 1 - turns % 2
        flying[30] = flying[40]  # a copy, which is written anew in each frame
        flying[41] = turns  # how often the button was tapped
        left.append(SimpleNamespace(landing=SimpleNamespace(flying=flying, turns=turns)))

    def after(_: bytes, _pads: Sequence[int], pokes: Mapping[int, int]) -> Bytes:
        now = np.zeros(64, np.uint8)
        for at, value in pokes.items():
            now[at] = 0 if at == 30 else value
        return now

    driver: Any = SimpleNamespace(rig=SimpleNamespace(after=after))
    turning = Turning(Button.A, None, None, ())
    seen = two_ways(turning, driver, b"", left)
    assert seen == (turning if found is None else dataclasses.replace(turning, place=found, cycle=(0, 1, 0, 1)))
    # with too few pieces of one of the two, nothing is known
    assert two_ways(turning, driver, b"", [one for one in left if one.landing.turns % 2 == 0]) == turning


def test_an_orientation_with_fewer_cells_than_the_piece_has_is_not_known() -> None:
    """Of a bar that stood, three cells were in sight once; the exam then expected three."""
    bar, stands = ((-1, 0), (0, 0), (1, 0), (2, 0)), ((0, -2), (0, -1), (0, 0))
    square = ((0, -1), (0, 0), (1, -1), (1, 0))
    left = [(0, 0, bar)] * 3 + [(0, 3, stands)] + [(1, 0, square)] * 2 + [(1, 1, square)] + [(2, 0, stands)] * 2
    clean: Any = [
        SimpleNamespace(landing=SimpleNamespace(flying=kind, turns=t), shape=shape) for kind, t, shape in left
    ]
    made: Any = SimpleNamespace(label=lambda flying: flying, shapes={})
    draft._learn_shapes(made, clean)
    assert made.shapes == {(0, 0): bar, (1, 0): square, (1, 1): square, (2, 0): stands}
    # where nothing tells a piece from another one, each orientation has what most of them left
    made.label = lambda _: None
    draft._learn_shapes(made, clean)
    assert set(made.shapes) == {(None, 0), (None, 1), (None, 3)}


def test_a_timer_that_runs_out_as_a_piece_begins_to_answer_tells_control(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(control, "_poked", lambda *_: (False, True))
    driver: Any = SimpleNamespace(
        rig=SimpleNamespace(address=int, console=SimpleNamespace(rom=SimpleNamespace(system="gameboy"))),
        y=Place(1, 1),
        drawn=None,
        latency=1,
        control_delay=8,
        tap=SimpleNamespace(on=3),
    )
    falls = []
    for number in range(8):
        down, reset = 20 + number, 40 + number
        trace = np.zeros((reset + 8, SIZE), np.uint8)
        trace[:, 1] = [min(frame, down) if frame < reset - 1 else 0 for frame in range(len(trace))]
        trace[down + 2 :, 6] = 1  # the field
        # a coarse phase is as it falls from the moment when the next piece is announced
        trace[down + 2 : reset, 3] = 5
        trace[down + 2 : -1, 4] = range(len(trace) - down - 3, 0, -1)
        falls.append(Fallen(b"", trace[-1], down, reset, 0, len(trace), 0, trace[0], trace))
    found = find_control(driver, b"", falls, [6], [1, 6])
    assert found is not None
    assert (found.offset, found.values) == (4, (0,))
    assert found.evidence.grade == "likely"


def _came(column: int, width: int, *, turns: int = 0, gone: int = 0, game: int = 0, before: Bytes | None = None) -> Any:
    """A piece of two cells side by side, of which ``width`` were seen."""
    begun = np.zeros(SIZE, np.uint8) if before is None else before
    played = SimpleNamespace(flying=begun, before=begun, turns=turns, game=game)
    cells = tuple(((across, 0), 1) for across in range(width))
    return Came(played, column, 0, cells, gone)  # type: ignore[arg-type]


@pytest.mark.parametrize(("lacking", "agreed"), [("some", 1.0), ("many", 0.5), ("outside", 0.8)])
def test_pieces_that_leave_too_few_cells_contradict_a_field(
    lacking: str, agreed: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    # a field with a column too few, or with columns that no piece fills, agreed with all pieces that filled its cells
    field = Field(Grid(0, 1, 4, 4, 0), 3, 1, 2, 0, 1, 1, ((1, 9),), 9, 9)
    whole = [_came(number % 3, 2) for number in range(12)]
    others = {"some": [_came(2, 1)] * 3, "many": [_came(2, 1)] * 12, "outside": [_came(3, 1)] * 3}
    every = [*whole, *others[lacking]]
    monkeypatch.setattr(draft, "play", lambda *_, **__: [one.landing for one in every])
    monkeypatch.setattr(draft, "came", lambda _, played: next(one for one in every if one.landing is played))
    route: Any = SimpleNamespace(state=b"")
    basis: Any = SimpleNamespace(place=field)
    made = Draft(route, basis, "", None, shapes={(None, 0): ((0, 0), (1, 0))})
    exam = draft.examine(made, None, [], None)  # type: ignore[arg-type]
    assert exam.agreement == agreed


@pytest.mark.parametrize(("regular", "vanished", "sure"), [
    (True, False, True), (False, False, False), (False, True, True),
])  # fmt: skip
def test_rows_in_no_order_are_doubtful_until_cells_vanished(regular: bool, vanished: bool, sure: bool) -> None:
    # where rows are full, a table of pointers puts them into another order, as in the strangers with such tables
    grid = Grid(0, 1, 4, 4, 0)
    field = Field(grid, 3, 1, 2, 0, 1, 1, ((1, 9),), 9, 9)
    basis: Any = SimpleNamespace(
        place=field, grid=grid, view=SimpleNamespace(regular=regular), setting=SimpleNamespace(kind="cells"),
        decoys=(),
    )  # fmt: skip
    left = [_came(0, 2), _came(0, 2, gone=3 * vanished), *[_came(0, 2)] * 14]
    made = Draft(None, basis, "", None, examined=(60, 0), doubt=draft._doubt(basis, left))  # type: ignore[arg-type]
    assert made.seen.grade == ("known" if sure else "likely")
    assert ("no order" in str(made.seen)) != sure


@pytest.mark.parametrize(("below", "kind", "sure"), [
    ([7, 8, 7, 9], "none", False), ([7, 7, 7, 7], "none", True), ([7, 0, 7, 9], "none", True),
    ([7, 8, 7, 9], "cells", True), ([1, 0, 1, 1], "none", False),
])  # fmt: skip
def test_what_is_filled_below_a_field_may_be_rows_of_it(below: list[int], kind: str, sure: bool) -> None:
    # seeds fill the lowest rows at the start, and no piece got below them
    grid = Grid(4, 1, 4, 4, 0)
    field = Field(grid, 3, 1, 2, 0, 1, 1, ((1, 9),), 9, 9)
    basis: Any = SimpleNamespace(place=field, grid=grid, view=None, setting=SimpleNamespace(kind=kind))
    begun = ram(dict(enumerate(below)))
    assert (draft._doubt(basis, [_came(0, 2, before=begun)]) == "") == sure
    # the same field by a view (stranger 838)
    view = View(4, tuple((4 * row + column,) for row in (1, 2, 3) for column in range(4)), (0,) * 12)
    size = len(begun)
    placed = Grid(size, 1, 4, 4, 0)
    basis = SimpleNamespace(
        place=dataclasses.replace(field, grid=placed), grid=placed, view=view, setting=SimpleNamespace(kind=kind)
    )
    seen = np.concatenate([begun, view.cells(begun)])
    assert (draft._doubt(basis, [_came(0, 2, before=seen)]) == "") == sure


@pytest.mark.parametrize("late", [False, True])
def test_an_exact_copy_is_read_where_rows_lie_in_no_order(late: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    # the rules' own rows lie behind pointers, which full rows exchange; a copy of the field has them in their order
    order = [3, 0, 6, 1, 7, 2, 5, 4]
    view = View(6, tuple((100 + 6 * order[row] + column,) for row in range(8) for column in range(6)), (0,) * 48)
    dice = np.random.default_rng(3)
    heights, now = [0] * 6, np.zeros(300, np.uint8)
    landings = []
    for _ in range(40):
        column = int(dice.integers(6))
        if heights[column] > 5:
            heights, now = [0] * 6, np.zeros(300, np.uint8)
        row, before = heights[column], now.copy()
        for up in (0, 1):
            now[view.places[(row + up) * 6 + column][0]] = 5
            now[200 + 6 * (7 - row - up) + column] = 5
        if late:
            now[200:248] = before[200:248]
        heights[column] += 2
        rams = [np.concatenate([ram, view.cells(ram)]) for ram in (before, now)]
        landings.append(Landing(b"", rams[0], rams[0], rams[1], column, 7 - row, 0, 0, 0))
    place = Field(Grid(300, 1, 6, 6, 0), 8, 1, 7, 0, 1, 1, ((5, 80),), 40, 40)
    fields: dict[str, Any] = {field.name: None for field in dataclasses.fields(Basis)}
    fields |= {"columns": tuple(range(6)), "place": place, "grid": place.grid, "view": view, "decoys": (242, 7)}
    driver: Any = SimpleNamespace(rig=SimpleNamespace(own=300), y=Place(2, 1))
    monkeypatch.setattr(draft, "restless", lambda *_: np.zeros(348, bool))
    found = draft.by_a_copy(driver, Basis(**fields), landings)
    if late:
        assert found is None
        return
    assert found is not None
    assert (found.view, found.decoys, found.setting.kind) == (None, (7,), "none")
    assert (found.grid.floor, found.grid.up, found.place.rows) == (242, -6, 8)

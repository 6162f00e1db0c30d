"""The score is found in all its forms, on a naive machine that pays for groups, chains and colours."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from ochibot.errors import CalibrationError
from ochibot.experiments.built import built_events
from ochibot.experiments.cap import measure_cap
from ochibot.experiments.digits import Form
from ochibot.experiments.effects import Poker, scoring_events
from ochibot.experiments.score import Score, find_score

from tests.experiments.test_events import Machine

WIDTH, ROWS, NEAR, FAR = 6, 13, 100, 101
CHAIN, COLORS = (0, 8, 16, 32, 64, 96, 128, 160), (0, 0, 3, 6, 12)
DOWN_ROW = 1


class Paying:
    """A game of RAM alone: cells, the piece's kinds, and the score. zeros: digits that the picture adds."""

    def __init__(self, at: int, form: Form, worth: int, began: int = 0, *, drops: bool = False) -> None:
        self.at, self.form, self.worth, self.drops = at, form, worth, drops
        self.cap: int | None = None
        self.lasts = 0
        self.counter = 300
        self.naive = Machine(4, 4, 12)
        self.rig = self.driver = self.ground = self
        self.size, self.visible, self.colors, self.columns = 512, 12, (1, 2, 3, 4), tuple(range(WIDTH))
        self.grid = SimpleNamespace(columns=WIDTH, cell=lambda column, row: column + WIDTH * row)
        self.ram = np.zeros(self.size, np.uint8)
        self.ram[200:260] = np.random.default_rng(1).integers(1, 256, 60)
        # what lies beside the score is no digit
        self.ram[at - 1] = self.ram[at + form.width] = 77
        self.put(began)
        # a copy for the picture, which is written anew with each lock
        self.ram[400 : 400 + form.width] = form.written(began)
        self.state = self.ram.tobytes()
        self.locks = 0

    def put(self, number: int) -> None:
        most = {"": 256, "bcd": 100, "decimal": 10}[self.form.digits] ** self.form.width
        self.ram[self.at : self.at + self.form.width] = self.form.written(number % most)

    def load(self, state: bytes) -> None:
        self.ram = np.frombuffer(state, np.uint8).copy()

    def paid(self, step: int, sizes: Sequence[int], kinds: int) -> int:
        """The points of a step, from 0."""
        times = CHAIN[step] + COLORS[kinds] + sum(max(0, size - 3) * (size > 4) for size in sizes)
        return self.worth * sum(sizes) * max(1, times)

    def passes(self, frames: int) -> None:
        """Time goes by."""

    def snap(self) -> Any:
        return self.ram.copy()

    def peek(self, place: int) -> int:
        return int(self.ram[place])

    def painted(self, cells: Mapping[tuple[int, int], int]) -> dict[int, int]:
        return dict.fromkeys(range(WIDTH * ROWS), 0) | {self.grid.cell(*at): kind for at, kind in cells.items()}

    def kinds(self, ram: Any) -> dict[tuple[int, int], int]:
        return {(at % WIDTH, at // WIDTH): int(ram[at]) for at in range(WIDTH * ROWS) if ram[at]}

    def fall(
        self, state: bytes, *, column: int, pokes: Mapping[int, int], pad: int | None = None, most: int = 900, **_: Any
    ) -> Any:
        if most < self.lasts:
            raise CalibrationError("no next piece comes after this one")
        self.load(state)
        for at, value in pokes.items():
            self.ram[at] = value
        begun = self.kinds(self.ram)
        made = self.naive.lock(begun, column, self.peek(NEAR), self.peek(FAR))
        height = sum(at == column for at, _ in begun)
        points = DOWN_ROW * (ROWS - 1 - height) if self.drops and pad is None else 0
        for step, groups in enumerate(made.steps):
            points += self.paid(step, [size for size, _ in groups], len({kind for _, kind in groups}))
        self.passes(60 + 40 * len(made.steps))
        number = int(self.form.read(self.ram[self.at : self.at + self.form.width])[0]) + points
        self.put(number if self.cap is None else min(number, self.cap))
        self.ram[400 : 400 + self.form.width] = self.ram[self.at : self.at + self.form.width]
        self.ram[: WIDTH * ROWS] = 0
        for at, kind in made.ram.items():
            self.ram[self.grid.cell(*at)] = kind
        # a count of locks, and noise
        self.ram[self.counter] += 1
        self.ram[310:330] = np.random.default_rng(points + len(made.ram)).integers(0, 256, 20)
        return SimpleNamespace(ram=self.snap(), state=self.ram.tobytes())


class Pokes(Poker):
    """It pokes the kinds of a piece."""

    def pokes(self, low: int, high: int) -> dict[int, int]:
        return {NEAR: low, FAR: high}


def found(game: Paying, taken: Sequence[int] = ()) -> Score | None:
    poker: Any = Pokes(game, None, None, near_below=True)  # type: ignore[arg-type]
    return find_score(poker, [*scoring_events(poker, 4), *built_events(poker, 4)], 4, taken)


@pytest.mark.parametrize(
    ("form", "worth", "began", "wanted", "left", "scale"),
    [
        # the worth of a cell in RAM, what the score is at first; the form that is found, the bytes left out, the scale
        (Form(3, True), 10, 0, Form(3, True), 0, 1),
        (Form(3, False), 10, 300, Form(3, False), 0, 1),
        (Form(2, True), 1, 0, Form(2, True), 0, 10),
        (Form(2, False), 10, 70, Form(2, False), 0, 1),
        (Form(4, False), 10, 70, Form(4, False), 0, 1),
        (Form(4, False, "bcd"), 10, 0, Form(4, False, "bcd"), 0, 1),
        (Form(3, True, "bcd"), 1, 12, Form(3, True, "bcd"), 0, 10),
        (Form(6, False, "decimal", 0), 1, 0, Form(6, False, "decimal", 0), 0, 10),
        (Form(7, True, "decimal", 0x30), 1, 4, Form(7, True, "decimal", 0x30), 0, 10),
        # the lowest digit is always 0, and may belong to something else
        (Form(8, False, "decimal", 0x10), 10, 0, Form(7, False, "decimal", 0x10), 0, 10),
        (Form(7, True, "decimal", 0), 10, 0, Form(6, True, "decimal", 0), 1, 10),
    ],
)
def test_a_score_is_found_in_its_form(form: Form, worth: int, began: int, wanted: Form, left: int, scale: int) -> None:
    score = found(Paying(150, form, worth, began))
    assert score is not None
    assert (score.offset, score.form, score.scale, score.kept) == (150 + left, wanted, scale, True)


def test_points_for_rows_with_down_held_belong_to_the_score() -> None:
    form = Form(7, False, "decimal", 0)
    score = found(Paying(150, form, 10, drops=True))
    assert score == Score(150, form, 1, kept=True)


@pytest.mark.parametrize("locks", [1, 4, 30])
def test_a_count_of_locks_above_the_digits_is_none_of_them(locks: int) -> None:
    """It was taken for a digit while it was small, and the score's own lowest digit was left out."""
    game = Paying(150, Form(7, False, "decimal", 0), 10, drops=True)
    game.ram[148:150] = 0, locks
    game.counter = 149
    game.state = game.ram.tobytes()
    assert found(game) == Score(150, game.form, 1, kept=True)


@pytest.mark.parametrize("noughts", [1, 2, 3])
def test_zeros_before_a_score_that_begins_with_its_lowest_digit_are_none_of_it(noughts: int) -> None:
    """The score was taken for 100 times as much."""
    game = Paying(150, Form(6, True, "decimal", 0), 10, 0, drops=False)
    game.ram[150 - noughts : 150] = 0
    game.state = game.ram.tobytes()
    score = found(game)
    assert score is not None
    # its lowest digit is always 0, too
    assert (score.offset, score.form.width, score.scale) == (151, 5, 10)


def test_a_copy_is_the_score_only_where_there_is_nothing_else() -> None:
    game = Paying(150, Form(3, True), 10)
    score = found(game, taken=range(140, 160))
    assert score is not None
    assert not score.kept
    assert 400 in range(score.offset, score.offset + score.form.width)


@pytest.mark.parametrize(
    ("form", "cap"),
    [
        (Form(6, False, "decimal", 0), 999_999),
        (Form(6, False, "decimal", 0), 999_990),
        (Form(3, True, "bcd"), 999_999),
        (Form(4, True), 99_999_999),
        (Form(4, False), 9_999),
        (Form(3, True), 2**24 - 1),
        (Form(2, True), 9_999),
        (Form(3, True), 123_456),
        (Form(4, True), 50_000),
    ],
)
@pytest.mark.parametrize("scale", [1, 10])
def test_the_highest_score_is_the_one_at_which_it_stays(form: Form, cap: int, scale: int) -> None:
    game = Paying(150, form, 10)
    game.cap = cap
    poker: Any = Pokes(game, None, None, near_below=True)  # type: ignore[arg-type]
    assert measure_cap(poker, Score(150, form, scale, kept=True), 4) == cap * scale


def test_a_score_that_wraps_or_is_a_copy_has_no_highest_one() -> None:
    form = Form(3, True)
    poker: Any = Pokes(Paying(150, form, 10), None, None, near_below=True)  # type: ignore[arg-type]
    for kept in (True, False):
        with pytest.raises(CalibrationError):
            measure_cap(poker, Score(150, form, 1, kept=kept), 4)


def test_the_score_is_poked_where_clearing_takes_long() -> None:
    game = Paying(130, Form(3, True), 10)
    game.lasts = 1000
    score = found(game)
    assert score is not None
    assert score.kept


class Otherwise(Paying):
    """It pays by another formula, and has a clock of 16 bits that is kept when it is poked."""

    def __init__(self, pays: Callable[[int, Sequence[int], int], int], form: Form) -> None:
        self.pays = pays
        super().__init__(150, form, 10)

    def paid(self, step: int, sizes: Sequence[int], kinds: int) -> int:
        return self.pays(step + 1, sizes, kinds)

    def passes(self, frames: int) -> None:
        number = (int(self.ram[100]) + 256 * int(self.ram[101]) + frames) % 65536
        self.ram[100:102] = number % 256, number // 256

    def branch(self, state: bytes, pads: Sequence[int]) -> Any:
        self.load(state)
        rams = []
        for _ in pads:
            self.passes(1)
            rams.append(self.snap())
        return np.stack(rams)


@pytest.mark.parametrize("form", [Form(3, True, "bcd"), Form(4, False), Form(6, False, "decimal", 0x30)])
@pytest.mark.parametrize(
    "pays",
    [
        # for cells beyond four, times the step or beside it; by a table of sizes; by step alone
        lambda step, sizes, _: (10 * sum(sizes) + 20 * (sum(sizes) - 4 * len(sizes))) * 2 ** (step - 1),
        lambda step, sizes, _: 10 * sum(sizes) * step + 50 * max(0, sum(sizes) - 4),
        lambda step, sizes, _: sum(30 * size * size for size in sizes) * step + 10,
        lambda step, _sizes, _: 110 * step,
    ],
)
def test_a_score_by_another_formula_is_found(form: Form, pays: Callable[[int, Sequence[int], int], int]) -> None:
    score = found(Otherwise(pays, form))
    assert score is not None
    # digits that are always 0 behind it are the picture's
    behind = 0 if form.digits != "decimal" else len(str(score.scale)) - 1
    assert (score.offset, score.kept) == (150 + behind * form.little, True)
    assert score.form == Form(form.width - behind, form.little, form.digits, form.zero)


def test_a_clock_and_a_count_of_cells_are_no_score() -> None:
    """Both grow with groups and chains, and both keep what is poked."""
    assert found(Otherwise(lambda _step, sizes, _: sum(sizes), Form(3, True))) is None
    assert found(Otherwise(lambda _step, _sizes, _: 1, Form(3, True))) is None

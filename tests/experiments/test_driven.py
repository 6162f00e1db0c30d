"""The driver steers pieces of a naive game, frame by frame: to columns, down, and on to the next piece."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
from ochibot.console import Button
from ochibot.errors import CalibrationError
from ochibot.experiments.driver import MOST_FALL, Driver, Place
from ochibot.experiments.pad import Tap

from tests.experiments.frames import Frames

X, Y, COLUMN, ROW, WAIT, HELD, REST, SINK, SIDE, NOISE, HEAP = range(11)
ROWS = 12


@dataclass(frozen=True)
class Rules:
    """Where x and y begin and how they step; how long things take, in frames. late: how late a press is answered.
    open_: there is no wall. glide: by how many pixels a frame x follows the piece; 0: at once. leap: how many columns a
    press leads to, one a frame.
    """

    columns: int = 6
    left: int = 16
    step: int = 8
    spawn: int = 2
    top: int = 40
    down: int = 8
    soft: int = 2
    lock: int = 5
    gap: int = 6
    control: int = 9
    late: int = 0
    open_: bool = False
    glide: int = 0
    leap: int = 1


class Game(Frames):
    """A piece of one cell. It is moved by a press, sinks while DOWN is held, and locks."""

    def __init__(self, rules: Rules) -> None:
        self.rules, self.frames, self.pads = rules, 0, 0
        self.ram = np.zeros(HEAP + 2 * rules.columns, np.uint8)
        self.deal()
        self.ram[WAIT] = 0
        for _ in range(200):
            self.show()

    def deal(self) -> None:
        self.ram[[COLUMN, ROW, WAIT, REST, SINK]] = self.rules.spawn, ROWS - 1, self.rules.control, 0, 0
        self.show()

    def show(self) -> None:
        rules = self.rules
        x = rules.left + rules.step * int(self.ram[COLUMN]) & 255
        away = x - int(self.ram[X])
        self.ram[X] = x if not rules.glide else int(self.ram[X]) + max(-rules.glide, min(rules.glide, away))
        self.ram[Y] = rules.top + rules.down * (ROWS - 1 - int(self.ram[ROW])) & 255

    # -- what a rig does

    def save(self) -> Any:
        return self.ram.copy()

    def load(self, state: Any) -> None:
        self.ram = state.copy()

    def step(self, pad: int = 0) -> None:
        self.frames += 1
        rules, ram = self.rules, self.ram
        column, row = int(ram[COLUMN]), int(ram[ROW])
        ram[NOISE] = int(ram[NOISE]) + 1 & 255
        floor = int(ram[HEAP + column % rules.columns])
        if ram[REST] >= rules.lock:
            # it has locked; after the gap the next one appears
            ram[REST] = min(250, int(ram[REST]) + 1)
            if ram[REST] == rules.lock + rules.gap:
                if max(ram[HEAP : HEAP + rules.columns]) >= ROWS - 1:
                    # the game has ended, and nothing moves any more
                    ram[REST] = 250
                    return
                self.deal()
            return
        side = pad & (Button.LEFT | Button.RIGHT)
        ram[HELD] = min(200, int(ram[HELD]) + 1) if side and side == ram[SIDE] else int(bool(side))
        ram[SIDE] = side
        if ram[WAIT]:
            ram[WAIT] -= 1
            return
        if side and 0 < int(ram[HELD]) - rules.late <= rules.leap:
            to = column + (1 if side == Button.RIGHT else -1)
            if rules.open_ or (0 <= to < rules.columns and int(ram[HEAP + to]) <= row):
                ram[COLUMN] = to % 256
        column = int(ram[COLUMN])
        floor = int(ram[HEAP + column % rules.columns])
        if row > floor:
            ram[SINK] += 1 if pad & Button.DOWN else 0
            if ram[SINK] >= rules.soft:
                ram[ROW], ram[SINK] = row - 1, 0
        elif pad & Button.DOWN:
            ram[REST] += 1
            if ram[REST] == rules.lock:
                ram[HEAP + column] += 1
        self.show()


KINDS = {
    "plain": Rules(),
    "y through zero": Rules(top=200),
    "y goes up": Rules(top=150, down=-8),
    "rows as numbers": Rules(top=1, down=1),
    "x from the right": Rules(left=9, step=-1),
    "x through zero": Rules(left=240, step=8),
    "slow to answer": Rules(control=31, late=2),
    "quick": Rules(soft=1, lock=1, gap=1, control=0),
    "wide": Rules(columns=10, spawn=4),
}


def driver_of(game: Game, **said: Any) -> Driver:
    rules = game.rules
    rig: Any = game
    return Driver(rig, Place(X, rules.step), Place(Y, rules.down), **said)


def raw_x(rules: Rules, column: int) -> int:
    return rules.left + rules.step * column & 255


def raw_y(rules: Rules, row: int) -> int:
    return rules.top + rules.down * (ROWS - 1 - row) & 255


def test_a_piece_that_sinks_slowly_is_waited_for() -> None:
    # no soft drop, and a row takes two seconds (stranger 758820)
    game = Game(Rules(soft=120))
    fallen = driver_of(game).fall(game.save())
    assert (fallen.lowest, fallen.reset > MOST_FALL) == (raw_y(game.rules, 0), True)
    with pytest.raises(CalibrationError, match="no next piece"):
        driver_of(Game(Rules(soft=120))).fall(game.save(), most=100)


@pytest.mark.parametrize("name", KINDS)
def test_columns_are_those_between_the_walls(name: str) -> None:
    game = Game(KINDS[name])
    wanted = [raw_x(game.rules, column) for column in range(game.rules.columns)]
    assert list(driver_of(game).columns(game.save())) == wanted


@pytest.mark.parametrize("said", [{}, {"step": 1, "left": 0}, {"step": -8, "left": 200}, {"step": 16}])
@pytest.mark.parametrize("glide", [0, 1, 2])
@pytest.mark.parametrize("leap", [1, 2])
def test_taps_may_lead_past_columns_and_pieces_may_glide(leap: int, glide: int, said: dict[str, Any]) -> None:
    # columns that are numbered have nothing between them
    glide = 0 if said.get("step") == 1 else glide
    game = Game(Rules(columns=7, glide=glide, leap=leap, **said))
    wanted = [raw_x(game.rules, column) for column in range(7)]
    driver = driver_of(game, tap=Tap(3, 40))
    if leap > 1 and glide:
        # then nothing shows that there are columns between those that taps lead to
        wanted = wanted[::2]
    assert list(driver.columns(game.save())) == wanted


def test_without_walls_there_are_no_columns() -> None:
    game = Game(Rules(open_=True))
    with pytest.raises(CalibrationError, match="nothing stops it at the sides"):
        driver_of(game).columns(game.save())
    for columns in (1, 2):
        narrow = Game(Rules(columns=columns, spawn=0))
        with pytest.raises(CalibrationError, match="equal steps between two walls"):
            driver_of(narrow).columns(narrow.save())
    assert len(driver_of(Game(Rules(columns=3, spawn=1))).columns(Game(Rules(columns=3, spawn=1)).save())) == 3


@pytest.mark.parametrize("keep", [False, True])
@pytest.mark.parametrize("name", [name for name in KINDS if name != "x through zero"])
def test_pieces_are_dropped_into_each_column_and_on_each_other(name: str, keep: bool) -> None:
    game = Game(KINDS[name])
    rules, driver = game.rules, driver_of(game)
    state = game.save()
    for round_ in range(2):
        for column in range(rules.columns):
            begun = game.frames
            fallen = driver.fall(state, column=raw_x(rules, column), keep=keep)
            assert (fallen.x, fallen.lowest, fallen.top) == (
                *(raw_x(rules, column), raw_y(rules, round_), raw_y(rules, ROWS - 1)),
            )
            # the delay was measured with the first piece: other pieces take only their own frames, and some to look
            # a press that is answered late may begin as much sooner
            assert driver.control_delay == rules.control - rules.late
            assert fallen.frames == fallen.reset + driver.control_delay
            assert game.frames >= begun + fallen.frames
            heap = fallen.ram[HEAP : HEAP + rules.columns].tolist()
            assert heap == [round_ + (one <= column) for one in range(rules.columns)]
            # the next piece answers now, and did not a frame before
            assert (fallen.ram[[X, Y, WAIT]] == [raw_x(rules, rules.spawn), fallen.top, rules.late]).all()
            assert fallen.flying[HEAP : HEAP + rules.columns].tolist() == [
                round_ + (one < column) for one in range(rules.columns)
            ]
            assert (fallen.trace is None) is (not keep)
            if fallen.trace is not None:
                assert len(fallen.trace) == fallen.frames
                ys = fallen.trace[:, Y].tolist()
                assert ys[fallen.reset - 1] == fallen.top
                assert ys[fallen.reset - 2] == fallen.lowest
                assert (fallen.trace[-1] == fallen.ram).all()
            state = fallen.state


def test_a_piece_that_is_not_steered_falls_where_it_appears_as_long_as_it_takes() -> None:
    rules = Rules()
    game = Game(rules)
    fallen = driver_of(game).fall(game.save())
    # it sinks by a row every two frames, rests, and gives way to the next one
    assert fallen.reset == 2 * (ROWS - 1) + rules.lock + rules.gap
    assert fallen.x == raw_x(rules, rules.spawn)
    # other buttons are held in place of DOWN: nothing sinks, and it gives up
    with pytest.raises(CalibrationError, match="no next piece comes"):
        driver_of(game).fall(game.save(), pad=0, most=50)
    assert driver_of(Game(rules)).fall(Game(rules).save(), most=fallen.reset + 1).reset == fallen.reset


def test_pokes_come_first() -> None:
    rules = Rules()
    game = Game(rules)
    fallen = driver_of(game).fall(game.save(), column=raw_x(rules, 4), pokes={HEAP + 4: 7, HEAP + 1: 3})
    assert fallen.lowest == raw_y(rules, 7)
    assert fallen.ram[HEAP : HEAP + 6].tolist() == [0, 3, 0, 0, 8, 0]


def test_a_column_that_can_not_be_reached() -> None:
    rules = Rules()
    game = Game(rules)
    wall = {HEAP + 3: ROWS}
    with pytest.raises(CalibrationError, match=f"the column of x = {raw_x(rules, 5)}"):
        driver_of(game).fall(game.save(), column=raw_x(rules, 5), pokes=wall)
    begun = Game(rules)
    # beside the wall, so that the game isn't ended by it
    wall = {HEAP + 3: ROWS - 2}
    begun.ram[ROW] = ROWS - 3
    begun.show()
    fallen = driver_of(begun).fall(begun.save(), column=raw_x(rules, 5), pokes=wall, about=True)
    assert fallen.x == raw_x(rules, 2)
    # no column at all
    with pytest.raises(CalibrationError, match="doesn't get to the column"):
        driver_of(game).fall(game.save(), column=raw_x(rules, 2) + 3)


def test_where_no_piece_follows_the_fall_says_so() -> None:
    game = Game(Rules())
    with pytest.raises(CalibrationError, match="no next piece comes after this one"):
        driver_of(game).fall(game.save(), pokes={HEAP + 2: ROWS - 2})


def test_a_piece_goes_to_a_column_and_back_by_taps() -> None:
    rules = Rules(columns=8, spawn=3)
    game = Game(rules)
    driver = driver_of(game, tap=Tap(2, 3))
    for column in (0, 7, 3, 3, 4):
        begun, before = game.frames, game.peek(COLUMN)
        assert driver.go(raw_x(rules, column))
        assert (game.peek(COLUMN), driver.x_now()) == (column, raw_x(rules, column))
        assert game.frames - begun == 5 * abs(column - before)
    assert driver.nudge(Button.LEFT)
    assert game.peek(COLUMN) == 3
    for wall, button, target in ((0, Button.LEFT, -40), (7, Button.RIGHT, 400)):
        assert not driver.go(target)
        assert game.peek(COLUMN) == wall
        ways: list[int] = []
        assert not driver.nudge(button, ways)
        # two taps of five frames each
        assert ways == [0] * 10


@pytest.mark.parametrize("late", [0, 1, 3])
def test_whether_and_when_a_piece_answers(late: int) -> None:
    game = Game(Rules(late=late, control=20))
    driver = driver_of(game)
    state = game.save()
    assert driver.answers(state)
    assert driver._latency(state) == 1 + late
    game.deal()
    dealt = game.save()
    # it answers only after its delay; a press that is held until then counts
    assert driver._latency(dealt) is None
    assert driver._latency(dealt, 20) == 1 + late
    driver.latency = 1 + late
    assert driver._measure_delay(dealt) == 20 - late
    game.load(dealt)
    game.ram[REST] = 250
    dead = game.save()
    assert not driver.answers(dead)
    with pytest.raises(CalibrationError, match="answers no press"):
        driver._measure_delay(dead)
    game.load(dead)
    with pytest.raises(CalibrationError, match="answers no press"):
        driver._not_yet()

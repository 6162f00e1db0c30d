"""Places that are the number of a cell."""

from __future__ import annotations

from random import Random
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from ochibot.console import Button
from ochibot.experiments.learn import begin, learn_piece
from ochibot.experiments.motion import across
from ochibot.experiments.notebook import Notebook
from ochibot.experiments.numbered import _based, entries_of, find_counted, find_numbered
from ochibot.experiments.rig import Numbered, Rig

from tests.strangers.maker import Truth, draw
from tests.strangers.maker.console import StrangerConsole
from tests.strangers.maker.motion import Motion
from tests.strangers.maker.place import Place
from tests.strangers.several import several
from tests.strangers.whole import judge_whole


def test_the_number_of_the_pieces_cell_is_found() -> None:
    # x and y were found by sprites, which follow it
    console = StrangerConsole(draw(900, "family", "cell_index"))
    place = Truth(console.game).describe()["place"]
    rig, book = Rig(console), Notebook(None, "a game")
    rig.step()
    learnt, ground, _ = learn_piece(rig, book, *begin(rig, book))
    sideways, _, sinking = across(rig, ground.state)
    found = find_numbered(ground, learnt.basis, learnt.stance, [*sideways, *sinking])
    assert rig.address(learnt.basis.x[0]) != place["address"]
    assert (rig.address(found.offset), found.right, found.lower) == (place["address"], 1, place["cells_per_row"])


@pytest.mark.parametrize(
    "number",
    [
        *(Numbered(35, 2, 16, 210), Numbered(35, 16, 1, 29)),
        *(Numbered(35, 16, -1, 0), Numbered(35, 32, -2, 3), Numbered(35, 1, -8, 5), Numbered(35, 2, -16, 1)),
    ],
)
def test_x_and_y_are_read_from_the_number_of_a_cell(number: Numbered) -> None:
    for column in range(6):
        for row in range(12):
            raw = number.base + number.right * column - number.lower * row
            values = [
                (raw - one["origin"]) * one.get("scale", 1) // one["divide"] % one.get("modulo", 256)
                + one.get("offset", 0)
                for one in entries_of(number, 0x23, 13)
            ]
            assert values == [column + 1, 13 - row]


@pytest.mark.parametrize("seed", [901, pytest.param(902, marks=pytest.mark.long)])
def test_a_piece_that_is_only_in_the_field_and_has_only_a_cells_number_is_learnt(
    seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In a game for the Master System nothing but that number falls, and it falls while the sides are tried."""
    monkeypatch.setattr(Motion, "_sprites", lambda _: None)
    verdict = judge_whole(several(seed, "cell_index", "piece_inside"), pieces=60)
    assert verdict.whole, verdict.why


def test_a_piece_that_has_only_a_number_that_counts_upwards_is_learnt(monkeypatch: pytest.MonkeyPatch) -> None:
    """As above, but each column has 16 numbers, the lowest row's first."""

    def store(self: Any, column: int, row: int, turn: int, sunk: int) -> None:
        stored(self, column, row, turn, sunk)
        self._mem[self.x[0]] = 16 * column + self._spec.height - 1 - row

    def loader(self: Any) -> Any:
        mem, x, lowest = self._mem, self.x[0], self._spec.height - 1
        return lambda: (mem[x] // 16, lowest - mem[x] % 16, self._sides[mem[self.turn]])

    stored = Place.store
    monkeypatch.setattr(Place, "store", store)
    monkeypatch.setattr(Place, "_loader", loader)
    monkeypatch.setattr(Motion, "_sprites", lambda _: None)
    verdict = judge_whole(several(901, "cell_index", "piece_inside"), pieces=60)
    assert verdict.whole, verdict.why


class Counting:
    """A console of 100 bytes: a piece's cell is numbered at 40, one more for each column, and ``line`` more each 50th
    frame, or each frame with DOWN. walls: how many places of a line are none of its columns.
    """

    def __init__(self, line: int, walls: int, begun: int) -> None:
        self.raw = np.zeros(100, np.uint8)
        self.line, self.walls, self.begun = line, walls, begun
        self.rom: Any = type("Rom", (), {"system": "nes"})
        self.ram: Any = type("Ram", (), {"raw": self.raw, "banks": ()})
        self.raw[40:42] = begun, 0

    def save(self) -> bytes:
        return self.raw.tobytes()

    def load(self, state: bytes) -> None:
        self.raw[:] = np.frombuffer(state, np.uint8)

    def step(self, pad: int, _: int = 0) -> None:
        fresh, self.raw[42] = pad & ~int(self.raw[42]), pad & 0xF0
        at = int(self.raw[40])
        column = (at - self.begun) % self.line - self.line // 2
        for button, way in ((Button.LEFT, -1), (Button.RIGHT, 1)):
            if fresh & int(button) & 0xFF and 0 <= column + way + self.line // 2 < self.line - self.walls:
                at += way
        self.raw[41] = (int(self.raw[41]) + 1) % 50
        if not self.raw[41] or pad & int(Button.DOWN):
            at = at + self.line if at < 8 * self.line else self.begun
        self.raw[40] = at


class Upwards(Counting):
    """As before, but with ``right`` more for each column, and ``up`` more for each of 12 rows upwards. The first cell,
    at the lower left, is 16.
    """

    def __init__(self, right: int, up: int) -> None:
        self.right, self.up = right, up
        super().__init__(16, 0, 16 + 2 * right + 11 * up)

    def step(self, pad: int, _: int = 0) -> None:
        fresh, self.raw[42] = pad & ~int(self.raw[42]), pad & 0xF0
        at = int(self.raw[40]) - 16
        column, row = (at // self.right, at % self.right) if self.right > self.up else (at % self.up, at // self.up)
        for button, way in ((Button.LEFT, -1), (Button.RIGHT, 1)):
            if fresh & int(button) & 0xFF and 0 <= column + way < 6:
                column += way
        self.raw[41] = (int(self.raw[41]) + 1) % 50
        if not self.raw[41] or pad & int(Button.DOWN):
            column, row = (column, row - 1) if row else (2, 11)
        self.raw[40] = 16 + self.right * column + self.up * row


@pytest.mark.parametrize(("right", "up"), [(16, 1), (1, 16)])
def test_cells_may_be_numbered_from_the_lowest_row_upwards(right: int, up: int) -> None:
    console: Any = Upwards(right, up)
    rig = Rig(console)
    state = console.save()
    found = find_counted(rig, state, [7, 40])
    assert found is not None
    assert (found.offset, found.right, found.lower) == (40, right, -up)
    rig.count(found)
    x, y = rig.own - 2, rig.own - 1
    here, sunk = rig.after(state, []), rig.after(state, [int(Button.DOWN)] * 3)
    aside = rig.after(state, [int(Button.LEFT), 0] * 2)
    assert [(int(one[x]) - int(here[x]), int(one[y]) - int(here[y])) for one in (sunk, aside)] == [(0, -3), (-2, 0)]
    # what is poked into y moves the piece there
    rig.load(state)
    rig.poke({y: int(sunk[y])})
    assert rig.snap()[[x, y]].tolist() == sunk[[x, y]].tolist()


@pytest.mark.parametrize(("line", "walls", "begun"), [(10, 2, 31), (16, 9, 40), (8, 0, 16)])
def test_no_line_of_cells_goes_beyond_the_numbers_that_make_one_row(line: int, walls: int, begun: int) -> None:
    console: Any = Counting(line, walls, begun)
    rig = Rig(console)
    state = console.save()
    # what followed the buttons in a view lies beyond RAM
    found = find_counted(rig, state, [7, rig.size + 51, 40])
    assert found is not None
    assert (found.offset, found.right, found.lower) == (40, 1, line)
    assert -line < found.base <= 0
    rig.count(found)
    lines = {int(rig.after(state, [int(Button.RIGHT), 0] * column)[rig.own - 1]) for column in range(line)}
    assert len(lines) == 1


@given(
    st.integers(2, 14), st.integers(1, 3), st.integers(0, 13), st.integers(1, 14), st.integers(0, 200), st.booleans(),
    st.randoms(use_true_random=False),
)  # fmt: skip
def test_as_many_places_of_a_line_are_free_on_its_left_as_on_its_right(
    period: int, small: int, first: int, wide: int, begun: int, across: bool, dice: Random
) -> None:
    """A piece was seen in some neighbouring columns, row after row, and last in the rightmost or another one."""
    wide = min(wide, period)
    columns = [(first + at) % period for at in range(wide)]
    dice.shuffle(columns)
    origin = begun % small
    seen = np.array([origin + small * (column + period * row) & 255 for row in range(3) for column in columns], int)
    seen = seen[seen < 256].astype(np.uint8)
    number = Numbered(40, small, period * small, 0) if across else Numbered(40, period * small, -small, 0)
    found = _based(number, seen[: len(columns)] if period * small * 3 > 256 else seen)
    assert -period * small < found.base <= 0
    assert (found.base - origin) % small == 0
    places = {(origin + small * column - found.base) // small % period for column in columns}
    left, right = min(places), period - 1 - max(places)
    if wide < period:
        assert max(places) - min(places) == wide - 1
        assert 0 <= right - left <= 1 or 0 <= left - right <= 1
    else:
        # nothing tells where a line begins but where the piece came to rest
        assert (int(seen[len(columns) - 1]) - found.base) // small % period == 0


def test_x_and_y_of_a_number_are_bytes_behind_ram() -> None:
    console: Any = Counting(10, 2, 31)
    rig = Rig(console)
    rig.count(Numbered(40, 1, 10, -7))
    assert rig.own == rig.size == 102
    assert rig.snap()[[40, 100, 101]].tolist() == [0, 8, 3]
    assert [rig.peek(at) for at in (40, 100, 101)] == [31, 8, 3]
    rig.poke({100: 5, 101: 6})
    assert console.raw[40] == 58
    assert rig.trace([0])[0, [40, 100, 101]].tolist() == [0, 5, 6]
    assert (rig.address(100), rig.address(101)) == (40, 40)
    # where a column is more than a row
    rig.count(Numbered(40, 16, 1, 0))
    assert rig.snap()[[100, 101]].tolist() == [3, 10]
    rig.count(None)
    assert rig.snap().tolist() == console.raw.tolist()

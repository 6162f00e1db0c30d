"""Which buttons turn a piece, and what tells how it lies: naive pieces whose buttons are drawn."""

from __future__ import annotations

from typing import Any, ClassVar

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from ochibot.console import Button
from ochibot.errors import CalibrationError
from ochibot.experiments.driver import Driver, Place
from ochibot.experiments.rig import TURNERS
from ochibot.experiments.turning import find_turning

from tests.experiments.test_turned import SIDE, WORDS, X, Y
from tests.experiments.test_turned import Turner as Still

EARLY, LATE, PAIRED, SPAWN = 3, 9, 10, 2
CODES = (7, 40, 3, 12)


class Turner(Still):
    """ways: what each button does: quarters clockwise, or ``drop``, after which the next piece appears. Copies of the
    orientation are made anew on each frame, one of them before it in RAM, and one that only tells whether it lies.
    """

    def __init__(self, ways: dict[Button, Any], start: str) -> None:
        super().__init__(through=True, start=start)
        self.ways, self.begun = ways, int(self.ram[X])
        self.show()

    def show(self) -> None:
        side = int(self.ram[SIDE])
        self.ram[[EARLY, LATE, PAIRED]] = CODES[side], CODES[side] + 1, 50 + side % 2

    def step(self, pad: int = 0) -> None:
        pressed = pad & ~self.pad
        super().step(pad & (Button.LEFT | Button.RIGHT))
        self.pad = pad
        for button, way in self.ways.items():
            if pressed & button and way == "drop":
                self.ram[X] = self.begun
            elif pressed & button:
                self.turn(way)
        self.show()

    def turn(self, by: int) -> None:
        self.ram[SIDE] = (int(self.ram[SIDE]) + by) % 4


@settings(max_examples=14)
@given(
    st.lists(st.sampled_from([0, 0, 1, -1, 2, "drop"]), min_size=7, max_size=7),
    st.sampled_from(WORDS),
    st.integers(0, 2),
    st.sampled_from([None, SIDE, EARLY, PAIRED]),
)
def test_buttons_turn_a_piece_forwards_or_backwards(
    ways: list[Any], start: str, taps: int, documented: int | None
) -> None:
    named = dict(zip(TURNERS, ways, strict=True))
    game = Turner(named, start)
    rig: Any = game
    state: Any = game.save()
    driver = Driver(rig, Place(X, 1), Place(Y, 1))
    quarters = [button for button, way in named.items() if way in (1, -1)]
    turners = [button for button, way in named.items() if way in (1, -1, 2)]
    if not turners:
        with pytest.raises(CalibrationError, match="no button turns the piece"):
            find_turning(driver, state)
        return
    first = turners[0]
    driver.first = (int(first),) * taps
    found = find_turning(driver, state, documented)
    assert found.button is first
    if named[first] == 2:
        # half turns alone tell no side
        assert (found.place, found.cycle) == (None, ())
        return
    alike = [button for button in quarters if named[button] == named[first]]
    others = [button for button in quarters if named[button] != named[first]]
    assert found.back is (others[0] if others else None)
    assert found.also == (*alike[1:], *others[1:])
    # the game obeys one byte alone
    assert found.place == SIDE
    begun = WORDS.index(start)
    assert found.cycle == tuple((begun + named[first] * (taps + quarter)) % 4 for quarter in range(4))


ACROSS, DOWN, FAR_X, FAR_Y, SHADOW = 20, 21, 24, 25, 27


class Stepped(Turner):
    """No byte has four values: one has the other half's step to the right, and one its step down; the game obeys both.
    The other half's own place is told by two bytes as well, which are kept, and a copy of the step to the right is not.
    """

    appeared = False
    STEPS: ClassVar = [(0, 255), (1, 0), (0, 1), (255, 0)]

    def show(self) -> None:
        if not self.appeared:
            self.ram[[ACROSS, DOWN]] = self.STEPS[int(self.ram[SIDE])]
            self.appeared = True
        across, down = self.ram[[ACROSS, DOWN]].tolist()
        self.ram[SHADOW] = across
        self.ram[[FAR_X, FAR_Y]] = int(self.ram[X]) + across & 255, int(self.ram[Y]) + down & 255
        self.ram[SIDE] = 0

    def turn(self, by: int) -> None:
        now = tuple(self.ram[[ACROSS, DOWN]].tolist())
        if now in self.STEPS:
            self.ram[[ACROSS, DOWN]] = self.STEPS[(self.STEPS.index(now) + by) % 4]


def test_two_bytes_tell_together_how_a_piece_stands() -> None:
    """A game of the Mega Drive keeps a step to the right and one down; no byte has four values."""
    game: Any = Stepped({Button.A: 1, Button.B: -1}, "up")
    found = find_turning(Driver(game, Place(X, 1), Place(Y, 1)), game.save())
    assert (found.place, found.second) == (ACROSS, DOWN)
    assert found.places == (ACROSS, DOWN)
    assert found.cycle == (0xFF00, 0x0001, 0x0100, 0x00FF)
    assert found.read(game.snap()) == 0xFF00

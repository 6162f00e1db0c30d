"""Which buttons turn a piece, and what tells how it lies: naive pieces whose buttons are drawn."""

from __future__ import annotations

from typing import Any

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

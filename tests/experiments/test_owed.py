"""The bonus for an emptied field in games that pay it with the next group."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from ochibot.errors import CalibrationError
from ochibot.experiments.colors import ColorByte
from ochibot.experiments.owed import measure_owed

WORTH, BONUS = 4, 210
"""In tens, because the score in these tests is one byte."""


class _Game:
    """A game whose savestates are its RAM: the score, whether a bonus is owed, and how many cells are left."""

    colors = (1, 2, 3)
    columns = (0, 1, 2, 3, 4, 5)

    def __init__(self, *, owes: bool, at_once: bool = False, always_leaves: int = 0) -> None:
        self.rig = self.driver = self.ground = self
        self.owes, self.at_once, self.always_leaves = owes, at_once, always_leaves
        self.near, self.far = (
            ColorByte(place, 255, {kind: kind for kind in self.colors}, followed=True) for place in (3, 4)
        )
        self.near_below = True
        self.ram = np.zeros(5, np.uint8)

    def load(self, state: Any) -> None:
        self.ram = state.copy()

    def snap(self) -> Any:
        return self.ram.copy()

    def painted(self, cells: Any) -> dict[int, int]:
        return {100: len(cells)}

    def kinds(self, ram: Any) -> dict[tuple[int, int], int]:
        return dict.fromkeys([(0, row) for row in range(ram[2])], 3)

    def lock(self, cells: Any, *_: int, pad: int | None = None) -> Any:
        assert not cells or pad == 0
        emptied = bool(cells)
        return self._after(WORTH * 2 + (BONUS if self.at_once else 0) if emptied else 0, emptied=emptied)

    def fall(self, state: Any, **_: Any) -> Any:
        self.load(state)
        return self._after(WORTH + (BONUS if self.ram[1] else 0), emptied=False)

    def _after(self, points: int, *, emptied: bool) -> Any:
        left = self.always_leaves if emptied else 1
        ram = np.array([(self.ram[0] + points) & 255, emptied and self.owes, left, 0, 0], np.uint8)
        return SimpleNamespace(ram=ram, state=ram)

    def value(self, ram: Any) -> int:
        return int(ram[0]) * 10


@pytest.mark.parametrize(("game", "owed"), [
    (_Game(owes=True), BONUS * 10),
    (_Game(owes=False), 0),
    (_Game(owes=False, at_once=True), 0),
])  # fmt: skip
def test_a_bonus_that_comes_with_the_next_group_is_measured(game: Any, owed: int) -> None:
    assert measure_owed(game, game, 4) == owed


def test_where_no_lock_empties_the_field_nothing_is_claimed() -> None:
    game: Any = _Game(owes=True, always_leaves=2)
    with pytest.raises(CalibrationError, match="leave the field empty"):
        measure_owed(game, game, 4)

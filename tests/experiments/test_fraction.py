"""Where a piece sinks by less than a row at a time."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from ochibot.experiments.fraction import find_fraction

ROW = 20


class Falling:
    """RAM in which a number of 16.16 bits grows from the tenth frame on, until it lies on the floor."""

    def __init__(self, speed: int, order: str, timer: bool = False) -> None:
        self.speed, self.order, self.timer = speed, order, timer

    def branch(self, _state: bytes, pads: list[int]) -> Any:
        rams, number = np.zeros((len(pads), 16), np.uint8), 0x10000
        for frame, ram in enumerate(rams):
            number = min(number + self.speed * (frame >= 10), 0x60000)
            # a timer counts the frames since the last row instead
            low = frame % ROW if self.timer else number >> 8 & 255
            parts = [0, number >> 16, low, number & 255]
            ram[4:8] = parts if self.order == "big" else parts[::-1]
        return rams


@pytest.mark.parametrize("order", ["big", "little"])
@pytest.mark.parametrize("speed", [0x10000 // ROW, 0x0D00, 0x2000])
def test_parts_of_a_row_lie_beside_y(speed: int, order: str) -> None:
    y, beside = (5, 1) if order == "big" else (6, -1)
    assert find_fraction(Falling(speed, order), b"", y, ROW) == beside  # type: ignore[arg-type]


def test_a_timer_holds_no_parts_of_a_row() -> None:
    assert find_fraction(Falling(0x10000 // ROW, "big", timer=True), b"", 5, ROW) is None  # type: ignore[arg-type]


def test_a_piece_that_hardly_falls_shows_none() -> None:
    assert find_fraction(Falling(0x100, "big"), b"", 5, ROW) is None  # type: ignore[arg-type]

"""What is measured of times where the game does something unusual."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from ochibot.console import Button
from ochibot.experiments import measure

X, Y, CELL = 0, 1, 2


class Falling:
    """A piece that sinks a row every ten frames; the field's only cell changes at the frame ``still``."""

    def __init__(self, still: int) -> None:
        self._still = still

    def branch(self, _state: bytes, pads: list[int], _paint: object) -> Any:
        frames = np.arange(len(pads))
        ram = np.zeros((len(pads), 3), np.uint8)
        ram[:, X] = np.cumsum([bool(pad & Button.RIGHT) for pad in pads]) // 8
        ram[:, Y] = np.minimum(frames // 10, 6)
        ram[:, CELL] = frames >= self._still
        return ram


def ground(still: int) -> Any:
    place = SimpleNamespace(offset=X), SimpleNamespace(offset=Y)
    pad = SimpleNamespace(pads=lambda *_: [0] * 8)
    return SimpleNamespace(
        rig=Falling(still),
        state=b"",
        painted=lambda *_: {},
        grid=SimpleNamespace(columns=1, cell=lambda *_: CELL),
        visible=1,
        cell_y=-1,
        floor_y=6,
        driver=SimpleNamespace(x=place[0], y=place[1], tap=pad, control_delay=3, drawn=False),
    )


@pytest.mark.parametrize(("still", "lock"), [(67, 7), (70, 10), (5, None)])
def test_a_field_that_changes_before_the_piece_has_sunk_gives_no_time_of_a_lock(still: int, lock: int | None) -> None:
    """Games that write the falling piece into the field change it at once."""
    timing = measure.measure_timing(ground(still))
    assert (timing.fall, timing.lock, timing.control) == (10, lock, 3)
    assert timing.lock_moved == lock

"""Map entries of a piece's place, read back through a map."""

from __future__ import annotations

import numpy as np
import pytest
from ochibot.console import NES, Ram
from ochibot.experiments.mapfile import _place
from ochibot.ram import BoundMap, RamMap


@pytest.mark.parametrize(
    ("floor", "step", "row"),
    [(177, -16, 12), (120, 16, 12), (250, -1, 12), (20, -8, 12), (200, 8, 13), (12, 1, 12)],
)
def test_each_row_reads_as_itself_though_the_byte_wraps(floor: int, step: int, row: int) -> None:
    """The byte is ``floor`` in the row ``row``. Bytes that count upwards in pixels once wrapped unseen."""
    entry = {**_place(0x10, floor, step, row, ""), "note": True}
    ram = np.zeros(0x800, np.uint8)
    bound = BoundMap(
        RamMap.model_validate({"game": "g", "name": "n", "system": "nes", "seat": 1, "entries": {"y": entry}}),
        Ram(ram, NES.ram),
        {},
    )
    for wanted in range(0 if step == 1 else 1, row + 1):
        for glide in range(abs(step)) if wanted < row else (0,):
            ram[0x10] = floor - (row - wanted) * step + glide * (1 if step > 0 else -1) & 255
            assert bound.value("y") == wanted

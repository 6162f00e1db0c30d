"""Map entries of a piece's place, read back through a map."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from ochibot.console import NES, Ram
from ochibot.experiments.mapfile import _place
from ochibot.ram import BoundMap, RamMap


def read_back(entry: dict[str, Any]) -> tuple[npt.NDArray[np.uint8], BoundMap]:
    """RAM, and a map with the entry as y."""
    ram = np.zeros(0x800, np.uint8)
    said = {"game": "g", "name": "n", "system": "nes", "seat": 1, "entries": {"y": {**entry, "note": True}}}
    return ram, BoundMap(RamMap.model_validate(said), Ram(ram, NES.ram), {})


@pytest.mark.parametrize(
    ("floor", "step", "row"),
    [(177, -16, 12), (120, 16, 12), (250, -1, 12), (20, -8, 12), (200, 8, 13), (12, 1, 12)],
)
def test_each_row_reads_as_itself_though_the_byte_wraps(floor: int, step: int, row: int) -> None:
    """The byte is ``floor`` in the row ``row``. Bytes that count upwards in pixels once wrapped unseen."""
    ram, bound = read_back(_place(0x10, floor, step, row, ""))
    for wanted in range(0 if step == 1 else 1, row + 1):
        for glide in range(abs(step)) if wanted < row else (0,):
            ram[0x10] = floor - (row - wanted) * step + glide * (1 if step > 0 else -1) & 255
            assert bound.value("y") == wanted


def test_a_half_above_the_first_row_is_a_row_above_it() -> None:
    """The byte of such a half is 255 where rows count from 0 (stranger 3653007)."""
    ram, bound = read_back(_place(0x10, 11, 1, 12, "", half=True))
    for raw, wanted in ((11, 12), (0, 1), (255, 0), (254, -1)):
        ram[0x10] = raw
        assert bound.value("y") == wanted

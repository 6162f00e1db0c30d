"""Compares the RAM of two moments."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ochibot.ramtools.image import Image
from ochibot.ramtools.mapping import Names


@dataclass(frozen=True)
class Run:
    """Consecutive bytes that differ. name: the map's name of the first byte, or empty."""

    address: int
    before: bytes
    after: bytes
    name: str

    def as_dict(self) -> dict[str, object]:
        """The fields as plain values, for JSON."""
        return {
            "address": f"{self.address:#06x}",
            "name": self.name or None,
            "before": self.before.hex(),
            "after": self.after.hex(),
        }


def differences(before: Image, after: Image, names: Names) -> list[Run]:
    """Every run of bytes that differ, by address. A new run begins where the map's name for the bytes changes."""
    runs: list[Run] = []
    first: int | None = None
    changed = np.flatnonzero(before.cells != after.cells).tolist()
    for place, index in enumerate(changed):
        if first is None:
            first = index
        goes_on = place + 1 < len(changed) and changed[place + 1] == index + 1
        same = goes_on and names.of(before.base + index + 1) == names.of(before.base + index)
        if not same:
            address = before.base + first
            cells = slice(first, index + 1)
            runs.append(Run(address, before.cells[cells].tobytes(), after.cells[cells].tobytes(), names.of(address)))
            first = None
    return runs

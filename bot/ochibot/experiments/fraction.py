"""Finds the byte beside y that holds parts of a row, in games whose pieces sink by less than a row at a time."""

from __future__ import annotations

from typing import Final

import numpy as np

from ochibot.experiments.rig import Rig

ROWS: Final = 4
MOST: Final = 600
"""For so many rows, and frames at most, a piece is left to fall."""


def find_fraction(rig: Rig, state: bytes, y: int, fall: int) -> int | None:
    """Where it is from y: 1 behind it, as in a big-endian number, -1 before it; None if there is no such byte.

    Such a byte and y are one number that grows by the same in each frame. A timer begins anew at each row, and isn't.
    ``state``: where a piece begins to fall. ``fall``: frames per row.
    """
    seen = rig.branch(state, [0] * min(MOST, ROWS * fall)).astype(int)
    steps = np.flatnonzero(np.diff(seen[:, y]))
    if len(steps) < 2:
        return None
    # the piece may wait at first, and lie on the floor at last
    seen = seen[steps[0] : steps[-1] + 2]
    for beside in (1, -1):
        if 0 <= y + beside < seen.shape[1]:
            grown = np.diff(256 * seen[:, y] + seen[:, y + beside])
            # parts smaller than this byte's may be carried now and then
            if 0 < grown.min() < 256 and grown.max() <= grown.min() + 1:
                return beside
    return None

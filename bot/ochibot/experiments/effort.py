"""How many emulated frames a calibration may take, and how its steps share them. No result depends on a clock."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from ochibot.errors import UsageError
from ochibot.experiments.rig import Rig
from ochibot.quoting import quoted

EFFORTS: Final = {"quick": 100_000, "normal": 250_000, "high": 1_000_000}
"""The frames of each effort."""

FEWEST: Final = 1_000
MOST: Final = 100_000_000

MENUS: Final = "the menus"
FIELD: Final = "the piece and the field"
REST: Final = "the rest"

SHARES: Final = {MENUS: 1 / 2}
"""The most that a step may take of all frames. What it leaves goes to the steps after it."""

PARTS: Final = {FIELD: 3 / 4}
"""The most that a step may take of the frames that are left, each time that it is begun. The rest may take all."""


def frames_of(effort: str) -> int:
    """The frames of an effort: quick, normal, high, or a number. Raises UsageError for anything else."""
    if effort in EFFORTS:
        return EFFORTS[effort]
    frames = int(effort.replace("_", "")) if re.fullmatch(r"[0-9][0-9_]{0,12}", effort) else 0
    if not FEWEST <= frames <= MOST:
        raise UsageError(
            f"--effort is quick, normal, high, or a number of frames from {FEWEST:,} to {MOST:,}, not {quoted(effort)}"
        )
    return frames


def more_than(frames: int) -> str:
    """The option that gives more frames than these: ``--effort high``."""
    name = next((name for name, total in EFFORTS.items() if total > frames), None)
    return f"--effort {name or 4 * frames}"


class Budget:
    """The frames of one calibration, shared out between its steps. ``total``: all of them."""

    def __init__(self, rig: Rig, total: int) -> None:
        self.rig = rig
        self.total = total
        self.left = total
        self._shares = {name: int(total * share) for name, share in SHARES.items()}

    @contextmanager
    def step(self, name: str, *, hard: bool = True) -> Iterator[None]:
        """Limits the rig to the frames of this step for the block. Steps must not contain each other.

        hard: experiments end at once when the frames are used up. Otherwise they may end what they have begun.
        """
        rig = self.rig
        began = rig.frames
        most = self._shares.get(name, int(self.left * PARTS.get(name, 1)))
        rig.limit(max(0, min(most, self.left)), hard=hard)
        try:
            yield
        finally:
            rig.limit(None)
            used = rig.frames - began
            self.left -= used
            if name in self._shares:
                self._shares[name] -= used

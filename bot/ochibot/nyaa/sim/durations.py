"""Durations in frames; ``ochibot.nyaa.sim.timed`` orders the events of a match by them.

They are the exact durations of our own cartridge (the README of roms/homebrew/neogeo), with two exceptions:
``after_wave`` and ``fall`` depend on how far blocks fall, but are constants here. docs/nyaa_player.md lists what else
is left out.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from ochibot.nyaa.rules.lock import Outcome
from ochibot.nyaa.rules.pair import SPAWN, Placement


@dataclass(frozen=True, slots=True)
class Timing:
    """Durations. All numbers are frames.

    - spawn_delay: from a spawn to the first frame under control.
    - press: a press and its release.
    - drop_row: a pair falls one row with Down held.
    - lock: a pair on the ground locks with Down held (each frame takes 4 from a budget of 28).
    - half_row: a half falls one row on its own.
    - wave_step: one step of an ignition.
    - after_wave: from the ignition's last step until all blocks are at rest. That is 36 + 2 (r + 1) if blocks fall r
      rows; here r is 2.
    - fall: from the start of nuisance's fall until it is at rest. That is 2 (f + 1) for f free rows; here f is 7.

    These values of r and f are rounded averages over matches of the shipped player against itself.
    """

    spawn_delay: int = 12
    press: int = 2
    drop_row: int = 2
    lock: int = 7
    half_row: int = 2
    wave_step: int = 5
    after_wave: int = 42
    fall: int = 16

    def control(self, placement: Placement) -> int:
        """Frames from a pair's first frame under control until it locks, played as fast as the pad allows."""
        rows = max(placement.y - SPAWN.y, 0)
        return self.press * len(placement.path) + self.drop_row * rows + self.lock

    def settling(self, outcome: Outcome) -> int:
        """Frames from a lock until the grid is at rest and the attack is sent."""
        frames = max(1, self.half_row * outcome.drop)
        return frames + (self.wave_step * outcome.steps + self.after_wave if outcome.ignited else 0)


NEOGEO_TIMING: Final = Timing()
"""The durations of our own cartridge."""

"""Durations in frames in our own cartridges. ``ochibot.puyo.sim.timed`` orders the events of a match by them.

docs/match.md explains the model and shows how exactly it holds. Source of the numbers: ``roms/homebrew/famicom``.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from ochibot.puyo.rules.field import ROWS


@dataclass(frozen=True, slots=True)
class Timing:
    """Durations. All numbers are frames unless they say otherwise.

    - spawn_delay: from a spawn to the last frame without control.
    - frames_per_row: falling one row, by level from 1.
    - drop_hurry: falling one row with Down held.
    - lock_budget: how long a piece may stay on the ground, in all, before it locks.
    - lock_hurry: how much of that budget a frame with Down takes.
    - half_row: one row of a half that drops on its own.
    - blink: how long a group blinks before it vanishes.
    - fall_row: one row of everything else that falls.
    - big_row: one row of the big puyo sinking.
    - carbuncle: how long it works; carbuncle_colors: after how many frames it recolours.
    """

    spawn_delay: int = 12
    frames_per_row: tuple[int, ...] = (40, 28, 18, 11)
    drop_hurry: int = 2
    lock_budget: int = 28
    lock_hurry: int = 4
    half_row: int = 2
    blink: int = 30
    fall_row: int = 2
    big_row: int = 4
    carbuncle: int = 28
    carbuncle_colors: int = 16

    def halves(self, drop: int) -> int:
        """Frames from a pair's lock until both halves rest; ``drop``: the rows that one of them falls."""
        return max(1, self.half_row * drop)

    def sinking(self, y: int) -> int:
        """Frames from a big puyo's lock on row ``y`` until it has left the field through the floor."""
        return self.big_row * (ROWS + 1 - y)

    def alone(self, drop: int, falls: tuple[int, ...], nuisance: int | None = None) -> int:
        """Frames from a pair's lock to the next spawn when the other seat is idle.

        ``falls``: for each step of the chain, the most rows that a puyo falls after it. ``nuisance``: the most rows
        that nuisance falls; None when none falls.
        """
        # one frame for linking neighbours, one for each half of the search for groups, one for the end
        frames = self.halves(drop) + 4
        frames += sum(self.blink + self.fall_row * (fall + 1) + 3 for fall in falls)
        return frames if nuisance is None else frames + self.fall_row * (nuisance + 1)


FAMICOM_TIMING: Final = Timing()
"""The durations of our own Famicom cartridge."""

MEGADRIVE_TIMING: Final = Timing(frames_per_row=(40, 32, 24, 18, 11))
"""The durations of our own Mega Drive cartridge, by difficulty 1 to 5 (``roms/homebrew/megadrive``, README)."""

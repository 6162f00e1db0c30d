"""How a falling pair lies: where the partner is, seen from the axis."""

from __future__ import annotations

from enum import IntEnum
from typing import Final


class Orientation(IntEnum):
    """Where the partner lies, seen from the axis. The numbers are those of Famicom Puyo Puyo's RAM (06D5)."""

    DOWN = 0
    LEFT = 1
    UP = 2
    RIGHT = 3

    def __repr__(self) -> str:
        return f"Orientation.{self.name}"

    @property
    def word(self) -> str:
        """The direction in a word: down, left, up or right."""
        return self.name.lower()


STEP: Final = ((0, 1), (-1, 0), (0, -1), (1, 0))
"""(dx, dy) from the axis to the partner, by orientation; y grows downwards."""

"""How fast a game's pieces sink and lock. This decides how far slow hands can still bring a piece."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

InTime = Callable[[Any], bool]
"""Returns whether the pilot's hands can bring the falling piece to a placement before it locks. Snapshots have such a
function (``hands``) if the hands aren't the fastest and the game's pace is known.
"""


@dataclass(frozen=True, slots=True)
class Pace:
    """The pace of one piece, in frames.

    row: time to sink a row. hurry: the same with Down held. lock: time on the ground, per piece, in all. lock_hurry:
    how much of that a frame with Down takes.
    """

    row: int
    hurry: int
    lock: int
    lock_hurry: int = 1


@dataclass(frozen=True, slots=True)
class Gravity:
    """The pace of a game, in frames.

    rows: time to sink a row, by level from 1; a single number holds at all levels. versus_row: the same with two
    players, where it differs. anywhere: whether this holds for every ROM that the title is played with, not only for
    the title's own. The rest: see ``Pace``.
    """

    rows: tuple[int, ...]
    hurry: int
    lock: int
    lock_hurry: int = 1
    versus_row: int | None = None
    anywhere: bool = False

    def pace(self, level: int | None, versus: bool) -> Pace | None:
        """The pace of a piece at a level (None: unknown); None where the level isn't among those that are known."""
        if versus and self.versus_row is not None:
            row = self.versus_row
        elif len(self.rows) == 1:
            row = self.rows[0]
        elif level is not None and 1 <= level <= len(self.rows):
            row = self.rows[level - 1]
        else:
            return None
        return Pace(row, self.hurry, self.lock, self.lock_hurry)

"""How a game's pieces sink and lock, as far as it bears on where slow hands can still bring one."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

InTime = Callable[[Any], bool]
"""Whether the hands that play get the falling piece to a placement before it locks. Snapshots carry one
(``hands``) where the hands aren't the fastest and the game's pace is known.
"""


@dataclass(frozen=True, slots=True)
class Pace:
    """Of one piece, in frames. row: to sink a row. hurry: the same with Down held. lock: on the ground, per piece, in
    all. lock_hurry: how much of that a frame with Down takes.
    """

    row: int
    hurry: int
    lock: int
    lock_hurry: int = 1


@dataclass(frozen=True, slots=True)
class Gravity:
    """Of a game, in frames. rows: to sink a row, by level from 1; one number: the same at all levels. versus_row: with
    two players, where that has a pace of its own. The rest: see ``Pace``. anywhere: it holds for every ROM that the
    title is played with, not for the title's own alone.
    """

    rows: tuple[int, ...]
    hurry: int
    lock: int
    lock_hurry: int = 1
    versus_row: int | None = None
    anywhere: bool = False

    def pace(self, level: int | None, versus: bool) -> Pace | None:
        """Of a piece at a level (None: nobody knows it); None where the level isn't among those that are known."""
        if versus and self.versus_row is not None:
            row = self.versus_row
        elif len(self.rows) == 1:
            row = self.rows[0]
        elif level is not None and 1 <= level <= len(self.rows):
            row = self.rows[level - 1]
        else:
            return None
        return Pace(row, self.hurry, self.lock, self.lock_hurry)

"""How fast a game's pieces sink and lock. This decides how far slow hands can still bring a piece."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Pace:
    """The pace of one piece, in frames.

    row: the time to sink one row. hurry: the same with Down held. lock: the total time that a piece may spend on the
    ground. lock_hurry: how much of that time one frame with Down uses up. first: the time to sink the first row, if it
    may be shorter.
    """

    row: int
    hurry: int
    lock: int
    lock_hurry: int = 1
    first: int | None = None


@dataclass(frozen=True, slots=True)
class Gravity:
    """The pace of a game, in frames.

    rows: the time to sink one row at level 1, 2, …; a single number holds at all levels. versus_row: that time with two
    players, if it differs. anywhere: whether this pace holds for every ROM that the title is played with, not only for
    the title's own ROMs. ``Pace`` explains the rest.
    """

    rows: tuple[int, ...]
    hurry: int
    lock: int
    lock_hurry: int = 1
    versus_row: int | None = None
    anywhere: bool = False

    def pace(self, level: int | None, versus: bool) -> Pace | None:
        """The pace of a piece at ``level`` (None: unknown). Returns None if no pace is known for that level."""
        if versus and self.versus_row is not None:
            row = self.versus_row
        elif len(self.rows) == 1:
            row = self.rows[0]
        elif level is not None and 1 <= level <= len(self.rows):
            row = self.rows[level - 1]
        else:
            return None
        return Pace(row, self.hurry, self.lock, self.lock_hurry)

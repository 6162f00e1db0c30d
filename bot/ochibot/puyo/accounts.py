"""What the score of a running game depends on beside the field: rows of soft drop, and emptied fields not yet paid.

Both are told by looking at RAM frame by frame. Where that doesn't tell exactly they say what is possible.
"""

from __future__ import annotations

from ochibot.puyo.rules.field import EMPTY, NUISANCE, Field
from ochibot.puyo.rules.pair import BIG, Pair
from ochibot.puyo.rules.profile import Rules


class SoftRows:
    """Counts the rows that a pair sinks with Down held, for games that don't tell them.

    Games differ by a frame in when Down begins and ends to count, and in whether the press that locks does. So a row is
    sure when Down was held in the frame in which the pair sank and in the one before; with only one of the two it is
    possible. One row more is possible for the lock.

    rows: the sure ones. spare: those that may have counted besides.
    """

    def __init__(self) -> None:
        self.rows = 0
        self._unsure = 0
        self._used = False
        self._asked = False
        self._held = False
        self._y: int | None = None

    @property
    def spare(self) -> int:
        """Rows that may have counted besides."""
        return self._unsure + self._used

    def pressed(self, down: bool) -> None:
        """What the pad does in the next frame."""
        self._asked = down

    def saw(self, y: int | None) -> None:
        """Where the pair's axis is after that frame; None while nothing falls."""
        before, self._held = self._held, self._asked
        self._asked = False
        self._used = self._used or self._held
        if y is not None and self._y is not None and y > self._y:
            if self._held and before:
                self.rows += y - self._y
            elif self._held or before:
                self._unsure += y - self._y
        self._y = y

    def begin(self) -> None:
        """A new pair is out."""
        self.rows = self._unsure = 0
        self._used = False
        self._y = None


class Owed:
    """Whether the game still owes the points of an emptied field (``Rules.all_clear_paid``).

    owed: None when nobody knows: play was joined in the middle.

    A chain is told by the coloured puyos of two settled fields: a lock adds at most two of them, so there are fewer
    only after a chain that took three or more, or after a big puyo.
    """

    def __init__(self, rules: Rules) -> None:
        self.owed: bool | None = None
        self._sure = rules.clear_size > 2
        self._colored: int | None = None
        self._big = False

    def forget(self) -> None:
        """RAM has jumped."""
        self.owed = None
        self._colored = None
        self._big = False

    def saw(self, field: Field, pair: Pair, score: int, fallen: int) -> None:
        """A pair is out on this field, on which so much nuisance has just fallen."""
        cells = field.cells
        nuisance = int((cells == NUISANCE).sum())
        colored = int((cells != EMPTY).sum()) - nuisance
        before, self._colored = self._colored, colored
        big, self._big = self._big, pair.axis == BIG
        if not colored and nuisance == fallen:
            # empty before the nuisance fell; without points it is a game's beginning
            self.owed = (None if before is None else True) if score else False
        elif self.owed is False or before is None:
            return
        elif big or (not self._sure and colored == before):
            self.owed = None
        elif colored < before:
            self.owed = False

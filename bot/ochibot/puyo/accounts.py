"""Tracks what a game's score depends on besides the field: soft-dropped rows, and an all-clear bonus not yet paid.

Both are inferred from RAM, frame by frame. Where RAM leaves several possibilities, all of them are reported.
"""

from __future__ import annotations

from ochibot.keeping import Keeps
from ochibot.puyo.rules.field import EMPTY, NUISANCE, Field
from ochibot.puyo.rules.pair import BIG, Pair
from ochibot.puyo.rules.profile import Rules


class SoftRows(Keeps):
    """Counts the rows that a pair sinks while Down is held, for games whose RAM doesn't hold that count.

    Games differ by one frame in when they begin and stop counting, and in whether the press that locks the pair counts.
    A row is therefore certain only when Down was held in the frame in which the pair sank and in the frame before. If
    Down was held in only one of the two, the row is only possible. If Down was held at all, the lock may add one more.
    A game that looks at the pad rarely sees Down, and its end, some frames late: these frames count as well. A pair
    that sinks by pixels may be counted anywhere between two rows: then Down must have been held all the way.

    rows: the certain rows. spare: how many more rows the game may have counted.
    """

    _changing = ("rows", "_unsure", "_used", "_asked", "_held", "_way", "_y")

    def __init__(self, tap: tuple[int, int] = (1, 1), *, pixels: bool = False) -> None:
        """tap: for how many frames the game wants a button held, and then released, to see every press. pixels: whether
        a pair sinks by less than a row at a time.
        """
        self.rows = 0
        self._tap = tap
        self._pixels = pixels
        # how many frames ago the pair came to its row
        self._way = 0
        self._unsure = 0
        self._used = False
        self._asked = False
        # in each of the last frames, the last one first
        self._held = [False] * (max(tap) + 1)
        self._y: int | None = None

    @property
    def spare(self) -> int:
        """How many rows the game may have counted besides the certain ones."""
        return self._unsure + self._used

    def pressed(self, down: bool) -> None:
        """Remembers whether Down is held in the next frame. Call it before each frame."""
        self._asked = down

    def saw(self, y: int | None) -> None:
        """Takes the row of the pair's axis after a frame; None while nothing falls. Call it after each frame."""
        self._held = [self._asked, *self._held]
        self._way += 1
        self._asked = False
        self._used = self._used or self._held[0]
        if y is not None and self._y is not None and y > self._y:
            hold, release = self._tap
            way = self._way if self._pixels else 0
            if all(self._held[: max(hold + 1, way)]):
                self.rows += y - self._y
            elif any(self._held[: max(release + 1, way)]):
                self._unsure += y - self._y
        if not self._pixels or y is None or y != self._y:
            # in the frame in which it is first seen, it may have left its row already
            self._way = int(self._y is None)
            self._held = self._held[: max(self._tap) + 1]
        self._y = y

    def begin(self) -> None:
        """Starts again: a new pair has spawned."""
        self.rows = self._unsure = 0
        self._used = False
        self._y = None


class Owed(Keeps):
    """Tracks whether the game still owes the bonus for an emptied field (``Rules.all_clear_paid``).

    owed: None while it isn't known, for example when the bot joined in the middle of a game.

    It recognises a chain by counting the coloured puyos of two successive settled fields. A lock adds at most two, so
    the number becomes smaller only if a chain cleared three or more, or the piece was a big puyo.
    """

    _changing = ("owed", "_colored", "_big")

    def __init__(self, rules: Rules) -> None:
        self.owed: bool | None = None
        self._sure = rules.clear_size > 2
        self._colored: int | None = None
        self._big = False

    def forget(self) -> None:
        """Forgets the state, because RAM has jumped to another moment."""
        self.owed = None
        self._colored = None
        self._big = False

    def saw(self, field: Field, pair: Pair, score: int, fallen: int) -> None:
        """Updates ``owed`` by what RAM shows when a pair spawns. ``fallen``: how many nuisance puyos have just fallen
        on the field.
        """
        cells = field.cells
        nuisance = int((cells == NUISANCE).sum())
        colored = int((cells != EMPTY).sum()) - nuisance
        before, self._colored = self._colored, colored
        big, self._big = self._big, pair.axis == BIG
        if not colored and nuisance == fallen:
            # The field was empty before the nuisance fell. If the score is 0, this is only the beginning of a game.
            self.owed = (None if before is None else True) if score else False
        elif self.owed is False or before is None:
            return
        elif big or (not self._sure and colored == before):
            self.owed = None
        elif colored < before:
            self.owed = False

"""What a player sees when it has to decide."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from dataclasses import field as field_of

from ochibot.falling.player import Facts
from ochibot.puyo.rules.field import COLUMNS, ROWS, SYMBOLS, Field
from ochibot.puyo.rules.pair import ITEM_SYMBOLS, Pair, PairState, Placement, shape


@dataclass(frozen=True, slots=True)
class Rival:
    """The other side of a match, as far as the screen shows it.

    field: its settled field; while its chain runs, the field that the chain will leave. pairs: the visible pairs that
    haven't locked yet, the falling one first. waiting: nuisance that waits above it. coming: nuisance that its running
    chain will send, after cancelling ``waiting``. frames: those until that chain has ended; 0 if no chain runs.
    """

    field: Field
    pairs: tuple[Pair, ...] = ()
    waiting: int = 0
    coming: int = 0
    frames: int = 0


@dataclass(frozen=True, slots=True, repr=False)
class Snapshot:
    """The settled field, the falling pair, the next one, and where the falling pair is.

    next_pair: ``UNKNOWN`` where the game shows none. score: shown points. state: ``rules.spawn`` when the pair has just
    appeared. level: 1..4. colors: how many colours the game deals. foreseen: the pairs after the next one, as far as
    the screen shows them or a clairvoyant game reveals them. hands: tells for a placement whether the bot's presses
    reach it before the pair locks; None when they are as fast as possible, or the game's pace is unknown. waiting:
    nuisance that waits above the field. frame: the round's frame count, 60 a second. rival: the other side, for players
    that look at it (``watches``); None without an opponent. facts: what else is known; None if nothing is.
    """

    field: Field
    pair: Pair
    next_pair: Pair
    score: int
    state: PairState
    level: int = 1
    colors: int = 4
    foreseen: tuple[Pair, ...] = ()
    hands: Callable[[Placement], bool] | None = field_of(default=None, compare=False)
    waiting: int = 0
    frame: int = 0
    rival: Rival | None = None
    facts: Facts | None = field_of(default=None, compare=False)

    def __str__(self) -> str:
        """The field with the falling piece in small letters (``*`` the big puyo, ``&`` the carbuncle), and the other
        facts beside it.
        """
        rows = [list(row) for row in str(self.field).split("\n")]
        cells = shape(self.pair, self.state)
        for (x, y), code in zip(cells, self.pair if len(cells) == 2 else [self.pair.axis] * len(cells), strict=True):
            if 1 <= x <= COLUMNS and 0 <= y < ROWS:
                rows[y][x - 1] = ITEM_SYMBOLS.get(code) or SYMBOLS[code].lower()
        beside = {
            0: "  (hidden row)",
            1: f"  pair  {self.pair}",
            2: f"  next  {self.next_pair}",
            3: f"  score {self.score}",
            4: f"  level {self.level}, {self.colors} colours",
        }
        return "\n".join("".join(row) + beside.get(y, "") for y, row in enumerate(rows))

    def __repr__(self) -> str:
        return f"<Snapshot\n{self}>"

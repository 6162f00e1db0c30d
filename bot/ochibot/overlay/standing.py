"""The data that a panel shows of a seat at one moment: plain values, compared with ``==``."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from ochibot.falling.player import Judgement
from ochibot.games.protocols import AnySeat, Look

Cells = frozenset[tuple[int, int, int]]
"""Cells of a field as (x, y, code), as ``Look.planned`` returns them."""

NO_CELLS: Cells = frozenset()

Color = tuple[int, int, int]
"""Red, green, blue, 0 to 255."""


@dataclass(frozen=True)
class ShownDecision:
    """A decision, ready to be shown.

    words: the decision in words, as ``Look.in_words`` returns them. judgement: the player's evaluation of the field
    after it, or None. leaves: how many fields were evaluated, or None. seconds: how long the player thought, or None.
    """

    words: tuple[tuple[str, str], ...]
    value: float
    judgement: Judgement | None = None
    leaves: int | None = None
    seconds: float | None = None


@dataclass(frozen=True)
class Standing:
    """What a panel shows of a player, an AI or a person, at one moment.

    title: the lines that name the player. best_of: what ``best`` counts, such as chain steps. pieces, best, score: None
    when they aren't shown. plan: the newest plan. cells: where the falling piece should come to rest; none once it has
    locked, while the plan may still be shown. thinking: whether the player is working on a plan. call: the call for the
    clear in progress (``call_of``); empty when there is none. rows: (name, value), anything else to show. lit: the
    indices of rows that have just changed. following: the colours of the next piece, from its upper half down.
    """

    title: tuple[str, ...]
    pieces: int | None
    best: int | None
    best_of: str
    score: int | None = None
    plan: ShownDecision | None = None
    cells: Cells = NO_CELLS
    thinking: bool = False
    call: str = ""
    rows: tuple[tuple[str, str], ...] = ()
    lit: frozenset[int] = frozenset()
    following: tuple[Color, ...] = ()

    def without_plan(self) -> Standing:
        """The same standing without a plan."""
        return replace(self, plan=None, cells=NO_CELLS, thinking=False)


@dataclass(frozen=True)
class Side:
    """One seat (1 or 2) with what is needed to draw it: the game's look and the AI's standing."""

    seat: int
    look: Look[Any, Any]
    standing: Standing


def call_of(seat: AnySeat, forecast: int) -> str:
    """The call shown while the seat clears, such as "2-chain!"; empty when nothing is being cleared.

    The number is the chain step that RAM shows, if the map has an entry for it. Otherwise, and in games without chains,
    it is ``forecast``.
    """
    if not seat.has_locked() or seat.over():
        return ""
    if seat.best != "chain":
        return f"{seat.best} {forecast}!" if forecast else ""
    step = seat.counter("chain")
    chain = forecast if step is None else step
    return f"{chain}-chain!" if chain else ""

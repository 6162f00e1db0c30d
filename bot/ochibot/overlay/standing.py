"""What there is to show of one seat at one moment: plain values, compared with ``==``."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from ochibot.falling.judgement import Judgement
from ochibot.games.protocols import AnySeat, Look

Cells = frozenset[tuple[int, int, int]]
"""(x, y, code) in a field, as ``Look.planned`` tells them."""

NO_CELLS: Cells = frozenset()

Color = tuple[int, int, int]
"""Red, green, blue, 0 to 255."""


@dataclass(frozen=True)
class Plan:
    """A decision. told: it in words, as ``Look.told`` has them. judgement: of the field that it leads to, for players
    that can tell. leaves: how many fields were looked at, where that is known. seconds: what the thinking took.
    """

    told: tuple[tuple[str, str], ...]
    value: float
    judgement: Judgement | None = None
    leaves: int | None = None
    seconds: float | None = None


@dataclass(frozen=True)
class Standing:
    """An AI, or a person, at one moment. title: the lines that name it. best_of: what ``best`` is the most of, such as
    a chain. pieces, best, score: None when they aren't to be shown. plan: the newest. cells: where the piece that
    falls is meant to end; none once it has locked, while the plan may still be read. thinking: whether a plan is on
    its way. call: what the clear that is to be seen comes to; empty when there is none. rows: (name, value), what else
    there is to tell; lit: the numbers of those that have just changed. following: the colors of the next piece, from
    its upper half down.
    """

    title: tuple[str, ...]
    pieces: int | None
    best: int | None
    best_of: str
    score: int | None = None
    plan: Plan | None = None
    cells: Cells = NO_CELLS
    thinking: bool = False
    call: str = ""
    rows: tuple[tuple[str, str], ...] = ()
    lit: frozenset[int] = frozenset()
    following: tuple[Color, ...] = ()

    def without_plan(self) -> Standing:
        """The same AI; what it is up to is left out."""
        return replace(self, plan=None, cells=NO_CELLS, thinking=False)


@dataclass(frozen=True)
class Side:
    """One seat (1 or 2), how its game shows a plan, and how its AI stands."""

    seat: int
    look: Look[Any, Any]
    standing: Standing


def call_of(seat: AnySeat, forecast: int) -> str:
    """What is called out while a clear of the seat's resolves, such as "2-chain!"; empty when there is none.

    The chain is the step that RAM shows, where the map knows it, and ``forecast`` where it doesn't.
    """
    if not seat.has_locked() or seat.over():
        return ""
    if seat.best != "chain":
        return f"{seat.best} {forecast}!" if forecast else ""
    step = seat.counter("chain")
    chain = forecast if step is None else step
    return f"{chain}-chain!" if chain else ""

"""What there is to show of one seat at one moment: plain values, compared with ``==``."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from ochibot.falling.judgement import Judgement
from ochibot.games.protocols import Look

Cells = frozenset[tuple[int, int, int]]
"""(x, y, code) in a field, as ``Look.planned`` tells them."""

NO_CELLS: Cells = frozenset()


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
    """An AI at one moment. title: the lines that name it. best_of: what ``best`` is the most of, such as a chain.
    score: None when it isn't to be shown. plan: the newest. cells: where the piece that falls is meant to end; none
    once it has locked, while the plan may still be read. thinking: whether a plan is on its way.
    """

    title: tuple[str, ...]
    pieces: int
    best: int
    best_of: str
    score: int | None = None
    plan: Plan | None = None
    cells: Cells = NO_CELLS
    thinking: bool = False

    def without_plan(self) -> Standing:
        """The same AI, what it is up to left out."""
        return replace(self, plan=None, cells=NO_CELLS, thinking=False)


@dataclass(frozen=True)
class Side:
    """One seat (1 or 2), how its game shows a plan, and how its AI stands."""

    seat: int
    look: Look[Any, Any]
    standing: Standing

"""What a review says about a placement: what it was worth beside the best one. Every family measures this itself.

A family whose games can be reviewed has ``reviewer(rules, boards)``, which makes a ``Reviewer``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

Cell = tuple[int, int, int]
"""A cell of a drawn field: its column from 0, its row from the top from 0, and its code."""


@dataclass(frozen=True, slots=True)
class Choice:
    """A placement and what it leads to.

    place: its column from 1 and its orientation; in Pochi & Nyaa also whether it is one of needles. cells: where the
    piece comes to rest. steps, made: the chain that it sets off at once, and its points (in Pochi & Nyaa 0 and the
    attack). value: what it is worth, in the family's unit. towards, towards_steps: the points and the steps of the
    chain that it builds towards, as far as the reviewer finds one (in Pochi & Nyaa the attack of the best needle in
    reach, and 0). then: where the best placement of the next visible piece comes to rest; empty where none is known.
    after: the settled field. over: whether the game ends. chance: of winning the match afterwards; None outside
    matches. sent: nuisance that it makes.
    """

    place: dict[str, int | str | bool]
    cells: tuple[Cell, ...]
    steps: int
    made: int
    value: float
    towards: int
    towards_steps: int
    then: tuple[Cell, ...]
    after: str
    over: bool
    chance: float | None = None
    sent: int = 0


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a review says about one placement.

    choices: the best placements, the best first. played: the one that was played; the same object if it is among them.
    lost: the share of the best choice's value that was lost, 0 to 1, less what may be chance in the futures that were
    tried. measured: the same share with it. loss: the lost value in the family's standard, about that of a chain of ten
    steps (an attack of 30); a share of a great position weighs more in it than the same share of a poor one. chance:
    the chance of winning before the placement; None outside matches. chance_lost: what was lost of it. now: the points
    (attack) that the best chain on the field makes at once, and now_steps its steps. marks: words for what went wrong
    or was dangerous, from ``MARKS``.
    """

    choices: tuple[Choice, ...]
    played: Choice
    lost: float
    measured: float
    loss: float = 0.0
    chance: float | None = None
    chance_lost: float = 0.0
    now: int = 0
    now_steps: int = 0
    marks: tuple[str, ...] = ()

    @property
    def best(self) -> Choice:
        """The best placement."""
        return self.choices[0]


MISSED, EARLY, BROKE, DANGER, OVER, NEEDED = "missed", "early", "broke", "danger", "over", "needed"
MARKS = (MISSED, EARLY, BROKE, DANGER, OVER, NEEDED)
"""missed: a chain (needle) on the field should have been set off and wasn't. early: a chain was set off that should
have grown. broke: the placement took away most of the chain that was being built. danger: the column where pieces
appear is nearly full. over: the placement ended the game. needed: the other side's attack should have been answered.
"""
_HALF = 0.5
"""A placement that leaves less than this share of the points in reach has broken the chain."""
_NEAR_END = 2


def marks_of(verdict: Verdict, *, great: bool, lit: bool, room: int, due: int) -> tuple[str, ...]:
    """The marks of a placement. great: whether the best choice sets off what somebody could have missed. lit: whether
    the placement sets off anything. room: free cells where pieces appear. due: the nuisance that needs an answer.
    """
    best, mine, found = verdict.best, verdict.played, []
    if mine.over:
        found.append(OVER)
    if max(verdict.lost, verdict.chance_lost) > 0 and best is not mine:
        if great and best.made > mine.made:
            found.append(MISSED)
        elif lit and best.made < mine.made < best.towards:
            found.append(EARLY)
        elif not lit and mine.towards < _HALF * best.towards:
            found.append(BROKE)
    if room <= _NEAR_END:
        found.append(DANGER)
    if due and mine.sent < min(due, best.sent) and verdict.chance_lost > 0:
        found.append(NEEDED)
    return tuple(found)


class Reviewer(Protocol):
    """Judges placements of one family. An instance has its own scratch memory: use one per thread."""

    def prepare(self) -> None:
        """Loads or compiles what it needs."""

    def judge(self, snapshot: Any, placement: Any) -> Verdict | None:
        """What there is to say about a placement; None where it can't be judged (items, floating cells)."""

    def drawn(self, snapshot: Any) -> Sequence[str]:
        """The settled field as rows of letters, the top one first."""

    @property
    def hidden(self) -> int:
        """How many of these rows are out of sight."""

    @property
    def board(self) -> Mapping[str, Any]:
        """What a page needs to draw the field, to move a pair on it and to play its chains (docs/review-page.md)."""

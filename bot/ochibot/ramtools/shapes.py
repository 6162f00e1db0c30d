"""The fields of the families, as the experiments need them: their size, and how a pair falls in them.

Rows are those of the falling pair's ``y`` (0 is the highest row that a half can be in), columns those of its ``x``.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

from ochibot.errors import UsageError
from ochibot.puyo.rules.pair import PairState

Cells = list[list[int]]
"""1 for each cell that is taken, indexed [y][x - 1]."""

FAMILIES: Final = ("puyo", "nyaa")
"""The families whose maps can be checked."""


@dataclass(frozen=True)
class Shape:
    """A family's field.

    columns, rows: its size, hidden rows included. base: the row that a map calls row 0 of its grid. first: the highest
    row in sight. hidden: how many rows above it keep halves. may_lack: how many rows at the top of the grid may lie
    elsewhere. nexts: the entries of the pairs that follow, the next one first. falls: where a pair comes to rest that
    falls straight down in a field.
    """

    columns: int
    rows: int
    base: int
    first: int
    hidden: int
    may_lack: int
    nexts: tuple[tuple[str, str], ...]
    falls: Callable[[Cells, PairState], PairState]

    @property
    def floor(self) -> int:
        """The lowest row."""
        return self.rows - 1


def shape_of(family: str, rules: Any) -> Shape:
    """The field of a family by its rules. Raises UsageError for a family without experiments."""
    if family == "puyo":
        return _puyo(rules)
    if family == "nyaa":
        return _nyaa()
    raise UsageError(
        f"there are no experiments for games of the family {family}, only for {' and '.join(FAMILIES)}: play it with "
        "the map, `ochibot play GAME --map FILE --pieces 30`, which stops at the first contradiction"
    )


def _puyo(rules: Any) -> Shape:
    from ochibot.puyo.rules.field import COLUMNS, ROWS
    from ochibot.puyo.rules.motion import dropped

    def falls(cells: Cells, state: PairState) -> PairState:
        return dropped(cells, state, None, rules)

    nexts = (("next_axis", "next_partner"),)
    return Shape(COLUMNS, ROWS, 0, ROWS - rules.visible_rows, rules.hidden_rows, 2, nexts, falls)


def _nyaa() -> Shape:
    from ochibot.nyaa.rules.grid import COLUMNS
    from ochibot.nyaa.rules.motion import ALL_ROWS, dropped
    from ochibot.nyaa.rules.pair import HIDDEN_ROWS, NyaaState

    def falls(cells: Cells, state: PairState) -> PairState:
        rest = dropped(cells, NyaaState(*state))
        return PairState(rest.x, rest.y, rest.orientation)

    nexts = (("next_axis", "next_partner"), ("next2_axis", "next2_partner"))
    return Shape(COLUMNS, ALL_ROWS, HIDDEN_ROWS, HIDDEN_ROWS, 0, 0, nexts, falls)

"""The fields of the game families, as the experiments need them: their size, and how a pair falls in them.

Rows are numbered as the falling pair's ``y`` (from 0, the highest row that a half can be in), columns as its ``x``
(from 1).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

from ochibot.errors import UsageError
from ochibot.puyo.rules.pair import PairState

Cells = list[list[int]]
"""A field indexed [y][x - 1]: 1 for each occupied cell, 0 for each empty one."""

FAMILIES: Final = ("puyo", "nyaa")
"""The families whose maps can be checked."""


@dataclass(frozen=True)
class Shape:
    """A family's field.

    columns, rows: its size, hidden rows included. base: the row that is row 0 of a map's grid. first: the highest
    visible row. hidden: how many rows above ``first`` keep the halves that land in them. may_lack: how many rows
    at the top of the grid may be missing from it, because the game keeps them elsewhere in RAM. nexts: the map entries
    (axis, partner) of the pairs to come, the next pair first. falls: returns where a pair comes to rest when it falls
    straight down.
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
    """The field of a family under these rules. Raises UsageError for a family without experiments."""
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

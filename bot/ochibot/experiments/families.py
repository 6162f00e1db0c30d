"""The family of rules that a learnt game belongs to, and how that family counts rows."""

from __future__ import annotations

from typing import Final, Literal

from ochibot.experiments.learnt import Learnt
from ochibot.nyaa.rules import grid as nyaa

PUYO_ROWS: Final = 14
"""All rules profiles of the puyo family use a frame of this many rows (``ochibot.puyo.rules.profile``)."""
PUYO_COLUMNS: Final = 6


def family_of(learnt: Learnt) -> Literal["puyo", "nyaa"] | None:
    """The family whose way to clear and whose field's size match the learnt game; None where no family does."""
    columns = len(learnt.basis.columns)
    # a pair appears half above the visible rows, so at least one of the frame's is hidden
    if learnt.size is not None and columns == PUYO_COLUMNS and learnt.basis.visible < PUYO_ROWS:
        return "puyo"
    if learnt.needles is not None and (columns, learnt.basis.visible) == (nyaa.COLUMNS, nyaa.ROWS):
        return "nyaa"
    return None


def rows_of(learnt: Learnt) -> int:
    """How many rows a map counts, as its family does; where no family's field is as large, all of it."""
    basis = learnt.basis
    rows = basis.visible + (0 if learnt.above is None else learnt.above.hidden_rows)
    fits = len(basis.columns) == PUYO_COLUMNS and basis.visible < PUYO_ROWS
    return PUYO_ROWS if fits else max(PUYO_ROWS, rows)


def floor_row(learnt: Learnt) -> int:
    """The number of the lowest row. Families count rows from the top, with the hidden row as 0."""
    return nyaa.ROWS if family_of(learnt) == "nyaa" else rows_of(learnt) - 1

"""Which family of rules what was learnt belongs to, and how that family counts rows."""

from __future__ import annotations

from typing import Final, Literal

from ochibot.calibrate.learn import Learnt
from ochibot.nyaa.rules import grid as nyaa

PUYO_ROWS: Final = 14
"""Rows of the frame in which all profiles of the puyo family stand (``ochibot.puyo.rules.profile``)."""
PUYO_COLUMNS: Final = 6


def family_of(learnt: Learnt) -> Literal["puyo", "nyaa"] | None:
    """The family, from what vanishes and the field's size; None where none fits."""
    columns = len(learnt.basis.columns)
    if learnt.size is not None and columns == PUYO_COLUMNS:
        return "puyo"
    if learnt.needles is not None and (columns, learnt.basis.visible) == (nyaa.COLUMNS, nyaa.ROWS):
        return "nyaa"
    return None


def floor_row(learnt: Learnt) -> int:
    """The number of the lowest row, as the family counts: from the top, the hidden row is 0."""
    return nyaa.ROWS if family_of(learnt) == "nyaa" else PUYO_ROWS - 1

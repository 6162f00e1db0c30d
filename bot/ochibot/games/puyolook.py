"""Shows a plan in games of the puyo family: as a ghost on the picture if its fields' places are known, and in words
beside it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from ochibot.games.table import Shown
from ochibot.puyo.rules.field import COLUMNS, EMPTY, ROWS
from ochibot.puyo.rules.landing import resting_cells
from ochibot.puyo.rules.pair import PairState, halves, shape
from ochibot.puyo.rules.snapshot import Snapshot
from ochibot.puyo.search.twoply import Decision

COLORS: Final[dict[int, tuple[int, int, int]]] = {
    1: (230, 60, 60),
    2: (70, 200, 80),
    3: (70, 110, 240),
    4: (240, 200, 60),
    5: (180, 80, 220),
    6: (40, 225, 215),
}
"""The colour of each code, for game files that give none."""

WHITE: Final = (255, 255, 255)
"""The colour for items, and for any other code."""


def without_pair(cells: bytes, state: PairState, colors: Sequence[int]) -> bytes:
    """The cells (84 codes from the top) without the halves of a pair that lies at ``state``."""
    left = bytearray(cells)
    for (x, y), color in zip(halves(state), colors, strict=True):
        at = y * COLUMNS + x - 1
        if y >= 0 and left[at] == color:
            left[at] = EMPTY
    return bytes(left)


class PuyoLook:
    """See ``ochibot.games.protocols.Look``. ``shown``: None when it isn't known where the picture shows the fields."""

    def __init__(self, shown: Shown | None, top: int) -> None:
        """``top``: y of the first row in sight, used if ``shown`` doesn't have it."""
        self._shown = shown or Shown()
        self._top = top if self._shown.top is None else self._shown.top
        self._colors = {**COLORS, **self._shown.colors}

    def planned(self, snapshot: Snapshot, decision: Decision) -> frozenset[tuple[int, int, int]]:
        """(x, y, code) of the cells in which the halves of the pair should come to rest, or which an item covers."""
        pair, placement = snapshot.pair, decision.placement
        if pair.is_item:
            return frozenset((x, y, pair.axis) for x, y in shape(pair, placement))
        return resting_cells(snapshot.field, pair, placement)

    def box(self, seat: int, x: int, y: int, picture: tuple[int, int]) -> tuple[int, int, int] | None:
        """Left, top and size of the square in a cell, x 1..6, y 0..13; None for rows out of sight, and where the
        field's place isn't known.
        """
        shown = self._shown
        if seat not in shown.field_at or not (1 <= x <= COLUMNS and self._top <= y < ROWS):
            return None
        left, top = shown.field_at[seat]
        cropped = (0, 0)
        if shown.screen is not None:
            cropped = (shown.screen[0] - picture[0]) // 2, (shown.screen[1] - picture[1]) // 2
        across, down, size = shown.square(x - 1, y - self._top)
        return left + across - cropped[0], top + down - cropped[1], size

    def color(self, code: int) -> tuple[int, int, int]:
        """The colour of a puyo; white for items."""
        return self._colors.get(code, WHITE)

    def in_words(self, decision: Decision) -> list[tuple[str, str]]:
        """The plan in words: the placement, and the chain that it sets off."""
        where = decision.placement
        return [
            ("plan", f"column {where.x}, {where.orientation.name.lower()}"),
            ("chain now", str(decision.outcome.chain) if decision.outcome.chain else "–"),
        ]

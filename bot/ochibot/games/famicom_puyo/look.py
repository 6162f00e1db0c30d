"""How a plan is shown on our own Famicom cartridge's picture: RAM maps don't tell where a screen shows a field."""

from __future__ import annotations

from typing import Final

from ochibot.games.protocols import Look
from ochibot.puyo.forecast import resting_cells
from ochibot.puyo.rules.field import COLUMNS, ROWS
from ochibot.puyo.rules.pair import shape
from ochibot.puyo.rules.snapshot import Snapshot
from ochibot.puyo.search.twoply import Decision

SCREEN = (256, 240)
"""The console's whole picture; cores crop it, the same on both sides."""

CELL = 16
"""A puyo's width and height."""

FIELD_AT = {1: (16, 16), 2: (144, 16)}
"""Where the first visible row begins, by seat: tile columns 2 to 13 and 18 to 29, tile rows 2 to 27."""

COLORS: dict[int, tuple[int, int, int]] = {
    1: (236, 60, 40),
    2: (80, 220, 90),
    3: (70, 90, 250),
    4: (245, 190, 60),
    5: (215, 60, 215),
    6: (40, 225, 215),
}

WHITE = (255, 255, 255)
"""For items."""


class FamicomLook:
    """See ``ochibot.games.protocols.Look``."""

    def planned(self, snapshot: Snapshot, decision: Decision) -> frozenset[tuple[int, int, int]]:
        """Where each half of the pair is meant to come to rest; of an item the cells it takes."""
        pair, placement = snapshot.pair, decision.placement
        if pair.is_item:
            return frozenset((x, y, pair.axis) for x, y in shape(pair, placement))
        return resting_cells(snapshot.field, pair, placement)

    def box(self, seat: int, x: int, y: int, picture: tuple[int, int]) -> tuple[int, int, int] | None:
        """Of a cell, x 1..6, y 0..13; None for the hidden row."""
        if not (1 <= x <= COLUMNS and 1 <= y < ROWS):
            return None
        left, top = FIELD_AT[seat]
        cropped = (SCREEN[0] - picture[0]) // 2, (SCREEN[1] - picture[1]) // 2
        return left + CELL * (x - 1) - cropped[0], top + CELL * (y - 1) - cropped[1], CELL

    def color(self, code: int) -> tuple[int, int, int]:
        """Of a puyo; white for items."""
        return COLORS.get(code, WHITE)

    def told(self, decision: Decision) -> list[tuple[str, str]]:
        """Where, and the chain that it sets off."""
        where = decision.placement
        return [
            ("plan", f"column {where.x}, {where.orientation.name.lower()}"),
            ("chain now", str(decision.outcome.chain) if decision.outcome.chain else "–"),
        ]


LOOK: Final[Look[Snapshot, Decision]] = FamicomLook()

"""How a plan is shown on our own Mega Drive cartridge's picture: RAM maps don't tell where a screen shows a field."""

from __future__ import annotations

from typing import Final

from ochibot.games.protocols import Look
from ochibot.puyo.forecast import resting_cells
from ochibot.puyo.rules.field import COLUMNS, ROWS
from ochibot.puyo.rules.snapshot import Snapshot
from ochibot.puyo.search.twoply import Decision

TOP: Final = 2
"""The top row in sight."""

CELL: Final = 16
"""A puyo's width and height."""

FIELD_AT: Final = {1: (16, 16), 2: (208, 16)}
"""Where the top row begins, by seat, in a picture of 320 x 224 (roms/homebrew/megadrive/src/layout.h)."""

COLORS: Final[dict[int, tuple[int, int, int]]] = {
    1: (230, 60, 60),
    2: (70, 200, 80),
    3: (70, 110, 240),
    4: (240, 200, 60),
    5: (180, 80, 220),
}

WHITE: Final = (255, 255, 255)


class TsuLook:
    """See ``ochibot.games.protocols.Look``."""

    def planned(self, snapshot: Snapshot, decision: Decision) -> frozenset[tuple[int, int, int]]:
        """Where each half of the pair is meant to come to rest."""
        return resting_cells(snapshot.field, snapshot.pair, decision.placement)

    def box(self, seat: int, x: int, y: int, picture: tuple[int, int]) -> tuple[int, int, int] | None:  # noqa: ARG002
        """Of a cell, x 1..6, y 2..13; None for the hidden rows."""
        if not (1 <= x <= COLUMNS and TOP <= y < ROWS):
            return None
        left, top = FIELD_AT[seat]
        return left + CELL * (x - 1), top + CELL * (y - TOP), CELL

    def color(self, code: int) -> tuple[int, int, int]:
        """Of a puyo."""
        return COLORS.get(code, WHITE)

    def told(self, decision: Decision) -> list[tuple[str, str]]:
        """Where, and the chain that it sets off."""
        where = decision.placement
        return [
            ("plan", f"column {where.x}, {where.orientation.name.lower()}"),
            ("chain now", str(decision.outcome.chain) if decision.outcome.chain else "–"),
        ]


LOOK: Final[Look[Snapshot, Decision]] = TsuLook()

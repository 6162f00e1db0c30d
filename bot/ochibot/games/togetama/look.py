"""How a plan is shown on our own Neo Geo game's picture: RAM maps don't tell where a screen shows a field."""

from __future__ import annotations

from typing import Final

from ochibot.games.protocols import Look
from ochibot.nyaa.rules.grid import COLUMNS, ROWS, place_of
from ochibot.nyaa.rules.lock import locked
from ochibot.nyaa.rules.snapshot import Snapshot
from ochibot.nyaa.search.twoply import Decision
from ochibot.wording import counted

WIDTH = 320
"""The whole picture's; FBNeo crops some drivers' to 304, the same on both sides."""

CELL = 16
FIELD_AT = {1: (16, 16), 2: (192, 16)}
"""Where the top row of the field begins, by seat (roms/homebrew/neogeo/src/layout.h)."""

COLORS: dict[int, tuple[int, int, int]] = {
    1: (240, 70, 60),
    2: (70, 200, 80),
    3: (80, 130, 250),
    4: (245, 205, 70),
}

WHITE = (255, 255, 255)


class NeoGeoLook:
    """See ``ochibot.games.protocols.Look``. y counts from the floor, 1..12; codes are those of
    ``ochibot.nyaa.Grid``.
    """

    def planned(self, snapshot: Snapshot, decision: Decision) -> frozenset[tuple[int, int, int]]:
        """Where each half of the pair is meant to come to rest."""
        before = snapshot.grid
        after = locked(before, snapshot.pair, decision.placement)[0]
        changed = [cell for cell, code in enumerate(after.codes) if code != before.codes[cell]]
        return frozenset((*place_of(cell), after.codes[cell]) for cell in changed)

    def box(self, seat: int, x: int, y: int, picture: tuple[int, int]) -> tuple[int, int, int] | None:
        """Of a cell; None outside the field."""
        if not (1 <= x <= COLUMNS and 1 <= y <= ROWS):
            return None
        left, top = FIELD_AT[seat]
        return left + CELL * (x - 1) - (WIDTH - picture[0]) // 2, top + CELL * (ROWS - y), CELL

    def color(self, code: int) -> tuple[int, int, int]:
        """Of a block or a needle (its colour's)."""
        return COLORS.get(code if code <= 5 else code - 5, WHITE)

    def told(self, decision: Decision) -> list[tuple[str, str]]:
        """Where, as what, and the attack that it makes."""
        where, outcome = decision.placement, decision.outcome
        return [
            ("plan", f"column {where.x}, {where.orientation.name.lower()}"),
            ("as", "needles" if where.needle else "blocks"),
            ("attack now", f"{outcome.attack} ({counted(outcome.tails, 'tail')})" if outcome.ignited else "–"),
        ]


LOOK: Final[Look[Snapshot, Decision]] = NeoGeoLook()

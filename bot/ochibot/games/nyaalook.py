"""Shows a plan in games of the nyaa family: as a ghost on the picture if its fields' places are known, and in words
beside it.
"""

from __future__ import annotations

from typing import Final

from ochibot.games.table import Shown
from ochibot.nyaa.rules.grid import CELLS, COLUMNS, NUISANCE, ROWS, Grid, place_of
from ochibot.nyaa.rules.lock import locked
from ochibot.nyaa.rules.snapshot import Snapshot
from ochibot.nyaa.search.twoply import Decision
from ochibot.wording import counted

COLORS: Final[dict[int, tuple[int, int, int]]] = {
    1: (240, 70, 60),
    2: (70, 200, 80),
    3: (80, 130, 250),
    4: (245, 205, 70),
}
"""The colour of each code, for game files that give none."""

WHITE: Final = (255, 255, 255)

SIDES: Final = 16
"""In a plan, a needle's code is its code in the grid plus this number times the sides on which it lights blocks. The
number is greater than any code of a grid.
"""


class NyaaLook:
    """See ``ochibot.games.protocols.Look`` and ``ThornyLook``. y counts from the floor, 1..12.

    Codes are those of ``ochibot.nyaa.Grid``; a needle's code also has 16 times the sides on which it lights blocks.
    ``shown``: None when it isn't known where the picture shows the fields. Its ``top`` isn't used, since all twelve
    rows are in sight.
    """

    def __init__(self, shown: Shown | None) -> None:
        self._shown = shown or Shown()
        self._colors = {**COLORS, **self._shown.colors}

    def planned(self, snapshot: Snapshot, decision: Decision) -> frozenset[tuple[int, int, int]]:
        """(x, y, code) of the cells in which the halves of the pair should come to rest."""
        before = snapshot.grid
        after = locked(before, snapshot.pair, decision.placement)[0]
        changed = [cell for cell, code in enumerate(after.codes) if code != before.codes[cell]]
        return frozenset((*place_of(cell), after.codes[cell] + SIDES * _lit(after, cell)) for cell in changed)

    def box(self, seat: int, x: int, y: int, picture: tuple[int, int]) -> tuple[int, int, int] | None:
        """Left, top and size of a cell; None outside the field, and where the field's place isn't known."""
        shown = self._shown
        if seat not in shown.field_at or not (1 <= x <= COLUMNS and 1 <= y <= ROWS):
            return None
        left, top = shown.field_at[seat]
        cropped = (0, 0)
        if shown.screen is not None:
            cropped = (shown.screen[0] - picture[0]) // 2, (shown.screen[1] - picture[1]) // 2
        across, down, size = shown.square(x - 1, ROWS - y)
        return left + across - cropped[0], top + down - cropped[1], size

    def color(self, code: int) -> tuple[int, int, int]:
        """The colour of a block or a needle."""
        plain = code % SIDES
        return self._colors.get(plain if plain <= NUISANCE else plain - NUISANCE, WHITE)

    def thorns(self, code: int) -> int | None:
        """The sides on which a needle lights blocks; None for a block."""
        return code // SIDES if code % SIDES > NUISANCE else None

    def in_words(self, decision: Decision) -> list[tuple[str, str]]:
        """The plan in words: the placement, whether as blocks or needles, and the attack that it makes."""
        where, outcome = decision.placement, decision.outcome
        return [
            ("plan", f"column {where.x}, {where.orientation.name.lower()}"),
            ("as", "needles" if where.needle else "blocks"),
            ("attack now", f"{outcome.attack} ({counted(outcome.tails, 'tail')})" if outcome.ignited else "–"),
        ]


def _lit(grid: Grid, cell: int) -> int:
    """The sides on which a needle has a block of its own colour beside it, as bits; 0 for a block."""
    color = grid.codes[cell] - NUISANCE
    if color <= 0:
        return 0
    column, lit = cell % COLUMNS, 0
    for bit, step, there in (
        (1, -COLUMNS, cell >= COLUMNS),
        (2, 1, column < COLUMNS - 1),
        (4, COLUMNS, cell < CELLS - COLUMNS),
        (8, -1, column > 0),
    ):
        if there and grid.codes[cell + step] == color:
            lit |= bit
    return lit

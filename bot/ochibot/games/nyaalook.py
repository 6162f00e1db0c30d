"""Shows a plan in games of the nyaa family: as a ghost on the picture if its fields' places are known, and in words
beside it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from ochibot.games.table import OnPicture
from ochibot.nyaa.notes import board_of
from ochibot.nyaa.rules.grid import CELLS, COLUMNS, NUISANCE, ROWS, Grid, place_of
from ochibot.nyaa.rules.lock import locked
from ochibot.nyaa.rules.pair import HIDDEN_ROWS, NyaaState, halves
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


class NyaaDrawing:
    """See ``ochibot.games.protocols.Drawing``. The hidden row above the grid is row -1."""

    def __init__(self, seat: Any) -> None:
        """``seat``: a ``NyaaSeat``."""
        self._seat = seat
        self._cells = seat.map.cells_reader("field")
        names = ("axis", "partner", "next_axis", "next_partner", "next2_axis", "next2_partner")
        self._pairs = seat.map.several(*names)

    @property
    def board(self) -> Mapping[str, Any]:
        """The board of the seat's rules."""
        return board_of(self._seat.rules)

    def field(self) -> bytes:
        """The 84 codes from the top."""
        cells: bytes = self._cells()
        return cells

    def piece(self) -> tuple[tuple[int, int, int], ...]:
        """The cells of the falling pair, as blocks or as needles."""
        seat = self._seat
        state = seat.pair_state() if seat.in_hand() else None
        if state is None:
            return ()
        more = NUISANCE if state.needle else 0
        colors = self._pairs()
        return tuple(
            (x - 1, y - HIDDEN_ROWS, color + more) for (x, y), color in zip(halves(state), colors[:2], strict=True)
        )

    def nexts(self) -> tuple[tuple[int, int], ...]:
        """The next two pairs."""
        _, _, *colors = self._pairs()
        return ((colors[0], colors[1]), (colors[2], colors[3]))

    def planned(self, snapshot: Snapshot, decision: Decision) -> tuple[tuple[int, int, int], ...]:
        """The cells of the pair at rest."""
        cells = self._seat.look.planned(snapshot, decision)
        return tuple(sorted((x - 1, ROWS - y, code % SIDES) for x, y, code in cells))

    def way(self, states: Sequence[NyaaState]) -> tuple[tuple[int, int], ...]:
        """The axis's cells."""
        return tuple((state.x - 1, state.y - HIDDEN_ROWS) for state in states)

    def told(self, decision: Decision) -> dict[str, Any]:
        """The placement, whether as needles, and the attack that it makes."""
        where, outcome = decision.placement, decision.outcome
        return {
            "column": where.x,
            "turn": where.orientation.word,
            "needle": where.needle,
            "steps": outcome.tails,
            "made": outcome.attack,
        }


class NyaaLook:
    """See ``ochibot.games.protocols.Look`` and ``ThornyLook``. y counts from the floor, 1..12.

    Codes are those of ``ochibot.nyaa.Grid``; a needle's code also has 16 times the sides on which it lights blocks.
    ``shown``: None when it isn't known where the picture shows the fields. Its ``top`` isn't used, since all twelve
    rows are in sight.
    """

    def __init__(self, shown: OnPicture | None) -> None:
        self._shown = shown or OnPicture()
        self._colors = {**COLORS, **self._shown.colors}

    def planned(self, snapshot: Snapshot, decision: Decision) -> frozenset[tuple[int, int, int]]:
        """(x, y, code) of the cells in which the halves of the pair should come to rest."""
        before = snapshot.grid
        after = locked(before, snapshot.pair, decision.placement)[0]
        changed = [cell for cell, code in enumerate(after.codes) if code != before.codes[cell]]
        return frozenset((*place_of(cell), after.codes[cell] + SIDES * _lit(after, cell)) for cell in changed)

    def box(self, seat: int, x: int, y: int, picture: tuple[int, int]) -> tuple[int, int, int] | None:
        """Left, top and size of a cell; None outside the field, and where the field's place isn't known."""
        seen = 1 <= x <= COLUMNS and 1 <= y <= ROWS
        return self._shown.on_picture(seat, x - 1, ROWS - y, picture) if seen else None

    def color(self, code: int) -> tuple[int, int, int]:
        """The colour of a block or a needle."""
        plain = code % SIDES
        return self._colors.get(plain if plain <= NUISANCE else plain - NUISANCE, WHITE)

    def thorns(self, code: int) -> int | None:
        """The sides on which a needle lights blocks; None for a block."""
        return code // SIDES if code % SIDES > NUISANCE else None

    def drawing(self, seat: Any) -> NyaaDrawing:
        """The drawing of a seat, cell by cell."""
        return NyaaDrawing(seat)

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

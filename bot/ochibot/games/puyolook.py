"""Shows a plan in games of the puyo family: as a ghost on the picture if its fields' places are known, and in words
beside it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from ochibot.games.table import OnPicture
from ochibot.puyo.notes import board_of
from ochibot.puyo.rules.field import COLUMNS, EMPTY, ROWS
from ochibot.puyo.rules.motion import resting_cells
from ochibot.puyo.rules.pair import Pair, PairState, halves, shape
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


class PuyoDrawing:
    """See ``ochibot.games.protocols.Drawing``."""

    def __init__(self, seat: Any) -> None:
        """``seat``: a ``PuyoSeat``."""
        self._seat = seat
        self._cells = seat.map.cells_reader("field")
        self._pair = seat.map.several("axis", "partner")
        known = "next_axis" in seat.map and "next_partner" in seat.map
        self._next = seat.map.several("next_axis", "next_partner") if known else None
        self._missing = bytes(max(0, seat.map.map.entries["field"].top or 0) * COLUMNS)
        self._beyond = max(0, -(seat.map.map.entries["field"].top or 0)) * COLUMNS
        self._in_field = seat.map.map.pair.in_field

    @property
    def board(self) -> Mapping[str, Any]:
        """The board of the seat's rules."""
        return board_of(self._seat.rules)

    def field(self) -> bytes:
        """The 84 codes from the top. Rows that the map doesn't show are empty."""
        cells: bytes = self._missing + self._cells()[self._beyond :]
        state = self._seat.pair_state() if self._in_field and self._seat.in_hand() else None
        return cells if state is None else without_pair(cells, state, self._pair())

    def piece(self) -> tuple[tuple[int, int, int], ...]:
        """The cells of the falling pair or item."""
        seat = self._seat
        state = seat.pair_state() if seat.in_hand() else None
        if state is None:
            return ()
        axis, partner = self._pair()
        pair = Pair(axis, partner)
        cells = shape(pair, state)
        return tuple((x - 1, y, code) for (x, y), code in zip(cells, (axis, *[partner] * 3), strict=False))

    def nexts(self) -> tuple[tuple[int, int], ...]:
        """The next pair; none if the map doesn't show it."""
        if self._next is None:
            return ()
        axis, partner = self._next()
        return ((axis, partner),)

    def planned(self, snapshot: Snapshot, decision: Decision) -> tuple[tuple[int, int, int], ...]:
        """The cells of the pair at rest."""
        cells = self._seat.look.planned(snapshot, decision)
        return tuple(sorted((x - 1, y, code) for x, y, code in cells))

    def way(self, states: Sequence[PairState]) -> tuple[tuple[int, int], ...]:
        """The axis's cells."""
        return tuple((state.x - 1, state.y) for state in states)

    def told(self, decision: Decision) -> dict[str, Any]:
        """The placement, and the chain that it sets off."""
        where, outcome = decision.placement, decision.outcome
        return {"column": where.x, "turn": where.orientation.word, "steps": outcome.chain, "made": outcome.score}


class PuyoLook:
    """See ``ochibot.games.protocols.Look``. ``shown``: None when it isn't known where the picture shows the fields."""

    def __init__(self, shown: OnPicture | None, top: int) -> None:
        """``top``: y of the first row in sight, used if ``shown`` doesn't have it."""
        self._shown = shown or OnPicture()
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
        seen = 1 <= x <= COLUMNS and self._top <= y < ROWS
        return self._shown.on_picture(seat, x - 1, y - self._top, picture) if seen else None

    def color(self, code: int) -> tuple[int, int, int]:
        """The colour of a puyo; white for items."""
        return self._colors.get(code, WHITE)

    def drawing(self, seat: Any) -> PuyoDrawing:
        """The drawing of a seat, cell by cell."""
        return PuyoDrawing(seat)

    def in_words(self, decision: Decision) -> list[tuple[str, str]]:
        """The plan in words: the placement, and the chain that it sets off."""
        where = decision.placement
        return [
            ("plan", f"column {where.x}, {where.orientation.name.lower()}"),
            ("chain now", str(decision.outcome.chain) if decision.outcome.chain else "–"),
        ]

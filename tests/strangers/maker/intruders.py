"""Who else writes into a field: garbage now and then, and what the other seat's chains send."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from tests.strangers.maker.codes import NUISANCE
from tests.strangers.maker.dice import Dice
from tests.strangers.maker.memory import Memory

if TYPE_CHECKING:
    from tests.strangers.maker.seat import Seat

MOST: Final = 30
"""As much nuisance falls at once."""


class Intruders:
    """What waits for one seat. All of it is in RAM: pieces since the last garbage, nuisance that waits, points that are
    too few for one more.
    """

    def __init__(self, memory: Memory, seat: Seat, dice: Dice) -> None:
        self._mem, self._seat, self._dice, self.spec = memory.bytes, seat, dice, seat.spec
        self._waited = memory.take()
        self.pending = memory.take() if seat.spec.points_each else -1
        self._rest = memory.take(2) if seat.spec.points_each else -1

    def begin(self) -> None:
        """A new game."""
        self._mem[self._waited] = 0
        if self.pending >= 0:
            self._mem[self.pending] = 0
            self._mem[self._rest : self._rest + 2] = b"\0\0"

    def due(self, chained: bool) -> bool:
        """Whether something is to fall before the next piece: of nuisance, only after a piece that cleared nothing."""
        mem, spec = self._mem, self.spec
        if self.pending >= 0 and mem[self.pending] and not chained:
            return True
        if not spec.garbage:
            return False
        waited = mem[self._waited] + 1
        if waited < spec.garbage:
            mem[self._waited] = waited
            return False
        mem[self._waited] = 0
        return True

    def send(self, points: int) -> None:
        """A chain's points: first against what waits for oneself, then to the other seat."""
        mem, spec, rival = self._mem, self.spec, self._seat.rival
        if self.pending < 0 or rival is None:
            return
        points += mem[self._rest] | mem[self._rest + 1] << 8
        count, left = divmod(points, spec.points_each)
        left = min(left, 0xFFFF)
        mem[self._rest], mem[self._rest + 1] = left & 255, left >> 8
        if spec.offset:
            own = min(count, mem[self.pending])
            mem[self.pending] -= own
            count -= own
        other = rival.intruders.pending
        mem[other] = min(255, mem[other] + count)

    def fall(self) -> None:
        """Writes what is due into the field."""
        mem, spec, board = self._mem, self.spec, self._seat.board
        width = spec.width
        cells = board.read()
        if self.pending >= 0 and mem[self.pending]:
            count = min(MOST, mem[self.pending])
            mem[self.pending] -= count
            cells = self._rain(cells, count)
        elif spec.rules == "tetrominoes":
            hole = self._dice.next() % width
            if not any(cells[:width]):
                cells = cells[width:] + [0 if column == hole else 1 + column % spec.colors for column in range(width)]
        else:
            cells = self._few(cells)
        board.write(cells)

    def _rain(self, cells: list[int], count: int) -> list[int]:
        """Whole rows, then the rest into columns of their own; what finds its column full is lost."""
        width = self.spec.width
        while count:
            columns = list(range(width))
            if count < width:
                for at in range(width - 1, 0, -1):
                    other = self._dice.next() % (at + 1)
                    columns[at], columns[other] = columns[other], columns[at]
                columns = columns[:count]
            for column in columns:
                if not cells[column]:
                    cells[column] = NUISANCE
            cells = self._seat.rules.fall(cells)
            count -= len(columns)
        return cells

    def _few(self, cells: list[int]) -> list[int]:
        thing = NUISANCE if self.spec.nuisance else 1 + self._dice.next() % self.spec.colors
        for _ in range(1 + self._dice.next() % 3):
            column = self._dice.next() % self.spec.width
            if not cells[column]:
                cells[column] = thing
                cells = self._seat.rules.fall(cells)
        return cells

"""Columns of three jewels, capsules with links, tetrominoes, bars of three."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from tests.strangers.maker.codes import DOWN as LOWER
from tests.strangers.maker.codes import LEFT, NUISANCE, RIGHT, SEED, UP
from tests.strangers.maker.rules import Cleared, Kind, Rules, Shape, color

ALL_WAYS: Shape = ((1, 0), (0, 1), (1, 1), (-1, 1))
CROSS: Shape = ((1, 0), (0, 1))


class Triplets(Rules):
    """Three jewels in a column; a press moves them round; lines of three vanish."""

    turns: ClassVar[int] = 1
    ways: ClassVar[Shape] = ALL_WAYS

    def shape(self, kind: Kind, turn: int) -> Shape:  # noqa: ARG002
        return ((0, 0), (0, -1), (0, -2))

    def turned(self, kind: Kind, turn: int, by: int) -> tuple[Kind, int]:
        return (kind[1:] + kind[:1] if by > 0 else kind[-1:] + kind[:-1]), turn

    def find(self, cells: Sequence[int]) -> Cleared | None:
        found = self.lines(cells, self.spec.clear_size, self.ways if self.spec.diagonals else CROSS)
        if not found:
            return None
        gone = {at for run in found for at in run}
        gone |= self.beside(gone, cells, NUISANCE)
        return Cleared(frozenset(gone), tuple(map(len, found)), len({color(cells[run[0]]) for run in found}))


class Bars(Triplets):
    """Three tiles side by side."""

    ways: ClassVar[Shape] = CROSS

    def shape(self, kind: Kind, turn: int) -> Shape:  # noqa: ARG002
        return ((-1, 0), (0, 0), (1, 0))


class Capsules(Rules):
    """Two linked halves over a field with viruses; four in a line vanish; linked halves fall together."""

    def shape(self, kind: Kind, turn: int) -> Shape:  # noqa: ARG002
        return ((0, 0), (1, 0)) if turn % 2 == 0 else ((0, 0), (0, -1))

    def values(self, kind: Kind, turn: int) -> tuple[int, ...]:
        first, second = kind if turn < 2 else kind[::-1]
        links = (RIGHT, LEFT) if turn % 2 == 0 else (UP, LOWER)
        return first | links[0] << 4, second | links[1] << 4

    def told(self, worn: Sequence[int]) -> tuple[Kind, int]:
        return (worn[0] & 15, worn[1] & 15), 1 if worn[0] >> 4 == UP else 0

    def kicks(self, kind: Kind, turn: int) -> Shape:  # noqa: ARG002
        return ((0, 0), (-1, 0)) if self.spec.kicks else ((0, 0),)

    def things(self) -> tuple[int, ...]:
        return (*super().things(), *(SEED + one for one in range(1, min(self.spec.colors, 3) + 1)))

    def find(self, cells: Sequence[int]) -> Cleared | None:
        found = self.lines(cells, self.spec.clear_size, CROSS)
        if not found:
            return None
        gone = frozenset(at for run in found for at in run)
        return Cleared(gone, tuple(map(len, found)), len({color(cells[run[0]]) for run in found}))

    def after(self, cells: Sequence[int], cleared: Cleared) -> list[int]:
        left = super().after(cells, cleared)
        width = self.width
        for at in cleared.gone:
            link = cells[at] >> 4
            for bit, to in ((UP, at - width), (LOWER, at + width), (LEFT, at - 1), (RIGHT, at + 1)):
                if link & bit and 0 <= to < len(left):
                    left[to] &= 15
        return left

    def sink(self, cells: Sequence[int]) -> list[int]:
        width = self.width
        fallen = list(cells)
        for at in range(len(cells) - width - 1, -1, -1):
            value = fallen[at]
            if not value or SEED <= value & 15 <= SEED + 3:
                continue
            link = value >> 4
            other = at + 1 if link & RIGHT and at + 1 < len(cells) else -1
            if (link & LEFT and at and fallen[at - 1] >> 4 & RIGHT) or fallen[at + width]:
                continue
            if other >= 0 and fallen[other] >> 4 & LEFT:
                if other + width >= len(cells) or fallen[other + width]:
                    continue
                fallen[other + width], fallen[other] = fallen[other], 0
            fallen[at + width], fallen[at] = value, 0
        return fallen

    def fall(self, cells: Sequence[int]) -> list[int]:
        before: list[int] = list(cells)
        while (after := self.sink(before)) != before:
            before = after
        return before


_SHAPES = (
    ("0100 0100 0100 0100", 2),
    ("0110 0110 0000 0000", 1),
    ("0100 1110 0000 0000", 4),
    ("0110 1100 0000 0000", 2),
    ("1100 0110 0000 0000", 2),
    ("1000 1110 0000 0000", 4),
    ("0010 1110 0000 0000", 4),
)


def _turned(cells: list[tuple[int, int]], turn: int, square: int) -> Shape:
    for _ in range(turn):
        cells = [(square - 1 - y, x) for x, y in cells]
    return tuple(sorted(((x - 1, y - 1) for x, y in cells), key=lambda cell: (cell[1], cell[0])))


def _shapes() -> tuple[tuple[Shape, ...], ...]:
    every = []
    for number, (drawn, _) in enumerate(_SHAPES):
        cells = [(x, y) for y, row in enumerate(drawn.split()) for x, sign in enumerate(row) if sign == "1"]
        square = 4 if number == 0 else 3
        every.append(tuple(_turned(cells, 0 if number == 1 else turn, square) for turn in range(4)))
    return tuple(every)


SHAPES = _shapes()
SMALL: tuple[Shape, ...] = (((-1, 0), (0, 0), (1, 0)), ((0, -1), (0, 0), (1, 0)))
"""Two trominoes: a bar and a corner."""


def _small(number: int, turn: int) -> Shape:
    cells = list(SMALL[number])
    for _ in range(turn):
        cells = [(-y, x) for x, y in cells]
    return tuple(cells)


TROMINOES = tuple(tuple(_small(number, turn) for turn in range(4)) for number in range(2))


class Tetris(Rules):
    """Shapes of four cells; full rows vanish."""

    def size(self) -> int:
        return 1

    def kinds(self) -> int:
        return 7

    def deal(self, rand: Sequence[int]) -> Kind:
        return (1 + rand[0] % 7,)

    def worn(self, kind: Kind, turn: int) -> tuple[int, ...]:
        return (kind[0] | turn % 4 << 4,)

    def told(self, worn: Sequence[int]) -> tuple[Kind, int]:
        return (worn[0] & 15,), worn[0] >> 4 & 3

    def shape(self, kind: Kind, turn: int) -> Shape:
        number = (kind[0] - 1) % 7
        if self.spec.shapes == "few":
            number %= 5
        elif self.spec.shapes == "trominoes" and number >= 5:
            return TROMINOES[number - 5][turn % 4]
        return SHAPES[number][turn % 4]

    def values(self, kind: Kind, turn: int) -> tuple[int, ...]:
        return (1 + (kind[0] - 1) % self.spec.colors,) * len(self.shape(kind, turn))

    def kicks(self, kind: Kind, turn: int) -> Shape:  # noqa: ARG002
        return ((0, 0), (-1, 0), (1, 0)) if self.spec.kicks else ((0, 0),)

    def rows(self, cells: Sequence[int]) -> list[int]:
        """The full rows."""
        width = self.width
        return [row for row in range(self.height) if all(cells[row * width : (row + 1) * width])]

    def find(self, cells: Sequence[int]) -> Cleared | None:
        full = self.rows(cells)
        if not full:
            return None
        width = self.width
        return Cleared(frozenset(row * width + x for row in full for x in range(width)), (len(full),), 1)

    def after(self, cells: Sequence[int], cleared: Cleared) -> list[int]:
        width = self.width
        full = {at // width for at in cleared.gone}
        kept = [value for at, value in enumerate(cells) if at // width not in full]
        return [0] * (len(full) * width) + kept

    def fall(self, cells: Sequence[int]) -> list[int]:
        return list(cells)

    def sink(self, cells: Sequence[int]) -> list[int]:
        return list(cells)

    def points(self, step: int, cleared: Cleared, level: int) -> int:  # noqa: ARG002
        table = (40, 100, 300, 1200)
        return table[min(cleared.groups[0], 4) - 1] * (level + 1)

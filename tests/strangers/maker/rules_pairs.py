"""Pairs like Puyo Puyo's, and pairs and single tiles with explosives among them."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import ClassVar

from tests.strangers.maker.codes import BOMB, DETONATOR, NUISANCE
from tests.strangers.maker.rules import Cleared, Kind, Rules, Shape, color

SIDES: tuple[tuple[int, int], ...] = ((0, -1), (1, 0), (0, 1), (-1, 0))
"""Up, right, down, left."""

IN_BOX: tuple[Shape, ...] = (((0, 0), (0, -1)), ((0, 0), (1, 0)), ((0, -1), (0, 0)), ((1, 0), (0, 0)))
"""Both halves where pairs turn within a box, seen from its lower left cell, by the side of the second half."""


class Pairs(Rules):
    """Two halves; groups clear; what a rules file of the family can say."""

    def shape(self, kind: Kind, turn: int) -> Shape:  # noqa: ARG002
        return IN_BOX[turn] if self.spec.boxed else ((0, 0), SIDES[turn])

    def worn(self, kind: Kind, turn: int) -> tuple[int, ...]:
        return kind[0] | 1 << turn + 4, kind[1] | 1 << (turn + 2) % 4 + 4

    def told(self, worn: Sequence[int]) -> tuple[Kind, int]:
        link = worn[0] >> 4
        return (worn[0] & 15, worn[1] & 15), {1: 0, 2: 1, 4: 2, 8: 3}.get(link, 0)

    def kicks(self, kind: Kind, turn: int) -> Shape:  # noqa: ARG002
        dx, dy = (1, 0) if self.spec.boxed else SIDES[turn]
        return ((0, 0), (-dx, -dy)) if self.spec.kicks else ((0, 0),)

    def find(self, cells: Sequence[int]) -> Cleared | None:
        first = 0 if self.spec.hidden_clear else self.hidden
        found = self.groups(cells, self.spec.clear_size, first)
        if not found:
            return None
        gone = {at for group in found for at in group}
        colors = len({color(cells[group[0]]) for group in found})
        grey = {at for at in self.beside(gone, cells, NUISANCE) if at >= first * self.width}
        return Cleared(frozenset(gone | grey), tuple(len(group) for group in found), colors)

    def points(self, step: int, cleared: Cleared, level: int) -> int:  # noqa: ARG002
        spec, formula = self.spec, self.spec.formula
        sizes = spec.group_bonus
        cells = sum(cleared.groups)
        counted = (cells,) if spec.bonus_per_step else cleared.groups
        bonuses = (
            _late(spec.chain_power, step - 1),
            spec.color_bonus[cleared.colors],
            sum(_late(sizes, size) for size in counted),
        )
        times = prod(max(1, one) for one in bonuses) if formula.product else sum(bonuses)
        times = min(max(times, 1), spec.max_multiplier)
        extra = sum(_late(formula.by_size, size) + formula.per_cell * (size - spec.clear_size) for size in counted)
        extra += _late(formula.by_step, step - 1)
        further = formula.per_group * (len(cleared.groups) - 1)
        return (
            spec.points_unit * cells * times
            + extra * (times if formula.multiplied else 1)
            + further * (times if formula.groups_multiplied else 1)
        )

    def emptied(self, step: int, left: Sequence[int]) -> tuple[int, bool]:
        formula = self.spec.formula
        row = left[-self.width :] if formula.lowest_row else left
        points = 0 if any(row) else formula.all_clear * (step if formula.by_chain else 1)
        return points, formula.lowest_row or formula.by_chain


def _late(table: Sequence[int], at: int) -> int:
    return table[min(at, len(table) - 1)]


class Detonators(Pairs):
    """Pairs of which a half may be a detonator: where it comes to rest it takes the colour below it off the field."""

    def deal(self, rand: Sequence[int]) -> Kind:
        return tuple(DETONATOR if number >= 232 else 1 + number % self.spec.colors for number in rand)

    def things(self) -> tuple[int, ...]:
        return (*super().things(), DETONATOR)

    def find(self, cells: Sequence[int]) -> Cleared | None:
        width = self.width
        lit = [at for at, value in enumerate(cells) if value & 15 == DETONATOR]
        if not lit:
            return super().find(cells)
        gone = set(lit)
        for at in lit:
            below = at + width
            want = color(cells[below]) if below < len(cells) else 0
            if want:
                gone |= {to for to, value in enumerate(cells) if color(value) == want}
        return Cleared(frozenset(gone), (len(gone) - len(lit),), 1)


class Bombs(Pairs):
    """Pairs of which a half may be a bomb: where it comes to rest it blows up what is around it."""

    def deal(self, rand: Sequence[int]) -> Kind:
        return tuple(BOMB if number >= 232 else 1 + number % self.spec.colors for number in rand)

    def things(self) -> tuple[int, ...]:
        return (*super().things(), BOMB)

    def find(self, cells: Sequence[int]) -> Cleared | None:
        width, height = self.width, self.height
        lit = [at for at, value in enumerate(cells) if value & 15 == BOMB]
        if not lit:
            return super().find(cells)
        gone = set()
        for at in lit:
            column, row = at % width, at // width
            for y in range(max(0, row - 1), min(height, row + 2)):
                gone |= {
                    y * width + x for x in range(max(0, column - 1), min(width, column + 2)) if cells[y * width + x]
                }
        return Cleared(frozenset(gone), (len(gone) - len(lit),), 1)


class Tiles(Rules):
    """One tile at a time; three alike that touch clear."""

    turns: ClassVar[int] = 1

    def turned(self, kind: Kind, turn: int, by: int) -> tuple[Kind, int]:
        """A press changes the tile's colour in some of these games; in others it does nothing."""
        if not self.spec.recolor:
            return kind, turn
        return ((kind[0] - 1 + by) % self.spec.colors + 1,), turn

    def find(self, cells: Sequence[int]) -> Cleared | None:
        found = self.groups(cells, self.spec.clear_size, self.hidden)
        if not found:
            return None
        gone = {at for group in found for at in group}
        gone |= self.beside(gone, cells, NUISANCE)
        return Cleared(frozenset(gone), tuple(map(len, found)), len({color(cells[group[0]]) for group in found}))

"""Rules: what a piece is, how it turns, what clears, what falls. Pure functions on lists of cells; no RAM.

A field is a list of values (see ``codes``), row by row from the top. A piece has a *kind*, a tuple of numbers
(colours, or the number of a shape), and an orientation 0 to 3.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, NamedTuple

from tests.strangers.maker.codes import BOMB, DETONATOR, NUISANCE, SEED
from tests.strangers.maker.spec import Spec

Kind = tuple[int, ...]
Shape = tuple[tuple[int, int], ...]


class Cleared(NamedTuple):
    """A step of a chain. gone: the cells that vanish. groups: sizes, for the score. colors: how many colours."""

    gone: frozenset[int]
    groups: tuple[int, ...]
    colors: int


def color(value: int) -> int:
    """The colour of a cell for groups and lines: 1 to 6; 0 for what has none."""
    thing = value & 15
    if SEED < thing <= SEED + 3:
        return thing - SEED
    return thing if 0 < thing < NUISANCE else 0


class Rules:
    """What all games share. Each kind of rules overrides what is otherwise."""

    turns: ClassVar[int] = 4
    shifts: ClassVar[bool] = True
    """Whether clearing leaves holes into which cells fall one by one."""

    def __init__(self, spec: Spec) -> None:
        self.spec = spec
        self.width, self.height = spec.width, spec.height
        self.hidden = spec.hidden

    def kinds(self) -> int:
        """How many values each number of a kind may have."""
        return self.spec.colors

    def size(self) -> int:
        """How many numbers a kind has."""
        return len(self.shape((1,) * 8, 0))

    def deal(self, rand: Sequence[int]) -> Kind:
        """A kind from random numbers 0 to 255, as many as ``size``."""
        return tuple(1 + number % self.spec.colors for number in rand)

    def shape(self, kind: Kind, turn: int) -> Shape:  # noqa: ARG002
        """The cells of the piece, seen from its place."""
        return ((0, 0),)

    def values(self, kind: Kind, turn: int) -> tuple[int, ...]:  # noqa: ARG002
        """What the piece writes into its cells."""
        return kind

    def worn(self, kind: Kind, turn: int) -> tuple[int, ...]:
        """The piece's values where its codes tell its orientation."""
        return self.values(kind, turn)

    def told(self, worn: Sequence[int]) -> tuple[Kind, int]:
        """The kind and orientation that such values tell."""
        return tuple(value & 15 for value in worn), 0

    def turned(self, kind: Kind, turn: int, by: int) -> tuple[Kind, int]:
        """The piece after a press that turns it."""
        return kind, (turn + by) % self.turns

    def kicks(self, kind: Kind, turn: int) -> Shape:  # noqa: ARG002
        """Where the piece tries to go when it has turned: shifts, the first that fits."""
        return ((0, 0),)

    def things(self) -> tuple[int, ...]:
        """All values that a cell may have, without links."""
        return tuple(range(1, self.spec.colors + 1)) + ((NUISANCE,) if self.spec.nuisance else ())

    def find(self, cells: Sequence[int]) -> Cleared | None:
        """What clears now."""
        raise NotImplementedError

    def after(self, cells: Sequence[int], cleared: Cleared) -> list[int]:
        """The field without what has cleared, before anything falls."""
        return [0 if at in cleared.gone else value for at, value in enumerate(cells)]

    def fall(self, cells: Sequence[int]) -> list[int]:
        """The field when all has fallen."""
        width, height = self.width, self.height
        fallen = [0] * len(cells)
        for column in range(width):
            to = (height - 1) * width + column
            for at in range(to, -1, -width):
                if cells[at]:
                    fallen[to] = cells[at]
                    to -= width
        return fallen

    def sink(self, cells: Sequence[int]) -> list[int]:
        """The field when everything that hangs has fallen by a row."""
        width = self.width
        moved = list(cells)
        for at in range(len(moved) - width - 1, -1, -1):
            if moved[at] and not moved[at + width]:
                moved[at + width], moved[at] = moved[at], 0
        return moved

    def points(self, step: int, cleared: Cleared, level: int) -> int:
        """The points of a step (1, 2, …)."""
        return 10 * sum(cleared.groups) * step * (1 + level // 4)

    def emptied(self, step: int, left: Sequence[int]) -> tuple[int, bool]:  # noqa: ARG002
        """The points for what a step leaves empty, before anything falls, and whether they are the step's own."""
        return 0, False

    def groups(self, cells: Sequence[int], least: int, first: int) -> list[list[int]]:
        """All groups of at least so many connected cells of one colour, below row ``first``."""
        width = self.width
        end = len(cells)
        seen = bytearray(end)
        found = []
        for at in range(first * width, end):
            want = color(cells[at])
            if not want or seen[at]:
                continue
            seen[at] = 1
            group = [at]
            for here in group:
                column = here % width
                for near in (
                    here - width if here >= (first + 1) * width else -1,
                    here + width if here + width < end else -1,
                    here - 1 if column else -1,
                    here + 1 if column < width - 1 else -1,
                ):
                    if near >= 0 and not seen[near] and color(cells[near]) == want:
                        seen[near] = 1
                        group.append(near)
            if len(group) >= least:
                found.append(group)
        return found

    def lines(self, cells: Sequence[int], least: int, steps: Shape) -> list[list[int]]:
        """All straight runs of one colour of at least so many cells, in the directions ``steps``."""
        width, height = self.width, self.height
        colors = [color(value) for value in cells]
        found = []
        for dx, dy in steps:
            for at, want in enumerate(colors):
                if not want:
                    continue
                column, row = at % width, at // width
                px, py = column - dx, row - dy
                if 0 <= px < width and py >= 0 and colors[py * width + px] == want:
                    continue
                run = []
                while 0 <= column < width and row < height and colors[row * width + column] == want:
                    run.append(row * width + column)
                    column, row = column + dx, row + dy
                if len(run) >= least:
                    found.append(run)
        return found

    def beside(self, gone: set[int], cells: Sequence[int], what: int) -> set[int]:
        """Cells of this thing that touch the ones that go."""
        width = self.width
        more = set()
        for at in gone:
            column = at % width
            for near in (at - width, at + width, at - 1 if column else -1, at + 1 if column < width - 1 else -1):
                if self.hidden * width <= near < len(cells) and cells[near] & 15 == what:
                    more.add(near)
        return more


def make_rules(spec: Spec) -> Rules:
    """The rules that a spec names."""
    from tests.strangers.maker.rules_more import Bars, Capsules, Tetris, Triplets
    from tests.strangers.maker.rules_pairs import Bombs, Detonators, Pairs, Tiles

    table: dict[str, type[Rules]] = {
        "pairs": Pairs,
        "detonators": Detonators,
        "bombs": Bombs,
        "tiles": Tiles,
        "triplets": Triplets,
        "capsules": Capsules,
        "tetrominoes": Tetris,
        "bars": Bars,
    }
    return table[spec.rules](spec)


__all__ = ["BOMB", "DETONATOR", "Cleared", "Kind", "Rules", "Shape", "color", "make_rules"]

"""Burns an ignition cell by cell: waves, claims on cells, tails. Plain Python, with every path.

All cells of one colour that a start can reach form a *group*; groups don't touch each other. The starts burn in step 1,
and in step k + 1 the cells beside those of step k. Steps don't depend on claims, so all claims on a cell come in the
same step. If the known rules don't say which claim wins, there is a *tie*, always between two claims. The argument
``second`` of ``burn`` holds the tied cells where the later claim wins. Claims are in reading order: of their starts on
MVS, of the claiming cells on the PS2.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from ochibot.nyaa.rules.grid import CELLS, COLORS, COLUMNS, Grid
from ochibot.nyaa.rules.profile import Ruleset


def _neighbours(cell: int) -> tuple[tuple[int, bool], ...]:
    row, column = divmod(cell, COLUMNS)
    beside = ((row - 1, column, True), (row, column - 1, False), (row, column + 1, False), (row + 1, column, True))
    return tuple((y * COLUMNS + x, up) for y, x, up in beside if 0 <= y * COLUMNS + x < CELLS and 0 <= x < COLUMNS)


NEIGHBOURS: Final = tuple(_neighbours(cell) for cell in range(CELLS))
"""For each cell, its neighbours in reading order: (cell, whether it is a vertical neighbour, above or below)."""


class Claim(NamedTuple):
    """The claims on a cell that burns in step 2 or later.

    sources: the claiming cells, in reading order. strong: the sources above and below the cell, or all sources if there
    are none.
    """

    cell: int
    sources: tuple[int, ...]
    strong: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Group:
    """Cells of one colour that burn together.

    starts: the cells that needles light, with their numbers (from 1, in reading order over the whole grid). steps: the
    step of each cell, sorted by step and then in reading order. claims: an entry for each cell that isn't a start, in
    the same order.
    """

    starts: Mapping[int, int]
    steps: Mapping[int, int]
    claims: Sequence[Claim]

    @property
    def cells(self) -> Collection[int]:
        """All cells of the group."""
        return self.steps


@dataclass(frozen=True, slots=True)
class Burn:
    """One way in which a group burns.

    steps: the step of each cell, sorted by step and then in reading order. owners: the number of each cell's start.
    visited: for each cell, a bit mask of the cells that its wave has passed, including itself. tails: the cells from
    which no wave went on. ties: the tied cells, each with the two claiming cells (on MVS, the numbers of the two
    starts), sorted by step. forced: the cells from which a wave went on without a tie.
    """

    steps: Mapping[int, int]
    owners: Mapping[int, int]
    visited: Mapping[int, int]
    tails: Sequence[int]
    ties: Mapping[int, tuple[int, int]]
    forced: frozenset[int]


def starts_of(grid: Grid) -> list[int]:
    """The cells that the needles light, in reading order: blocks beside a needle of their colour."""
    needles = [cell for cell in range(CELLS) if grid.needle(cell)]
    lit = {cell for needle in needles for cell, _ in NEIGHBOURS[needle] if grid.block(cell) == grid.needle(needle)}
    return sorted(lit)


def groups_of(grid: Grid) -> list[Group]:
    """The groups that burn, sorted by their first start."""
    starts = {cell: number for number, cell in enumerate(starts_of(grid), 1)}
    seen: set[int] = set()
    groups: list[Group] = []
    for start in starts:
        if start in seen:
            continue
        color, front, cells = grid.block(start), [start], {start}
        assert color in COLORS
        while front:
            for near, _ in NEIGHBOURS[front.pop()]:
                if near not in cells and grid.block(near) == color:
                    cells.add(near)
                    front.append(near)
        seen |= cells
        groups.append(_group({cell: number for cell, number in starts.items() if cell in cells}, cells))
    return groups


def _group(starts: Mapping[int, int], cells: Collection[int]) -> Group:
    steps = dict.fromkeys(sorted(starts), 1)
    found: list[Claim] = []
    front = list(steps)
    step = 1
    while front:
        step += 1
        claims: dict[int, list[tuple[int, bool]]] = {}
        for cell in front:
            for near, vertical in NEIGHBOURS[cell]:
                if near in cells and near not in steps:
                    claims.setdefault(near, []).append((cell, vertical))
        front = sorted(claims)
        for cell in front:
            sources = tuple(source for source, _ in claims[cell])
            # a vertical claim beats horizontal ones: on MVS those of other starts, on the PS2 all of them
            found.append(Claim(cell, sources, tuple(source for source, up in claims[cell] if up) or sources))
        steps.update(dict.fromkeys(front, step))
    return Group(starts, steps, found)


def burn(group: Group, ruleset: Ruleset, second: Collection[int] = ()) -> Burn:
    """Burns a group in one way. ``second``: the tied cells where the second claim wins (see the module's text)."""
    owners = dict(group.starts)
    visited = {cell: 1 << cell for cell in owners}
    parents: set[int] = set()
    forced: set[int] = set()
    ties: dict[int, tuple[int, int]] = {}
    mvs = ruleset is Ruleset.MVS
    for cell, sources, strong in group.claims:
        first = owners[strong[0]] if mvs else strong[0]
        winner = first
        tie = False
        if len(strong) == 2:
            other = owners[strong[1]] if mvs else strong[1]
            tie = first != other
            if tie:
                ties[cell] = min(first, other), max(first, other)
                winner = ties[cell][cell in second]
        merged = [source for source in sources if owners[source] == winner] if mvs else [winner]
        parents.update(merged)
        if not tie:
            forced.update(merged)
        owners[cell] = owners[merged[0]]
        passed = 1 << cell
        for source in merged:
            passed |= visited[source]
        visited[cell] = passed
    tails = [cell for cell in group.steps if cell not in parents]
    return Burn(group.steps, owners, visited, tails, ties, frozenset(forced))

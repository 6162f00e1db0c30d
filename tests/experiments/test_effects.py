"""Fields built to provoke chains: resolved by a naive implementation of the rules, they must make these chains."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest
from ochibot.experiments.effects import staircase, tower

Columns = list[list[int]]


def groups(columns: Columns) -> list[set[tuple[int, int]]]:
    """The groups of four or more connected equal cells. A cell is (column, row)."""
    left = {(c, r) for c, column in enumerate(columns) for r in range(len(column))}
    found = []
    while left:
        reach = [left.pop()]
        group = set(reach)
        while reach:
            c, r = reach.pop()
            for near in ((c + 1, r), (c - 1, r), (c, r + 1), (c, r - 1)):
                if near in left and columns[near[0]][near[1]] == columns[c][r]:
                    left.remove(near)
                    group.add(near)
                    reach.append(near)
        if len(group) >= 4:
            found.append(group)
    return found


def chain(cells: dict[tuple[int, int], int], low: int, high: int) -> list[list[int]]:
    """Drops a piece into column 0. Returns the group sizes of each chain step. Nothing may vanish before the piece."""
    columns: Columns = [[] for _ in range(6)]
    for (column, row), kind in sorted(cells.items()):
        assert row == len(columns[column])
        columns[column].append(kind)
    assert not groups(columns)
    columns[0] += [low, high]
    steps = []
    while found := groups(columns):
        gone = set().union(*found)
        steps.append([len(group) for group in found])
        columns = [[k for r, k in enumerate(column) if (c, r) not in gone] for c, column in enumerate(columns)]
    return steps


GROUND: Any = SimpleNamespace(colors=(1, 2, 3, 4))


@pytest.mark.parametrize("steps", range(2, 6))
def test_a_staircase_is_a_chain_of_single_groups(steps: int) -> None:
    assert chain(*staircase(GROUND, 4, steps)) == [[4]] * steps


@pytest.mark.parametrize("levels", [2, 3])
@pytest.mark.parametrize("stairs", range(5))
def test_a_tower_with_a_staircase_is_one_too(levels: int, stairs: int) -> None:
    assert chain(*tower(GROUND, levels, stairs)) == [[4]] * (levels + stairs)

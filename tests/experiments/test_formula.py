"""The tables of a formula are recovered from what the locks of the experiments are worth by it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
from ochibot.experiments.formula import explain

USUAL = (0, 0, 0, 0, 0, 2, 3, 4, 5, 6, 7, 10)
SMALL = (0, 0, 0, 0, 0, 1, 2, 3, 4, 5)


def points(
    steps: Sequence[Sequence[int]],
    power: Sequence[int],
    colors: Sequence[int],
    groups: Sequence[int],
    per: str,
    size: int,
) -> int:
    """What a chain is worth. steps: the sizes of the groups in each step, each of a colour of its own."""
    total = 0
    for step, sizes in enumerate(steps):
        counted = {
            "group": list(sizes),
            "step": [sum(sizes)],
            "excess": [size + sum(one - size for one in sizes)],
        }[per]
        bonus = power[step] + colors[len(sizes)] + sum(groups[min(one, len(groups) - 1)] for one in counted)
        total += 10 * sum(sizes) * max(1, bonus)
    return total


@pytest.mark.parametrize(
    ("size", "groups"),
    # where the bonus grows by 1 with each cell, these locks can't always tell a colour's bonus from a group's
    [(3, USUAL), (4, USUAL), (5, USUAL), (4, SMALL)],
)
@pytest.mark.parametrize("per", ["group", "step", "excess"])
@pytest.mark.parametrize(
    ("power", "colors"),
    [
        ((0, 8, 16, 32), (0, 0, 3, 6, 12)),
        ((0, 8, 16, 32), (0, 0, 1, 2, 3)),
        ((1, 2, 3, 4), (0, 0, 3, 6, 12)),
        ((0, 4, 20, 50), (0, 0, 0, 0, 0)),
    ],
)
def test_the_tables_are_found(
    power: Sequence[int], colors: Sequence[int], groups: Sequence[int], per: str, size: int
) -> None:
    # no size below the one that clears has a bonus; the locks show groups of up to 11
    shifted = (*[0] * size, *groups[4:])[:12]

    def worth(*steps: Sequence[int]) -> int:
        return points(steps, power, colors, shifted, per, size)

    told: dict[str, int] = {f"group {count}": worth([count]) for count in range(size, 12)}
    told |= {f"chain {steps}": worth(*[[size]] * steps) for steps in (2, 3, 4)}
    told |= {"colours 2": worth([size, size]), "colours 3": worth([size] * 3)}
    told |= {"bigger 2": worth([size + 1, size + 1]), "late 2": worth([size], [size, size])}
    told |= {"wider 2": worth([size + 1, size]), "later 2": worth([size], [size + 1])}
    found = explain(told, size)
    seen: Any = (found.first, found.second, found.two)
    assert seen == (power[0], power[1], colors[2])
    for sizes in ([size], [size + 1], [size, size], [size + 2], [size + 1, size + 1], [size, size + 2]):
        said = power[1] + colors[len(sizes)] + found.added(sizes)
        assert 10 * sum(sizes) * said == worth([size], sizes) - worth([size]), sizes

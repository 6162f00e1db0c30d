"""Chains and groups that are built at once, for games that look only at cells that have fallen.

In such games nothing can be written while a chain goes on (``ochibot.experiments.trials``). DOWN isn't held: some games
pay for it.
"""

from __future__ import annotations

from typing import Final

from ochibot.errors import CalibrationError
from ochibot.experiments.effects import Event, Poker, staircase_of, tower

MOST_LEVELS: Final = 3


def built_events(poker: Poker, size: int) -> list[Event]:
    """Chains of several lengths, two groups at once, and a chain whose second step is larger. What can't be made, or
    leaves other cells than it should, is missing.
    """
    ground = poker.ground
    kinds = ground.colors
    boards = {steps: (staircase_of(size, kinds, steps), kinds[0], kinds[2]) for steps in range(2, ground.grid.columns)}
    for levels in range(2, MOST_LEVELS + 1):
        if size == 4 and len(kinds) >= 4 and ground.visible >= 4 * levels + 1:
            for stairs in range(ground.grid.columns - 1):
                boards.setdefault(levels + stairs, tower(ground, levels, stairs))
    found = []
    for steps, (cells, low, high) in sorted(boards.items()):
        try:
            fallen = poker.lock(cells, 0, low, high, pad=0)
        except CalibrationError:
            continue
        if all(column == 0 for column, _ in ground.kinds(fallen.ram)):
            found.append(Event(f"chain {steps}", (((size, low),),) * steps, fallen))
    more = (_bigger(poker, size, 2), _bigger(poker, size, 1), _late(poker, size), _later(poker, size))
    return [*found, *(event for event in more if event is not None)]


def _bigger(poker: Poker, size: int, rows: int) -> Event | None:
    """A lock that clears two colours in one step, ``rows`` of them (1 or 2) in a group of ``size + 1``, not ``size``;
    None if it can't be made. Beside two groups of ``size`` it shows how the bonuses of several groups add up.
    """
    ground = poker.ground
    first, second, third = ground.colors[:3]
    last = ground.grid.columns - 1
    if size > last:
        return None
    cells = {(column, row): kind for column in range(1, size) for row, kind in enumerate((first, second))}
    cells |= {(size, row): kind for row, kind in enumerate((first, second)[:rows])}
    # one cell stays, so that the points can't include a bonus for an empty field
    cells[last, rows if size == last else 0] = third
    steps = (((size + 1, first), (size + rows - 1, second)),)
    return _cleared(poker, ("wider 2", "bigger 2")[rows - 1], cells, (first, second), steps, third)


def _late(poker: Poker, size: int) -> Event | None:
    """A chain of two steps, the second of which clears two colours; None if it can't be made.

    The field for groups of 4::

    . C
    . B
    . A
    c A C C C     the rows of B and C wait for the cells above the first group
    a A B B B
    """
    ground = poker.ground
    first, second, third = ground.colors[:3]
    if size + 1 > ground.grid.columns:
        return None
    cells = {(1, row): first for row in range(size - 1)}
    cells |= {(1, size - 1): second, (1, size): third}
    cells |= {(column, row): kind for column in range(2, size + 1) for row, kind in enumerate((second, third))}
    steps = (((size, first),), ((size, second), (size, third)))
    return _cleared(poker, "late 2", cells, (first, third), steps, third)


def _later(poker: Poker, size: int) -> Event | None:
    """A chain of two steps, the second of which clears a group of ``size + 1``; None if it can't be made."""
    first, second, third = poker.ground.colors[:3]
    cells = {(1, row): first if row < size - 1 else second for row in range(size + 1)}
    cells |= {(2, row): second for row in range(size - 1)}
    return _cleared(poker, "later 2", cells, (first, third), (((size, first),), ((size + 1, second),)), third)


def _cleared(
    poker: Poker,
    name: str,
    cells: dict[tuple[int, int], int],
    piece: tuple[int, int],
    steps: tuple[tuple[tuple[int, int], ...], ...],
    rest: int,
) -> Event | None:
    """The event of dropping ``piece`` (lower, upper half) into column 0; None unless one cell stays, a ``rest``."""
    try:
        fallen = poker.lock(cells, 0, *piece, pad=0)
    except CalibrationError:
        return None
    return Event(name, steps, fallen) if list(poker.ground.kinds(fallen.ram).values()) == [rest] else None

"""How a falling pair lies: where the partner is, seen from the axis. And how presses bring it elsewhere."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Hashable, Iterable, Iterator
from enum import IntEnum
from typing import Final, TypeVar


class Orientation(IntEnum):
    """Where the partner lies, seen from the axis. The numbers are those of Famicom Puyo Puyo's RAM (06D5)."""

    DOWN = 0
    LEFT = 1
    UP = 2
    RIGHT = 3

    def __repr__(self) -> str:
        return f"Orientation.{self.name}"

    @property
    def word(self) -> str:
        """The direction in a word: down, left, up or right."""
        return self.name.lower()


STEP: Final = ((0, 1), (-1, 0), (0, -1), (1, 0))
"""(dx, dy) from the axis to the partner, by orientation; y grows downwards."""

TURNS: Final = {Orientation.UP: 0, Orientation.LEFT: 1, Orientation.RIGHT: 1, Orientation.DOWN: 2}
"""How many presses turn a pair that has just spawned."""


def in_columns(columns: int) -> list[tuple[int, Orientation]]:
    """Every (column, orientation) in which both halves are in columns 1 to ``columns``."""
    return [
        (x, orientation)
        for x in range(1, columns + 1)
        for orientation in Orientation
        if 1 <= x + STEP[orientation][0] <= columns
    ]


State = TypeVar("State", bound=Hashable)
Press = TypeVar("Press")


def ways(
    start: State, presses: Iterable[Press], after: Callable[[State, Press], State]
) -> Iterator[tuple[State, tuple[Press, ...]]]:
    """Searches breadth first from ``start``. Yields each state and a shortest way to it.

    ``presses``: those to try, in the order that decides between equally short ways. ``after``: the state that a press
    leads to.
    """
    tried = tuple(presses)
    seen = {start}
    queue: deque[tuple[State, tuple[Press, ...]]] = deque([(start, ())])
    while queue:
        state, way = queue.popleft()
        yield state, way
        for press in tried:
            to = after(state, press)
            if to not in seen:
                seen.add(to)
                queue.append((to, (*way, press)))

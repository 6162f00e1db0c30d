"""Lock positions of Pochi & Nyaa: every place where the pair can come to rest, as blocks or as needles. Plain Python.

This package lists lock positions in one order, whatever the rules. The lock with the fewest presses on an open grid
comes first (one press for each column away from the fourth, one or two for rotations, one for the needle). Ties go to
the lower x, then to the lower orientation code, then to blocks before needles, then to the row nearer the floor.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from typing import Final

from ochibot.falling.orientation import STEP, TURNS, Orientation, in_columns, ways
from ochibot.nyaa.rules.grid import COLUMNS, ROWS, Grid
from ochibot.nyaa.rules.lock import heights, is_settled
from ochibot.nyaa.rules.pair import (
    ALL_ROWS,
    SPAWN,
    Action,
    Cells,
    NyaaState,
    Pair,
    Placement,
    cells_of,
    dropped,
    fits,
    halves,
    move,
)

Path = tuple[Action, ...]
Lock = tuple[int, Orientation, bool]
"""x, orientation, needle: together they identify a lock on a grid at rest."""

_MOVES: Final = tuple(action for action in Action if action is not Action.NEEDLE)
OPEN_HEIGHT: Final = ROWS - 2
"""If no column is higher than this, nothing is in the way of a pair that has just spawned. Turned downwards, the pair
takes up the top two rows of the grid.
"""


def lock_order() -> tuple[Lock, ...]:
    """The 52 locks of an open grid, in the order of lock positions (see the module's text)."""
    every = [(*place, needle) for place in in_columns(COLUMNS) for needle in (False, True)]
    return tuple(sorted(every, key=lambda lock: (presses(*lock), *lock)))


def presses(x: int, orientation: Orientation, needle: bool) -> int:
    """How many presses it takes to bring a pair from the spawn to this lock on an open grid."""
    return abs(x - SPAWN.x) + TURNS[orientation] + needle


def lock_positions(grid: Grid, pair: Pair, start: NyaaState = SPAWN) -> list[Placement]:
    """Every lock position that can be reached from ``start``, in the order that the module's docstring gives.

    If a pair has one colour, only the first lock on each set of cells is listed (once as blocks, once as needles). The
    list is empty when the pair can't be at ``start``. Each placement carries its shortest path. Of equally short paths,
    it is the one whose first differing press comes first in ``Action``.
    """
    found = _open_locks(grid) if start == SPAWN and is_settled(grid) and is_open(grid) else _found_locks(grid, start)
    if pair.axis != pair.partner:
        return found
    once: dict[tuple[frozenset[tuple[int, int]], bool], Placement] = {}
    for lock in found:
        once.setdefault((frozenset(halves(lock)), lock.needle), lock)
    return list(once.values())


def _found_locks(grid: Grid, start: NyaaState) -> list[Placement]:
    shortest: dict[NyaaState, Path] = {}
    cells = cells_of(grid)
    for state, path in _search(cells, start):
        rest = dropped(cells, state)
        shortest.setdefault(rest, path)
        shortest.setdefault(rest._replace(needle=not rest.needle), (*path, Action.NEEDLE))
    return sorted(
        (Placement(*rest, path) for rest, path in shortest.items()),
        key=lambda lock: (
            presses(lock.x, lock.orientation, lock.needle),
            lock.x,
            lock.orientation,
            lock.needle,
            -lock.y,
        ),
    )


def _open_locks(grid: Grid) -> list[Placement]:
    """The locks that a pair can reach from the spawn when nothing is in its way."""
    tops = heights(grid)
    return [Placement(x, rest_row(tops, x, o), o, needle, path) for (x, o, needle), path in open_paths().items()]


def rest_row(tops: Sequence[int], x: int, orientation: Orientation) -> int:
    """The row (from the top, 0 hidden) where the axis of a pair comes to rest in column x. tops: the height of each
    column.
    """
    dx, dy = STEP[orientation]
    floor = ALL_ROWS - 1
    return min(floor - tops[x - 1], floor - tops[x + dx - 1] - dy)


def find_path(grid: Grid, start: NyaaState, target: Placement) -> Path | None:
    """The shortest presses from ``start`` to a state from which a straight drop ends in the lock ``target``.

    The path is empty if the pair needs only to drop. None: the target can't be reached any more.
    """
    goal = NyaaState(target.x, target.y, target.orientation, start.needle)
    turning = () if target.needle == start.needle else (Action.NEEDLE,)
    cells = cells_of(grid)
    for state, path in _search(cells, start):
        over = state.x == goal.x and state.orientation == goal.orientation
        if over and dropped(cells, state) == goal:
            return (*path, *turning)
    return None


@cache
def open_paths() -> dict[Lock, Path]:
    """The shortest path from the spawn to each lock of an open grid."""
    locks = _found_locks(Grid.empty(), SPAWN)
    return {(lock.x, lock.orientation, lock.needle): lock.path for lock in locks}


def is_open(grid: Grid) -> bool:
    """Whether nothing is in the way of a pair that has just spawned, on a grid at rest."""
    return max(heights(grid)) <= OPEN_HEIGHT


def _search(cells: Cells, start: NyaaState) -> Iterator[tuple[NyaaState, Path]]:
    """Searches breadth first from ``start``. Yields each state and the path to it.

    The search doesn't press NEEDLE, because a pair can become needles, or blocks, in any state. Callers add this press
    at the end of the path. Since NEEDLE is the last of the actions, the path that ends in NEEDLE comes first among
    equally short ones.
    """
    if not fits(cells, start):
        return iter(())
    return ways(start, _MOVES, lambda state, action: move(cells, state, action))

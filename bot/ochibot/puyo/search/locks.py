"""Lock positions: every place where the falling pair can come to rest, found by breadth-first search. Plain Python.

Order of lock positions, everywhere in the search: fewest presses on an open field first (one per column away from
the third, one or two rotations), then lower x, then lower orientation code, then the lower row of the field.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from functools import cache

from ochibot.falling.orientation import TURNS, Orientation, in_columns, ways
from ochibot.puyo.rules.field import COLUMNS, Field
from ochibot.puyo.rules.motion import Cells, can_start, dropped, move
from ochibot.puyo.rules.pair import Action, Pair, PairState, Placement, shape
from ochibot.puyo.rules.profile import SPAWN_COLUMN, Rules

Path = tuple[Action, ...]


def lock_order() -> tuple[tuple[int, Orientation], ...]:
    """The 22 (x, orientation) of an open field, in the order of lock positions (see the module's text)."""
    return tuple(sorted(in_columns(COLUMNS), key=lambda lock: (presses(*lock), *lock)))


def presses(x: int, orientation: Orientation) -> int:
    """How many presses bring a pair from the spawn to this column and orientation on an open field."""
    return abs(x - SPAWN_COLUMN) + TURNS[orientation]


def lock_positions(field: Field, pair: Pair, rules: Rules, start: PairState | None = None) -> list[Placement]:
    """Every lock position that can be reached from ``start`` (None: the spawn), in the order of the module's text.

    A pair of one colour can cover the same two cells in two ways; only the first in that order is listed. Items keep
    the orientation of ``start``. The list is empty when the piece can't be at ``start``
    (``ochibot.puyo.rules.motion.can_start``). Each placement carries its shortest path. Ties go to the path whose first
    differing press comes first in ``Action``.
    """
    shortest: dict[PairState, Path] = {}
    for rest, path in _search(field.rows(), start or rules.spawn, pair, rules):
        shortest.setdefault(rest, path)
    found = [Placement(*rest, path) for rest, path in shortest.items()]
    found.sort(key=lambda lock: (presses(lock.x, lock.orientation), lock.x, lock.orientation, -lock.y))
    if pair.axis != pair.partner:
        return found
    once: dict[frozenset[tuple[int, int]], Placement] = {}
    for lock in found:
        once.setdefault(frozenset(shape(pair, lock)), lock)
    return list(once.values())


def find_path(
    field: Field,
    start: PairState,
    target: Placement,
    pair: Pair | None,
    rules: Rules,
    actions: Collection[Action] = tuple(Action),
) -> Path | None:
    """The shortest list of presses from ``start`` to a state from which a straight drop ends in the lock ``target``.

    The empty path means: just drop. None: the target can't be reached any more. ``pair``: the piece (None: any pair of
    colours; they all move alike). ``actions``: those that the game has a button for.
    """
    goal = PairState(target.x, target.y, target.orientation)
    ways = _search(field.rows(), start, pair, rules, actions)
    return next((path for rest, path in ways if rest == goal), None)


@cache
def open_paths(rules: Rules) -> dict[tuple[int, Orientation], Path]:
    """The shortest path from the spawn to each (x, orientation) of an open field."""
    locks = lock_positions(Field.empty(), Pair(1, 2), rules)
    return {(lock.x, lock.orientation): lock.path for lock in locks}


def is_open(field: Field, rules: Rules) -> bool:
    """Whether the top rows, where pairs move (three on the Famicom), hold no puyo, so that nothing is in the way."""
    return not field.cells[: rules.spawn.y + 2].any()


def _search(
    cells: Cells, start: PairState, pair: Pair | None, rules: Rules, actions: Collection[Action] = tuple(Action)
) -> Iterator[tuple[PairState, Path]]:
    """Breadth first from ``start``: for each state, where a straight drop from it ends, and the path to the state.

    A lock comes up once for each state above it. The one with the shortest path comes first.
    """
    if not can_start(cells, start, pair, rules):
        return
    for state, path in ways(start, actions, lambda state, action: move(cells, state, action, pair, rules)):
        yield dropped(cells, state, pair, rules), path

"""The legal placements of a piece, found by kernels. Same result as ``ochibot.puyo.search.locks.lock_positions``.

Importing this is cheap; the first call loads (or compiles) the kernels.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from itertools import islice, takewhile
from typing import Final

import numpy as np
import numpy.typing as npt

from ochibot.errors import FieldError
from ochibot.falling.orientation import Orientation
from ochibot.puyo.rules.field import BOARD_WORDS, COLUMNS, ROWS, Field
from ochibot.puyo.rules.pair import Action, Pair, PairState, Placement
from ochibot.puyo.rules.profile import Rules
from ochibot.puyo.rules.resolve import Outcome, place
from ochibot.puyo.rules.snapshot import Snapshot
from ochibot.puyo.search.engine import MOST_LOCKS, SEARCH_KERNELS, SPOT_WORDS, STATES
from ochibot.puyo.search.locks import Path, lock_order

_LOCKS: Final = tuple(
    (x, ROWS - 1 - row, orientation, 96 * orientation + 16 * (x - 1) + row)
    for x, orientation in lock_order()
    for row in range(16)
)
"""x, y, orientation and state (``ochibot.puyo.search.ways``) of each lock, by the number that the kernel gives it."""

_ACTIONS: Final = tuple(Action)


def placements(field: Field, pair: Pair, rules: Rules, start: PairState | None = None) -> list[Placement]:
    """Every placement that the piece can reach from ``start`` (None: where pieces appear), each with its shortest path.

    Order and paths are those of ``lock_positions``, and so are three special cases: A pair of one colour gives each set
    of locked cells once. Items keep the orientation of ``start``. The list is empty when the piece can't be at
    ``start``.
    """
    where = start or rules.spawn
    found = _locks(field, pair, where, rules)
    if not found:
        return []
    path_to = _Ways(field, pair, where, rules).path_to
    turned = where.orientation if pair.is_item else None
    return [
        Placement(x, y, orientation if turned is None else turned, path_to(state))
        for x, y, orientation, state in map(_LOCKS.__getitem__, found)
    ]


def with_path(field: Field, pair: Pair, placement: Placement, start: PairState, rules: Rules) -> Placement:
    """The placement with its shortest path from ``start``; ties are broken as in ``lock_positions``.

    Raises FieldError when the piece can't get there from ``start``.
    """
    upright = Orientation.UP if pair.is_item else placement.orientation
    wanted = placement.x, placement.y, upright
    for lock in map(_LOCKS.__getitem__, _locks(field, pair, start, rules, every=True)):
        if lock[:3] == wanted:
            return replace(placement, path=_Ways(field, pair, start, rules).path_to(lock[3]))
    raise FieldError(f"the piece {pair} can't get to {placement} from {start}")


def locked(snapshot: Snapshot, lock: tuple[int, Orientation], rules: Rules) -> tuple[Placement, Outcome] | None:
    """The placement of the falling pair by its column and orientation, and what follows; None if it can't get there."""
    for one in placements(snapshot.field, snapshot.pair, rules, snapshot.state):
        if (one.x, one.orientation) == lock:
            return one, place(snapshot.field, snapshot.pair, one, rules)
    return None


def known_pairs(shown: Iterable[Pair], most: int | None = None) -> list[Pair]:
    """The shown pairs before the first item, and before the first that isn't known; at most ``most``."""
    known = takewhile(lambda pair: not (pair.is_item or pair.is_unknown), shown)
    return list(islice(known, most))


def _kind(pair: Pair) -> int:
    """The kernels' number for the kind of a piece (``piece`` of ``ochibot.puyo.search.ways.lock_boards``)."""
    return pair.axis - 1 if pair.is_item else int(pair.axis == pair.partner)


def _place_of(start: PairState) -> npt.NDArray[np.int64]:
    return np.array((start.x - 1, ROWS - 1 - start.y, start.orientation), np.int64)


def _locks(field: Field, pair: Pair, start: PairState, rules: Rules, every: bool = False) -> list[int]:
    """The kernel's numbers of the locks, in order. ``every``: also those left out for a pair of one colour."""
    if not (1 <= start.x <= COLUMNS and 0 <= start.y < ROWS):
        return []
    spots = np.empty(SPOT_WORDS, np.uint64)
    results = np.empty((1, 1 + MOST_LOCKS), np.int64)
    boards = field.planes.reshape(1, BOARD_WORDS)
    kind = 0 if every and not pair.is_item else _kind(pair)
    SEARCH_KERNELS.kernel("lock_boards", rules)(boards, _place_of(start), kind, spots, results)
    found: list[int] = results[0, 1 : 1 + int(results[0, 0])].tolist()
    return found


class _Ways:
    """The shortest paths from one start. All are found at once; each is unpacked when it is needed."""

    def __init__(self, field: Field, pair: Pair, start: PairState, rules: Rules) -> None:
        """``start``: where the search begins; the piece must fit there."""
        spots = np.empty(SPOT_WORDS, np.uint64)
        queue, came, above = np.empty((3, STATES), np.int64)
        SEARCH_KERNELS.kernel("find_ways", rules)(
            field.planes, _place_of(start), _kind(pair), spots, queue, came, above
        )
        self._came: list[int] = came.tolist()
        self._above: list[int] = above.tolist()
        self._known: dict[int, Path] = {}

    def path_to(self, lock: int) -> Path:
        """The path to a reachable lock, given as a state."""
        return self._path(self._above[lock])

    def _path(self, state: int) -> Path:
        known = self._known.get(state)
        if known is None:
            before, action = self._came[state] >> 3, self._came[state] & 7
            known = () if before == state else (*self._path(before), _ACTIONS[action])
            self._known[state] = known
        return known

"""What one side of a match can do: its falling pair's locks, the chains they set off, what is in reach behind them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from ochibot.puyo.rules.field import BOARD_WORDS, COLUMNS, ROWS, Field
from ochibot.puyo.rules.nuisance import drop_nuisance
from ochibot.puyo.rules.pair import Pair, PairState
from ochibot.puyo.rules.profile import SPAWN_COLUMN, Rules, score_table
from ochibot.puyo.search.chain.config import ChainConfig
from ochibot.puyo.search.chain.engine import CHAIN_KERNELS
from ochibot.puyo.search.chain.layout import ALL_ROOTS, ROOTS, SCRATCH_WORDS
from ochibot.puyo.search.chain.search import Search

_WIDTH: Final = 3 * ROOTS
_ORDER: Final = (3, 4, 2, 5, 1, 6)
"""Columns in which nuisance is taken to fall first: the spawn's, which is the worst."""
PIECE_FRAMES: Final = 48
"""About as long a pair takes that is dropped at once: the spawn delay, the way down with Down held, the lock."""
STEP_FRAMES: Final = 38
"""About as long a step of a chain takes."""


@dataclass(frozen=True, slots=True)
class Lock:
    """A lock of the falling pair that doesn't end the game. root: its place in the order of locks. points: of the chain
    that it sets off at once. worth: what the field behind it is worth to the builder. field: that field.
    """

    root: int
    points: int
    worth: float
    field: Field


@dataclass(frozen=True, slots=True)
class Outlook:
    """locks: of the falling pair. later: the points of the best chain that a pair after it is sure to set off, and
    behind which lock. reach: the points of the best chain in reach behind the pairs that are seen.
    """

    locks: tuple[Lock, ...]
    later: int
    later_root: int
    reach: int

    @property
    def best(self) -> Lock | None:
        """The lock with the best chain; None where none clears anything."""
        firing = [lock for lock in self.locks if lock.points]
        return max(firing, key=lambda lock: (lock.points, lock.worth), default=None)

    @property
    def sure(self) -> int:
        """The points of the best chain that the pairs seen are sure to set off."""
        return max([self.later, *(lock.points for lock in self.locks)])


class Scout:
    """Looks at fields. An instance has its own scratch memory: use one per thread."""

    def __init__(self, config: ChainConfig, rules: Rules) -> None:
        self.rules = rules
        self._weights = config.vector()
        self._table = score_table(rules)
        self._search: Search | None = None
        self._scratch = np.zeros(SCRATCH_WORDS, np.uint64)
        least = np.cumsum([rules.step_score(step, [rules.clear_size], 1) for step in range(1, 20)])
        self._least: list[int] = least.tolist()

    @property
    def nodes(self) -> int:
        """Boards looked at so far."""
        return 0 if self._search is None else self._search.nodes

    def look(
        self,
        field: Field,
        state: PairState,
        pairs: Sequence[Pair],
        colors: Sequence[int],
        roots: int = ALL_ROOTS,
    ) -> Outlook:
        """What a side can do, whose field is settled, with these locks of its falling pair (as bits)."""
        if self._search is None:
            self._search = Search(self.rules, self._weights, _WIDTH)
        search = self._search
        search.colors(colors)
        fired = search.look(field, state, pairs, roots)
        first = search.seen[0]
        boards = first.boards.reshape(-1, BOARD_WORDS)
        locks = tuple(
            Lock(int(first.roots[n]), int(fired[0][first.roots[n]]), float(first.keys[n]), Field.from_planes(boards[n]))
            for n in range(first.count)
        )
        later, later_root = 0, -1
        open_roots = {lock.root for lock in locks}
        for points in fired[1:]:
            root = int(np.argmax(points))
            if points[root] > later and root in open_roots:
                later, later_root = int(points[root]), root
        last = search.seen[search.depth - 1] if search.depth else None
        reach = int(np.max(last.reach[: last.count])) if last is not None and last.count else 0
        return Outlook(locks, later, later_root, reach)

    def reach(self, fields: Sequence[Field], colors: Sequence[int]) -> npt.NDArray[np.int64]:
        """For each field the points of the best chain that one or two more puyos would set off."""
        if not fields:
            return np.zeros(0, np.int64)
        boards = np.stack([field.planes for field in fields])
        found = np.zeros((len(fields), 3), np.int64)
        mask = sum(1 << color - 1 for color in colors)
        kernel = CHAIN_KERNELS.kernel("potential_boards", self.rules)
        kernel(boards, mask, self._table, self._weights, self._scratch, found)
        points: npt.NDArray[np.int64] = found[:, 0]
        return points

    def under(self, field: Field, count: int) -> Field:
        """The field with so many nuisance puyos on it, at most as many as fall at a time, the third column first."""
        falling = min(count, self.rules.nuisance.most_per_fall)
        return drop_nuisance(field, falling, _ORDER, self.rules) if falling > 0 else field

    def free(self, field: Field) -> int:
        """Rows of the third column from its top up to the spawn cell, which is one of them."""
        return max(0, ROWS - self.rules.spawn.y - int(field.heights()[SPAWN_COLUMN - 1]))

    def deadly(self, field: Field) -> int:
        """Nuisance that fills the third column up to the spawn cell, and all others with it."""
        return COLUMNS * self.free(field)

    def frames(self, points: int) -> int:
        """About how long a pair and a chain of so many points take."""
        steps = sum(points >= least for least in self._least)
        return PIECE_FRAMES + STEP_FRAMES * steps

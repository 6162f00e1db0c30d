"""What one side of a match can do: its locks, the chains that they set off, and the chains in reach after them.

A match as the player of matches sees it, and what it intends to do.
"""

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
from ochibot.puyo.rules.snapshot import Rival, Snapshot
from ochibot.puyo.search.chain.config import ChainConfig, points_of
from ochibot.puyo.search.chain.layout import ALL_ROOTS, ROOTS, SCRATCH_WORDS
from ochibot.puyo.search.chain.search import CHAIN_KERNELS, BeamSearch

_WIDTH: Final = 3 * ROOTS
_ORDER: Final = (3, 4, 2, 5, 1, 6)
"""The assumed order of columns in which nuisance falls. It begins with the worst one, the spawn's column."""
PIECE_FRAMES: Final = 48
"""About how many frames a pair takes if it is dropped at once: spawn delay, fall with Down held, lock."""
TURN_FRAMES: Final = 36
"""About how many frames a pair takes on a field that is half full."""
STEP_FRAMES: Final = 38
"""About how many frames one step of a chain takes."""


@dataclass(frozen=True, slots=True)
class ScoutedLock:
    """A lock of the falling pair that doesn't end the game. root: its index in the order of locks. points: of the chain
    that it sets off. field: the field afterwards. worth: the builder's value of that field.
    """

    root: int
    points: int
    worth: float
    field: Field


@dataclass(frozen=True, slots=True)
class Outlook:
    """What a side can do. locks: the falling pair's. later: the points of the best chain that the visible pairs after
    it can set off. later_root: the index of the first lock on the way to it (-1: there is no such chain). reach: the
    points of the best chain in reach after all visible pairs.
    """

    locks: tuple[ScoutedLock, ...]
    later: int
    later_root: int
    reach: int

    @property
    def best(self) -> ScoutedLock | None:
        """The lock with the best chain; None if no lock clears anything."""
        firing = [lock for lock in self.locks if lock.points]
        return max(firing, key=lambda lock: (lock.points, lock.worth), default=None)

    @property
    def sure(self) -> int:
        """The points of the best certain chain: one that the visible pairs can set off."""
        return max([self.later, *(lock.points for lock in self.locks)])


class Scout:
    """Finds out what a side can do on a field. An instance has its own scratch memory: use one per thread."""

    def __init__(self, config: ChainConfig, rules: Rules) -> None:
        self.rules = rules
        self._weights = config.vector()
        self._table = score_table(rules)
        self._search: BeamSearch | None = None
        self._scratch = np.zeros(SCRATCH_WORDS, np.uint64)
        self._least = [points_of(steps, rules) for steps in range(1, 20)]

    @property
    def nodes(self) -> int:
        """How many boards have been examined so far."""
        return 0 if self._search is None else self._search.nodes

    def look(
        self,
        field: Field,
        state: PairState,
        pairs: Sequence[Pair],
        colors: Sequence[int],
        roots: int = ALL_ROOTS,
    ) -> Outlook:
        """What a side can do from this settled field.

        ``roots``: the allowed locks of its falling pair, one bit each.
        """
        if self._search is None:
            self._search = BeamSearch(self.rules, self._weights, _WIDTH)
        search = self._search
        search.colors(colors)
        fired = search.look(field, state, pairs, roots)
        first = search.seen[0]
        boards = first.boards.reshape(-1, BOARD_WORDS)
        locks = tuple(
            ScoutedLock(
                int(first.roots[n]), int(fired[0][first.roots[n]]), float(first.keys[n]), Field.from_planes(boards[n])
            )
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
        """For each field, the points of the best chain that one or two more puyos would set off."""
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
        """The field after ``count`` nuisance puyos fell, at most one batch; they fill the third column first."""
        falling = min(count, self.rules.nuisance.most_per_fall)
        return drop_nuisance(field, falling, _ORDER, self.rules) if falling > 0 else field

    def free(self, field: Field) -> int:
        """The free rows of the third column, from its highest puyo up to and including the spawn cell."""
        return max(0, ROWS - self.rules.spawn.y - int(field.heights()[SPAWN_COLUMN - 1]))

    def deadly(self, field: Field) -> int:
        """How much nuisance is deadly: six times the free rows of the third column, as it falls on six columns."""
        return COLUMNS * self.free(field)

    def frames(self, points: int) -> int:
        """About how many frames a pair and its chain of ``points`` points take."""
        return PIECE_FRAMES + STEP_FRAMES * self.steps(points)

    def steps(self, points: int) -> int:
        """About how many steps a chain of ``points`` points has."""
        return sum(points >= least for least in self._least)

    def grown(self, points: int, steps: float) -> float:
        """About how many points a chain of ``points`` points gives once it has ``steps`` steps more (0 or more)."""
        whole, part = divmod(self.steps(points) + steps, 1)
        least = [0, *self._least]
        low, high = least[min(int(whole), len(least) - 1)], least[min(int(whole) + 1, len(least) - 1)]
        return points + max(0.0, low + (high - low) * part - least[self.steps(points)])


@dataclass(frozen=True, slots=True)
class Position:
    """A match as the player sees it before a lock. each: how many points make one nuisance puyo now. due: the nuisance
    that falls after this lock unless a chain cancels it. later: the nuisance that falls after a later lock. own, other:
    what the player and the rival can do. colors: those that the game deals.
    """

    snapshot: Snapshot
    rival: Rival
    each: int
    due: int
    later: int
    own: Outlook
    other: Outlook
    colors: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Intent:
    """What to do. root: the chosen lock as an index into the order of locks; None means build. why: the reason.
    in_time: whether to build the largest chain that can be set off before the rival's nuisance falls.
    """

    why: str
    root: int | None = None
    in_time: bool = False

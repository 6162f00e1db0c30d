"""A batch of games of one seat, played by kernels: no Python for a single game."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from itertools import pairwise
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from ochibot.errors import ConfigError
from ochibot.puyo.rules.field import BOARD_WORDS, COLUMNS, Field
from ochibot.puyo.rules.profile import Rules, score_table
from ochibot.puyo.search.engine import SPOT_WORDS
from ochibot.puyo.search.locks import lock_order
from ochibot.puyo.sim import layout
from ochibot.puyo.sim.engine import MANY_KERNELS
from ochibot.puyo.sim.match import Deal, Source

LOCKS: Final = len(lock_order())


@cache
def _reach(rules: Rules) -> npt.NDArray[np.uint32]:
    """The legal locks by the heights of the columns (``ochibot.puyo.sim.vectors.find_reach``)."""
    reach = np.zeros((2, layout.REACHES), np.uint32)
    MANY_KERNELS.kernel("find_reach", rules)(np.zeros(SPOT_WORDS, np.uint64), reach)
    return reach


def batch_numbers(
    count: int, rules: Rules, colors: int, shown: int, source: Source, most_locks: int | None, planes: bool
) -> npt.NDArray[np.int64]:
    """The numbers of a batch (``ochibot.puyo.sim.layout``). Raises ConfigError for those that aren't possible."""
    if count < 1 or shown not in (1, 2) or (most_locks is not None and most_locks < 1):
        raise ConfigError("a batch needs at least one game and one lock, and 1 or 2 next pairs")
    Deal(1, colors=colors, source=source).dealer(rules)  # refuses colours that the source can't deal
    numbers = np.zeros(layout.BATCH_NUMBERS, np.int64)
    numbers[layout.COLORS], numbers[layout.SHOWN] = colors, shown
    numbers[layout.SOURCE] = layout.SOURCES.index(source)
    numbers[layout.MOST_LOCKS], numbers[layout.SCORE_CAP] = most_locks or 0, rules.score_cap
    numbers[layout.ALL_CLEAR_NOW], numbers[layout.ALL_CLEAR_LATER] = rules.all_clear_now, rules.all_clear_later
    numbers[layout.WITH_PLANES] = planes
    return numbers


class AfterLocks(NamedTuple):
    """What each lock leads to. planes: uint8, (games, LOCKS, colours + 1, rows, columns). points: float64, (games,
    LOCKS), without those for an emptied field. over: bool, (games, LOCKS), whether the spawn cell is occupied. An
    illegal lock is over, without planes and points.
    """

    planes: npt.NDArray[np.uint8]
    points: npt.NDArray[np.float64]
    over: npt.NDArray[np.bool_]


class ManyGames:
    """``count`` games by the same rules, as ``ochibot.puyo.sim.match.Match`` plays them with one seat.

    Results, which each call writes anew:

    - planes: uint8 0 or 1, (count, colours + 1, rows, columns); the top row first, the plane of nuisance last.
    - pairs: uint8, (count, pairs, 2): the colours of the falling pair and of those shown next, axis first.
    - masks: int8 0 or 1, (count, LOCKS): the legal locks, in ``lock_order``.
    - rewards: float64, (count,): the points of the last lock.
    - terminated, truncated, illegal: bool, (count,).

    Colours are numbered from 1 in each game, in the order in which it deals them.
    """

    def __init__(
        self,
        count: int,
        rules: Rules,
        *,
        colors: int = 4,
        shown: int = 1,
        source: Source = "cartridge",
        most_locks: int | None = None,
        planes: bool = True,
        threads: int = 1,
    ) -> None:
        """``shown``: how many next pairs are seen, 1 or 2. ``most_locks``: after so many locks a game is cut off.
        ``planes``: whether they are written. ``threads``: how many share the work; the results are the same.

        Raises ConfigError for numbers that aren't possible.
        """
        if threads < 1:
            raise ConfigError("a batch needs at least one thread")
        numbers = batch_numbers(count, rules, colors, shown, source, most_locks, planes)
        self.count, self.rules = count, rules
        self._boards = np.zeros((count, BOARD_WORDS), np.uint64)
        self._games = np.zeros((count, layout.GAME_NUMBERS), np.int64)
        self._random = np.zeros((count, layout.RANDOM_WORDS), np.uint64)
        pooled = layout.SOURCES.index(source) >= layout.TSU
        pools = np.zeros((count if pooled else 1, 256), np.uint8)
        self.planes = np.zeros((count, colors + 1, rules.kept_rows, COLUMNS), np.uint8)
        self.pairs = np.zeros((count, 1 + shown, 2), np.uint8)
        self.masks = np.zeros((count, LOCKS), np.int8)
        self.rewards = np.zeros(count, np.float64)
        self._ended = np.zeros((count, 3), np.uint8)
        seen = (
            self.planes.reshape(count, -1).view(np.uint16),
            self.pairs.reshape(count, -1),
            self.masks.view(np.uint16),
        )
        table = score_table(rules)
        self._tables = numbers, table
        self._fallen = numbers, self._boards, self._games, self._random, _reach(rules), *seen, self._ended
        self._after: AfterLocks | None = None
        self._begin = MANY_KERNELS.kernel("begin_games", rules)
        self._step = MANY_KERNELS.kernel("step_games", rules)
        self._choose = MANY_KERNELS.kernel("random_locks", rules)
        # each thread has a part of the games, and memory of its own
        edges = [count * part // threads for part in range(threads + 1)]
        self._parts = [(first, end) for first, end in pairwise(edges) if first < end]
        rooms = [
            (np.zeros((1, layout.POOL_ROOM), np.uint8), np.zeros(1, np.uint32), _reach(rules)) for _ in self._parts
        ]
        state = self._boards, self._games, self._random, pools
        self._begin_rest = [(numbers, *state, *room, *seen) for room in rooms]
        self._step_rest = [(numbers, table, *state, *room, *seen, self.rewards, self._ended) for room in rooms]
        self._pool = ThreadPoolExecutor(len(self._parts)) if len(self._parts) > 1 else None

    def close(self) -> None:
        """Ends the threads."""
        if self._pool is not None:
            self._pool.shutdown()

    @property
    def terminated(self) -> npt.NDArray[np.bool_]:
        """Which games the last step ended."""
        return self._ended[:, layout.TERMINATED].view(np.bool_)

    @property
    def truncated(self) -> npt.NDArray[np.bool_]:
        """Which games the last step cut off."""
        return self._ended[:, layout.TRUNCATED].view(np.bool_)

    @property
    def illegal(self) -> npt.NDArray[np.bool_]:
        """Which games an illegal lock has ended in the last step."""
        return self._ended[:, layout.ILLEGAL].view(np.bool_)

    @property
    def scores(self) -> npt.NDArray[np.int64]:
        """The points of all games."""
        return self._games[:, layout.SCORE]

    def field(self, number: int) -> Field:
        """The field of one game, with the colour codes 1, 2, … in the order in which the game deals them."""
        return Field.from_planes(self._boards[number])

    def _run(self, call: Callable[[int], Any]) -> None:
        if self._pool is None:
            call(0)
            return
        for done in [self._pool.submit(call, part) for part in range(len(self._parts))]:
            done.result()

    def seed(self, number: int, state: int, dice: int = 0) -> None:
        """``state``: the 64 bits from which the seeds of a game's deals come, one after the other
        (``ochibot.falling.draws.rolled``, plus 1). ``dice``: those of ``random_locks``.
        """
        layout.seed_words(self._random[number], state, dice)

    def begin(self, chosen: npt.NDArray[np.bool_] | None = None) -> None:
        """Begins the chosen games (None: all)."""
        which = np.ones(self.count, np.uint8) if chosen is None else np.ascontiguousarray(chosen, np.uint8)
        if which.shape != (self.count,):
            raise ConfigError(f"a choice has one truth value for each game: {self.count}, not {which.shape}")
        self._ended[which.view(np.bool_)] = 0
        self._run(lambda part: self._begin(*self._parts[part], which, *self._begin_rest[part]))

    def step(self, locks: npt.ArrayLike) -> None:
        """One step of every game: a lock, by its number in ``lock_order``. A game that the last step ended begins anew
        instead, with a reward of 0. An illegal lock ends its game.

        Raises ConfigError for another number of locks.
        """
        actions = np.ascontiguousarray(locks, np.int64)
        if actions.shape != (self.count,):
            raise ConfigError(f"give one lock for each game: {self.count}, not {actions.shape}")
        self._run(lambda part: self._step(*self._parts[part], actions, *self._step_rest[part]))

    def drop(self, counts: npt.ArrayLike) -> None:
        """Drops nuisance on each game between two locks: whole rows on all columns, the rest on different columns drawn
        at random; what finds no room is lost. ``counts``: whole numbers. A game whose next pair finds no place is
        terminated. Raises ConfigError for another number of counts.
        """
        many = np.ascontiguousarray(counts, np.int64)
        if many.shape != (self.count,):
            raise ConfigError(f"give one count for each game: {self.count}, not {many.shape}")
        drop = MANY_KERNELS.kernel("drop_nuisance", self.rules)
        self._run(lambda part: drop(*self._parts[part], many, *self._fallen))

    def look_ahead(self) -> AfterLocks:
        """What each lock of each game leads to now, without playing it. The next call writes the same arrays anew."""
        if self._after is None:
            shape = self.count, LOCKS
            planes = np.zeros((*shape, *self.planes.shape[1:]), np.uint8)
            self._after = AfterLocks(planes, np.zeros(shape, np.float64), np.zeros(shape, np.bool_))
        after = self._after
        rest = (
            *self._tables,
            self._boards,
            self._games,
            after.planes.reshape(self.count * LOCKS, -1).view(np.uint16),
            after.points,
            after.over.view(np.uint8),
        )
        look = MANY_KERNELS.kernel("look_ahead", self.rules)
        self._run(lambda part: look(*self._parts[part], *rest))
        return after

    def random_locks(self, out: npt.NDArray[np.int64] | None = None) -> npt.NDArray[np.int64]:
        """A random legal lock of each game, all alike in probability; 0 if none is legal. ``out``: where to."""
        locks = np.empty(self.count, np.int64) if out is None else out
        self._run(lambda part: self._choose(*self._parts[part], self._games, self._random, locks))
        return locks

"""A batch of games on an NVIDIA GPU, one game per thread (imports numba.cuda)."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
import numpy.typing as npt
from numba import cuda

from ochibot.jit.library import need_gpu
from ochibot.puyo.rules.profile import Rules, score_table
from ochibot.puyo.sim import layout
from ochibot.puyo.sim.cuda import TARGET
from ochibot.puyo.sim.many import LOCKS, batch_numbers
from ochibot.puyo.sim.match import Source
from ochibot.puyo.sim.plain.many import steps_of
from ochibot.puyo.sim.plain.shape import BOARD, FLOOD, shape_of

_THREADS: Final = 64
_steps = steps_of(TARGET)
_begin, _step, _random_lock = _steps


@cuda.jit
def _begin_all(
    chosen: Any,
    numbers: Any,
    boards: Any,
    games: Any,
    random: Any,
    pools: Any,
    rooms: Any,
    planes: Any,
    pairs: Any,
    masks: Any,
    shape: Any,
    cells: Any,
) -> None:
    i = cuda.grid(1)
    if i < boards.shape[0] and chosen[i] != 0:
        spots = cuda.local.array(FLOOD, np.uint64)
        seed = cuda.local.array(1, np.uint32)
        _begin(
            numbers,
            boards[i],
            games[i],
            random[i],
            pools[i],
            rooms[i],
            seed,
            spots,
            planes[i],
            pairs[i],
            masks[i],
            shape,
            cells,
        )


@cuda.jit
def _step_all(
    actions: Any,
    table: Any,
    rewards: Any,
    ended: Any,
    numbers: Any,
    boards: Any,
    games: Any,
    random: Any,
    pools: Any,
    rooms: Any,
    planes: Any,
    pairs: Any,
    masks: Any,
    shape: Any,
    cells: Any,
) -> None:
    i = cuda.grid(1)
    if i < boards.shape[0]:
        spots = cuda.local.array(FLOOD, np.uint64)
        seed = cuda.local.array(1, np.uint32)
        _step(
            actions[i],
            table,
            rewards[i],
            ended[i],
            numbers,
            boards[i],
            games[i],
            random[i],
            pools[i],
            rooms[i],
            seed,
            spots,
            planes[i],
            pairs[i],
            masks[i],
            shape,
            cells,
        )


@cuda.jit
def _choose_all(games: Any, random: Any, actions: Any) -> None:
    i = cuda.grid(1)
    if i < games.shape[0]:
        actions[i] = _random_lock(games[i], random[i])


class ManyGamesOnGpu:
    """``ochibot.puyo.sim.many.ManyGames`` on a GPU: the same games by the same seeds.

    The results are arrays on the GPU, with the same types and shapes but for ``rewards``, (count, 1), and ``ended``,
    (count, 3): terminated, truncated, illegal. ``torch.as_tensor`` takes them without a copy.
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
    ) -> None:
        """See ``ManyGames``. Raises ConfigError, and UsageError where there is no GPU."""
        numbers = batch_numbers(count, rules, colors, shown, source, most_locks, planes)
        need_gpu()
        self.count, self.rules = count, rules
        pooled = numbers[layout.SOURCE] >= layout.TSU
        self._random = np.zeros((count, layout.RANDOM_WORDS), np.uint64)
        self._games = cuda.to_device(np.zeros((count, layout.GAME_NUMBERS), np.int64))
        self._dealt = cuda.to_device(self._random)
        state = (
            cuda.to_device(np.zeros((count, BOARD), np.uint64)),
            self._games,
            self._dealt,
            cuda.to_device(np.zeros((count, 256 if pooled else 1), np.uint8)),
            cuda.to_device(np.zeros((count, 1, layout.POOL_ROOM if pooled else 1), np.uint8)),
        )
        self.planes = cuda.to_device(np.zeros((count, colors + 1, rules.kept_rows, 6), np.uint8))
        self.pairs = cuda.to_device(np.zeros((count, 1 + shown, 2), np.uint8))
        self.masks = cuda.to_device(np.zeros((count, LOCKS), np.int8))
        self.rewards = cuda.to_device(np.zeros((count, 1), np.float64))
        self.ended = cuda.to_device(np.zeros((count, 3), np.uint8))
        shape, cells, _ = shape_of(rules)
        constants = cuda.to_device(shape), cuda.to_device(cells)
        self._rest = cuda.to_device(numbers), *state, self.planes, self.pairs, self.masks, *constants
        self._table = cuda.to_device(score_table(rules))
        self._actions = cuda.to_device(np.zeros(count, np.int64))
        self._grid = -(-count // _THREADS), min(_THREADS, count)

    def seed(self, number: int, state: int, dice: int = 0) -> None:
        """See ``ManyGames.seed``. Call it before ``begin``."""
        layout.seed_words(self._random[number], state, dice)

    def begin(self) -> None:
        """Begins all games, by the seeds given before."""
        self._dealt.copy_to_device(self._random)
        _begin_all[self._grid](cuda.to_device(np.ones(self.count, np.uint8)), *self._rest)

    def step(self, locks: Any) -> None:
        """See ``ManyGames.step``. ``locks``: an array of int64 on the GPU (numba's), or one of numpy."""
        there = self._taken(locks) if isinstance(locks, np.ndarray | list) else locks
        _step_all[self._grid](there, self._table, self.rewards, self.ended, *self._rest)

    def _taken(self, locks: npt.ArrayLike) -> Any:
        self._actions.copy_to_device(np.ascontiguousarray(locks, np.int64))
        return self._actions

    def random_locks(self) -> Any:
        """See ``ManyGames.random_locks``; on the GPU."""
        _choose_all[self._grid](self._games, self._dealt, self._actions)
        return self._actions

    @property
    def scores(self) -> npt.NDArray[np.int64]:
        """The points of all games, in the processor's memory."""
        found: npt.NDArray[np.int64] = self._games.copy_to_host()[:, layout.SCORE]
        return found

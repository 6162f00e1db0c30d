"""Many environments at once, without Python for a single one: ``gymnasium.make_vec("ochibot/Tsu-v0", num_envs=1024)``.

They are Puyo Puyo on the simulator. Step by step they give what ``gymnasium.vector.SyncVectorEnv`` of the single
environments gives for the same seeds and actions.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import numpy as np
import numpy.typing as npt
from gymnasium import spaces
from gymnasium.utils import seeding
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from ochibot.env.boards import Observation, PuyoBoard
from ochibot.env.solo import MOST_STREAM
from ochibot.errors import UsageError
from ochibot.puyo.sim.many import ManyGames
from ochibot.puyo.sim.match import Source

_RESET_MASK: Final = "reset_mask"


class PuyoVectorEnv(VectorEnv[Observation, npt.NDArray[np.int64], Any]):
    """A batch of ``ochibot/Endless-v0``. Where the last step ended an episode, the next one begins another game instead
    of playing the action, with a reward of 0 (Gymnasium's ``AutoresetMode.NEXT_STEP``).

    games: the arrays themselves (``ochibot.puyo.sim.many.ManyGames``).
    """

    metadata: dict[str, Any] = {"autoreset_mode": AutoresetMode.NEXT_STEP}  # noqa: RUF012

    def __init__(
        self,
        num_envs: int,
        *,
        rules: str = "famicom",
        colors: int = 4,
        next_pairs: int = 1,
        source: Source = "cartridge",
        max_episode_steps: int | None = None,
        copy: bool = True,
        threads: int = 1,
    ) -> None:
        """``max_episode_steps``: after so many steps an episode is truncated. ``copy``: whether each step returns
        arrays of its own; otherwise they are those of ``games``, which the next step writes anew. ``threads``: how many
        share the work. The others: see ``ochibot.env.solo.endless``.

        Raises ConfigError or UsageError.
        """
        board = PuyoBoard(rules, colors, next_pairs)
        self.games = ManyGames(
            num_envs,
            board.rules,
            colors=colors,
            shown=next_pairs,
            source=source,
            most_locks=max_episode_steps,
            threads=threads,
        )
        self.num_envs, self.render_mode, self.spec = num_envs, None, None
        self.single_observation_space: spaces.Dict = board.space
        self.single_action_space = spaces.Discrete(board.actions)
        self.observation_space = batch_space(board.space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self._copy, self._begun = copy, False
        self._all = np.ones(num_envs, np.bool_)

    def reset(
        self, *, seed: int | Sequence[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Begins games. ``seed``: of the first environment; the others have the numbers after it. Or a list. None:
        the games go on with the next of their seeds. ``options``: ``reset_mask``, bool, chooses environments.

        Raises UsageError for a list of another length, and for an unknown option.
        """
        given = dict(options or {})
        chosen = np.asarray(given.pop(_RESET_MASK, self._all), np.bool_)
        if given or chosen.shape != (self.num_envs,):
            raise UsageError(f"the only option of a reset is {_RESET_MASK}, with one truth value for each environment")
        seeds: Sequence[int | None]
        if seed is None or isinstance(seed, int):
            seeds = [None if seed is None else seed + number for number in range(self.num_envs)]
        else:
            seeds = seed
        if len(seeds) != self.num_envs:
            raise UsageError(f"give one seed for each environment: {self.num_envs}, not {len(seeds)}")
        for number, one in enumerate(seeds):
            if chosen[number] and (one is not None or not self._begun):
                random, _ = seeding.np_random(one)
                self.games.seed(number, *random.integers(MOST_STREAM, size=2).tolist())
        self._begun = True
        self.games.begin(chosen)
        return self._seen(), self._info()

    def step(
        self, actions: npt.ArrayLike
    ) -> tuple[Observation, npt.NDArray[np.float64], npt.NDArray[np.bool_], npt.NDArray[np.bool_], dict[str, Any]]:
        """Locks a piece in each environment. Raises UsageError before ``reset``, ConfigError for another number of
        actions.
        """
        if not self._begun:
            raise UsageError("reset the environments before their first step")
        self.games.step(actions)
        games = self.games
        return self._seen(), games.rewards.copy(), games.terminated.copy(), games.truncated.copy(), self._info()

    def random_actions(self) -> npt.NDArray[np.int64]:
        """A random legal action of each environment, all alike in probability; seeds make them reproducible."""
        return self.games.random_locks()

    def close_extras(self, **_: Any) -> None:
        """Ends the threads."""
        self.games.close()

    def _seen(self) -> Observation:
        games = self.games
        seen: Observation = {"field": games.planes, "pairs": games.pairs, "mask": games.masks}
        return {name: values.copy() for name, values in seen.items()} if self._copy else seen

    def _info(self) -> dict[str, Any]:
        games = self.games
        values = {
            "action_mask": games.masks.copy() if self._copy else games.masks,
            "score": games.scores.astype(np.float64),
            "illegal": games.illegal.copy(),
        }
        return values | {f"_{name}": self._all.copy() for name in values}


def tsu(num_envs: int, *, colors: int = 4, next_pairs: int = 2, **options: Any) -> PuyoVectorEnv:
    """The same by Tsu's rules and with its generator. ``options``: those of ``PuyoVectorEnv``."""
    return PuyoVectorEnv(num_envs, rules="tsu", source="tsu", colors=colors, next_pairs=next_pairs, **options)

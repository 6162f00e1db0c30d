"""Environments of Gymnasium for a game of one seat: an action is a placement, a reward the points that it makes.

The games here run on the simulator, with the dealer and all consequences of a lock.
"""

from __future__ import annotations

from typing import Any, Final, Literal, Protocol

import gymnasium
import numpy as np
import numpy.typing as npt
from gymnasium import spaces

from ochibot.env.boards import EnvBoard, NyaaBoard, Observation, PuyoBoard, drawn
from ochibot.errors import UsageError
from ochibot.falling.draws import rolled
from ochibot.nyaa.sim import match as simulated_nyaa
from ochibot.puyo.sim import match as puyo
from ochibot.puyo.sim.match import Source


class Solo(Protocol):
    """A game of one seat. board: its family and rules."""

    board: EnvBoard

    def begin(self, seed: int) -> Any:
        """Begins a game; returns its first snapshot. ``seed``: 1 to 2^32 - 1; equal seeds give equal games."""

    def lock(self, placement: Any) -> tuple[Any, float, bool]:
        """Locks the falling piece. Returns the next snapshot, the points gained, and whether the game is over."""


class PuyoSolo:
    """Endless Mode by the rules and with the generator of a game."""

    def __init__(self, board: PuyoBoard, source: Source) -> None:
        """``source``: which generator deals (``ochibot.puyo.sim.match.Deal``)."""
        self.board: EnvBoard = board
        self._colors, self._shown, self._source = board.colors, board.shown, source
        self._match: puyo.Match | None = None

    def begin(self, seed: int) -> Any:
        """Begins a game."""
        self.board.begin()
        deal = puyo.Deal(seed, colors=self._colors, source=self._source)
        self._match = puyo.Match(deal, self.board.rules)
        return self._seen()

    def _seen(self) -> Any:
        assert self._match is not None
        return self._match.snapshot(1, self._shown - 1)

    def lock(self, placement: Any) -> tuple[Any, float, bool]:
        """Locks the falling pair."""
        assert self._match is not None
        before = self._match.side(1).score
        done = self._match.lock(1, placement)
        return self._seen(), float(self._match.side(1).score - before), done.over


class NyaaSolo:
    """A game of Pochi & Nyaa without another side; points are attack points."""

    def __init__(self, board: NyaaBoard) -> None:
        self.board: EnvBoard = board
        self._match: simulated_nyaa.Match | None = None

    def begin(self, seed: int) -> Any:
        """Begins a game."""
        self.board.begin()
        self._match = simulated_nyaa.Match(simulated_nyaa.Deal(seed), self.board.rules)
        return self._seen()

    def _seen(self) -> Any:
        assert self._match is not None
        return self._match.snapshot(1)

    def lock(self, placement: Any) -> tuple[Any, float, bool]:
        """Locks the falling pair."""
        assert self._match is not None
        done = self._match.lock(1, placement)
        return self._seen(), float(done.outcome.attack), done.over


MOST_SEED: Final = (1 << 32) - 1
MOST_STREAM: Final = 1 << 62
"""An environment's generator draws a number below this when it is seeded. SplitMix64 makes the games' seeds of it."""

Mode = Literal["ansi", "rgb_array"]


def action_of(legal: dict[int, Any], placement: Any) -> int:
    """The action of a placement among the legal ones. Raises UsageError if it is none of them."""
    names = ("x", "y", "orientation", "needle")
    for action, one in legal.items():
        if all(getattr(one, name, None) == getattr(placement, name, None) for name in names):
            return action
    raise UsageError(f"{placement} isn't legal now")


class PlacementEnv(gymnasium.Env[Observation, np.int64]):
    """A game in which each step locks a piece.

    The mask of legal actions is in each observation and, as ``action_mask``, in ``info``. An illegal action ends the
    episode with no reward, and ``info["illegal"]`` is True. ``info["score"]`` is the sum of all rewards. The episode
    is terminated when the game is over; it has no limit of its own.
    """

    metadata: dict[str, Any] = {"render_modes": ["ansi", "rgb_array"], "render_fps": 2}  # noqa: RUF012

    def __init__(self, game: Solo, render_mode: Mode | None = None) -> None:
        """Raises UsageError for another ``render_mode``."""
        if render_mode is not None and render_mode not in self.metadata["render_modes"]:
            raise UsageError(f"render_mode is ansi or rgb_array, not {render_mode}")
        self.render_mode = render_mode
        self._game = game
        self.observation_space: spaces.Dict = game.board.space  # type: ignore[assignment]
        self.action_space = spaces.Discrete(game.board.actions)
        self._snapshot: Any = None
        self._legal: dict[int, Any] = {}
        self._score = 0.0
        self._seeds: int | None = None

    @property
    def snapshot(self) -> Any:
        """What a player of Ochibot would see now; None before ``reset``."""
        return self._snapshot

    def action_masks(self) -> npt.NDArray[np.bool_]:
        """Which actions are legal, as libraries with masked policies ask for it."""
        return np.isin(np.arange(self._game.board.actions), list(self._legal))

    def action_of(self, placement: Any) -> int:
        """The action of a placement, such as a player's. Raises UsageError if it isn't legal now."""
        return action_of(self._legal, placement)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Begins a game. ``seed``: makes this and all later games reproducible. ``options``: none are known."""
        super().reset(seed=seed, options=options)
        self._score = 0.0
        if seed is not None or self._seeds is None:
            self._seeds = int(self.np_random.integers(MOST_STREAM))
        self._seeds, number = rolled(self._seeds, MOST_SEED)
        return self._take(self._game.begin(1 + number))

    def _take(self, snapshot: Any) -> tuple[Observation, dict[str, Any]]:
        self._snapshot = snapshot
        self._legal = self._game.board.legal(snapshot)
        seen = self._game.board.seen(snapshot, self._legal)
        return seen, {"action_mask": seen["mask"], "score": self._score, "illegal": False}

    def step(self, action: np.int64 | int) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """Locks the piece at an action's placement. Raises UsageError before ``reset``."""
        if self._snapshot is None:
            raise UsageError("reset the environment before its first step")
        placement = self._legal.get(int(action))
        if placement is None:
            seen, info = self._take(self._snapshot)
            return seen, 0.0, True, False, {**info, "illegal": True}
        snapshot, points, over = self._game.lock(placement)
        self._score += points
        seen, info = self._take(snapshot)
        return seen, points, over or not self._legal, False, info

    def render(self) -> Any:
        """The field with the falling piece: text, or a picture of (height, width, 3)."""
        if self.render_mode is None or self._snapshot is None:
            return None
        if self.render_mode == "ansi":
            return str(self._snapshot)
        return drawn(self._game.board, self._snapshot, self._score)


def endless(
    *,
    rules: str = "famicom",
    colors: int = 4,
    next_pairs: int = 1,
    source: Source = "cartridge",
    render_mode: Mode | None = None,
) -> PlacementEnv:
    """Endless Mode of Puyo Puyo. ``source``: cartridge, uniform, tsu, puyo1 or modern (docs/pairs.md).

    Raises ConfigError or UsageError.
    """
    return PlacementEnv(PuyoSolo(PuyoBoard(rules, colors, next_pairs), source), render_mode)


def tsu(*, colors: int = 4, next_pairs: int = 2, render_mode: Mode | None = None) -> PlacementEnv:
    """The same by Tsu's rules and with its generator, two next pairs in sight. Raises UsageError."""
    return endless(rules="tsu", colors=colors, next_pairs=next_pairs, source="tsu", render_mode=render_mode)


def nyaa(*, rules: str = "mvs", render_mode: Mode | None = None) -> PlacementEnv:
    """Pochi & Nyaa without another side. Raises ConfigError."""
    return PlacementEnv(NyaaSolo(NyaaBoard(rules)), render_mode)

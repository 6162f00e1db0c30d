"""A match against an opponent, as an environment of Gymnasium for one agent: ``ochibot/Versus-v0``."""

from __future__ import annotations

from typing import Any, Final, Literal

import gymnasium
import numpy as np
import numpy.typing as npt
from gymnasium import spaces

from ochibot.env.boards import Observation
from ochibot.env.match import AGENTS, MOST_PIECES, MatchEnv, parallel_env
from ochibot.env.solo import Mode
from ochibot.errors import UsageError
from ochibot.falling.deciding import decision_of
from ochibot.falling.player import AnyPlayer, prepare
from ochibot.games import Game, find_game
from ochibot.lab.opponents import Greedy, Random
from ochibot.players import open_player

Rules = Literal["famicom", "tsu", "mvs"]
_TITLES: Final = {"famicom": "puyo", "tsu": "tsu", "mvs": "nyaa"}
_SIMPLE: Final = {"random": Random, "greedy": Greedy}


class VersusEnv(gymnasium.Env[Observation, np.int64]):
    """The agent has one seat of ``ochibot.env.match.MatchEnv``, and a player has the other one.

    A step locks the agent's piece; then the opponent plays until the agent has a piece again. The observation is that
    of the match, without *wait* among the actions. The reward is 1 for a win, -1 for a loss, else 0; an illegal action
    loses. The seat is drawn anew in each match.
    """

    metadata: dict[str, Any] = {"render_modes": ["ansi", "rgb_array"], "render_fps": 2}  # noqa: RUF012

    def __init__(self, match: MatchEnv, title: Game, opponent: str | AnyPlayer, rules: Any) -> None:
        """``opponent``: random, greedy, a player's name, file or class, or a player."""
        self._match, self._title, self._rules, self._wanted = match, title, rules, opponent
        self.render_mode: Any = match.render_mode
        seat = match.observation_spaces[AGENTS[0]].spaces
        actions = match.action_spaces[AGENTS[0]].n - 1
        whole = {**seat, "mask": spaces.Box(0, 1, (int(actions),), np.int8)}
        self.observation_space: spaces.Dict = spaces.Dict(whole)  # type: ignore[assignment]
        self.action_space = spaces.Discrete(int(actions))
        self._me, self._other = AGENTS
        self._player: Any = self._opened(1)  # an unknown opponent is refused at once
        prepare(self._player)
        self._seen: dict[str, Observation] = {}
        self._over = True

    def _opened(self, seed: int) -> AnyPlayer:
        wanted = self._wanted
        if isinstance(wanted, str) and wanted in _SIMPLE:
            maker = _SIMPLE[wanted]
            return maker(self._rules, seed) if maker is Random else Greedy(self._rules)
        return open_player(wanted, self._title, self._rules, seed=seed)

    @property
    def snapshot(self) -> Any:
        """What a player of Ochibot would see at the agent's seat."""
        return self._match.snapshot(self._me)

    def action_of(self, placement: Any) -> int:
        """The action of a placement, such as a player's. Raises UsageError if it isn't legal now."""
        return self._match.action_of(placement)

    def action_masks(self) -> npt.NDArray[np.bool_]:
        """Which actions are legal, as libraries with masked policies ask for it."""
        return self._seen[self._me]["mask"][:-1].astype(np.bool_)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Begins a match. ``seed``: makes this and all later matches reproducible. ``options``: none are known."""
        super().reset(seed=seed, options=options)
        drawn = self.np_random.integers(1 << 31, size=3).tolist()
        self._me, self._other = AGENTS if drawn[0] & 1 else AGENTS[::-1]
        self._player = self._opened(drawn[1])
        self._seen, _ = self._match.reset(seed=drawn[2])
        self._over = False
        self._wait()
        return self._observed(), self._info(illegal=False)

    def _wait(self) -> float:
        """Lets the opponent play until the agent has a piece, or the match is over. Returns the agent's reward."""
        match, reward = self._match, 0.0
        while match.agents and match.turn == self._other:
            snapshot = match.snapshot(self._other)
            decision = decision_of(self._player, self._title.family, snapshot, self._rules)
            if decision is None:
                raise UsageError(f"the opponent found no placement for {snapshot.pair}")
            wait = match.actions
            actions = {self._me: wait, self._other: match.action_of(decision.placement)}
            self._seen, rewards, ended, _, _ = match.step(actions)
            reward = rewards[self._me]
            self._over = ended[self._me]
        return reward

    def step(self, action: np.int64 | int) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """Locks the agent's piece. Raises UsageError before ``reset`` and after the end."""
        match = self._match
        if self._over or not match.agents:
            raise UsageError("the match is over, or hasn't begun: reset the environment")
        # the last action of the match's agents is to wait, which no action of this one means
        chosen = int(action) if 0 <= int(action) < match.actions else match.actions
        self._seen, rewards, ended, _, infos = match.step({self._me: chosen, self._other: match.actions})
        reward, illegal = rewards[self._me], bool(infos[self._me]["illegal"])
        self._over = ended[self._me]
        if match.agents:
            reward = self._wait()
        cut = not match.agents and not self._over
        return self._observed(), reward, self._over, cut, self._info(illegal)

    def _observed(self) -> Observation:
        seen = self._seen[self._me]
        return {**seen, "mask": seen["mask"][:-1]}

    def _info(self, illegal: bool) -> dict[str, Any]:
        return {"action_mask": self._seen[self._me]["mask"][:-1], "illegal": illegal}

    def render(self) -> Any:
        """Both fields, seat 1 first."""
        return self._match.render()


def versus(
    *,
    rules: Rules = "tsu",
    opponent: str | AnyPlayer = "greedy",
    colors: int = 4,
    most_pieces: int = MOST_PIECES,
    render_mode: Mode | None = None,
) -> VersusEnv:
    """A match against ``opponent``: random, greedy, or a player as ``--player`` names it. ``rules``, ``colors`` and
    ``most_pieces``: see ``ochibot.env.match.parallel_env``.

    Raises UsageError or ConfigError.
    """
    match = parallel_env(rules=rules, colors=colors, most_pieces=most_pieces, render_mode=render_mode)
    return VersusEnv(match, find_game(_TITLES[rules]), opponent, match.rules)

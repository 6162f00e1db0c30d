"""Environments of PettingZoo for matches with nuisance: two agents, the frames of our cartridges.

A match isn't played in turns: a seat whose chain runs waits while the other one goes on. So in each step one agent has
a piece to lock, and the other one waits (its mask allows the last action alone). The order is that of
``ochibot arena``: with the same players, deal and rules, both play the same match.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any, ClassVar, Final, Literal

import numpy as np
import numpy.typing as npt
from gymnasium import spaces
from gymnasium.utils import seeding
from pettingzoo import ParallelEnv  # type: ignore[import-untyped]

from ochibot.env.boards import NyaaBoard, Observation, PuyoBoard, drawn
from ochibot.env.solo import MOST_SEED, action_of
from ochibot.errors import UsageError
from ochibot.lab.hands import SimulatedHands
from ochibot.nyaa.sim import match as nyaa
from ochibot.nyaa.sim.timed import TimedMatch as NyaaTimed
from ochibot.puyo.sim.match import Deal, facing
from ochibot.puyo.sim.megadrive import CARTRIDGES, COLORS_OF, MEGADRIVE, Cartridge
from ochibot.puyo.sim.timed import Timed

AGENTS: Final = ("seat_1", "seat_2")
MOST_PIECES: Final = 500


class _EnvGame(ABC):
    """A match on the simulator. ``begin`` sets ``timed``, the match itself."""

    board: PuyoBoard | NyaaBoard
    timed: Any

    @abstractmethod
    def begin(self, seed: int) -> None:
        """Begins a match."""

    def waiting(self) -> int | None:
        """The seat that has a piece to lock."""
        seat: int | None = self.timed.waiting()
        return seat

    @abstractmethod
    def snapshot(self, seat: int) -> Any:
        """What a seat sees."""

    @abstractmethod
    def lock(self, seat: int, placement: Any) -> None:
        """Steers a seat's piece to a placement."""

    def pieces(self) -> int:
        """How many pieces both sides have locked."""
        pieces: int = min(side.pieces for side in self.timed.match.seats)
        return pieces

    @abstractmethod
    def nuisance(self, seat: int) -> int:
        """The nuisance that waits above a seat."""

    def loser(self) -> int | None:
        """The seat that has lost."""
        seat: int | None = self.timed.loser
        return seat


class _PuyoGame(_EnvGame):
    timed: Timed

    def __init__(self, board: PuyoBoard, cartridge: Cartridge) -> None:
        self.board: PuyoBoard | NyaaBoard = board
        self._rules, self._colors, self._shown, self._cartridge = board.rules, board.colors, board.shown, cartridge
        # the Mega Drive game deals as many colours as its difficulty says
        self._level = next((level for level, count in COLORS_OF.items() if count == board.colors), 1)
        self._hands = [SimulatedHands(10, board.rules, cartridge.timing) for _ in AGENTS]

    def begin(self, seed: int) -> None:
        self.board.begin()
        cartridge = self._cartridge
        level = self._level if cartridge is MEGADRIVE else 1
        deal = Deal(seed, level, self._colors, source=cartridge.source)
        self.timed = cartridge.timed(cartridge.match(deal, self._rules), cartridge.timing, 0)

    def snapshot(self, seat: int) -> Any:
        timed = self.timed
        seen = self._hands[seat - 1].seen(timed.match.snapshot(seat, self._shown - 1))
        return facing(seen, timed.match, seat, timed.rival(seat), timed.frame)

    def lock(self, seat: int, placement: Any) -> None:
        hands = self._hands[seat - 1]
        landed, control = hands.steer(self.timed.match.snapshot(seat), placement)
        self.timed.lock(seat, landed, control, hands.soft_rows)

    def nuisance(self, seat: int) -> int:
        return self.timed.match.side(seat).tray.waiting


class _NyaaGame(_EnvGame):
    timed: NyaaTimed

    def __init__(self, board: NyaaBoard) -> None:
        self.board: PuyoBoard | NyaaBoard = board
        self._rules = board.rules

    def begin(self, seed: int) -> None:
        self.board.begin()
        self.timed = NyaaTimed(nyaa.Match(nyaa.Deal(seed), self._rules))

    def snapshot(self, seat: int) -> Any:
        return self.timed.snapshot(seat)

    def lock(self, seat: int, placement: Any) -> None:
        self.timed.lock(seat, placement)

    def nuisance(self, seat: int) -> int:
        return self.timed.match.seat(seat).pending


class MatchEnv(ParallelEnv[str, Observation, int]):  # type: ignore[misc]
    """A match. The observation of an agent is that of ``ochibot.env.boards`` for its own side, and ``rival``, the
    planes of the other side's settled field, and ``waiting``, the nuisance above its own and above the other side.

    The action after all placements is *wait*; it is legal for the agent that has no piece to lock, and for it alone.
    A reward is 1 for a win and -1 for a loss; a draw after ``most_pieces`` gives 0 and truncates. An illegal action
    loses.
    """

    metadata: ClassVar[dict[str, Any]] = {"render_modes": ["ansi", "rgb_array"], "name": "ochibot_match_v0"}

    def __init__(
        self, game: _EnvGame, most_pieces: int = MOST_PIECES, render_mode: Literal["ansi", "rgb_array"] | None = None
    ) -> None:
        """Raises UsageError for another ``render_mode``."""
        if render_mode is not None and render_mode not in self.metadata["render_modes"]:
            raise UsageError(f"render_mode is ansi or rgb_array, not {render_mode}")
        self.render_mode = render_mode
        self.possible_agents = list(AGENTS)
        self.agents: list[str] = []
        self._game, self._most = game, most_pieces
        self._wait = game.board.actions
        own = game.board.space.spaces
        space = spaces.Dict(
            {
                **own,
                "mask": spaces.Box(0, 1, (self._wait + 1,), np.int8),
                "rival": own["field"],
                "waiting": spaces.Box(0, np.iinfo(np.int32).max, (2,), np.int32),
            }
        )
        self.observation_spaces = dict.fromkeys(AGENTS, space)
        self.action_spaces = {agent: spaces.Discrete(self._wait + 1) for agent in AGENTS}
        self._random = seeding.np_random()[0]
        self._turn: int | None = None
        self._legal: dict[int, Any] = {}
        self._snapshots: dict[str, Any] = {}

    @property
    def rules(self) -> Any:
        """The rules profile by which both sides play."""
        return self._game.board.rules

    @property
    def actions(self) -> int:
        """How many placements there are; the number is also that of the action *wait*."""
        return self._wait

    def action_of(self, placement: Any) -> int:
        """The action of a placement of the agent that has a piece. Raises UsageError if it isn't legal now."""
        return action_of(self._legal, placement)

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """The space of an agent's observations."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """The space of an agent's actions."""
        return self.action_spaces[agent]

    @property
    def turn(self) -> str | None:
        """The agent that has a piece to lock; None before ``reset`` and after the end."""
        return None if self._turn is None else AGENTS[self._turn - 1]

    def snapshot(self, agent: str) -> Any:
        """What a player of Ochibot would see at an agent's seat."""
        return self._snapshots[agent]

    def reset(
        self,
        seed: int | None = None,
        options: dict[str, Any] | None = None,  # noqa: ARG002
    ) -> tuple[dict[str, Observation], dict[str, dict[str, Any]]]:
        """Begins a match. ``seed``: makes this and all later matches reproducible."""
        if seed is not None:
            self._random = seeding.np_random(seed)[0]
        self._game.begin(int(self._random.integers(1, MOST_SEED + 1)))
        self.agents = list(AGENTS)
        return self._look()

    def _look(self) -> tuple[dict[str, Observation], dict[str, dict[str, Any]]]:
        game = self._game
        self._turn = game.waiting()
        self._snapshots = {agent: game.snapshot(seat) for seat, agent in enumerate(AGENTS, 1)}
        self._legal = {} if self._turn is None else game.board.legal(self._snapshots[AGENTS[self._turn - 1]])
        plain = {agent: game.board.seen(snapshot, {}) for agent, snapshot in self._snapshots.items()}
        seen, infos = {}, {}
        for seat, (agent, other) in enumerate(zip(AGENTS, AGENTS[::-1], strict=True), 1):
            mask = np.zeros(self._wait + 1, np.int8)
            if seat == self._turn:
                mask[list(self._legal)] = 1
            else:
                mask[self._wait] = 1
            waiting = np.array([game.nuisance(seat), game.nuisance(3 - seat)], np.int32)
            seen[agent] = {**plain[agent], "mask": mask, "rival": plain[other]["field"], "waiting": waiting}
            infos[agent] = {"action_mask": mask, "illegal": False}
        return seen, infos

    def step(
        self, actions: dict[str, int]
    ) -> tuple[dict[str, Observation], dict[str, float], dict[str, bool], dict[str, bool], dict[str, dict[str, Any]]]:
        """Takes an action of each agent. Raises UsageError before ``reset`` and after the end."""
        if not self.agents or self._turn is None:
            raise UsageError("the match is over, or hasn't begun: reset the environment")
        illegal = [agent for agent in AGENTS if not self._is_legal(agent, int(actions[agent]))]
        loser: int | None = None
        if illegal:
            loser = 0 if len(illegal) == 2 else 1 + AGENTS.index(illegal[0])
        else:
            self._game.lock(self._turn, self._legal[int(actions[AGENTS[self._turn - 1]])])
        seen, infos = self._look()
        if loser is None and self._turn is None:
            loser = self._game.loser() or 0
        if loser is None and not self._legal:
            loser = self._turn  # a piece that fits nowhere
        drawn_now = loser is None and self._game.pieces() >= self._most
        for agent in illegal:
            infos[agent]["illegal"] = True
        rewards = {agent: self._reward(seat, loser) for seat, agent in enumerate(AGENTS, 1)}
        ended, cut = dict.fromkeys(AGENTS, loser is not None), dict.fromkeys(AGENTS, drawn_now)
        if loser is not None or drawn_now:
            self.agents, self._turn = [], None
        return seen, rewards, ended, cut, infos

    def _is_legal(self, agent: str, action: int) -> bool:
        return action in self._legal if agent == self.turn else action == self._wait

    @staticmethod
    def _reward(seat: int, loser: int | None) -> float:
        return 0.0 if not loser else -1.0 if loser == seat else 1.0

    def render(self) -> str | npt.NDArray[np.uint8] | None:
        """Both fields, seat 1 first: text, or a picture of (height, width, 3)."""
        if self.render_mode is None or not self._snapshots:
            return None
        if self.render_mode == "ansi":
            return "\n\n".join(str(self._snapshots[agent]) for agent in AGENTS)
        return np.hstack([drawn(self._game.board, self._snapshots[agent], 0) for agent in AGENTS])


def parallel_env(
    *,
    rules: Literal["famicom", "tsu", "mvs"] = "tsu",
    colors: int = 4,
    most_pieces: int = MOST_PIECES,
    render_mode: Literal["ansi", "rgb_array"] | None = None,
) -> MatchEnv:
    """A match by the rules and the frames of one of our cartridges; ``mvs`` is Pochi & Nyaa, without ``colors``.

    Raises UsageError or ConfigError.
    """
    if rules == "mvs":
        return MatchEnv(_NyaaGame(NyaaBoard(rules)), most_pieces, render_mode)
    found = [cartridge for cartridge in CARTRIDGES.values() if cartridge.rules == rules]
    if not found:
        raise UsageError(f"matches are by the rules famicom, tsu or mvs, not {rules}")
    board = PuyoBoard(rules, colors, 2 if rules == "tsu" else 1)
    return MatchEnv(_PuyoGame(board, found[0]), most_pieces, render_mode)

"""Environments on a game in a real core, or on the user's own ROM.

In one, an action is a placement, to which the pilot steers. In the other (``ochibot/PadConsole-v0``), each step holds
some buttons for a few frames.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import numpy.typing as npt
from gymnasium import spaces

from ochibot.env.boards import EnvBoard, PuyoBoard
from ochibot.env.solo import MOST_SEED, Mode, PlacementEnv
from ochibot.errors import UsageError
from ochibot.session import Session, open_session


class ConsoleGame:
    """A game of one seat in a core. Each ``begin`` resets the machine and goes through the menus."""

    def __init__(self, session: Session, board: PuyoBoard, speed: int) -> None:
        """``speed``: that of the hands, 0 to 10."""
        self.board: EnvBoard = board
        self.session = session
        self._speed = speed
        self._last: Any = None

    def begin(self, seed: int) -> Any:
        """Begins a game. The seed delays START."""
        self.board.begin()
        self.session.seed = seed
        self._last = self.session.start()
        return self._last

    def lock(self, placement: Any) -> tuple[Any, float, bool]:
        """Steers the falling piece to a placement, and goes on to the next spawn or the end."""
        before = self._last.score
        done = self.session.place(placement, speed=self._speed)
        if not done.game_over:
            self._last = self.session.manual.snapshot
        return self._last, float(done.score - before), done.game_over


class ConsoleEnv(PlacementEnv):
    """``PlacementEnv`` on a console. ``close`` ends the core; ``session`` is the session (``ochibot.open``)."""

    def __init__(self, game: ConsoleGame, render_mode: Mode | None = None) -> None:
        """See ``PlacementEnv``; ``rgb_array`` is the console's own picture."""
        super().__init__(game, render_mode)
        self.session = game.session

    def render(self) -> Any:
        """The field as text, or the console's picture, (height, width, 3)."""
        if self.render_mode == "rgb_array" and self._snapshot is not None:
            return self.session.screen.ndarray
        return super().render()

    def close(self) -> None:
        """Ends the core."""
        self.session.close()


def endless(
    *,
    game: str = "puyo",
    rom: str | Path | None = None,
    colors: int | None = None,
    next_pairs: int = 1,
    speed: int = 10,
    render_mode: Mode | None = None,
) -> ConsoleEnv:
    """Endless Mode in a core: a title or a game file of the puyo family, our own ROM or the user's.

    ``colors``: chosen on the menu, 3 to 5 (None: 4). Raises an OchibotError that says what is wrong.
    """
    session = open_session(game, rom=rom)
    if session.game.family.name != "puyo":
        session.close()
        raise UsageError(f"{game} isn't of the family puyo: give another game")
    board = PuyoBoard(session.rules, colors or 4, next_pairs)
    if "colors" in session.game.options:
        session.choose({"colors": colors or 4})
    return ConsoleEnv(ConsoleGame(session, board, speed), render_mode)


Pixels = npt.NDArray[np.uint8]


class PadEnv(gymnasium.Env[Pixels, npt.NDArray[np.int8]]):
    """An action says for each button whether it is held, an observation is the picture, (height, width, 3).

    The reward is the points that the score in RAM rose by. An episode begins when the first piece is out, and is
    terminated when the game is over. ``info["score"]`` is the score. ``session`` is the session (``ochibot.open``).
    """

    metadata: dict[str, Any] = {"render_modes": ["rgb_array"], "render_fps": 60}  # noqa: RUF012

    def __init__(self, session: Session, buttons: Sequence[str], frames: int, render_mode: str | None = None) -> None:
        """``buttons``: those that an action holds, in its order. ``frames``: how many a step takes.

        Raises UsageError for a button that the machine doesn't have, and for other numbers or modes.
        """
        if frames < 1 or not buttons:
            raise UsageError("a step takes one frame or more, and holds at least one button")
        if render_mode not in (None, "rgb_array"):
            raise UsageError(f"render_mode is rgb_array, not {render_mode}")
        self.session, self.buttons, self.frames, self.render_mode = session, tuple(buttons), frames, render_mode
        for button in self.buttons:
            session.button_release(button)  # refuses an unknown one
        self.action_space = spaces.MultiBinary(len(self.buttons))
        session.start()
        self.observation_space = spaces.Box(0, 255, session.screen.ndarray.shape, np.uint8)
        self._score = 0
        self._over = True

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Pixels, dict[str, Any]]:
        """Begins a game. ``seed`` delays START, so equal seeds give equal games. ``options``: none are known."""
        super().reset(seed=seed, options=options)
        for button in self.buttons:
            self.session.button_release(button)
        self.session.seed = int(self.np_random.integers(1, MOST_SEED + 1))
        self.session.start()
        self._score, self._over = int(self.session.ram["score"]), False
        return self.session.screen.ndarray, {"score": self._score}

    def step(self, action: npt.ArrayLike) -> tuple[Pixels, float, bool, bool, dict[str, Any]]:
        """Holds buttons for the frames of a step. Raises UsageError before ``reset`` and after the end."""
        if self._over:
            raise UsageError("the game is over, or hasn't begun: reset the environment")
        for button, held in zip(self.buttons, np.asarray(action).tolist(), strict=True):
            (self.session.button_press if held else self.session.button_release)(button)
        self._over = not self.session.tick(self.frames)
        before, self._score = self._score, int(self.session.ram["score"])
        return self.session.screen.ndarray, float(self._score - before), self._over, False, {"score": self._score}

    def render(self) -> Any:
        """The picture."""
        return self.session.screen.ndarray if self.render_mode else None

    def close(self) -> None:
        """Ends the core."""
        self.session.close()


def pad(
    *,
    game: str = "puyo",
    rom: str | Path | None = None,
    buttons: Sequence[str] = ("left", "right", "down", "a", "b"),
    frames: int = 1,
    render_mode: str | None = None,
) -> PadEnv:
    """Endless Mode in a core: a title or a game file, our own ROM or the user's. Others: see ``PadEnv``.

    Raises an OchibotError that says what is wrong.
    """
    session = open_session(game, rom=rom)
    try:
        return PadEnv(session, buttons, frames, render_mode)
    except BaseException:
        session.close()
        raise

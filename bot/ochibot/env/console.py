"""The same environment on a game in a real core, or on the user's own ROM: placements are steered by the pilot."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from ochibot.env.boards import Board, PuyoBoard
from ochibot.env.solo import Mode, PlacementEnv
from ochibot.errors import UsageError
from ochibot.session import Session, open_session


class ConsoleGame:
    """A game of one seat in a core. Each ``begin`` resets the machine and goes through the menus."""

    def __init__(self, session: Session, board: PuyoBoard, speed: int) -> None:
        """``speed``: that of the hands, 0 to 10."""
        self.board: Board = board
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

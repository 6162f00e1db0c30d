"""The pilot's hands without an emulator: the frames a placement takes, and where the piece then lies."""

from __future__ import annotations

from bot.console import Button
from bot.errors import GameError
from bot.games.famicom_lock import PairCourse
from bot.play.pilot import Pilot
from bot.play.speed import speed_of
from bot.puyo import Action, Placement, Rules, Snapshot
from bot.puyo.durations import FAMICOM_TIMING, Timing
from bot.puyo.falling import FallingPiece
from bot.puyo.rules import FAMICOM

_PRESSES = {
    Button.NONE: None,
    Button.LEFT: Action.LEFT,
    Button.RIGHT: Action.RIGHT,
    Button.A: Action.ROTATE_CW,
    Button.B: Action.ROTATE_CCW,
    Button.DOWN: Action.DOWN,
}

_MOST_FRAMES = 14 * 40 + 28
"""No piece of the slowest level is under control for longer."""


class Hands:
    """Plays pieces at a speed, 0 to 10, the way ``bot.play`` does in the running game."""

    def __init__(self, speed: int, timing: Timing = FAMICOM_TIMING, rules: Rules = FAMICOM) -> None:
        """Raises UsageError for another speed."""
        self.timing = timing
        self.rules = rules
        self._pilot = Pilot(speed_of(speed))

    def steer(self, snapshot: Snapshot, target: Placement) -> tuple[Placement, int]:
        """(where the piece locks, the frames it was under control). A piece that sinks too soon lands elsewhere."""
        cells = snapshot.field.cells.tolist()
        piece = FallingPiece(cells, snapshot.pair, snapshot.level, self.timing, self.rules)
        pilot = self._pilot
        pilot.start(PairCourse.to(snapshot, target))
        while True:
            if piece.frame(_PRESSES[pilot.press(piece.state, True)]):
                return Placement(*piece.state), piece.frames
            if piece.frames > _MOST_FRAMES:
                raise GameError(f"a piece is still falling after {piece.frames} frames: {target}\n{snapshot}")

"""The falling piece frame by frame, as our own cartridge moves it: presses, gravity, the lock budget.

Source: ``roms/homebrew/famicom`` (README, "falling", "lock", "moving"). A held direction isn't modelled: every press is
one move.
"""

from __future__ import annotations

from ochibot.puyo.rules.motion import Cells, fits, move
from ochibot.puyo.rules.pair import Action, Pair, PairState
from ochibot.puyo.rules.profile import Rules
from ochibot.puyo.sim.durations import FAMICOM_TIMING, Timing


class FallingPiece:
    """One piece from the first frame of its control to its lock. ``state`` is where it is."""

    def __init__(self, cells: Cells, pair: Pair, level: int, rules: Rules, timing: Timing = FAMICOM_TIMING) -> None:
        """``cells``: the settled field's cells (lists are faster than arrays). ``level``: from 1."""
        self.state: PairState = rules.spawn
        self.frames = 0
        self.soft_rows = 0
        """Rows that it has sunk with Down held."""
        self._cells = cells
        self._pair = pair
        self._rules = rules
        self._timing = timing
        self._row_frames = timing.frames_per_row[level - 1]
        self._drop = self._row_frames
        self._budget = timing.lock_budget
        self._grounded_at: tuple[PairState, bool] | None = None

    def _grounded(self) -> bool:
        if self._grounded_at is None or self._grounded_at[0] != self.state:
            below = PairState(self.state.x, self.state.y + 1, self.state.orientation)
            self._grounded_at = self.state, not fits(self._cells, below, self._pair, self._rules)
        return self._grounded_at[1]

    def frame(self, press: Action | None = None) -> bool:
        """Advances one frame with a fresh press, with Down held, or with nothing. Returns whether the piece locks on
        it.
        """
        self.frames += 1
        down = press is Action.DOWN
        if press is not None and not down:
            self.state = move(self._cells, self.state, press, self._pair, self._rules)
        if self._grounded():
            self._budget = max(self._budget - (self._timing.lock_hurry if down else 1), 0)
            return self._budget == 0
        if down:
            self._drop = min(self._drop, self._timing.drop_hurry)
        self._drop -= 1
        if self._drop == 0:
            self.state = self.state._replace(y=self.state.y + 1)
            self.soft_rows += down
            self._drop = self._row_frames
        return False

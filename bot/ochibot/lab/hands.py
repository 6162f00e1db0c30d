"""Simulates the pilot's hands without an emulator: how many frames a placement takes, and where the piece locks.

The falling piece frame by frame, as our own cartridge moves it: presses, gravity, the lock budget.

Source: ``roms/homebrew/famicom`` (README, "falling", "lock", "moving"). A held direction isn't modelled: every press is
one move.
"""

from __future__ import annotations

from dataclasses import replace

from ochibot.errors import GameError
from ochibot.play.pilot import Pilot
from ochibot.play.reach import are_fastest
from ochibot.play.speed import speed_of
from ochibot.puyo.forecast import PairCourse
from ochibot.puyo.rules.field import ROWS
from ochibot.puyo.rules.motion import Cells, fits, move, same_landing
from ochibot.puyo.rules.pair import Action, Pair, PairState, Placement
from ochibot.puyo.rules.profile import Rules
from ochibot.puyo.rules.snapshot import Snapshot
from ochibot.puyo.sim.timed import FAMICOM_TIMING, Timing
from ochibot.wording import counted


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


class SimulatedHands:
    """Steers pieces at a speed from 0 to 10, like ``ochibot.play`` in a running game."""

    def __init__(self, speed: int, rules: Rules, timing: Timing = FAMICOM_TIMING) -> None:
        """``speed``: 0 to 10. Raises UsageError for any other speed."""
        self.timing = timing
        self.rules = rules
        self.soft_rows = 0
        """Rows that the last piece sank with Down held."""
        self._pilot: Pilot[PairState, Action] = Pilot(speed_of(speed))
        # an upper limit: no piece is under control for longer, even at the slowest level
        self._most_frames = ROWS * max(timing.frames_per_row) + timing.lock_budget

    def seen(self, snapshot: Snapshot) -> Snapshot:
        """The snapshot with the frames that a placement takes (``Facts.frames``), and with ``hands``, a function that
        tells whether a placement is reached in time. The fastest hands reach every placement, so they leave it None.
        """

        def frames(target: Placement) -> int | None:
            landed, control = self.steer(snapshot, target)
            where = PairState(landed.x, landed.y, landed.orientation)
            return control if same_landing(snapshot.field, snapshot.pair, where, target) else None

        facts = None if snapshot.facts is None else replace(snapshot.facts, frames=frames)
        if are_fastest(self._pilot.speed):
            return replace(snapshot, facts=facts)
        return replace(snapshot, facts=facts, hands=lambda target: frames(target) is not None)

    def steer(self, snapshot: Snapshot, target: Placement) -> tuple[Placement, int]:
        """Steers a piece to a target: (where it locks, the frames under control).

        A piece that sinks too soon misses the target. Raises GameError for a piece that doesn't lock in time.
        """
        cells = snapshot.field.rows()
        piece = FallingPiece(cells, snapshot.pair, snapshot.level, self.rules, self.timing)
        pilot = self._pilot
        pilot.start(PairCourse.to(snapshot, target, self.rules))
        while True:
            if piece.frame(pilot.press(piece.state)):
                self.soft_rows = piece.soft_rows
                return Placement(*piece.state), piece.frames
            if piece.frames > self._most_frames:
                raise GameError(
                    f"a piece is still falling after {counted(piece.frames, 'frame')}: {target}\n{snapshot}"
                )

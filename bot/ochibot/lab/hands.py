"""Simulates the pilot's hands without an emulator: how many frames a placement takes, and where the piece locks."""

from __future__ import annotations

from dataclasses import replace

from ochibot.errors import GameError
from ochibot.play.pilot import Pilot
from ochibot.play.reach import are_fastest
from ochibot.play.speed import speed_of
from ochibot.puyo.course import PairCourse
from ochibot.puyo.rules.field import ROWS
from ochibot.puyo.rules.landing import same_landing
from ochibot.puyo.rules.pair import Action, PairState, Placement
from ochibot.puyo.rules.profile import Rules
from ochibot.puyo.rules.snapshot import Snapshot
from ochibot.puyo.sim.durations import FAMICOM_TIMING, Timing
from ochibot.puyo.sim.falling import FallingPiece
from ochibot.wording import counted


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

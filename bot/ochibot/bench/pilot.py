"""Measures how many frames a piece takes at a speed, beside the least number that its button path needs.

This minimum is computed for each piece from the search's button path: two frames for each press (one with the button,
one without), the remaining rows at soft-drop speed, and the lock with Down held. The measured frames are those under
control: they begin when the pair first obeys the pad, and end when it locks.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from ochibot.falling.player import AnyPlayer
from ochibot.play.endless import Endless
from ochibot.puyo.rules.motion import move
from ochibot.puyo.rules.pair import Action, Placement
from ochibot.puyo.rules.profile import Rules
from ochibot.puyo.rules.snapshot import Snapshot
from ochibot.puyo.search.twoply import Decision
from ochibot.report import Reported
from ochibot.session import Session

PRESS_FRAMES = 2
DROP_FRAMES = 2
"""Frames per row with Down held, in our own cartridge (its README)."""
LOCK_FRAMES = 7
"""Frames on the ground until the lock with Down held: a budget of 28, of which each frame takes 4 (its README)."""


def least_frames(snapshot: Snapshot, placement: Placement, rules: Rules) -> int:
    """The least frames that a placement needs: the shortest button path, the drop and the lock."""
    state, presses = snapshot.state, 0
    cells = snapshot.field.rows()
    for action in placement.path:
        state = move(cells, state, action, snapshot.pair, rules)
        presses += action is not Action.DOWN
    sunk = sum(action is Action.DOWN for action in placement.path)
    return PRESS_FRAMES * presses + DROP_FRAMES * (placement.y - state.y + sunk) + LOCK_FRAMES


@dataclass(frozen=True)
class PilotRow(Reported):
    """The result for one speed. Frames are means over the pieces. ratio: frames under control divided by the least
    frames.
    """

    speed: int
    pieces: int
    agreement: float | None
    misplaced: int
    frames_per_piece: float
    control_frames: float
    least_frames: float
    ratio: float
    pieces_per_minute: float


class _Noting:
    """Wraps a player and keeps the least frames of each of its decisions."""

    def __init__(self, player: AnyPlayer, rules: Rules) -> None:
        self.player = player
        self.rules = rules
        self.least: list[int] = []

    def choose(self, snapshot: Snapshot) -> Decision | None:
        decision: Decision | None = self.player.choose(snapshot)
        if decision is not None:
            self.least.append(least_frames(snapshot, decision.placement, self.rules))
        return decision


def stopping_when(stopped: Callable[[], bool]) -> Callable[[Endless], None]:
    """A callback that ends a run at its next piece once ``stopped`` returns true."""

    def on_piece(run: Endless) -> None:
        if stopped():
            run.stop("interrupt")

    return on_piece


def measure(
    make: Callable[[], Session],
    speed: int,
    *,
    pieces: int,
    stopped: Callable[[], bool] = lambda: False,
) -> PilotRow:
    """Plays ``pieces`` pieces of the one-player mode from power-on at one speed, and counts frames.

    ``make`` opens a session of Puyo Puyo with its seed and menu options. Raises KeyboardInterrupt when ``stopped()``
    returns true in the menus or at a piece.
    """
    with make() as session:
        noting = _Noting(session.open_player(), session.rules)
        run = session.endless(noting, speed=speed, on_piece=stopping_when(stopped))
        session.wait()
        session.reach(run.player.seat, stopped=stopped)
        run.run(pieces=pieces)
        if stopped():
            raise KeyboardInterrupt
        hands, console = run.player, session.console
        tally = hands.tally
        least = sum(noting.least[: tally.pieces])
        return PilotRow(
            speed=speed,
            pieces=tally.pieces,
            agreement=tally.agreement,
            misplaced=tally.misplaced,
            frames_per_piece=round(run.frames / tally.pieces, 2),
            control_frames=round(hands.control_frames / tally.pieces, 2),
            least_frames=round(least / tally.pieces, 2),
            ratio=round(hands.control_frames / least, 4),
            pieces_per_minute=round(tally.pieces * 60 * console.fps / run.frames, 1),
        )


def table(rows: list[PilotRow]) -> str:
    """The report as text for a terminal."""
    lines = ["speed  pieces  agreement  frames/piece  under control   least  ratio  pieces/minute"]
    lines += [
        f"{row.speed:>5}  {row.pieces:>6}  {row.agreement or 0:>9.4f}  {row.frames_per_piece:>12.1f}  "
        f"{row.control_frames:>13.1f}  {row.least_frames:>6.1f}  {row.ratio:>5.2f}  {row.pieces_per_minute:>13.1f}"
        for row in rows
    ]
    return "\n".join(lines)

"""Computes which placements the hands reach before the piece locks, by simulating the pilot's presses and the fall.

The model is that of our own cartridges: in each frame, the press acts first; then the piece sinks, or spends the frame
on the ground. It predicts every press of the pilot (tests/play compares it with matches and cartridges).
"""

from __future__ import annotations

from typing import Any, Final, cast

from ochibot.falling.pace import Pace
from ochibot.games.protocols import A, AnySeat, Course, MeetingCourse, T
from ochibot.play.pilot import Pilot
from ochibot.play.speed import SPEEDS, Speed

_MOST_FRAMES: Final = 20_000
"""A piece that hasn't locked after this many frames counts as one that never locks."""


def landing(course: Course[T, A], state: T, pace: Pace, speed: Speed) -> tuple[T, int] | None:
    """Where a piece locks if it is at ``state`` in its first frame under control, falls at ``pace`` and is steered
    along ``course`` by hands of this speed, and on which frame under control (1, 2, …). None if it never locks.
    """
    pilot: Pilot[T, A] = Pilot(speed)
    pilot.start(course)
    down = course.down
    drop, budget = pace.row, pace.lock
    below = course.after(state, down)
    for frame in range(_MOST_FRAMES):
        action = pilot.press(state, True)
        hurried = action is not None and action == down
        if action is not None and not hurried:
            state = course.after(state, action)
            below = course.after(state, down)
        if below == state:
            budget -= pace.lock_hurry if hurried else 1
            if budget <= 0:
                return state, frame + 1
            continue
        if hurried:
            drop = min(drop, pace.hurry)
        drop -= 1
        if drop <= 0:
            state, drop = below, pace.row
            below = course.after(state, down)
    return None


class Hands:
    """A callable (an ``InTime``) that says whether the hands can bring the falling piece to a placement in time.
    ``frames`` says how many frames they need. It caches its answers.
    """

    def __init__(self, seat: AnySeat, snapshot: Any, pace: Pace, speed: Speed) -> None:
        self._seat = seat
        self._snapshot = snapshot
        self._pace = pace
        self._speed = speed
        self._known: dict[Any, int | None] = {}

    def __call__(self, placement: Any) -> bool:
        """Whether the piece gets to the placement before it locks."""
        return self.frames(placement) is not None

    def frames(self, placement: Any) -> int | None:
        """The frames from the first one under control to the lock; None if the piece locks elsewhere."""
        if placement not in self._known:
            snapshot = self._snapshot
            course = cast("MeetingCourse[Any, Any]", self._seat.course(snapshot, placement))
            landed = landing(course, snapshot.state, self._pace, self._speed)
            self._known[placement] = landed[1] if landed is not None and course.meets(landed[0]) else None
        return self._known[placement]


def are_fastest(speed: Speed) -> bool:
    """Whether these hands do all that the pad allows, so that every reachable placement is reached in time."""
    return speed == SPEEDS[-1]

"""Computes which placements the hands reach before the piece locks, by simulating the pilot's presses and the fall.

The model is that of our own cartridges: in each frame, the press acts first; then the piece sinks, or spends the frame
on the ground. It predicts every press of the pilot (tests/play compares it with matches and cartridges).
"""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from typing import Any, Final, cast

from ochibot.falling.pace import Pace
from ochibot.games.protocols import A, AnySeat, Course, MeetingCourse, T
from ochibot.keeping import Keeps
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
    drop, budget = pace.first or pace.row, pace.lock
    below = course.after(state, down)
    for frame in range(_MOST_FRAMES):
        action = pilot.press(state)
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


@cache
def _shown(speed: Speed) -> Speed:
    """The speed as a pad shows it: a slow one may show a press, also the first, only when it was held to the end."""
    late = speed.hold - 1
    return replace(speed, hold=1, release=speed.release + late, reaction=speed.reaction + late)


class Hands:
    """Says whether the hands can bring the falling piece to a placement in time. ``frames`` says how many frames they
    need. It caches its answers.
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
            landed = landing(course, snapshot.state, self._pace, _shown(self._speed))
            self._known[placement] = landed[1] if landed is not None and course.meets(landed[0]) else None
        return self._known[placement]


class Sinking(Keeps):
    """Watches pieces sink, to tell the pace of a game whose files don't say it: many get faster from level to level.

    row: the fewest frames in which the last piece sank one row without Down; until one was seen, the most in which one
    didn't sink further; None until a piece sank. first: the fewest in which any piece sank its first row: the time may
    run on from piece to piece.
    """

    _changing = ("row", "first", "_known", "_seen", "_last", "_since", "_frames")

    def __init__(self) -> None:
        self.row: int | None = None
        self.first: int | None = None
        self._known = False
        self._frames = 0
        self._seen: int | None = None
        self._since: int | None = None
        self._last: Any | None = None

    def fresh(self) -> None:
        """Begins with a new piece."""
        if self._seen is not None:
            self.row, self._known = self._seen, True
        self._seen = self._since = self._last = None
        self._frames = 0

    def see(self, course: Course[T, A], state: T, pressed: A | None) -> None:
        """Looks at the piece in each of its frames. pressed: the action of the next one."""
        if self._since is not None:
            self._since += 1
            if not self._known:
                self.row = max(self._since, self.row or 1)
        if self._last is not None and state != self._last and state == course.after(self._last, course.down):
            if self._since is not None:
                self._seen = min(self._since, self._seen or self._since)
            else:
                self.first = min(self._frames, self.first or self._frames)
            self._since = 0
        self._last = state
        self._frames += 1
        if pressed is not None and pressed == course.down:
            self._last = self._since = None

    @property
    def pace(self) -> Pace | None:
        """The pace of the next piece, if it locks as soon as it lies; None while it isn't known."""
        return None if self.row is None else Pace(self.row, self.row, 1, first=self.first)


def are_fastest(speed: Speed) -> bool:
    """Whether these hands do all that the pad allows, so that every reachable placement is reached in time."""
    return speed == SPEEDS[-1]

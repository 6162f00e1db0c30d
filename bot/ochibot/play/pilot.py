"""Presses the pad until the pair lies where the player wants it.

Every press is one frame with the button and at least one without it; in a game that reads the pad slowly, it is held
until it shows, and released for longer (``Speed.hold``). On every frame the pilot compares RAM with what
the last press should have done. It repeats a press that had no effect, and searches a new route when the pair isn't
where it was expected. Only Down is held, and never together with another direction.
"""

from __future__ import annotations

from typing import Generic

from ochibot.games.protocols import A, Course, T
from ochibot.keeping import Keeps
from ochibot.play.speed import Speed

PATIENCE = 6
"""Frames to wait for a press to show in RAM before it counts as lost."""

MAX_RETRIES = 8
"""Lost presses in a row after which the pilot gives the target up."""

LONGEST_DELAY = 32
"""Presses that show later than this many frames are counted as this late."""

MOST_PRESSES = 30
"""The pilot gives the target up after this many presses, plus three for each press of the path. Otherwise it could
try to climb over a wall for ever, if rotations lift the pair and delay its lock.
"""


class Pilot(Keeps, Generic[T, A]):
    """Steers one pair after another; call ``start`` at a spawn and ``press`` once for every frame after it in which the
    pair answers the pad.

    The pilot uses actions; the seat maps them to buttons.

    delays: how many presses of the whole run showed after so many frames; one that shows at once took 1.

    presses: how many were made for the pair. unanswered: how many of them didn't do what they should. given_up: whether
    the pilot gave the target up, because it can't be reached any more, presses have no effect, or there were too many.
    It then drops the pair where it is.
    """

    _changing = (
        *("speed", "presses", "unanswered", "given_up", "course", "_path", "_wait", "_since", "_held", "_free"),
        *("_retries", "_over", "_expected", "_left", "delays"),
    )

    def __init__(self, speed: Speed) -> None:
        self.speed = speed
        self.course: Course[T, A] | None = None
        self.delays = [0] * (LONGEST_DELAY + 1)
        self._begin([])

    def start(self, course: Course[T, A]) -> None:
        """Starts to steer a new piece along a course."""
        self.course = course
        self._begin(list(course.presses))

    def _begin(self, path: list[A]) -> None:
        self._path = path
        self._wait = self.speed.reaction
        self._since = PATIENCE + self.speed.hold - 1
        self._held: A | None = None
        self._free = self.speed.release + 1
        self._retries = 0
        self._over = 0
        self._expected: T | None = None
        self._left = MOST_PRESSES + 3 * len(path)
        self.presses = 0
        self.unanswered = 0
        self.given_up = False

    def stop(self) -> None:
        """Steers nothing until the next ``start``."""
        self.course = None

    def press(self, state: T | None) -> A | None:
        """What to press next. ``state``: the pair as RAM shows it. Call it in frames in which the pair answers the
        pad.
        """
        course = self.course
        if course is None or state is None:
            return None
        if self._wait > 0:
            self._wait -= 1
            return None
        self._since += 1
        if self._held is not None:
            shown = self._expected is not None and course.brought(state, self._expected)
            if self._since < self.speed.hold and not shown:
                return self._held
            self._held, self._free = None, 0
        self._free += 1
        if self.given_up:
            return self._drop(course)
        if self._expected is not None:
            if not course.brought(state, self._expected):
                if self._since < PATIENCE + self.speed.hold - 1:
                    return None
                self._retries += 1
                self.unanswered += 1
                self._replan(course, state)
            else:
                self.delays[min(self._since, LONGEST_DELAY)] += 1
                self._retries = 0
                self._expected = None
        if self._retries <= MAX_RETRIES and not self._path and not course.there(state):
            self._replan(course, state)
        if self._retries > MAX_RETRIES or self._left <= 0:
            self.given_up = True
            return None
        if not self._path:
            return self._drop(course) if course.there(state) else None
        return self._next(course, state)

    def _drop(self, course: Course[T, A]) -> A | None:
        """Returns Down once ``hesitation`` frames have passed since the pair was above its target, or the target was
        given up. Until then, it returns None.
        """
        if self.speed.hesitation is None:
            return None
        self._over += 1
        return course.down if self._over > self.speed.hesitation else None

    def _next(self, course: Course[T, A], state: T) -> A | None:
        action = self._path[0]
        after = course.after(state, action)
        if action == course.down:
            # A path may contain Down. It is pressed once for each row, without waiting for ``gap``; gravity may also
            # bring the pair to the next row.
            if after == state:
                self._replan(course, state)
                return None
            self._path.pop(0)
            self._expected = after
            self._since = 0
            self._held = action
            self._left -= 1
            return action
        if self._since < self.speed.gap or self._free <= self.speed.release:
            return None
        if after == state:
            # the pair has sunk to a row in which this press would do nothing
            before = self._path
            self._replan(course, state)
            if self._path == before or not self._path:
                self._retries += 1
            return None
        self._path.pop(0)
        self._expected = after
        self._since = 0
        self._held = action
        self._left -= 1
        self.presses += 1
        return action

    def _replan(self, course: Course[T, A], state: T) -> None:
        self._expected = None
        path = course.way(state)
        if path is None:
            self._retries = MAX_RETRIES + 1
            path = ()
        self._path = list(path)

"""Keeps frames to the clock: each begins when it is due, and what came late is counted."""

from __future__ import annotations

import time
from typing import Protocol

CATCH_UP = 4
"""Frames that may be made up for at full speed; what is later than that is given up, and the beat starts anew."""


class Clock(Protocol):
    """Time as the window sees it; tests use one that they advance themselves."""

    def now(self) -> float:
        """Seconds since some moment."""

    def sleep(self, seconds: float) -> None:
        """Let so much time pass."""


class SystemClock:
    """The machine's own clock."""

    def now(self) -> float:
        """Seconds of the clock that never goes back."""
        return time.perf_counter()

    def sleep(self, seconds: float) -> None:
        """As ``time.sleep``."""
        time.sleep(seconds)


class Pacer:
    """The beat of the frames. ``late`` counts those that began more than half a period after they were due."""

    def __init__(self, clock: Clock, fps: float) -> None:
        self.period = 1 / fps
        self.frames = 0
        self.late = 0
        self.worst = 0.0
        self._clock = clock
        self._due: float | None = None

    def wait(self) -> None:
        """Sleep until the next frame is due."""
        clock = self._clock
        now = clock.now()
        due = self._due = now if self._due is None else self._due + self.period
        if now < due:
            clock.sleep(due - now)
            now = clock.now()
        behind = now - due
        self.frames += 1
        self.worst = max(self.worst, behind)
        if behind > self.period / 2:
            self.late += 1
        if behind > CATCH_UP * self.period:
            self._due = now

    def restart(self) -> None:
        """The next frame is due at once: after a pause, turbo, or anything else that isn't paced."""
        self._due = None

"""Paces frames by the clock: each begins when it is due, and late ones are counted."""

from __future__ import annotations

import time
from typing import Protocol

CATCH_UP = 4
"""The most late frames that are made up for at full speed. With more, the pacer forgets the delay and starts anew."""


class TimeSource(Protocol):
    """A source of time for the window. Tests use a clock that they advance themselves."""

    def now(self) -> float:
        """The time in seconds since some fixed moment."""

    def sleep(self, seconds: float) -> None:
        """Waits for this many seconds."""


class SystemClock:
    """The machine's own clock."""

    def now(self) -> float:
        """Seconds of the monotonic clock."""
        return time.perf_counter()

    def sleep(self, seconds: float) -> None:
        """Waits like ``time.sleep``."""
        time.sleep(seconds)


class Pacer:
    """Waits for the next frame's time. ``late``: how many frames began more than half a period too late."""

    def __init__(self, clock: TimeSource, fps: float) -> None:
        self.period = 1 / fps
        self.frames = 0
        self.late = 0
        self.worst = 0.0
        self._clock = clock
        self._due: float | None = None

    def wait(self) -> None:
        """Sleeps until the next frame is due."""
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
        """Makes the next frame due at once. Call it after a pause, turbo, or other frames that weren't paced."""
        self._due = None

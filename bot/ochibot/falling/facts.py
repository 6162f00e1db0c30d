"""Facts about a moment that our own players do without. Engines get them (``ochibot.engines``)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

Falls = Literal["after_lock", "after_idle_lock"]
"""When pending nuisance falls at the earliest: after the next lock, or after the next lock that clears nothing."""


@dataclass(frozen=True, slots=True)
class Facts:
    """What is known of a seat besides its snapshot. Everything but ``seat`` is None where it isn't known.

    seat: 1 or 2. pending: nuisance that waits above the field. falls: when it falls. most: how much of it falls at once
    at most. points: what the last chain left over, too few points for another nuisance puyo. all_clear: whether the
    next chain gets a bonus because the field was emptied. frames: tells for a placement how many frames these hands
    need, from the first one under control to the lock (None: they don't get there).
    """

    seat: int
    pending: int | None = None
    falls: Falls | None = None
    most: int | None = None
    points: int | None = None
    all_clear: bool | None = None
    frames: Callable[[Any], int | None] | None = None

    def timed(self, frames: Callable[[Any], int | None]) -> Facts:
        """The same facts with ``frames``."""
        return Facts(self.seat, self.pending, self.falls, self.most, self.points, self.all_clear, frames)

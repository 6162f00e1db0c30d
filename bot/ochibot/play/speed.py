"""The speeds of the bot's hands, from 0 (a slow human) to 10 (as fast as the pad allows)."""

from __future__ import annotations

from dataclasses import dataclass, replace

from ochibot.errors import UsageError


@dataclass(frozen=True)
class Speed:
    """The timing of the hands, in frames.

    reaction: from the moment the pair can be moved to the first press. gap: from one press to the next (2 is the least:
    a press needs a neutral frame after it). hesitation: time above the target before Down is held; None: Down is never
    used. hold: a press is held until it shows in RAM, for at most so many frames. release: frames without a button
    before the next press.
    """

    reaction: int
    gap: int
    hesitation: int | None
    hold: int = 1
    release: int = 1

    def on_pad(self, tap: tuple[int, int]) -> Speed:
        """These hands in a game that wants a button held, and released, for so many frames."""
        hold, release = tap
        return replace(self, hold=max(self.hold, hold), release=max(self.release, release))


SPEEDS: tuple[Speed, ...] = (
    Speed(30, 16, None),
    Speed(26, 14, 36),
    Speed(22, 12, 30),
    Speed(19, 10, 25),
    Speed(16, 9, 20),
    Speed(13, 8, 16),
    Speed(10, 7, 12),
    Speed(7, 6, 9),
    Speed(4, 5, 6),
    Speed(2, 3, 3),
    Speed(0, 2, 0),
)
"""The timing for each speed from 0 to 10, in frames at 60 per second."""


def hands_of(step: int, console: object) -> Speed:
    """The timing for a speed on a console; one that isn't ours may show presses late (its ``tap``)."""
    return speed_of(step).on_pad(getattr(console, "tap", (1, 1)))


def speed_of(step: int) -> Speed:
    """The timing for a speed from 0 to 10. Raises UsageError for another number."""
    if not 0 <= step < len(SPEEDS):
        raise UsageError(f"there is no speed {step}; give 0 (slowest) to {len(SPEEDS) - 1} (fastest)")
    return SPEEDS[step]

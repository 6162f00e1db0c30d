"""Presses as text: ``start:6 wait:30 left:2 wait:3 a+down``. Each step is buttons, a colon and a number of frames."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from ochibot.console import Button
from ochibot.errors import UsageError
from ochibot.quoting import quoted

MOST_FRAMES: Final = 1_000_000
"""The most frames that a script may take (four and a half hours at 60 frames a second)."""

WAIT: Final = ("wait", "-", ".")
"""Words for a step without buttons."""


@dataclass(frozen=True)
class Press:
    """One step: the button masks of both pads, and for how many frames they are held."""

    pads: tuple[Button, Button]
    frames: int


Script = Sequence[Press]


def parse_pads(text: str) -> tuple[Press, ...]:
    """Parses a script: steps separated by spaces or commas. Raises UsageError with the wrong step.

    A step is ``left``, ``left:4`` (four frames), ``a+down:2``, ``wait:30``, and for both pads ``left/right:2``.
    """
    steps = [_press(word) for word in re.split(r"[\s,]+", text.strip()) if word]
    if sum(step.frames for step in steps) > MOST_FRAMES:
        raise UsageError(f"the presses take more than {MOST_FRAMES:,} frames; give fewer")
    return tuple(steps)


def _press(word: str) -> Press:
    names, colon, count = word.partition(":")
    if colon and not (count.isascii() and count.isdigit() and 0 < len(count) < 8 and int(count) > 0):
        raise UsageError(f"the step {quoted(word)} of the presses: give frames as in left:4")
    pads = [_mask(part, word) for part in names.split("/")]
    if len(pads) > 2:
        raise UsageError(f"the step {quoted(word)} of the presses: there are two pads, as in left/right:2")
    first, second = pads[0], pads[1] if len(pads) == 2 else Button.NONE
    return Press((first, second), int(count) if colon else 1)


def _mask(names: str, word: str) -> Button:
    mask = Button.NONE
    if names in WAIT:
        return mask
    for name in names.split("+"):
        button = Button.__members__.get(name.upper())
        if button is None or button is Button.NONE:
            known = ", ".join(each.lower() for each in Button.__members__ if each != "NONE")
            raise UsageError(
                f"the step {quoted(word)} of the presses: there is no button {quoted(name)}; give wait or "
                f"one of {known}, several as left+a"
            )
        mask |= button
    return mask


def frames_of(script: Script) -> Iterator[tuple[Button, Button]]:
    """Both pads' masks, frame by frame."""
    for step in script:
        for _ in range(step.frames):
            yield step.pads


def length(script: Script) -> int:
    """How many frames a script takes."""
    return sum(step.frames for step in script)

"""Reaches play, and finds what announces a piece, without a map: it presses buttons and looks at all of RAM.

A piece is something that left and right move, and that falls by itself, faster with Down. A byte announces pieces if it
is 0 whenever the pad moves a piece, and other than 0 from some frame on until the next piece can be moved.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import repeat
from typing import Final

import numpy as np

from ochibot.console import Button, Ram
from ochibot.errors import GameError
from ochibot.ramtools.drops import Pads
from ochibot.ramtools.laboratory import Laboratory, Trace, followers, held, taps

TRIES: Final = 14
"""The most taps of START that are tried."""

LOOKS: Final = 4
LOOK_FRAMES: Final = 25
"""After each tap, RAM is looked at LOOKS times, LOOK_FRAMES frames apart."""

LEARNT: Final = 420
"""Frames that are run, with Down held, to find the byte that announces pieces: about four pieces."""

SETTLE: Final = 4
"""Frames to wait after a tap until its effect shows."""

FALL: Final = 130
"""Frames in which a piece falls at least two rows by itself."""


@dataclass
class ByteSign:
    """A byte that is other than 0 while a piece is being announced; see ``drops.Announcer``."""

    ram: Ram
    address: int
    _last: bool = False

    def update(self) -> bool:
        """Returns whether the byte has just risen from 0."""
        now = self.ram[self.address] != 0
        risen, self._last = now and not self._last, now
        return risen

    def ready(self) -> bool:
        """Whether the piece answers the pad."""
        return self.ram[self.address] == 0

    def resync(self) -> None:
        """Takes the present value as the last one seen. Call it after a savestate was loaded."""
        self._last = self.ram[self.address] != 0


@dataclass(frozen=True)
class Start:
    """How play was reached. before: the state before the last tap of START; taps: the number of taps; follow: the
    addresses whose bytes follow left and right.
    """

    before: bytes
    taps: int
    follow: tuple[int, ...]


def find_play(lab: Laboratory, pads: Pads) -> Start:
    """Taps START until a piece falls and can be moved, and leaves the machine in that state. Raises GameError.

    No tap is needed when a piece falls already, as in a savestate.
    """
    for number in range(TRIES + 1):
        before = lab.save()
        if number:
            tap_start(lab)
        for _ in range(LOOKS if number else 1):
            for _ in range(LOOK_FRAMES if number else 0):
                lab.step()
            here = lab.save()
            follow = _follow(lab, here, pads)
            if follow and _falls(lab, here, pads):
                lab.load(here)
                return Start(before, number, tuple(follow))
            lab.load(here)
    raise GameError(
        f"START was tapped {TRIES} times, and nothing in RAM fell by itself and followed left and right: this may be "
        "another kind of game; give a savestate of its play with --from-state"
    )


def tap_start(lab: Laboratory) -> None:
    """Holds START for 6 frames and releases it for 5."""
    for button, frames in ((Button.START, 6), (Button.NONE, 5)):
        for _ in range(frames):
            lab.step(button)


def _follow(lab: Laboratory, state: bytes, pads: Pads) -> list[int]:
    """The addresses whose bytes change by a step with left, and by the opposite step with right."""
    images = []
    for button in (pads.left, Button.NONE, pads.right):
        lab.load(state)
        for pad in (*taps([button]), *repeat(Button.NONE, SETTLE)):
            lab.step(pad)
        images.append(lab.look())
    return followers(images[0], images[1], images[2])


def _falls(lab: Laboratory, state: bytes, pads: Pads) -> bool:
    """Whether a byte only rises or only falls, by 1: 2 to 8 times in FALL frames, more often in FALL // 5 with Down."""
    idle = lab.branch(state, repeat_pad(Button.NONE, FALL))
    fast = lab.branch(state, repeat_pad(pads.down, FALL // 5))
    alone, quick = _steps(idle), _steps(fast)
    places = np.intersect1d(idle.places, fast.places)
    return any(2 <= alone.get(int(place), 0) <= 8 and quick.get(int(place), 0) > alone[int(place)] for place in places)


def repeat_pad(button: Button, frames: int) -> list[Button]:
    """One button, held for that many frames."""
    return list(held(button, frames))


def _steps(trace: Trace) -> dict[int, int]:
    """How often each byte changed, by its index, for bytes that only rise by 1 or only fall by 1."""
    rows = np.vstack([trace.before.cells[trace.places], trace.rows]).astype(np.int16)
    step = np.diff(rows, axis=0)
    up = ((step == 0) | (step == 1)).all(axis=0)
    down = ((step == 0) | (step == -1)).all(axis=0)
    counts = np.abs(step).sum(axis=0)
    return {int(place): int(counts[at]) for at, place in enumerate(trace.places) if up[at] or down[at]}


def find_sign(lab: Laboratory, pads: Pads, start: Start) -> int:
    """Finds the address of a byte that announces pieces. A piece must be under control now. Raises GameError."""
    answered: list[bool] = []
    images = []
    for _ in range(LEARNT):
        lab.step(pads.down)
        images.append(lab.look())
        here = lab.save()
        answered.append(_answers(lab, here, pads, start.follow))
        lab.load(here)
    gaps = _gaps(answered)
    if len(gaps) < 2:
        raise GameError(
            f"in {LEARNT} frames with Down held no two pieces could be distinguished by whether the pad moves them"
        )
    whole = np.stack([image.cells for image in images])
    mask = np.array(answered)
    quiet = np.flatnonzero((whole[mask] == 0).all(axis=0))
    rises: dict[int, tuple[int, ...]] = {}
    for place in quiet:
        lengths = tuple(_rise(whole[first:end, place]) for first, end in gaps)
        if all(lengths) and len(set(lengths)) == 1:
            rises[int(place)] = lengths
    if not rises:
        raise GameError("no byte of RAM is 0 while the pad moves a piece and other than 0 from its announcement on")
    # more bytes rise at the beginning of an announcement than in its middle: the commonest length is the right one
    usual = Counter(lengths[0] for lengths in rises.values())
    most = max(usual.values())
    length = max(each for each, count in usual.items() if count == most)
    last = gaps[-1]
    flags = [place for place, lengths in rises.items() if lengths[0] == length]
    plain = [place for place in flags if len(set(whole[last[0] : last[1], place].tolist())) == 2]
    return images[0].base + min(plain or flags)


def _answers(lab: Laboratory, state: bytes, pads: Pads, follow: Sequence[int]) -> bool:
    """Whether the pad moves a piece in this state: at least half of ``follow`` differ between left and right."""
    seen = []
    for button in (pads.left, pads.right):
        lab.load(state)
        for pad in taps([button]):
            lab.step(pad)
        image = lab.look()
        seen.append([image[address] for address in follow])
    differing = sum(a != b for a, b in zip(seen[0], seen[1], strict=True))
    return 2 * differing >= len(follow)


def _gaps(answered: Sequence[bool]) -> list[tuple[int, int]]:
    """The gaps, as [first, end), between frames in which the pad moved a piece. Gaps of up to 3 frames are omitted."""
    gaps, first = [], None
    for frame in range(1, len(answered)):
        if answered[frame - 1] and not answered[frame]:
            first = frame
        elif first is not None and answered[frame] and not answered[frame - 1]:
            if frame - first > 3:
                gaps.append((first, frame))
            first = None
    return gaps


def _rise(values: np.ndarray[tuple[int], np.dtype[np.uint8]]) -> int:
    """How many frames before the end a byte rose from 0, staying other than 0 since then; 0 if it did anything else."""
    there = values != 0
    count = int(there.sum())
    return count if 0 < count < len(there) and bool(there[-count:].all()) else 0


def first_spawn(lab: Laboratory, start: Start, sign: ByteSign) -> bytes:
    """Repeats the last tap of START and goes on to the first announcement. Returns the state then. Raises GameError.

    If no tap was needed, the falling piece has already been announced: returns ``start.before``.
    """
    lab.load(start.before)
    sign.resync()
    if not start.taps:
        return start.before
    for button, frames in ((Button.START, 6), (Button.NONE, 5), (Button.NONE, LOOKS * LOOK_FRAMES)):
        for _ in range(frames):
            lab.step(button)
            if sign.update():
                return lab.save()
    raise GameError("the byte that announces pieces didn't announce the first one")

"""Finds how long a press must last, and how long the pause after it, so that each tap moves the piece by one step.

Games read the pad at different paces. Some look at it every frame, some only every eighth to twelfth frame, and some
ignore a press that comes soon after another one. A tap that is too short for the game is lost, and looks like a wall.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from ochibot.console import Button
from ochibot.experiments.rig import Rig

PHASES: Final = range(12)
"""The taps are tried this many frames later, because a game may read the pad on some frames only."""

PRESSES: Final = (3, 2, 5, 8, 9, 10, 11, 12, 16)
PAUSES: Final = (4, 7, 10, 14, 20, 28)
LOST: Final = 2
"""How many taps by a step a tap without effect outweighs."""

SETTLE: Final = 24
"""Frames after the last tap. A piece that glides has then reached its column."""


@dataclass(frozen=True)
class Tap:
    """How a button is tapped: held for ``on`` frames, then released for ``off`` frames.

    tries: so many taps without effect mean that the way is blocked.
    """

    on: int = 3
    off: int = 4
    tries: int = 2

    def pads(self, button: int, times: int = 1) -> list[int]:
        """The buttons held in each frame of ``times`` taps."""
        return ([int(button)] * self.on + [0] * self.off) * times

    @property
    def frames(self) -> int:
        """How many frames a tap takes."""
        return self.on + self.off


USUAL: Final = Tap()

SHORT: Final = (Tap(1, 1), Tap(2, 2), Tap(3, 3))
"""Taps that are tried for the bot's hands, which are as fast as the game allows."""


def measure_tap(rig: Rig, state: bytes, x: int) -> Tap:
    """The shortest tap that moves the piece by one step on whichever frame it begins.

    x: the offset of the byte that follows left and right. Returns the usual tap when no length is reliable.
    """
    button = _free_side(rig, state, x)
    if button is None:
        return USUAL
    results = {}
    for on in PRESSES:
        results[on] = _moves(rig, state, x, [int(button)] * on)
        if len(set(results[on])) == 1 and results[on][0]:
            break
    steps = Counter(move for moves in results.values() for move in moves if move)
    if not steps:
        return USUAL
    step = min((move for move, times in steps.items() if times > 1), key=abs, default=steps.most_common(1)[0][0])
    # a tap that is lost looks like a wall, which is worse than one that moves the piece by two steps
    on = max(results, key=lambda on: (results[on].count(step) - LOST * results[on].count(0), -PRESSES.index(on)))
    errors = {}
    # a game that looks at the pad rarely must see it released as well as pressed
    for off in sorted({max(on, pause) for pause in PAUSES}):
        moves = _moves(rig, state, x, Tap(on, off).pads(button, 2))
        errors[off] = sum(abs(signed_byte(move - 2 * step)) for move in moves)
        if not errors[off]:
            break
    off = min(errors, key=lambda off: (errors[off], off))
    return Tap(on, off, 3 if results[on].count(0) else 2)


def unanswered(rig: Rig, state: bytes, x: int) -> int:
    """Frames until the piece of a savestate answers short presses, if it answers all from then on; otherwise 0.

    A press that is held may be answered as the piece comes under control, though it began before.
    """
    for button in (Button.RIGHT, Button.LEFT):
        if any(_moves(rig, state, x, [int(button)] * PRESSES[0], PHASES[:1])):
            return 0
    free = _free_side(rig, state, x)
    # some games look at the pad on every second frame, and want to see a button twice
    for on in (PRESSES[0], PRESSES[2]) if free is not None else ():
        pads = [int(free or 0)] * on
        early = next((number for number, move in enumerate(_moves(rig, state, x, pads)) if move), 0)
        # a game that looks at the pad rarely would miss some of so many
        later = range(early, early + 2 * PRESSES[0] + 1)
        if early and len(set(_moves(rig, state, x, pads, later))) == 1:
            return early
    return 0


def shortest_tap(rig: Rig, state: bytes, x: int, tap: Tap) -> Tap:
    """The shortest of some taps after which every tap counts, whichever frame it begins on; else ``tap``, which was
    found to be reliable.
    """
    button = _free_side(rig, state, x)
    if button is None:
        return tap
    step = Counter(_moves(rig, state, x, tap.pads(button))).most_common(1)[0][0]
    for one in SHORT:
        if one.frames >= tap.frames:
            break
        twice = _moves(rig, state, x, one.pads(button, 2))
        if twice.count(signed_byte(2 * step)) == len(PHASES):
            return one
    return tap


def signed_byte(number: int) -> int:
    """A number as a signed byte holds it."""
    return (number + 128 & 255) - 128


def _free_side(rig: Rig, state: bytes, x: int) -> Button | None:
    """The side to which the piece can go farther; None when it goes to neither."""
    reach = {}
    for button in (Button.RIGHT, Button.LEFT):
        seen = rig.branch(state, Tap(12, 12).pads(button, 4))[:, x]
        reach[button] = len(set(seen.tolist())) - 1
    best = max(reach, key=lambda button: reach[button])
    return best if reach[best] else None


def _moves(rig: Rig, state: bytes, x: int, pads: Sequence[int], phases: Sequence[int] = PHASES) -> list[int]:
    """The amounts by which the pads move x, for each phase at which they begin."""
    found = []
    for phase in phases:
        rig.load(state)
        rig.run([0] * phase)
        before = rig.peek(x)
        rig.run([*pads, *[0] * SETTLE])
        found.append(signed_byte(rig.peek(x) - before))
    return found

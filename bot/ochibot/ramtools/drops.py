"""Controlled drops of a falling pair. A drop records what was pressed, and RAM on every frame until the next spawn.

Even without a map, this is known: a tap moves the pair by a column unless something is in its way, a tap of a turning
button turns it, and it falls by itself. The caller passes the object that notices a spawn (``Announcer``).
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Final, Protocol

from ochibot.console import Button
from ochibot.errors import GameError
from ochibot.ramtools.image import Image
from ochibot.ramtools.laboratory import Laboratory, Trace, taps

MOST_DROP: Final = 1500
"""The most frames that a drop waits for the next spawn. (A lock, a chain and the next spawn take less.)"""

MOST_READY: Final = 240
"""The most frames that an announced pair may take to answer the pad."""


@dataclass(frozen=True)
class Pads:
    """The buttons of one game."""

    left: Button
    right: Button
    down: Button
    turn: Button
    """The button that is believed to turn clockwise."""
    back: Button


@dataclass(frozen=True, eq=False)
class Drop:
    """One dropped piece. side: taps to the right (negative: to the left). turned: taps of the turning button (negative:
    of the other one). start: RAM before these taps. trace: RAM on each frame from then to the next spawn. spawned:
    whether a spawn followed.
    """

    side: int
    turned: int
    start: Image
    trace: Trace
    spawned: bool = True

    @property
    def end(self) -> Image:
        """RAM at the next spawn."""
        return self.trace.at(-1)

    def rest(self, fill: int) -> Image:
        """RAM when the piece lay at rest, two frames before frame ``fill``, on which the field's cells were written."""
        return self.trace.at(max(fill - 2, 0))


class Announcer(Protocol):
    """Notices spawns, as a seat of a game does."""

    def update(self) -> bool:
        """Call it once after every frame. Returns whether a piece has just been announced."""

    def ready(self) -> bool:
        """Whether the announced piece answers the pad."""

    def resync(self) -> None:
        """Forgets what it saw before a savestate was loaded."""


class DropLab:
    """Makes drops on one machine. ``sign`` notices the spawns."""

    def __init__(self, lab: Laboratory, pads: Pads, sign: Announcer) -> None:
        self.lab = lab
        self.pads = pads
        self.sign = sign

    def load(self, state: bytes) -> None:
        """Loads a savestate."""
        self.lab.load(state)
        self.sign.resync()

    def to_control(self) -> bytes:
        """Goes on from a spawn until the piece answers the pad. Returns the savestate of that moment.

        Raises GameError when the piece doesn't answer within MOST_READY frames.
        """
        for _ in range(MOST_READY):
            if self.sign.ready():
                return self.lab.save()
            self.lab.step()
            self.sign.update()
        raise GameError(f"the sign of a spawn has stayed for {MOST_READY} frames: it means something else")

    def presses(self, side: int, turned: int) -> Iterator[Button]:
        """The pad, frame by frame: first the taps that turn, then those that move."""
        pads = self.pads
        turns = [pads.turn if turned > 0 else pads.back] * abs(turned)
        moves = [pads.right if side > 0 else pads.left] * abs(side)
        return taps(chain(turns, moves))

    def drop(self, state: bytes | None, side: int, turned: int = 0, most: int = MOST_DROP) -> Drop:
        """Loads a state (None: keeps the present one), taps turns and moves, and holds Down until the next spawn.

        Gives up after ``most`` frames.
        """
        lab = self.lab
        if state is not None:
            self.load(state)
        start, images = lab.look(), []
        spawned = False
        pads = chain(self.presses(side, turned), _down(self.pads.down))
        for _ in range(most):
            lab.step(next(pads))
            images.append(lab.look())
            spawned = self.sign.update()
            if spawned:
                break
        return Drop(side, turned, start, Trace.of(start, images), spawned)

    def drop_after(self, state: bytes, button: Button) -> Drop:
        """Loads a state, taps a button, and drops the piece without further taps."""
        self.load(state)
        for pad in taps([button]):
            self.lab.step(pad)
            self.sign.update()
        return self.drop(None, 0)

    def after(self, state: bytes, side: int, turned: int = 0) -> bytes:
        """Loads a state and drops its piece. Returns the state in which the next piece answers the pad."""
        self.drop(state, side, turned)
        return self.to_control()

    def walk(self, state: bytes, spawn: Image, plan: Sequence[tuple[int, int]]) -> list[tuple[Drop, Image]]:
        """Drops one piece after another. Returns each drop, and RAM at that piece's spawn.

        ``plan``: (side, turned) of each piece. ``spawn``: RAM at the spawn of the first. Stops when no spawn follows.
        """
        self.load(state)
        found = []
        for side, turned in plan:
            one = self.drop(None, side, turned)
            found.append((one, spawn))
            if not one.spawned:
                break
            spawn = one.end
            self.to_control()
        return found


def _down(button: Button) -> Iterator[Button]:
    while True:
        yield button


def walk_plan(pieces: int, seed: int = 1) -> list[tuple[int, int]]:
    """(side, turned) for each piece, as in ``drop``. All columns and orientations occur; no column grows high soon."""
    dice = random.Random(seed)
    plan: list[tuple[int, int]] = []
    while len(plan) < pieces:
        plan += [(2, 0), (-1, 1), (1, 1), (-2, 2), (3, -1), (0, 0), (1, 2), (-1, -1)]
    for number in range(8, pieces):
        plan[number] = dice.choice([(-2, 0), (3, 0), (2, 1), (-1, -1), (1, 2), (2, -1)])
    return plan[:pieces]

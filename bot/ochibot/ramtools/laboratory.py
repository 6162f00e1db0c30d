"""Experiments on a running game: go back to a savestate, press or poke something, and see which bytes follow.

With savestates, two runs (branches) that start from one state differ only by what was done in them. This module knows
nothing about any game.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Final

import numpy as np

from ochibot.console import Button, Machine
from ochibot.ramtools.image import Bytes, Camera, Image

TAP: Final = (2, 3)
"""A tap holds a button for 2 frames, then releases it for 3. So each tap is a new press, too short for auto-repeat."""


@dataclass(frozen=True, eq=False)
class Trace:
    """RAM after each frame of an experiment. before: RAM at its beginning.

    Only bytes that change at all are kept for each frame. places: the indices of these bytes, ascending. rows: their
    values, (frames, places).
    """

    before: Image
    places: np.ndarray[tuple[int], np.dtype[np.intp]]
    rows: Bytes

    @classmethod
    def of(cls, before: Image, images: list[Image]) -> Trace:
        """The trace of images taken one frame after another."""
        if not images:
            return cls(before, np.zeros(0, np.intp), np.zeros((0, 0), np.uint8))
        whole = np.stack([image.cells for image in images])
        places = np.flatnonzero((whole != before.cells).any(axis=0))
        return cls(before, places.astype(np.intp), whole[:, places].copy())

    def __len__(self) -> int:
        return len(self.rows)

    def at(self, frame: int) -> Image:
        """RAM after a frame (counted from 0; negative: from the end). For an empty trace, RAM at its beginning."""
        if not len(self.rows):
            return self.before
        cells = self.before.cells.copy()
        cells[self.places] = self.rows[frame]
        return Image(self.before.base, cells, self.before.holes)

    def byte(self, address: int) -> Bytes:
        """One byte, frame by frame: (frames,) uint8."""
        index = address - self.before.base
        place = int(np.searchsorted(self.places, index))
        if place < len(self.places) and self.places[place] == index:
            column: Bytes = self.rows[:, place]
            return column
        return np.full(len(self.rows), self.before.cells[index], np.uint8)

    def first_change(self, addresses: Iterable[int]) -> int | None:
        """The first frame at which one of these bytes differs from ``before``; None when no byte changes."""
        indices = np.array([address - self.before.base for address in addresses], np.intp)
        mine = np.isin(self.places, indices)
        if not mine.any():
            return None
        changed = (self.rows[:, mine] != self.before.cells[self.places[mine]]).any(axis=1)
        return int(np.argmax(changed)) if changed.any() else None


class Laboratory:
    """Branches from savestates of one machine. port: the pad that is pressed, 1 or 2. frames: how many were run so far.

    ``stopped`` is called before each frame; it may raise to end an experiment. ``banks``: whether the images include
    the cartridge's RAM.
    """

    def __init__(
        self, machine: Machine, port: int = 1, stopped: Callable[[], None] = lambda: None, *, banks: bool = True
    ) -> None:
        self.machine = machine
        self.camera = Camera(machine.ram, banks=banks)
        self.frames = 0
        self._first = port == 1
        self._stopped = stopped

    def step(self, pad: Button = Button.NONE) -> None:
        """Runs one frame with this pad."""
        self._stopped()
        self.machine.step(*((pad,) if self._first else (Button.NONE, pad)))
        self.frames += 1

    def look(self) -> Image:
        """Takes an image of RAM."""
        return self.camera.take()

    def save(self) -> bytes:
        """Returns a savestate to branch from."""
        return self.machine.save()

    def load(self, state: bytes) -> None:
        """Loads a savestate."""
        self.machine.load(state)

    def poke(self, address: int, value: int) -> None:
        """Writes a byte."""
        self.machine.ram[address] = value

    def tap(self, button: Button) -> None:
        """Taps a button once."""
        for held, frames in zip((button, Button.NONE), TAP, strict=True):
            for _ in range(frames):
                self.step(held)

    def trace(self, pads: Iterable[Button]) -> Trace:
        """Runs frames with these pads and records RAM after each."""
        before = self.look()
        images = []
        for pad in pads:
            self.step(pad)
            images.append(self.look())
        return Trace.of(before, images)

    def branch(self, state: bytes, pads: Iterable[Button]) -> Trace:
        """Loads a state, then does the same as ``trace``."""
        self.load(state)
        return self.trace(pads)


def taps(buttons: Iterable[Button]) -> Iterator[Button]:
    """The pad, frame by frame, for one tap after another of these buttons."""
    for button in buttons:
        yield from [button] * TAP[0]
        yield from [Button.NONE] * TAP[1]


def held(button: Button, frames: int) -> Iterator[Button]:
    """The pad, frame by frame, for a button held for that many frames."""
    return iter([button] * frames)


def followers(left: Image, idle: Image, right: Image, most: int = 32) -> list[int]:
    """The addresses whose bytes changed by a step with left, and by the opposite step with right.

    The images are from the ends of three equally long branches of one state. ``most``: the longest step (the width of
    a cell in pixels).
    """
    low, middle, high = (image.cells.astype(np.int16) for image in (left, idle, right))
    step = high - middle
    found = np.flatnonzero((middle - low == step) & (step != 0) & (np.abs(step) <= most))
    return [idle.base + int(place) for place in found]

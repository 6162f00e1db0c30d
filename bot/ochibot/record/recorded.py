"""A console that takes the place of the real one and notes everything that happens to it.

Hashes of RAM and of pictures, by which states are compared.
"""

from __future__ import annotations

import hashlib
import zlib
from typing import Protocol

import numpy as np
import numpy.typing as npt

from ochibot.console import HostedConsole, WrappedConsole
from ochibot.console.ram import CLOSED
from ochibot.errors import ConsoleError
from ochibot.record.events import Jump, poke_between

RAM_LIMIT = 1 << 16
"""The most bytes of RAM that are hashed. Work RAM is never larger; the rest of a larger block is unused."""

NO_PICTURE = bytes(8)
"""The hash that stands for "no picture", for example before a core has made its first one."""


def ram_hash(ram: bytes) -> bytes:
    """The hash of RAM: 64 bits of BLAKE2b."""
    return hashlib.blake2b(ram, digest_size=8).digest()


def picture_hash(picture: npt.NDArray[np.uint8]) -> bytes:
    """The hash of an (H, W, 3) picture: 64 bits of BLAKE2b over its size, as ``WxH``, and its RGB bytes."""
    digest = hashlib.blake2b(f"{picture.shape[1]}x{picture.shape[0]}".encode(), digest_size=8)
    digest.update(np.ascontiguousarray(picture).data)
    return digest.digest()


def ram_check(ram: bytes) -> int:
    """The 16 bits kept for every frame: the lower half of CRC-32. They show at which frame something began to
    differ.
    """
    return zlib.crc32(ram) & 0xFFFF


class NoteTaker(Protocol):
    """Takes the notes of a RecordedConsole. ``Recorder`` implements it."""

    frames: int
    """Frames noted so far."""

    def note(self, pads: int, ram: bytes) -> None:
        """Notes a frame: the pads (the second port's in the upper half) and the RAM after it."""

    def jumped(self, jump: Jump) -> None:
        """Notes a load, a poke or a reset of the machine."""


class RecordedConsole(WrappedConsole[HostedConsole]):
    """A console that is being recorded. It does everything that a ``Console`` does in a run, and notes it.

    If RAM is written from outside between two frames, that is noted as a poke before the next frame.
    """

    def __init__(self, console: HostedConsole, notebook: NoteTaker) -> None:
        super().__init__(console)
        self._notebook = notebook
        self._view = console.ram.view(RAM_LIMIT)
        self._last = bytes(self._view)

    def step(self, *pads: int) -> None:
        """Runs one frame and notes it."""
        view = self._view
        try:
            if bytes(view) != self._last:
                self._note_poke()
        except ValueError:
            raise ConsoleError(CLOSED) from None
        self._console.step(*pads)
        self._last = ram = bytes(view)
        held = int(pads[0]) & 0xFFFF if pads else 0
        if len(pads) > 1:
            held |= (int(pads[1]) & 0xFFFF) << 16
        self._notebook.note(held, ram)

    def _note_poke(self) -> None:
        ram = bytes(self._view)
        self._notebook.jumped(Jump(self._notebook.frames, "poke", poke_between(self._last, ram)))
        self._last = ram

    def reset(self) -> None:
        """Presses the reset button and notes it."""
        try:
            if bytes(self._view) != self._last:
                self._note_poke()
        except ValueError:
            raise ConsoleError(CLOSED) from None
        self._console.reset()
        self._jumped(Jump(self._notebook.frames, "reset"))

    def load(self, state: bytes) -> None:
        """Loads a savestate and notes that in the record."""
        self._console.load(state)
        self._jumped(Jump(self._notebook.frames, "load", bytes(state)))

    def _jumped(self, jump: Jump) -> None:
        self._notebook.jumped(jump)
        self._last = bytes(self._view)

"""What others need of an emulated machine, by capability. A host of emulators offers all of them (``HostedConsole``).

Loops, recorders and windows name only what they need. So a fake, a recorded console or a window can stand in for the
console, and another host than libretro in this process needs no change elsewhere.
"""

from __future__ import annotations

from types import TracebackType
from typing import Protocol, Self

import numpy as np
import numpy.typing as npt

from ochibot.console.ram import Ram
from ochibot.console.rom import Rom
from ochibot.console.systems import Made


class Steps(Protocol):
    """Frame steps and the RAM that they change."""

    @property
    def ram(self) -> Ram:
        """The work RAM."""

    def step(self, *pads: int) -> None:
        """Run one frame with one Button mask per port; ports not given are released."""


class Shows(Protocol):
    """The picture."""

    def frame(self) -> npt.NDArray[np.uint8]:
        """The last picture, (H, W, 3) uint8 RGB; a copy."""


class Saves(Protocol):
    """Savestates."""

    def save(self) -> bytes:
        """A savestate. Raises ConsoleError when the machine makes none."""

    def load(self, state: bytes) -> None:
        """Go back to a savestate. Raises ConsoleError when the machine refuses it."""


class Resets(Protocol):
    """The reset button."""

    def reset(self) -> None:
        """Press it."""


class Identified(Protocol):
    """What is running."""

    @property
    def rom(self) -> Rom:
        """The ROM in the machine."""

    @property
    def core_name(self) -> str:
        """The core's name for itself."""

    @property
    def core_version(self) -> str:
        """The core's version."""


class Sounds(Protocol):
    """Sound and timing of the real machine."""

    @property
    def fps(self) -> float:
        """Frames per second."""

    @property
    def sample_rate(self) -> float:
        """Samples per second of its sound."""

    def keep_audio(self, on: bool) -> None:
        """Whether sound is kept for ``audio`` (off at first)."""

    def audio(self) -> npt.NDArray[np.int16]:
        """The stereo sound since the last call, (N, 2) int16."""


class Machine(Steps, Shows, Saves, Protocol):
    """What games, pilots and checks need."""


class PlayedConsole(Machine, Resets, Identified, Protocol):
    """What a run needs: a battle presses reset between games, and reports name what ran."""


class SoundingConsole(PlayedConsole, Sounds, Protocol):
    """A console that can be seen and heard: what a window shows."""

    @property
    def picture_size(self) -> tuple[int, int]:
        """Width and height of its picture, pixels."""

    @property
    def frames_shown(self) -> int:
        """How many pictures the core has made so far."""


class HostedConsole(SoundingConsole, Protocol):
    """Everything that a host offers: what records are made from, and what a session opens and closes."""

    @property
    def core_file(self) -> str:
        """The name of the core's file."""

    @property
    def core_sha1(self) -> str:
        """SHA-1 of the core's file, 40 hexadecimal digits. Raises ConsoleError when it can't be read."""

    @property
    def made(self) -> Made:
        """What the core makes of each frame beside RAM."""

    def make(self, wanted: Made) -> None:
        """What the core is to make from the next frame on; without pictures ``frame`` raises ConsoleError."""

    def keep_video(self, on: bool) -> None:
        """Whether pictures are kept for ``frame`` (on at first)."""

    def try_state(self, *states: bytes) -> None:
        """Try savestates from outside where they can do no harm. Raises ConsoleError when one is unfit."""

    def close(self) -> None:
        """Releases everything. Closing twice does nothing."""

    def __enter__(self) -> Self:
        """For ``with``."""

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Closes."""

"""The capabilities of an emulated machine as protocols. A host of emulators offers all of them (``HostedConsole``).

Loops, recorders and windows ask only for the capabilities that they need. So a fake, a recorded console or a window can
stand in for the console, and ``ochibot.open`` takes an opener of another host than libretro. Commands open ``Console``.

Recorders and windows wrap a console: they add something to it and take its place (``WrappedConsole``).
"""

from __future__ import annotations

from types import TracebackType
from typing import Generic, Protocol, Self, TypeVar, cast

import numpy as np
import numpy.typing as npt

from ochibot.console.ram import Ram
from ochibot.console.rom import Rom
from ochibot.console.systems import Made


class Stepping(Protocol):
    """Frame steps and the RAM that they change."""

    @property
    def ram(self) -> Ram:
        """The work RAM."""

    def step(self, *pads: int) -> None:
        """Runs one frame with one Button mask per port. On ports not given, no button is pressed."""


class Shows(Protocol):
    """The picture."""

    def frame(self) -> npt.NDArray[np.uint8]:
        """The last picture, (H, W, 3) uint8 RGB; a copy."""


class Saves(Protocol):
    """Savestates."""

    def save(self) -> bytes:
        """A savestate. Raises ConsoleError when the machine makes none."""

    def load(self, state: bytes) -> None:
        """Loads a savestate. Raises ConsoleError when the machine refuses it."""


class Resets(Protocol):
    """The reset button."""

    def reset(self) -> None:
        """Presses the reset button."""


class Identified(Protocol):
    """The ROM and the core that are running."""

    @property
    def rom(self) -> Rom:
        """The ROM in the machine."""

    @property
    def core_name(self) -> str:
        """The name that the core gives itself."""

    @property
    def core_version(self) -> str:
        """The core's version."""


class Sounds(Protocol):
    """The sound, and the timing of the real machine."""

    @property
    def fps(self) -> float:
        """Frames per second."""

    @property
    def sample_rate(self) -> float:
        """Samples per second of the sound."""

    def keep_audio(self, on: bool) -> None:
        """Sets whether sound is kept for ``audio`` (initially off)."""

    def audio(self) -> npt.NDArray[np.int16]:
        """The stereo sound since the last call, (N, 2) int16."""


class Machine(Stepping, Shows, Saves, Protocol):
    """The capabilities that games, pilots and checks need."""


class PlayedConsole(Machine, Resets, Identified, Protocol):
    """The capabilities that a run needs: battles press reset between games, and reports name the ROM and the core."""


class SoundingConsole(PlayedConsole, Sounds, Protocol):
    """The capabilities that a window needs: picture and sound."""

    @property
    def picture_size(self) -> tuple[int, int]:
        """Width and height of the picture, in pixels."""

    @property
    def frames_shown(self) -> int:
        """How many pictures the core has made so far."""


class HostedConsole(SoundingConsole, Protocol):
    """All capabilities of a host of emulators: sessions open and close it, and records are made from it."""

    @property
    def core_file(self) -> str:
        """The name of the core's file."""

    @property
    def core_sha1(self) -> str:
        """SHA-1 of the core's file, 40 hexadecimal digits. Raises ConsoleError when it can't be read."""

    @property
    def made(self) -> Made:
        """Whether the core makes pictures and sound."""

    def make(self, wanted: Made) -> None:
        """Sets whether the core makes pictures and sound from the next frame on. Without pictures, ``frame`` raises
        ConsoleError.
        """

    def keep_video(self, on: bool) -> None:
        """Sets whether pictures are kept for ``frame`` (initially on)."""

    def try_state(self, *states: bytes) -> None:
        """Tries savestates that come from files in a separate process. Raises ConsoleError when one can't be used."""

    def close(self) -> None:
        """Releases everything. Closing twice does nothing."""

    def __enter__(self) -> Self:
        """Returns the console, for ``with``."""

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Closes the console."""


Inner = TypeVar("Inner", bound=SoundingConsole)


class WrappedConsole(Generic[Inner]):
    """Passes all calls of a SoundingConsole, and ``try_state``, on to the console inside. Subclasses override some."""

    def __init__(self, console: Inner) -> None:
        self._console = console

    @property
    def ram(self) -> Ram:
        """The work RAM of the console."""
        return self._console.ram

    @property
    def rom(self) -> Rom:
        """The ROM in the console."""
        return self._console.rom

    @property
    def core_name(self) -> str:
        """The name of the console's core."""
        return self._console.core_name

    @property
    def core_version(self) -> str:
        """The version of the console's core."""
        return self._console.core_version

    @property
    def picture_size(self) -> tuple[int, int]:
        """Width and height of the console's picture, in pixels."""
        return self._console.picture_size

    @property
    def frames_shown(self) -> int:
        """How many pictures the console's core has made so far."""
        return self._console.frames_shown

    @property
    def fps(self) -> float:
        """The console's frames per second."""
        return self._console.fps

    @property
    def sample_rate(self) -> float:
        """The console's sound samples per second."""
        return self._console.sample_rate

    def keep_audio(self, on: bool) -> None:
        """Sets whether the console keeps sound."""
        self._console.keep_audio(on)

    def audio(self) -> npt.NDArray[np.int16]:
        """The console's sound since the last call."""
        return self._console.audio()

    def frame(self) -> npt.NDArray[np.uint8]:
        """The console's picture."""
        return self._console.frame()

    def save(self) -> bytes:
        """The console's savestate."""
        return self._console.save()

    def load(self, state: bytes) -> None:
        """Loads a savestate into the console."""
        self._console.load(state)

    def try_state(self, *states: bytes) -> None:
        """Lets the console try savestates that come from files. Raises ConsoleError when one can't be used."""
        # the console inside is a HostedConsole or another wrapper: both have ``try_state``
        cast(HostedConsole, self._console).try_state(*states)

    def reset(self) -> None:
        """Presses the console's reset button."""
        self._console.reset()

    def step(self, *pads: int) -> None:
        """Runs one frame of the console."""
        self._console.step(*pads)

"""A console that wraps another one: recorders and windows add something to a console and take its place."""

from __future__ import annotations

from typing import Generic, TypeVar, cast

import numpy as np
import numpy.typing as npt

from ochibot.console.protocols import HostedConsole, SoundingConsole
from ochibot.console.ram import Ram
from ochibot.console.rom import Rom

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

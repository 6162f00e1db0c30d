"""A console around another one: recorders and windows stand in for a console and add to it."""

from __future__ import annotations

from typing import Generic, TypeVar, cast

import numpy as np
import numpy.typing as npt

from ochibot.console.protocols import HostedConsole, SoundingConsole
from ochibot.console.ram import Ram
from ochibot.console.rom import Rom

Inner = TypeVar("Inner", bound=SoundingConsole)


class WrappedConsole(Generic[Inner]):
    """Does everything that the console inside does; subclasses change what they need."""

    def __init__(self, console: Inner) -> None:
        self._console = console

    @property
    def ram(self) -> Ram:
        """The console's."""
        return self._console.ram

    @property
    def rom(self) -> Rom:
        """The console's."""
        return self._console.rom

    @property
    def core_name(self) -> str:
        """The console's."""
        return self._console.core_name

    @property
    def core_version(self) -> str:
        """The console's."""
        return self._console.core_version

    @property
    def picture_size(self) -> tuple[int, int]:
        """The console's."""
        return self._console.picture_size

    @property
    def frames_shown(self) -> int:
        """The console's."""
        return self._console.frames_shown

    @property
    def fps(self) -> float:
        """The console's."""
        return self._console.fps

    @property
    def sample_rate(self) -> float:
        """The console's."""
        return self._console.sample_rate

    def keep_audio(self, on: bool) -> None:
        """As of the console."""
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
        """The console goes to a savestate."""
        self._console.load(state)

    def try_state(self, *states: bytes) -> None:
        """The console tries savestates from outside. Raises ConsoleError when one is unfit."""
        # the console inside may itself be a recorder
        cast(HostedConsole, self._console).try_state(*states)

    def reset(self) -> None:
        """The console's reset button."""
        self._console.reset()

    def step(self, *pads: int) -> None:
        """The console runs one frame."""
        self._console.step(*pads)

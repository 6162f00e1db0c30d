"""Offers a stranger as a console of Ochibot's (``HostedConsole``). The only file here that knows Ochibot."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import numpy as np
import numpy.typing as npt
from ochibot.console.ram import CLOSED, Bank, Ram
from ochibot.console.rom import Rom
from ochibot.console.systems import NES, Made
from ochibot.errors import ConsoleError

from tests.strangers.maker.drawing import draw
from tests.strangers.maker.machine import Stranger
from tests.strangers.maker.memory import CART_AT, WORK
from tests.strangers.maker.spec import Spec


def rom_of(spec: Spec) -> Rom:
    """The cartridge that stands for a spec: its hash is the spec's."""
    name = f"stranger-{spec.kind}-{spec.seed}.nes"
    return Rom(Path(name), name, spec.image(), "nes", "game.nes")


class StrangerConsole:
    """A stranger in a console. ``game`` is the machine, for ``Truth``."""

    core_name = "Stranger"
    core_version = "1"
    core_file = "stranger"
    fps = 60.0
    sample_rate = 48000.0
    picture_size = 256, 240

    def __init__(self, spec: Spec) -> None:
        self.spec = spec
        self.rom = rom_of(spec)
        self.game = Stranger(spec)
        whole = np.frombuffer(self.game.memory, np.uint8)
        hidden = self.game.areas.hidden
        banks = (Bank(CART_AT, whole[WORK:hidden]),) if spec.area == "cart" else ()
        self.ram = Ram(whole[:WORK], NES.ram, banks)
        self.made = Made.ALL
        self._video = True
        self._clock = self.game.areas.clock
        self.step: Callable[..., None] = self.game.step

    @property
    def core_sha1(self) -> str:
        """A hash that is always the same."""
        return hashlib.sha1(b"stranger 1", usedforsecurity=False).hexdigest()

    @property
    def frames_shown(self) -> int:
        """Counts pictures, by the game's own clock; goes back with a savestate."""
        return self.game.memory[self._clock] | self.game.memory[self._clock + 1] << 8

    def frame(self) -> npt.NDArray[np.uint8]:
        """The picture, (240, 256, 3) uint8 RGB. Raises ConsoleError while none is kept."""
        if not self._video or self.made is not Made.ALL:
            raise ConsoleError("there is no picture: none is kept")
        return self.game.frame()

    def keep_video(self, on: bool) -> None:
        """Sets whether ``frame`` may be asked."""
        self._video = on

    def keep_audio(self, on: bool) -> None:
        """There is no sound."""

    def audio(self) -> npt.NDArray[np.int16]:
        """Silence."""
        return np.zeros((0, 2), np.int16)

    def make(self, wanted: Made) -> None:
        """Sets what is made; pictures cost nothing unless they are asked for."""
        self.made = wanted

    def save(self) -> bytes:
        """A savestate."""
        return self.game.save()

    def load(self, state: bytes) -> None:
        """Loads a savestate. Raises ConsoleError when it is of another game."""
        try:
            self.game.load(state)
        except ValueError as error:
            raise ConsoleError(f"the core {self.core_name} refused the savestate: {error}") from None

    def try_state(self, *states: bytes) -> None:
        """Raises ConsoleError when a savestate is of another game."""
        for state in states:
            if len(state) != len(self.game.memory):
                raise ConsoleError(f"the core {self.core_name} refused the savestate: it is of another game")

    def reset(self) -> None:
        """Presses the reset button."""
        self.game.reset()

    def close(self) -> None:
        """Ends all access to the memory. Closing twice does nothing."""
        self.ram.close()
        self.step = _closed

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def _closed(*_: Any) -> None:
    raise ConsoleError(CLOSED)


def open_stranger(seed: int, kind: str = "family", only: str | None = None) -> StrangerConsole:
    """A console with the game that ``draw(seed, kind, only)`` draws, switched on; no frame has run yet."""
    return StrangerConsole(draw(seed, kind, only))


def opener(spec: Spec) -> Callable[..., StrangerConsole]:
    """A function that opens a new console with this game at each call, whatever arguments it is given."""

    def open_console(*_: Any, **__: Any) -> StrangerConsole:
        return StrangerConsole(spec)

    return open_console

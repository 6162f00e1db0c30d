"""A clock that tests advance, a console that notes its pads, and a Screen of both in a window of SDL's dummy driver."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pygame
from ochibot.console import NES, Button, Ram, Rom, SoundingConsole
from ochibot.ui.inputs import Inputs
from ochibot.ui.keys import KEY_CODES, KeyBindings, load_keys
from ochibot.ui.screen import Screen
from ochibot.ui.sound import AudioRing
from ochibot.ui.window import Window


@dataclass
class WoundClock:
    """A clock that advances only in ``sleep``. This then calls ``meanwhile`` with the new time, to act as a person."""

    time: float = 100.0
    oversleep: float = 0.0
    meanwhile: Callable[[float], None] | None = None

    def now(self) -> float:
        return self.time

    def sleep(self, seconds: float) -> None:
        self.time += seconds + self.oversleep
        if self.meanwhile is not None:
            self.meanwhile(self.time)


@dataclass
class NotingConsole:
    """Counts frames in its RAM and notes the pads of each; its picture's brightness is the frame's number."""

    pads: list[tuple[Button, Button]] = field(default_factory=list)
    fps: float = 60.0
    sample_rate: float = 48_000.0
    core_name: str = "fake"
    core_version: str = "1"
    picture_size: tuple[int, int] = (240, 224)

    @property
    def frames_shown(self) -> int:
        return len(self.pads)

    def __post_init__(self) -> None:
        self.ram = Ram(np.zeros(2048, np.uint8), NES.ram)
        self.rom = Rom(Path("fake.nes"), "fake.nes", b"", "nes", "game.nes")

    def step(self, *pads: int) -> None:
        self.ram[0] = (self.ram[0] + 1) % 256
        first, second = (*pads, 0, 0)[:2]
        self.pads.append((Button(first), Button(second)))

    def frame(self) -> npt.NDArray[np.uint8]:
        return np.full((224, 240, 3), self.ram[0], np.uint8)

    def save(self) -> bytes:
        return self.ram.snapshot()

    def load(self, state: bytes) -> None:
        self.ram.raw[:] = np.frombuffer(state, np.uint8)

    def reset(self) -> None:
        self.ram[0] = 0

    def keep_audio(self, on: bool) -> None:
        assert on

    def audio(self) -> npt.NDArray[np.int16]:
        return np.ones((800, 2), np.int16)


@dataclass
class Mute:
    """A speaker that plays nothing."""

    muted: bool = False
    closed: bool = False

    def close(self) -> None:
        self.closed = True


def key(name: str, *, down: bool = True) -> None:
    """Posts the event of a key that is pressed or, with ``down`` False, released."""
    pygame.event.post(pygame.event.Event(pygame.KEYDOWN if down else pygame.KEYUP, key=KEY_CODES[name]))


def tap(name: str) -> None:
    """Posts a key's press and release, both between two frames."""
    key(name)
    key(name, down=False)


@contextmanager
def screen_for(
    console: SoundingConsole,
    folder: Path,
    *,
    clock: WoundClock | None = None,
    bindings: KeyBindings | None = None,
    person_seat: int | None = None,
    seats: tuple[int, ...] = (),
    in_menus: Callable[[], bool] = lambda: False,
) -> Iterator[Screen]:
    """Yields a Screen for the console, and closes it after the block."""
    bindings = bindings or load_keys()
    window = Window((240, 224), bindings, panels=seats, ghosts=True, title="test")
    pygame.event.clear()
    ring = AudioRing(console.sample_rate)
    screen = Screen(
        console,
        window,
        Inputs(bindings),
        clock or WoundClock(),
        ring,
        Mute(),
        folder=folder,
        person_seat=person_seat,
        in_menus=in_menus,
    )
    try:
        yield screen
    finally:
        screen.close()

"""Windows that show pictures of our own, not a console's.

One shows two fields, for matches without a console, such as simulated ones. The other is the coach's: small, and above
all others where the desktop allows it.
"""

from __future__ import annotations

import contextlib
import os
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pygame

from ochibot.errors import OutputError
from ochibot.overlay.coaching import CoachView, draw_coach, size_of
from ochibot.overlay.duel import DuelPicture, DuelScene
from ochibot.overlay.layout import Picture
from ochibot.overlay.standing import Side
from ochibot.ui import NO_DISPLAY, WindowError, need_window
from ochibot.ui.clock import Pacer, SystemClock, TimeSource

FPS = 60
_TURBO = 8
"""How many frames pass at a time while the turbo key is held."""


def show_duel(
    scenes: Callable[[int], tuple[DuelScene, DuelScene]],
    frames: int,
    size: tuple[int, int],
    *,
    first: int = 0,
    tempo: float = 1.0,
    keys: Path | None = None,
    folder: Path = Path(),
    title: str = "Ochibot",
    clock: TimeSource | None = None,
) -> int:
    """Shows the frames from ``first`` on, until the last one or until the person quits.

    ``size``: rows and columns of a field. ``tempo``: frames per sixtieth of a second. Returns the number of the frame
    to show next; ``frames`` when all have been shown. Raises WindowError, ConfigError.
    """
    need_window()
    from ochibot.ui.inputs import Inputs
    from ochibot.ui.keys import load_keys
    from ochibot.ui.window import Window

    picture, bindings, clock = DuelPicture(*size), load_keys(keys), clock or SystemClock()
    window = Window(picture.size, bindings, panels=(1, 2), ghosts=False, title=title)
    inputs, pacer = Inputs(bindings), Pacer(clock, FPS)
    look: Any = None  # no ghost is drawn on the fields
    at, paused = float(first), False
    try:
        while at < frames:
            window.events(inputs.feed)
            step = False
            for wish in inputs.wishes():
                if wish == "quit":
                    return int(at)
                if wish == "pause":
                    paused = not paused
                elif wish == "step":
                    step, paused = paused, True
                elif wish == "fullscreen":
                    window.toggle_fullscreen()
                elif wish == "plan":
                    window.show_plan = not window.show_plan
                elif wish == "help":
                    window.show_help = not window.show_help
                elif wish == "screenshot":
                    path = folder / f"ochibot-{time.strftime('%Y%m%d-%H%M%S')}.png"
                    with contextlib.suppress(OutputError):
                        window.screenshot(path)
                        window.say(f"saved {path}", clock.now())
            turbo = inputs.holds("turbo") and not paused
            sides = scenes(int(at))
            window.draw(
                picture.draw(sides, int(at)),
                [Side(seat, look, scene.standing) for seat, scene in enumerate(sides, 1)],
                clock.now(),
                "PAUSE" if paused else "TURBO" if turbo else "",
            )
            pacer.wait()
            if not paused:
                at += tempo * (_TURBO if turbo else 1)
            elif step:
                at += 1
    finally:
        window.close()
    return frames


SCALE = 2


class CoachWindow:
    """Shows what a coach says. ``is_open``: False once the person has closed it."""

    def __init__(self, rows: int, columns: int, *, title: str, at: tuple[int, ...] | None = None) -> None:
        """rows, columns: the visible cells. at: the place of the left upper corner; None: the desktop chooses.

        Raises WindowError when SDL can't open a window.
        """
        self.size = size_of(rows, columns, SCALE)
        try:
            pygame.display.init()
            if pygame.display.get_driver() == "offscreen" and os.environ.get("SDL_VIDEODRIVER") != "offscreen":
                raise pygame.error("SDL found none")
            place = pygame.WINDOWPOS_UNDEFINED if at is None else (at[0], at[1])
            self._window = pygame.Window(title, self.size, position=place, always_on_top=True)
        except pygame.error as error:
            pygame.quit()
            raise WindowError(NO_DISPLAY.format(error)) from None
        self._surface = self._window.get_surface()
        self._picture: Picture | None = None
        self.is_open = True

    def listen(self) -> None:
        """Handles the window's events; call it often."""
        for event in pygame.event.get():
            if event.type in (pygame.QUIT, pygame.WINDOWCLOSE):
                self.is_open = False
            elif event.type in (pygame.WINDOWEXPOSED, pygame.WINDOWRESTORED) and self._picture is not None:
                self._put(self._picture)

    def show(self, view: CoachView) -> None:
        """Draws a view."""
        self._picture = draw_coach(view, self.size, SCALE)
        self._put(self._picture)

    def _put(self, picture: Picture) -> None:
        self._surface.blit(pygame.image.frombuffer(picture.data, self.size, "RGB"), (0, 0))
        self._window.flip()

    def close(self) -> None:
        """Closes the window."""
        self._window.destroy()
        pygame.quit()

"""The window, in which a person sees, hears and plays a running console. It needs the extra ``ochibot[window]``.

This module itself needs no extra, so that commands can call ``need_window`` and get a clear error.
"""

from __future__ import annotations

import contextlib
import importlib.util
import os
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from ochibot.errors import OchibotError

if TYPE_CHECKING:
    from ochibot.console import SoundingConsole
    from ochibot.ui.screen import Screen


class WindowError(OchibotError):
    """The window can't be opened: pygame-ce or a display is missing."""


def need_window() -> None:
    """Checks, before a game is opened, that pygame-ce and a display exist. Raises WindowError."""
    # pygame prints a greeting to stdout by default, where our JSON may go
    os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")
    if importlib.util.find_spec("pygame") is None:
        raise WindowError('the window needs pygame-ce: pip install "ochibot[window]"')
    if not sys.platform.startswith("linux"):
        return
    if not os.environ.get("SDL_VIDEODRIVER") and not os.environ.get("WAYLAND_DISPLAY"):
        if not os.environ.get("DISPLAY"):
            raise WindowError(NO_DISPLAY.format("neither DISPLAY nor WAYLAND_DISPLAY is set"))
        # after a failed X11, SDL would try Wayland and print messages of its own to stderr
        os.environ["SDL_VIDEODRIVER"] = "x11"
    if os.environ.get("SDL_VIDEODRIVER") == "x11":
        # without acceleration, SDL shows our finished picture in 1 ms; OpenGL without a graphics card takes 4 ms
        os.environ.setdefault("SDL_FRAMEBUFFER_ACCELERATION", "0")


NO_DISPLAY = "there is no display to open a window on ({}); run without --window, or on a desktop, or under xvfb-run"


@contextlib.contextmanager
def opened_window(
    console: SoundingConsole,
    *,
    keys: Path | None,
    seats: tuple[int, ...],
    person_seat: int | None = None,
    folder: Path = Path(),
    ghosts: bool,
    in_menus: Callable[[], bool] = lambda: False,
) -> Iterator[Screen]:
    """Opens a window for a console. Pass the yielded Screen to Endless, Battle or Versus in place of the console.

    seats: the AIs' seats; each gets a panel. ghosts: whether plans are drawn on the game's picture. folder: where
    screenshots go. in_menus: whether the bot is going through menus. Raises WindowError or ConfigError.
    """
    need_window()
    from ochibot.ui.clock import SystemClock
    from ochibot.ui.inputs import Inputs
    from ochibot.ui.keys import load_keys
    from ochibot.ui.screen import Screen
    from ochibot.ui.sound import AudioRing, open_speaker
    from ochibot.ui.window import Window

    bindings = load_keys(keys)
    window = Window(
        console.picture_size,
        bindings,
        panels=seats,
        ghosts=ghosts,
        title=f"Ochibot · {console.rom.name}",
    )
    ring = AudioRing(console.sample_rate)
    screen = Screen(
        console,
        window,
        Inputs(bindings),
        SystemClock(),
        ring,
        open_speaker(ring),
        folder=folder,
        person_seat=person_seat,
        in_menus=in_menus,
    )
    try:
        yield screen
    finally:
        screen.close()

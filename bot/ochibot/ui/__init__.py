"""The window, in which a person sees, hears and plays a running console. It needs the extra ``ochibot[window]``.

This module itself needs no extra, so that commands can call ``need_window`` and get a clear error.
"""

from __future__ import annotations

import importlib.util
import os
import sys

from ochibot.errors import OchibotError


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

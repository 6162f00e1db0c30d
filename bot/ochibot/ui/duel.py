"""Shows two fields in a window, for matches without a console, such as simulated ones."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from ochibot.errors import OutputError
from ochibot.overlay.duel import DuelPicture, Scene
from ochibot.overlay.standing import Side
from ochibot.ui import need_window
from ochibot.ui.clock import Clock, Pacer, SystemClock

FPS = 60
IDLE = 1 / 60
_TURBO = 8
"""How many frames pass at a time while the turbo key is held."""


def show_duel(
    scenes: Callable[[int], tuple[Scene, Scene]],
    frames: int,
    size: tuple[int, int],
    *,
    first: int = 0,
    tempo: float = 1.0,
    keys: Path | None = None,
    folder: Path = Path(),
    title: str = "Ochibot",
    clock: Clock | None = None,
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

"""Opens a console in a window."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from ochibot.console import SoundingConsole
from ochibot.ui import need_window

if TYPE_CHECKING:
    from ochibot.ui.screen import Screen


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

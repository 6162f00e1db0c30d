"""Leaves out what a replay doesn't compare: most pictures, and the sound where RAM surely doesn't depend on it."""

from __future__ import annotations

import contextlib
from collections.abc import Container
from typing import Final

from ochibot.console import HostedConsole, Made
from ochibot.console.systems import find_system
from ochibot.errors import OchibotError
from ochibot.games import find_game, game_names
from ochibot.record.manifest import Manifest

EVERY_FRAME: Final = range(1 << 62)
"""All frames: nothing is left out."""


class Sparing:
    """Lets a console make and keep pictures only in the frames in which they are compared.

    possible: whether the core can leave anything out; if not, nothing is changed. doubtful: whether the core has handed
    over no picture in such a frame. The picture is then that of an earlier frame, which wasn't kept.
    """

    def __init__(self, console: HostedConsole, manifest: Manifest) -> None:
        self.doubtful = False
        self._console = console
        self._least = Made.SOUND
        self._all = True
        answers = find_system(console.rom.system).av.get(console.core_name, {})
        self.possible = bool(answers)
        if self.possible and manifest.about.game in game_names():
            with contextlib.suppress(OchibotError):
                self._least = find_game(manifest.about.game).unseen(console.rom.sha1)

    def before(self, frame: int, compared: Container[int]) -> int:
        """Call it before a frame. Returns what ``after`` takes. compared: the frames whose pictures are compared."""
        wanted = frame in compared
        if wanted != self._all:
            self._all = wanted
            self._console.make(Made.ALL if wanted else self._least)
        return self._console.frames_shown if wanted and compared is not EVERY_FRAME else -1

    def after(self, shown: int) -> None:
        """Call it after the frame."""
        self.doubtful |= shown == self._console.frames_shown

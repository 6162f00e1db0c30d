"""Limits how long the menus of a run may take when the user has limited the frames."""

from __future__ import annotations

from collections.abc import Callable

from ochibot.errors import GameError
from ochibot.wording import counted

FIRST = 8000
"""The menus of a run get at least this many frames. Our own menus take 1,445 frames to set three options."""

SHARE = 4
"""How many further frames the menus get for each frame of play, because every game over leads through the menus again.
"""


class MenuLimit:
    """The stop condition for going through menus, in a run of at most ``frames`` frames of play.

    ``reach`` calls it before each frame of the menus. It also stops the walk if ``stopped()`` is true. All the menus of
    a run count together, so even a run whose games are over at once comes to an end. If ``frames`` is None, the only
    limits are those that ``reach`` has for each walk through the menus.
    """

    def __init__(self, frames: int | None, stopped: Callable[[], bool] = lambda: False) -> None:
        self._most = None if frames is None else FIRST + SHARE * frames
        self._stopped = stopped
        self._passed = 0

    def __call__(self) -> bool:
        """Whether the walk should stop. Raises GameError when the menus have used all their frames."""
        if self._stopped():
            return True
        if self._most is not None and self._passed >= self._most:
            raise GameError(
                f"play did not begin: the menus have had {counted(self._passed, 'frame')}, all that the limit of "
                "frames leaves them; raise it, or give another ROM or map"
            )
        self._passed += 1
        return False

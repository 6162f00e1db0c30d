"""A player that thinks in its own thread, as in a window. The run waits for it, so it is the same on every machine."""

from __future__ import annotations

from ochibot.play.background import ThinkingPlayer

PATIENCE = 600
"""For how many seconds ``done`` waits. A thread that hangs longer raises TimeoutError, so the test fails."""


class PunctualPlayer(ThinkingPlayer):
    """A ``ThinkingPlayer`` whose ``done`` waits until the decision is made, so that the player is never late."""

    def done(self) -> bool:
        if self._coming is not None:
            self._coming.exception(PATIENCE)
        return super().done()

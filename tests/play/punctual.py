"""A player that thinks in its thread, as in a window, and is never late: the same on every machine."""

from __future__ import annotations

from ochibot.play.background import ThinkingPlayer

PATIENCE = 600
"""Seconds, so that a thread that hangs fails a test."""


class PunctualPlayer(ThinkingPlayer):
    """Its decision is there whenever somebody looks for it."""

    def done(self) -> bool:
        if self._coming is not None:
            self._coming.exception(PATIENCE)
        return super().done()

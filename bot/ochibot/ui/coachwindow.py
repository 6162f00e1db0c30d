"""The coach's own window: small, and above all others where the desktop allows it."""

from __future__ import annotations

import os

import pygame

from ochibot.overlay.coaching import CoachView, draw_coach, size_of
from ochibot.overlay.layout import Picture
from ochibot.ui import NO_DISPLAY, WindowError

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

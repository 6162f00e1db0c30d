"""The window, made with SDL: the picture at a whole scale, ghosts, panels, messages and the help."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pygame

from ochibot.errors import OutputError
from ochibot.leftovers import whole_file
from ochibot.overlay.ghost import draw_ghost
from ochibot.overlay.layout import Picture, arrange, lay_out
from ochibot.overlay.panel import BACKGROUND, Panels
from ochibot.overlay.standing import Side
from ochibot.ui import NO_DISPLAY, WindowError
from ochibot.ui.keys import KeyBindings

MESSAGE_SECONDS = 2.0
START_SCALE = 3

HELP = {
    "pause": "pause, go on",
    "step": "one frame on",
    "turbo": "as fast as it goes, held",
    "mute": "sound off, on",
    "plan": "the AI's plan off, on",
    "screenshot": "screenshot",
    "save": "quick save",
    "load": "quick load",
    "fullscreen": "fullscreen",
    "help": "this help",
    "quit": "quit",
}


@cache
def font(size: int) -> pygame.font.Font:
    """A font that comes with pygame, so that the text looks the same on every machine."""
    return pygame.font.Font(None, size)


class Window:
    """The visible window. It knows neither the clock nor the console: ``draw`` shows what it is given."""

    def __init__(
        self, picture: tuple[int, int], bindings: KeyBindings, *, panels: tuple[int, ...], ghosts: bool, title: str
    ) -> None:
        """Opens the window. ``panels``: the seats that get a panel. ``ghosts``: whether plans are drawn on the picture.

        Raises WindowError when SDL can't open a window.
        """
        try:
            pygame.display.init()
            pygame.font.init()
            if pygame.display.get_driver() == "offscreen" and os.environ.get("SDL_VIDEODRIVER") != "offscreen":
                raise pygame.error("SDL found none")
            self._size = arrange(picture, panels, self._start_scale(picture, panels)).size
            self._surface = pygame.display.set_mode(self._size, pygame.RESIZABLE)
        except pygame.error as error:
            pygame.quit()
            raise WindowError(NO_DISPLAY.format(error)) from None
        pygame.display.set_caption(title)
        pygame.key.set_repeat()
        self.show_plan = True
        self.show_help = False
        self._bindings = bindings
        self._panels = panels
        self._ghosts = ghosts
        self._pads: list[Any] = []
        self._drawn = Panels()
        self._panel_cache: dict[int, tuple[Picture, pygame.Surface]] = {}
        self._message: tuple[str, float] = ("", 0.0)
        self._fullscreen = False
        self._open_gamepads()

    @staticmethod
    def _start_scale(picture: tuple[int, int], panels: tuple[int, ...]) -> int:
        """The initial scale: three, or less if the desktop is too small."""
        desktop = pygame.display.get_desktop_sizes()[0]
        scale = START_SCALE
        while scale > 1 and any(
            want > 0.9 * have for want, have in zip(arrange(picture, panels, scale).size, desktop, strict=True)
        ):
            scale -= 1
        return scale

    def _open_gamepads(self) -> None:
        from pygame._sdl2 import controller

        controller.init()
        for index in range(controller.get_count()):
            self._open_gamepad(index)

    def _open_gamepad(self, index: int) -> None:
        from pygame._sdl2 import controller

        if controller.is_controller(index):
            # kept, because pygame closes a gamepad when its object is deleted
            self._pads.append(controller.Controller(index))

    def events(self, feed: Callable[[pygame.event.Event], None]) -> None:
        """Passes all new events to ``feed``, and handles those that concern the window itself."""
        for event in pygame.event.get():
            if event.type == pygame.CONTROLLERDEVICEADDED:
                self._open_gamepad(event.device_index)
            feed(event)

    def say(self, text: str, now: float, seconds: float = MESSAGE_SECONDS) -> None:
        """Shows a line of text at the lower edge for some seconds."""
        self._message = (text, now + seconds)

    def toggle_fullscreen(self) -> None:
        """Switches between window and full screen."""
        self._fullscreen = not self._fullscreen
        if self._fullscreen:
            self._size = self._surface.get_size()
        flags, size = (pygame.FULLSCREEN, (0, 0)) if self._fullscreen else (pygame.RESIZABLE, self._size)
        self._surface = pygame.display.set_mode(size, flags)

    def draw(self, frame: Picture, sides: Sequence[Side], now: float, badge: str = "") -> None:
        """Shows a picture and the panels of these sides. ``badge``: a word in the corner, such as PAUSE."""
        self._surface = pygame.display.get_surface() or self._surface
        height, width = frame.shape[:2]
        if self._ghosts and self.show_plan:
            # the frame belongs to the console, so the ghosts are drawn on a copy
            frame = frame.copy()
            for side in sides:
                draw_ghost(frame, side.look, side.seat, side.standing.cells)
        picture = pygame.image.frombuffer(np.ascontiguousarray(frame).data, (width, height), "RGB")
        place = lay_out(self._surface.get_size(), (width, height), self._panels)
        self._surface.fill(BACKGROUND)
        self._surface.blit(pygame.transform.scale_by(picture, place.scale), place.picture[:2])
        for side in sides:
            if side.seat in place.panels:
                box = place.panels[side.seat]
                self._surface.blit(self._panel(side, box[2:], place.scale), box[:2])
        if badge:
            self._label(badge, (place.picture[0] + 4 * place.scale, place.picture[1] + 3 * place.scale), place.scale)
        if self._message[0] and now < self._message[1]:
            bottom = place.picture[1] + place.picture[3] - 14 * place.scale
            self._label(self._message[0], (place.picture[0] + 4 * place.scale, bottom), place.scale)
        if self.show_help:
            self._draw_help(place.scale)
        pygame.display.flip()

    def _panel(self, side: Side, size: tuple[int, int], scale: int) -> pygame.Surface:
        """A side's panel. It is drawn again only when something on it has changed, and kept in the screen's pixel
        format.
        """
        standing = side.standing if self.show_plan else side.standing.without_plan()
        picture = self._drawn.of(side.seat, standing, size, scale)
        known = self._panel_cache.get(side.seat)
        if known is None or known[0] is not picture:
            surface = pygame.image.frombuffer(picture.data, size, "RGB").convert(self._surface)
            known = self._panel_cache[side.seat] = picture, surface
        return known[1]

    def _label(self, text: str, at: tuple[int, int], scale: int) -> None:
        line = font(9 * scale).render(text, True, (255, 255, 255))
        box = line.get_rect(topleft=at).inflate(6 * scale, 3 * scale)
        shade = pygame.Surface(box.size, pygame.SRCALPHA)
        shade.fill((0, 0, 0, 190))
        self._surface.blit(shade, box)
        self._surface.blit(line, at)

    def _draw_help(self, scale: int) -> None:
        shade = pygame.Surface(self._surface.get_size(), pygame.SRCALPHA)
        shade.fill((8, 8, 18, 225))
        self._surface.blit(shade, (0, 0))
        window, pad = self._bindings.window.model_dump(), self._bindings.pad.model_dump()
        gamepad = self._bindings.gamepad.model_dump()
        rows = [("the window", "", "")]
        rows += [(text, ", ".join(window[role]) or "–", "") for role, text in HELP.items()]
        rows += [("", "", ""), ("your pad", "keys", "gamepad")]
        rows += [(role, ", ".join(keys) or "–", ", ".join(gamepad[role]) or "–") for role, keys in pad.items()]
        text = font(9 * scale)
        step = text.get_linesize()
        left = max((self._surface.get_width() - 230 * scale) // 2, 4 * scale)
        top = max((self._surface.get_height() - step * len(rows)) // 2, 2)
        for number, row in enumerate(rows):
            heading = row[0] in ("the window", "your pad")
            for at, cell in zip((0, 105, 165), row, strict=True):
                color = (255, 215, 120) if heading else (225, 225, 235) if at == 0 else (160, 200, 255)
                self._surface.blit(text.render(cell, True, color), (left + at * scale, top + number * step))

    def screenshot(self, path: Path) -> None:
        """Saves the window's content as PNG. Raises OutputError."""
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            with whole_file(path) as partial:
                pygame.image.save(self._surface, partial)
        except (pygame.error, OSError) as error:
            raise OutputError(f"can't write the screenshot {path}: {error}") from None

    def close(self) -> None:
        """Closes the window and shuts SDL down."""
        self._pads.clear()
        font.cache_clear()
        pygame.quit()

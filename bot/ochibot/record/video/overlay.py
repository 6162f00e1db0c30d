"""Draws the AIs' plans on the pictures of a record: ghosts on the game's picture, panels beside it."""

from __future__ import annotations

from ochibot.overlay.beside import beside
from ochibot.overlay.ghost import draw_ghost
from ochibot.overlay.panel import Panels
from ochibot.overlay.picture import Picture
from ochibot.record.video.story import Story


class Overlay:
    """Draws on the pictures of one record, in order of frames. ``ghosts``: whether the plan is drawn on the game."""

    def __init__(self, stories: list[Story], scale: int, *, ghosts: bool) -> None:
        self._stories = stories
        self._scale = scale
        self._ghosts = ghosts
        self._panels = Panels()

    def draw(self, frame: int, picture: Picture) -> Picture:
        """The picture, scaled, with the ghosts on it and a panel at the side of each AI's seat."""
        sides = [story.at(frame) for story in self._stories]
        if self._ghosts:
            for side in sides:
                draw_ghost(picture, side.look, side.seat, side.standing.cells)
        return beside(picture, {side.seat: side.standing for side in sides}, self._scale, self._panels)

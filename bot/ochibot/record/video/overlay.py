"""The pictures of a record with its AIs' plans: ghosts on the game's picture, panels beside it."""

from __future__ import annotations

import numpy as np

from ochibot.overlay.ghost import draw_ghost
from ochibot.overlay.layout import arrange
from ochibot.overlay.panel import Panels
from ochibot.overlay.picture import Picture, scaled
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
        place = arrange((picture.shape[1], picture.shape[0]), [side.seat for side in sides], self._scale)
        whole = np.empty((place.size[1], place.size[0], 3), np.uint8)
        left, top, width, height = place.picture
        whole[top : top + height, left : left + width] = scaled(picture, self._scale)
        for side in sides:
            left, top, width, height = place.panels[side.seat]
            panel = self._panels.of(side.seat, side.standing, (width, height), self._scale)
            whole[top : top + height, left : left + width] = panel
        return whole

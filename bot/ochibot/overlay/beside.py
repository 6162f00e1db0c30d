"""Joins a picture and its panels into one picture."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from ochibot.overlay.layout import arrange
from ochibot.overlay.panel import Panels
from ochibot.overlay.picture import Picture, scaled
from ochibot.overlay.standing import Standing


def beside(picture: Picture, standings: Mapping[int, Standing], scale: int, panels: Panels) -> Picture:
    """The picture, scaled, with a panel for each seat (1 or 2)."""
    place = arrange((picture.shape[1], picture.shape[0]), standings, scale)
    whole = np.empty((place.size[1], place.size[0], 3), np.uint8)
    left, top, width, height = place.picture
    whole[top : top + height, left : left + width] = scaled(picture, scale)
    for seat, standing in standings.items():
        left, top, width, height = place.panels[seat]
        whole[top : top + height, left : left + width] = panels.of(seat, standing, (width, height), scale)
    return whole

"""A window and a video of the same moment are the same picture, panels and ghosts included."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import pygame
import pytest
from ochibot.overlay.layout import arrange
from ochibot.overlay.standing import Side
from ochibot.record.video.make import Overlay
from ochibot.ui.keys import load_keys
from ochibot.ui.window import Window

from tests.overlay.test_panel import CROWDED, STANDING
from tests.titles import LOOK


@dataclass
class Told:
    """A stand-in for a Story, with the same side at every frame."""

    side: Side

    def at(self, _: int) -> Side:
        return self.side


@pytest.mark.parametrize("scale", [1, 2, 3, 4])
@pytest.mark.parametrize("seats", [(1,), (2,), (1, 2)])
@pytest.mark.parametrize("ghosts", [True, False])
def test_window_and_video_show_the_same(scale: int, seats: tuple[int, ...], ghosts: bool) -> None:
    frame = np.random.default_rng(scale).integers(0, 256, (224, 240, 3), np.uint8)
    one = replace(STANDING, cells=frozenset({(3, 12, 1), (4, 12, 2)}))
    sides = [Side(seat, LOOK, standing) for seat, standing in zip(seats, (one, CROWDED), strict=False)]
    overlay = Overlay([Told(side) for side in sides], scale, ghosts=ghosts)  # type: ignore[misc]
    window = Window((240, 224), load_keys(), panels=seats, ghosts=ghosts, title="test")
    try:
        pygame.display.set_mode(arrange((240, 224), seats, scale).size)
        window.draw(frame, sides, 0.0)
        surface = pygame.display.get_surface()
        assert surface is not None
        shown = pygame.surfarray.array3d(surface).swapaxes(0, 1)
    finally:
        window.close()
    assert (shown == overlay.draw(1, frame.copy())).all()

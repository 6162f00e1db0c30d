"""Enlarges a game's picture by a whole number, and places it and the panels beside it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Picture = npt.NDArray[np.uint8]
"""A picture as an array (H, W, 3), RGB."""


def scaled(picture: Picture, times: int) -> Picture:
    """The picture with each pixel enlarged to a square of ``times`` x ``times`` pixels, without smoothing."""
    return picture if times == 1 else picture.repeat(times, 0).repeat(times, 1)


PANEL = 96
"""A panel's width in pixels of the game's picture. The panel is enlarged like the picture."""

Box = tuple[int, int, int, int]
"""Left, top, width, height."""


@dataclass(frozen=True)
class Layout:
    """Where everything goes. scale: pixels for each pixel of the game. picture: its box. panels: the box of each
    seat's panel (seat 1 or 2).
    """

    scale: int
    picture: Box
    panels: dict[int, Box]

    @property
    def size(self) -> tuple[int, int]:
        """Width and height of the whole layout, in pixels."""
        return self.picture[2] + sum(width for _, _, width, _ in self.panels.values()), self.picture[3]

    def moved(self, left: int, top: int) -> Layout:
        """The same layout, moved."""

        def there(box: Box) -> Box:
            return box[0] + left, box[1] + top, *box[2:]

        return Layout(self.scale, there(self.picture), {seat: there(box) for seat, box in self.panels.items()})


def arrange(picture: tuple[int, int], seats: Iterable[int], scale: int) -> Layout:
    """The layout of a picture (its width and height before scaling) with the panels of ``seats``.

    It begins at (0, 0). Seat 1's panel is on the left, seat 2's on the right.
    """
    width, height, panel = scale * picture[0], scale * picture[1], scale * PANEL
    shown = set(seats)
    left = panel if 1 in shown else 0
    boxes = {1: (0, 0, panel, height), 2: (left + width, 0, panel, height)}
    return Layout(scale, (left, 0, width, height), {seat: box for seat, box in boxes.items() if seat in shown})


def lay_out(window: tuple[int, int], picture: tuple[int, int], panels: tuple[int, ...]) -> Layout:
    """The layout with the largest whole scale that fits, centred. ``panels``: the seats that have a panel.

    If the window is too small for the panels, they are left out. If it is too small even for the picture, only the
    picture's middle is shown.
    """
    fits = []
    for shown in (panels, ()):
        width, height = arrange(picture, shown, 1).size
        fits.append((min(window[0] // width, window[1] // height), shown))
    scale, shown = fits[0] if fits[0][0] >= 1 else fits[1]
    place = arrange(picture, shown, max(scale, 1))
    width, height = place.size
    return place.moved((window[0] - width) // 2, (window[1] - height) // 2)

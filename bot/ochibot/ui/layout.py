"""Where things go in a window of any size: the picture in whole multiples, panels beside it."""

from __future__ import annotations

from dataclasses import dataclass

PANEL = 92
"""A panel's width in pixels of the game's picture: it grows with it."""

Box = tuple[int, int, int, int]
"""Left, top, width, height."""


@dataclass(frozen=True)
class Layout:
    """``scale`` window pixels to one of the picture's; the boxes of the picture and of the panels shown, by port."""

    scale: int
    picture: Box
    panels: dict[int, Box]


def wanted_size(picture: tuple[int, int], panels: tuple[int, ...], scale: int) -> tuple[int, int]:
    """The size of a window that shows all of it at a scale."""
    return scale * (picture[0] + PANEL * len(panels)), scale * picture[1]


def lay_out(window: tuple[int, int], picture: tuple[int, int], panels: tuple[int, ...]) -> Layout:
    """The largest whole scale that fits, centred; panels of port 0 on the left, of port 1 on the right.

    In a window too small for the panels they are left out; one too small for the picture shows the middle of it.
    """
    fits = [
        (min(window[0] // (picture[0] + PANEL * len(shown)), window[1] // picture[1]), shown) for shown in (panels, ())
    ]
    scale, shown = fits[0] if fits[0][0] >= 1 else fits[1]
    scale = max(scale, 1)
    width, height = scale * picture[0], scale * picture[1]
    left = (window[0] - width - scale * PANEL * len(shown)) // 2
    top = (window[1] - height) // 2
    boxes: dict[int, Box] = {}
    if 0 in shown:
        boxes[0] = (left, top, scale * PANEL, height)
        left += scale * PANEL
    if 1 in shown:
        boxes[1] = (left + width, top, scale * PANEL, height)
    return Layout(scale, (left, top, width, height), boxes)

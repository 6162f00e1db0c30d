"""Places the picture and the panels in a window of any size."""

from __future__ import annotations

from ochibot.overlay.layout import Layout, arrange


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

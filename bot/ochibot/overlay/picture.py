"""Enlarges pictures (arrays)."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

Picture = npt.NDArray[np.uint8]
"""A picture as an array (H, W, 3), RGB."""


def scaled(picture: Picture, times: int) -> Picture:
    """The picture with each pixel enlarged to a square of ``times`` x ``times`` pixels, without smoothing."""
    return picture if times == 1 else picture.repeat(times, 0).repeat(times, 1)

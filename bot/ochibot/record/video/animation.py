"""Writes animated GIF and PNG with Pillow. All pictures share a palette, which is exact for up to 255 colours.

If there are more (because of the smooth edges of an overlay's letters), the 255 most frequent colours are kept, and
each of the others becomes the nearest of these.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import numpy.typing as npt
from PIL import Image

from ochibot.overlay.layout import Picture

COLORS = 255
"""How many colours are kept. The 256th palette entry means "unchanged", which halves the size of a GIF."""

FPS = (50, 25, 20, 10)
"""Frame rates that a GIF can show evenly. (Its durations are hundredths of a second, and players don't show a duration
of 1.) At 20, every third of a console's 60 frames is shown (with one exception in some 600), so movement is even, too.
"""


_MOST = 1 << 15
"""The most different colours that are counted in one animation."""


class Animation:
    """Collects pictures, compressed, and writes them as an animation. ``fps`` is one of FPS."""

    def __init__(self, fps: int) -> None:
        self._fps = fps
        self._pictures: list[bytes] = []
        self._times: list[int] = []
        self._numbers = np.full(1 << 24, -1, np.int16)
        self._colors: list[int] = []
        self._seen = np.zeros(_MOST, np.int64)
        self._shape = (0, 0)

    @property
    def pictures(self) -> int:
        """How many pictures have been added. Equal ones in a row are stored once, but all are counted."""
        return sum(self._times)

    def add(self, picture: Picture) -> None:
        """Adds the next picture; all must have the same size."""
        codes = picture.astype(np.int32) @ np.array([1 << 16, 1 << 8, 1], np.int32)
        numbers = self._numbers[codes]
        if (numbers < 0).any():
            for code in np.unique(codes[numbers < 0]).tolist():
                if len(self._colors) < _MOST:
                    self._colors.append(code)
                self._numbers[code] = len(self._colors) - 1
            numbers = self._numbers[codes]
        self._shape = codes.shape[0], codes.shape[1]
        packed = zlib.compress(numbers.tobytes(), 1)
        if self._pictures and packed == self._pictures[-1]:
            self._times[-1] += 1
            return
        self._seen += np.bincount(numbers.reshape(-1), minlength=_MOST)
        self._pictures.append(packed)
        self._times.append(1)

    def _palette(self) -> tuple[npt.NDArray[np.uint8], npt.NDArray[np.uint8]]:
        """The colours kept, (up to 255, 3), and the palette index of each colour seen."""
        colors = _rgb(np.array(self._colors))
        kept = np.argsort(-self._seen[: len(colors)], kind="stable")[:COLORS]
        distance = ((colors[:, None] - colors[kept][None]) ** 2).sum(2)
        return colors[kept].astype(np.uint8), distance.argmin(1).astype(np.uint8)

    def save(self, path: Path, kind: str) -> None:
        """Writes the animation as ``kind`` (.gif or .png), looping for ever. Raises OSError."""
        palette, places = self._palette()
        images = _Images(self._pictures, self._shape, palette.tobytes(), places)
        first, rest = images.first(), images.rest()
        durations = [times * 1000 // self._fps for times in self._times]
        if kind == ".gif":
            first.save(path, "GIF", save_all=True, append_images=rest, duration=durations, loop=0, optimize=True)
        else:
            first.save(path, "PNG", save_all=True, append_images=rest, duration=durations, loop=0)


@dataclass(frozen=True)
class _Images:
    """The images, each decompressed when it is used. Pillow goes through them twice."""

    packed: list[bytes]
    shape: tuple[int, int]
    palette: bytes
    places: npt.NDArray[np.uint8]

    def __iter__(self) -> Iterator[Image.Image]:
        return (self._image(packed) for packed in self.packed)

    def first(self) -> Image.Image:
        """The first image."""
        return self._image(self.packed[0])

    def rest(self) -> _Images:
        """All images except the first."""
        return replace(self, packed=self.packed[1:])

    def _image(self, packed: bytes) -> Image.Image:
        numbers = np.frombuffer(zlib.decompress(packed), np.int16).reshape(self.shape)
        image = Image.fromarray(self.places[numbers], "P")
        image.putpalette(self.palette)
        return image


def _rgb(codes: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """Converts colours from single numbers, (N,), to RGB, (N, 3)."""
    return np.stack((codes >> 16, codes >> 8 & 255, codes & 255), 1)

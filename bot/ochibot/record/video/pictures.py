"""Writes a silent video of pictures from any source. The file is written completely or not at all."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path

import numpy as np

from ochibot.errors import OutputError
from ochibot.leftovers import whole_file
from ochibot.overlay.picture import Picture
from ochibot.record.video import check_kind
from ochibot.record.video.animation import Animation
from ochibot.record.video.shots import Shot


def write_pictures(path: Path, pictures: Iterator[Picture], fps: int) -> tuple[int, int]:
    """Writes an .mp4, .gif or .png (APNG) of pictures of one size. Returns how many pictures and bytes it wrote.

    Raises VideoError for another ending, OutputError when the file can't be written.
    """
    kind = check_kind(path)
    try:
        with whole_file(path) as partial:
            if kind == ".mp4":
                number = _mp4(partial, pictures, fps)
            else:
                animation = Animation(fps)
                for picture in pictures:
                    animation.add(picture)
                animation.save(partial, kind)
                number = animation.pictures
            size = partial.stat().st_size
    except OSError as error:
        raise OutputError(
            f"can't write the video {path}: {error.strerror or error}; make room or give another path"
        ) from None
    return number, size


def _mp4(path: Path, pictures: Iterator[Picture], fps: int) -> int:
    from ochibot.record.video.mp4 import Mp4

    silence = np.zeros((0, 2), np.int16)
    writer: Mp4 | None = None
    try:
        for number, picture in enumerate(pictures):
            if writer is None:
                writer = Mp4(path, (picture.shape[1], picture.shape[0]), Fraction(fps), Fraction(1), fps)
            writer.add(Shot(number, 1, picture, silence), picture)
        assert writer is not None, "there are pictures"
        writer.close()
    except BaseException:
        if writer is not None:
            with contextlib.suppress(Exception):
                writer.abort()
        raise
    return writer.pictures

"""Makes a video of a record: the one entry point for commands and tools.

Writes a silent video of pictures from any source. The file is written completely or not at all.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from ochibot.console import HostedConsole
from ochibot.errors import VideoError
from ochibot.leftovers import written
from ochibot.overlay.ghost import draw_ghost
from ochibot.overlay.layout import Picture, scaled
from ochibot.overlay.panel import Panels, beside
from ochibot.record.reader import Record
from ochibot.record.video import check_kind
from ochibot.record.video.animation import FPS, Animation
from ochibot.record.video.story import Shot, Span, Story, shots, span_of, stories

if TYPE_CHECKING:
    from ochibot.record.video.mp4 import Mp4

SPEEDS = Fraction(1, 10), Fraction(100)
MOST_SCALE = 12
DEFAULT_FPS = 20
"""The default pictures per second of an animation."""
_SILENCE = np.zeros((0, 2), np.int16)


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


@dataclass(frozen=True)
class VideoWish:
    """The options of a video.

    first, last: the first and the last frame (None: those of the record). scale: pixels per pixel of the game (None: 3
    in an MP4, 1 in an animation). fps: pictures per second of an animation, one of FPS (None: 20). An MP4 has no such
    option, since it shows every frame.
    """

    speed: Fraction = Fraction(1)
    overlay: bool = False
    first: int | None = None
    last: int | None = None
    scale: int | None = None
    fps: int | None = None


@dataclass(frozen=True)
class MadeVideo:
    """The finished video. frames: how many frames of the record. pictures: how many in the video. size: width and
    height in pixels.
    """

    frames: int
    pictures: int
    size: tuple[int, int]
    fps: float
    seconds: float
    bytes: int
    sound_seconds: float | None


def make_video(
    record: Record,
    path: Path,
    wish: VideoWish,
    *,
    rom: Path | None = None,
    core: str | None = None,
    system: Path | None = None,
    progress: Callable[[int, int], bool] = lambda *_: False,
) -> MadeVideo:
    """Replays the record and writes the video, whole or not at all.

    ``progress(done, of)`` is called after each frame; when it returns True, KeyboardInterrupt ends the video. Raises
    VideoError for options that aren't possible, OutputError when the file can't be written, and what ``Record.console``
    and ``replay`` raise.
    """
    kind = check_kind(path)
    _check(wish, kind)
    source = Fraction(record.manifest.fps).limit_denominator(10_000)
    fps = source if kind == ".mp4" else Fraction(wish.fps or DEFAULT_FPS)
    span = span_of(record, wish.first, wish.last, wish.speed * source / fps)
    scale = wish.scale if wish.scale is not None else 3 if kind == ".mp4" else 1
    with (
        written(path, "the video ", "make room or give another path") as partial,
        record.console(rom, core, system=system) as console,
    ):
        film = _Film(record, console, span, wish, scale, progress)
        sound = film.write(partial, kind, fps)
        size = partial.stat().st_size
        film.report()
    seconds = float(film.pictures / fps)
    return MadeVideo(film.frames, film.pictures, film.size, float(fps), seconds, size, sound)


def _check(wish: VideoWish, kind: str) -> None:
    if not SPEEDS[0] <= wish.speed <= SPEEDS[1]:
        raise VideoError(f"--tempo goes from {float(SPEEDS[0]):g} to {float(SPEEDS[1]):g}, not {float(wish.speed):g}")
    if wish.scale is not None and not 1 <= wish.scale <= MOST_SCALE:
        raise VideoError(f"--scale goes from 1 to {MOST_SCALE}, not {wish.scale}")
    if wish.fps is not None and kind == ".mp4":
        raise VideoError(
            "--fps is for .gif and .png only: an .mp4 shows every frame of the console's; leave it out, or give "
            "another ending"
        )
    if wish.fps is not None and wish.fps not in FPS:
        raise VideoError(f"--fps is one of {', '.join(map(str, FPS))}, which GIF can show, not {wish.fps}")


class _Film:
    """Writes the frames of one record into a file."""

    def __init__(
        self,
        record: Record,
        console: HostedConsole,
        span: Span,
        wish: VideoWish,
        scale: int,
        progress: Callable[[int, int], bool],
    ) -> None:
        self._record, self._console, self._span, self._wish, self._scale = record, console, span, wish, scale
        self._progress = progress
        self._overlay: Overlay | None = None
        if wish.overlay:
            found = stories(record, console.ram)
            # RAM maps don't say where the screen shows the field; that is known only for the title's own ROMs
            known = found[0].game.is_homebrew(console.rom.sha1)
            self._overlay = Overlay(found, scale, ghosts=known)
        self.frames = 0
        self.pictures = 0
        self.size = (0, 0)

    def _drawn(self, *, sound: bool) -> Iterator[tuple[Shot, Picture | None]]:
        for shot in shots(self._record, self._console, self._span, sound=sound):
            picture = None
            if shot.picture is not None:
                if self._overlay is not None:
                    picture = self._overlay.draw(shot.frame, shot.picture)
                else:
                    picture = scaled(shot.picture, self._scale)
                size = picture.shape[1], picture.shape[0]
                if self.size not in (size, (0, 0)):
                    raise VideoError(
                        f"the picture's size changes at frame {shot.frame:,}: make two videos, with --to "
                        f"{shot.frame - 1} and --from {shot.frame}"
                    )
                self.size = size
            yield shot, picture
            self.frames += 1
            self.pictures += shot.times
            self.report()

    def report(self) -> None:
        """Reports the progress. Raises KeyboardInterrupt when the caller wants to stop."""
        if self._progress(self.frames, self._span.last - self._span.first + 1):
            raise KeyboardInterrupt

    def write(self, path: Path, kind: str, fps: Fraction) -> float | None:
        """Writes the file. Returns the seconds of sound in it; None for an animation."""
        if kind == ".mp4":
            return self._mp4(path, fps)
        animation = Animation(self._wish.fps or DEFAULT_FPS)
        for shot, picture in self._drawn(sound=False):
            for _ in range(shot.times):
                assert picture is not None, "a frame that is shown has a picture"
                animation.add(picture)
        animation.save(path, kind)
        return None

    def _mp4(self, path: Path, fps: Fraction) -> float:
        from ochibot.record.video.mp4 import RATE

        return _mp4(path, self._drawn(sound=True), fps, self._wish.speed, self._record.manifest.fps).samples / RATE


def write_pictures(path: Path, pictures: Iterator[Picture], fps: int) -> tuple[int, int]:
    """Writes an .mp4, .gif or .png (APNG) of pictures of one size. Returns how many pictures and bytes it wrote.

    Raises VideoError for another ending, OutputError when the file can't be written.
    """
    kind = check_kind(path)
    with written(path, "the video ", "make room or give another path") as partial:
        if kind == ".mp4":
            drawn = ((Shot(at, 1, one, _SILENCE), one) for at, one in enumerate(pictures))
            number = _mp4(partial, drawn, Fraction(fps), Fraction(1), fps).pictures
        else:
            animation = Animation(fps)
            for picture in pictures:
                animation.add(picture)
            animation.save(partial, kind)
            number = animation.pictures
        size = partial.stat().st_size
    return number, size


def _mp4(
    path: Path, drawn: Iterator[tuple[Shot, Picture | None]], fps: Fraction, speed: Fraction, source_fps: float
) -> Mp4:
    """Writes shots with their finished pictures; the first one has a picture. See ``Mp4``."""
    from ochibot.record.video.mp4 import Mp4

    first, whole = next(drawn)
    assert whole is not None, "the first frame is shown"
    writer = Mp4(path, (whole.shape[1], whole.shape[0]), fps, speed, source_fps)
    try:
        for shot, picture in chain([(first, whole)], drawn):
            writer.add(shot, picture)
        writer.close()
    except BaseException:
        with contextlib.suppress(Exception):
            writer.abort()
        raise
    return writer

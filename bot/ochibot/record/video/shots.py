"""Replays a record and yields its pictures and sounds at the rate of a video."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
import numpy.typing as npt

from ochibot.console import HostedConsole
from ochibot.errors import VideoError
from ochibot.overlay.layout import Picture
from ochibot.record.reader import Record


@dataclass(frozen=True)
class Span:
    """A range of a record's frames, counted from 1, both ends included. ratio: frames per picture."""

    first: int
    last: int
    ratio: Fraction

    @property
    def pictures(self) -> int:
        """The number of pictures. Picture n, from 0, shows the frame first + floor(n * ratio)."""
        return -(-(self.last - self.first + 1) * self.ratio.denominator // self.ratio.numerator)


@dataclass(frozen=True)
class Shot:
    """One frame. times: how often the video shows it; if 0, ``picture`` is None. sound: (N, 2) int16."""

    frame: int
    times: int
    picture: Picture | None
    sound: npt.NDArray[np.int16]


def span_of(record: Record, first: int | None, last: int | None, ratio: Fraction) -> Span:
    """The span from ``first`` to ``last`` (None: the record's ends). Raises VideoError when they aren't
    in the record.
    """
    if not record.frames:
        raise VideoError(f"{record.path} holds no frames to make a video of")
    begin, end = 1 if first is None else first, record.frames if last is None else last
    if begin > end:
        raise VideoError(f"--from {begin} comes after --to {end}: there are no frames between")
    if not 1 <= begin <= end <= record.frames:
        raise VideoError(f"{record.path} holds the frames 1 to {record.frames:,}; choose --from and --to among them")
    return Span(begin, end, ratio)


def shots(record: Record, console: HostedConsole, span: Span, *, sound: bool) -> Iterator[Shot]:
    """Replays the record and yields a shot for each frame of the span. The console must not have run yet."""
    due = 0
    console.keep_audio(sound)
    # the replay begins a frame earlier, and the sound until the end of that frame is dropped
    for frame in record.replay(console, max(span.first - 1, 1), span.last):
        heard = console.audio()
        if frame < span.first:
            continue
        if frame == span.first:
            # a start from a savestate runs one extra frame, whose sound is cut off here
            heard = heard[max(len(heard) - round(console.sample_rate / console.fps), 0) :]
        since = frame - span.first + 1
        # this frame is shown by all pictures n with floor(n * ratio) = since - 1
        times = -(-since * span.ratio.denominator // span.ratio.numerator) - due
        due += times
        yield Shot(frame, times, _shown(console, record) if times else None, heard)


def _shown(console: HostedConsole, record: Record) -> Picture:
    """The present picture; black before the core has made its first one."""
    if console.frames_shown:
        return console.frame()
    width, height = record.manifest.picture
    return np.zeros((height, width, 3), np.uint8)

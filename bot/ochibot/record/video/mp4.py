"""Writes MP4 with PyAV: H.264 video and AAC sound of the same length."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from pathlib import Path
from typing import Any

import av
import numpy as np
import numpy.typing as npt

from ochibot.overlay.layout import Picture
from ochibot.record.video.story import Shot

RATE = 48_000
"""The sample rate of the sound in the file, Hz."""

MEASURED = 600
"""The core's true sample rate is measured from the sound of this many frames. The rate that a core states can be wrong
by some hundredths of a percent (fceumm's is), which is a second per hour. 600 frames give it with an error of 3
millionths, or 11 ms per hour.
"""

_FINE = 100
"""The resampler takes whole numbers as sample rates. Multiplying both rates by this makes them fine enough."""

Sound = npt.NDArray[np.int16]


class Mp4:
    """Writes shots into an MP4. ``fps``: pictures per second. ``speed``: seconds of the game per second of video."""

    def __init__(self, path: Path, size: tuple[int, int], fps: Fraction, speed: Fraction, source_fps: float) -> None:
        self._fps = fps
        self._tempo = float(speed) * source_fps
        self._container: Any = av.open(str(path), "w", format="mp4", options={"movflags": "+faststart"})
        self._video: Any = self._container.add_stream("libx264", rate=fps, options={"crf": "18", "preset": "veryfast"})
        # the codec stores colour for blocks of 2 x 2 pixels, so width and height must be even
        self._video.width, self._video.height = size[0] + size[0] % 2, size[1] + size[1] % 2
        self._video.pix_fmt = "yuv420p"
        self._video.codec_context.time_base = 1 / fps
        self._audio: Any = self._container.add_stream("aac", rate=RATE, layout="stereo", options={"b": "128k"})
        self._resampler: av.AudioResampler | None = None
        self._waiting: list[Sound] = []
        self._heard_frames = 0
        self._heard = 0
        self.pictures = 0
        self.samples = 0

    def add(self, shot: Shot, picture: Picture | None) -> None:
        """Adds the next frame. ``picture``: the finished picture, with overlay and scale."""
        for _ in range(shot.times):
            assert picture is not None, "a frame that is shown has a picture"
            frame = av.VideoFrame.from_ndarray(self._even(picture), format="rgb24")
            frame.pts, frame.time_base = self.pictures, 1 / self._fps
            self._container.mux(self._video.encode(frame))
            self.pictures += 1
        self._waiting.append(shot.sound)
        self._heard += len(shot.sound)
        self._heard_frames += 1
        if self._resampler is not None or self._heard_frames >= MEASURED:
            self._play()

    def close(self) -> None:
        """Writes the rest. The sound is cut or filled up to the video's length."""
        self._play()
        if self._resampler is not None:
            self._encode(self._resampler.resample(None))
        missing = self._target() - self.samples
        if missing > 0:
            self._put(np.zeros((missing, 2), np.float32))
        self._container.mux(self._video.encode(None))
        self._container.mux(self._audio.encode(None))
        self._container.close()

    def abort(self) -> None:
        """Closes the file after an error, without finishing it."""
        self._container.close()

    def _even(self, picture: Picture) -> Picture:
        down, right = self._video.height - picture.shape[0], self._video.width - picture.shape[1]
        if down or right:
            picture = np.pad(picture, ((0, down), (0, right), (0, 0)))
        return np.ascontiguousarray(picture)

    def _target(self) -> int:
        return round(self.pictures * RATE / self._fps)

    def _play(self) -> None:
        """Resamples and encodes the sound added so far."""
        sound = np.concatenate(self._waiting) if self._waiting else np.zeros((0, 2), np.int16)
        self._waiting.clear()
        if not len(sound):
            return
        if self._resampler is None:
            rate = self._heard / self._heard_frames * self._tempo
            self._source_rate = round(rate * _FINE)
            self._resampler = av.AudioResampler(format="fltp", layout="stereo", rate=RATE * _FINE)
        frame = av.AudioFrame.from_ndarray(np.ascontiguousarray(sound.reshape(1, -1)), format="s16", layout="stereo")
        frame.sample_rate = self._source_rate
        self._encode(self._resampler.resample(frame))

    def _encode(self, frames: Iterable[av.AudioFrame]) -> None:
        for frame in frames:
            self._put(frame.to_ndarray().T.astype(np.float32, copy=False))

    def _put(self, sound: npt.NDArray[np.float32]) -> None:
        """Encodes (N, 2) samples at RATE."""
        frame = av.AudioFrame.from_ndarray(np.ascontiguousarray(sound.T), format="fltp", layout="stereo")
        frame.sample_rate = RATE
        frame.pts, frame.time_base = self.samples, Fraction(1, RATE)
        self.samples += len(sound)
        self._container.mux(self._audio.encode(frame))

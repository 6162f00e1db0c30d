"""Passes sound from the frame loop to SDL's audio thread, through a ring buffer whose fill level is kept constant.

The core makes some hundred stereo samples per frame. The sound card takes them in chunks, by its own clock. The two
clocks never agree exactly, so the sound is stretched by up to half a percent, which nobody hears.

::

    frame loop ──push, stretched──► [....ring....] ──pull, a chunk at a time──► SDL ──► ears
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import threading
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

Samples = npt.NDArray[np.int16]

CHUNK = 0.011
"""The most seconds of sound that SDL takes at a time. (It takes a power of two of samples.)"""

TARGET = 0.026
"""Seconds of sound in the ring when a frame adds its own. A frame may be late by this much."""

CAPACITY = 0.058
"""The ring's capacity in seconds of sound. Sound that doesn't fit is dropped."""

MAX_STRETCH = 0.005


class AudioRing:
    """The ring buffer: one thread pushes, another pulls. ``underruns``: how often it ran empty while sound was due."""

    def __init__(self, rate: float) -> None:
        self.rate = rate
        self.underruns = 0
        self.dropped = 0
        self.chunk = 1 << int(np.log2(CHUNK * rate))
        self.target = round(TARGET * rate)
        self._room = round(CAPACITY * rate)
        self._data = np.zeros((self._room, 2), np.int16)
        self._lock = threading.Lock()
        self._at = 0
        self._fill = 0
        self._flowing = False
        self._smooth = float(self.target)
        self._phase = 0.0
        self._last = np.zeros((1, 2), np.int16)
        self._pushes = 0
        self._waits = 0.0
        self._longest = 0

    def __len__(self) -> int:
        return self._fill

    @property
    def latency(self) -> tuple[float, float]:
        """(average, maximum) seconds from a sample's push to the sound card, including SDL's own two chunks."""
        mean = self._waits / self._pushes if self._pushes else 0.0
        return (mean + 2 * self.chunk) / self.rate, (self._longest + 2 * self.chunk) / self.rate

    def push(self, samples: Samples) -> None:
        """Adds the sound of a frame, (N, 2) samples."""
        if not len(samples):
            return
        with self._lock:
            if self._flowing:
                self._smooth += 0.02 * (self._fill - self._smooth)
            stretched = self._stretch(samples)
            fits = min(len(stretched), self._room - self._fill)
            self.dropped += len(stretched) - fits
            end = (self._at + self._fill) % self._room
            first = min(fits, self._room - end)
            self._data[end : end + first] = stretched[:first]
            self._data[: fits - first] = stretched[first:fits]
            self._fill += fits
            if self._flowing:
                self._pushes += 1
                self._waits += self._fill
                self._longest = max(self._longest, self._fill)

    def _stretch(self, samples: Samples) -> Samples:
        """Resamples by linear interpolation at a rate close to 1, continuing the phase of the previous push."""
        error = (self._smooth - self.target) / self.target
        pace = 1 + min(max(0.02 * error, -MAX_STRETCH), MAX_STRETCH)
        line = np.concatenate((self._last, samples)).astype(np.float32)
        count = int(np.ceil((len(samples) - self._phase) / pace))
        places = self._phase + pace * np.arange(count)
        self._phase = self._phase + pace * count - len(samples)
        self._last = samples[-1:].copy()
        below = places.astype(np.int64)
        part = (places - below).astype(np.float32)[:, None]
        return (line[below] * (1 - part) + line[below + 1] * part).astype(np.int16)

    def pull(self, count: int) -> Samples:
        """Takes ``count`` samples, with silence for those that are missing.

        At first, and again after it ran empty, the ring gives only silence until it holds ``target`` plus one chunk.
        """
        out = np.zeros((count, 2), np.int16)
        with self._lock:
            if not self._flowing:
                # the ring starts one chunk above the target, so that the first pull leaves it at the target
                if self._fill < self.target + self.chunk:
                    return out
                self._flowing = True
                self._smooth = float(self.target)
            taken = min(count, self._fill)
            first = min(taken, self._room - self._at)
            out[:first] = self._data[self._at : self._at + first]
            out[first:taken] = self._data[: taken - first]
            self._at = (self._at + taken) % self._room
            self._fill -= taken
            if taken < count:
                self.underruns += 1
                self._flowing = False
        return out

    def rest(self) -> None:
        """Empties the ring when no sound is due for a while (pause, turbo). That isn't counted as an underrun."""
        with self._lock:
            self._fill = 0
            self._flowing = False


class Speaker(Protocol):
    """A sound output that pulls from a ring, in a thread of its own or not at all."""

    muted: bool

    def close(self) -> None:
        """Ends the sound for good."""


class Silence:
    """The output without a sound card: it never pulls."""

    muted = True

    def close(self) -> None:
        """Does nothing."""


class SdlSpeaker:
    """SDL's audio device. SDL asks for sound in its own thread, which needs the GIL for some microseconds each time."""

    def __init__(self, ring: AudioRing) -> None:
        """Raises pygame.error when no sound card can be opened."""
        from pygame._sdl2 import audio, sdl2

        self.muted = False
        self._ring = ring
        sdl2.init_subsystem(sdl2.INIT_AUDIO)
        rate = round(ring.rate)
        self._device: Any = audio.AudioDevice(None, False, rate, audio.AUDIO_S16, 2, ring.chunk, 0, self._fill)
        self._device.pause(0)

    def _fill(self, _: object, stream: memoryview) -> None:
        wanted = np.frombuffer(stream, np.int16)
        samples = self._ring.pull(len(wanted) // 2)
        wanted[:] = 0 if self.muted else samples.ravel()

    def close(self) -> None:
        """Closes the device. SDL doesn't call back afterwards.

        SDL waits for a running callback, which waits for the GIL. pygame holds the GIL while it closes the device, so
        both would wait for ever. A function called through ctypes releases the GIL.
        """
        from pygame._sdl2 import audio

        # on some systems, SDL's functions can't be found through the pygame module that is linked to SDL
        with contextlib.suppress(OSError, AttributeError):
            ctypes.CDLL(audio.__file__).SDL_CloseAudioDevice(self._device.deviceid)
        self._device.close()


def open_speaker(ring: AudioRing) -> Speaker:
    """Opens the sound card. Returns a Silence if there is none, so that the window works without sound."""
    import pygame

    try:
        with _quiet_stderr():
            return SdlSpeaker(ring)
    except (pygame.error, RuntimeError, OSError):
        return Silence()


class _quiet_stderr:  # noqa: N801
    """Hides file descriptor 2 for a while: without a sound card, ALSA prints a page of useless complaints there."""

    def __enter__(self) -> None:
        self._kept = os.dup(2)
        null = os.open(os.devnull, os.O_WRONLY)
        os.dup2(null, 2)
        os.close(null)

    def __exit__(self, *_: object) -> None:
        os.dup2(self._kept, 2)
        os.close(self._kept)

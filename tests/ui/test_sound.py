"""The ring buffer between the frame loop and the sound card, with both clocks simulated."""

from __future__ import annotations

import os
import random
import subprocess
import sys

import numpy as np
import pytest
from ochibot.ui.sound import AudioRing


def simulate(ring: AudioRing, seconds: float, *, card: float = 1.0, jitter: float = 0.0, fps: float = 60.1) -> int:
    """Pushes each frame's sound, up to ``jitter`` s late. Pulls as a sound card with a clock ``card`` times as fast.

    Returns the number of pulls.
    """
    chance = random.Random(1)
    per_frame = ring.rate / fps
    events: list[tuple[float, int]] = []
    frames = int(seconds * fps)
    events += [(frame / fps + chance.uniform(0, jitter), 0) for frame in range(frames)]
    period = ring.chunk / (ring.rate * card)
    events += [(0.0101 + number * period, 1) for number in range(int(seconds / period) - 5)]
    made, pulls = 0.0, 0
    for _, kind in sorted(events):
        if kind == 0:
            before, made = int(made), made + per_frame
            ring.push(np.full((int(made) - before, 2), 1000, np.int16))
        else:
            pulls += 1
            ring.pull(ring.chunk)
    return pulls


@pytest.mark.parametrize("rate", [32_040.5, 44_100.0, 48_000.0])
@pytest.mark.parametrize("card", [0.997, 1.0, 1.003])
def test_it_never_runs_dry_in_a_minute_and_stays_below_80_ms(rate: float, card: float) -> None:
    ring = AudioRing(rate)
    simulate(ring, 60, card=card, jitter=0.008)
    mean, most = ring.latency
    assert ring.underruns == 0
    assert ring.dropped < rate / 20
    assert mean <= 0.070
    assert most <= 0.080


def test_running_dry_is_counted_and_it_fills_up_again() -> None:
    ring = AudioRing(48_000)
    for _ in range(4):
        ring.push(np.full((800, 2), 500, np.int16))
    while len(ring) >= ring.chunk:
        assert ring.pull(ring.chunk).any()
    ring.pull(ring.chunk)
    assert ring.underruns == 1
    ring.push(np.full((800, 2), 500, np.int16))
    assert not ring.pull(ring.chunk).any(), "silence until there is enough again"
    for _ in range(3):
        ring.push(np.full((800, 2), 500, np.int16))
    assert ring.pull(ring.chunk).any()
    assert ring.underruns == 1


def test_a_pause_is_no_underrun() -> None:
    ring = AudioRing(48_000)
    for _ in range(4):
        ring.push(np.full((800, 2), 500, np.int16))
    ring.pull(ring.chunk)
    ring.rest()
    for _ in range(50):
        assert not ring.pull(ring.chunk).any()
    assert ring.underruns == 0


def test_too_much_sound_is_dropped_not_kept() -> None:
    ring = AudioRing(48_000)
    for _ in range(100):
        ring.push(np.ones((800, 2), np.int16))
    assert len(ring) <= 0.058 * 48_000
    assert ring.dropped > 0


def test_sound_comes_out_as_it_went_in() -> None:
    """A sine passes through the ring without clicks between frames, or where the ring wraps around."""
    ring = AudioRing(48_000)
    time = np.arange(48_000 * 2) / 48_000
    wave = (10_000 * np.sin(2 * np.pi * 440 * time)).astype(np.int16)
    heard = []
    for at in range(0, len(wave), 800):
        ring.push(np.column_stack((wave[at : at + 800], -wave[at : at + 800])))
        if len(ring) >= ring.target + ring.chunk:
            heard += [ring.pull(ring.chunk), ring.pull(ring.chunk)]
    sound = np.concatenate(heard)
    sound = sound[np.argmax(sound[:, 0] != 0) :]
    steps = np.abs(np.diff(sound[:, 0].astype(int)))
    assert steps.max() <= 2 * np.pi * 440 / 48_000 * 10_000 * 1.02 + 2
    assert (sound[:, 0] + sound[:, 1] == 0).mean() > 0.99
    assert len(sound) > 60_000


CLOSED_IN_A_CALLBACK = """
import threading, time
from ochibot.ui.sound import AudioRing, SdlSpeaker

called = threading.Event()

class Slow(AudioRing):
    def pull(self, count):
        called.set()
        time.sleep(0.2)  # lets the GIL go while SDL holds the device
        return super().pull(count)

speaker = SdlSpeaker(Slow(48_000))
assert called.wait(60)
speaker.close()
print("closed")
"""


def test_it_closes_while_sdl_asks_for_sound() -> None:
    """``close`` once never returned: it held the GIL while it waited for SDL's callback, which waited for the GIL."""
    environment = {**os.environ, "SDL_AUDIODRIVER": "dummy"}
    command = [sys.executable, "-c", CLOSED_IN_A_CALLBACK]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, env=environment)
    assert done.stdout.endswith("closed\n"), done.stderr

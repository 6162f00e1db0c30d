"""Pacing, with a clock that the test advances."""

from __future__ import annotations

import pytest
from ochibot.ui.clock import Pacer

from tests.ui.fakes import WoundClock


def test_frames_keep_the_beat_however_long_their_work_takes() -> None:
    clock = WoundClock()
    pacer = Pacer(clock, 60.1)
    began = []
    for number in range(601):
        pacer.wait()
        began.append(clock.time)
        clock.time += 0.002 if number % 2 else 0.012
    assert began[-1] - began[0] == pytest.approx(600 / 60.1, abs=1e-6)
    assert (pacer.frames, pacer.late) == (601, 0)


def test_oversleeping_does_not_add_up() -> None:
    clock = WoundClock(oversleep=0.003)
    pacer = Pacer(clock, 60.0)
    pacer.wait()
    start = clock.time
    for _ in range(600):
        pacer.wait()
    assert clock.time - start == pytest.approx(10.0, abs=0.004)
    assert pacer.late == 0
    assert pacer.worst == pytest.approx(0.003)


def test_a_late_frame_is_counted_and_made_up_for() -> None:
    clock = WoundClock()
    pacer = Pacer(clock, 50.0)
    pacer.wait()
    start = clock.time
    clock.time += 0.055  # the next frame was due after 0.020 s
    late = []
    for _ in range(10):
        pacer.wait()
        late.append(round(clock.time - start, 6))
    assert late[:4] == [0.055, 0.055, 0.06, 0.08]
    assert late[-1] == 0.2
    assert pacer.late == 2  # two frames were late, by 35 and 15 ms


def test_after_a_long_stop_the_beat_starts_anew() -> None:
    clock = WoundClock()
    pacer = Pacer(clock, 60.0)
    pacer.wait()
    clock.time += 5.0
    pacer.wait()
    at = clock.time
    pacer.wait()
    assert clock.time - at == pytest.approx(1 / 60)
    pacer.restart()
    clock.time += 5.0
    before = pacer.late
    pacer.wait()
    assert pacer.late == before

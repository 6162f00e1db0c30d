"""Checks that a new core, or a new kind of console, does everything that a console must do.

``check_console`` plays some frames with pads, and compares RAM and pictures of equal runs. Any game will do.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager

import numpy as np

from ochibot.console.buttons import Button
from ochibot.console.protocols import Machine

FRAMES = 120


def check_console(make: Callable[[], AbstractContextManager[Machine]]) -> list[str]:
    """Tests a console. Returns a list of what it does wrong; empty when it is fit for use.

    ``make`` opens a console fresh from power-on each time it is called.
    """
    return [problem for check in (_repeats, _restores, _shows, _keeps_its_ram) for problem in check(make)]


def _pads(frame: int) -> tuple[Button, Button]:
    """The pads for a frame: they change every few frames, and are the same in each run."""
    return Button(1 << (frame // 7) % 9), Button(1 << (frame // 5) % 9)


def _play(machine: Machine) -> tuple[bytes, bytes]:
    for frame in range(FRAMES):
        machine.step(*_pads(frame))
    return machine.ram.snapshot(), machine.frame().tobytes()


def _repeats(make: Callable[[], AbstractContextManager[Machine]]) -> Iterator[str]:
    seen = []
    for _ in range(2):
        with make() as machine:
            seen.append(_play(machine))
    if seen[0][0] != seen[1][0]:
        yield "the same pads from power-on give different RAM"
    if seen[0][1] != seen[1][1]:
        yield "the same pads from power-on give different pictures"


def _restores(make: Callable[[], AbstractContextManager[Machine]]) -> Iterator[str]:
    with make() as machine:
        _play(machine)
        state = machine.save()
        before = machine.ram.snapshot()
        first = _play(machine)
        machine.load(state)
        if machine.ram.snapshot() != before:
            yield "a savestate does not bring RAM back"
        if _play(machine) != first:
            yield "after a savestate is loaded the same pads go another way"
    with make() as machine:
        machine.step()
        machine.load(state)
        if _play(machine)[0] != first[0]:
            yield "a savestate loaded into another console goes another way"


def _shows(make: Callable[[], AbstractContextManager[Machine]]) -> Iterator[str]:
    with make() as machine:
        _play(machine)
        frame = machine.frame()
        if frame.ndim != 3 or frame.shape[2] != 3 or frame.dtype != np.uint8:
            yield f"a picture is {frame.dtype} of shape {frame.shape}, not uint8 (H, W, 3)"
        frame[:] = 0
        if not machine.frame().any() and frame.size:
            yield "the picture handed out is not a copy (or the screen is all black after 120 frames)"


def _keeps_its_ram(make: Callable[[], AbstractContextManager[Machine]]) -> Iterator[str]:
    with make() as machine:
        _play(machine)
        raw = machine.ram.raw
        state = machine.save()
        _play(machine)
        machine.load(state)
        if machine.ram.raw is not raw or raw.tobytes() != machine.ram.snapshot():
            yield "the RAM's place changes while the console is open"

"""Measures how long moving, falling and locking take, from one savestate. RAM maps don't hold these times."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from ochibot.console import Button
from ochibot.puyo.rules.pair import PairState
from ochibot.ramtools.bench import Bench
from ochibot.ramtools.colorfits import COLORS
from ochibot.ramtools.image import Image
from ochibot.ramtools.laboratory import Laboratory, held, taps

MOST: Final = 400
"""The most frames of an experiment."""


def measure(bench: Bench) -> dict[str, int]:
    """Measures in frames: auto-repeat (first delay, period), falling one row, the same with Down, and the lock delay.

    Returns the times by their names under ``timing`` in game files, without those that couldn't be measured.
    ``fall`` is the time at the savestate's level.
    """
    lab, state = bench.lab.lab, bench.state
    pads = bench.lab.pads
    found: dict[str, int] = {}
    steps = _changes(lab, state, pads.right, lambda place: place.x, bench.pair.state)
    if len(steps) >= 3:
        found["auto_repeat_first"], found["auto_repeat"] = steps[1] - steps[0], steps[2] - steps[1]
    rows = _changes(lab, state, Button.NONE, lambda place: place.y, bench.pair.state)
    if len(rows) >= 3:
        found["fall"] = rows[2] - rows[1]
    fast = _changes(lab, state, pads.down, lambda place: place.y, bench.pair.state)
    if len(fast) >= 3:
        found["soft_drop"] = fast[2] - fast[1]
    locked = _lock_delay(bench)
    if locked is not None:
        found["lock_delay"] = locked
    return found


def _changes(
    lab: Laboratory,
    state: bytes,
    button: Button,
    what: Callable[[PairState], int],
    read: Callable[[Image], PairState | None],
) -> list[int]:
    """The numbers of the first frames, at most four, in which a coordinate (``what``) changes while a button is held.

    ``read``: returns the pair's state.
    """
    lab.load(state)
    place = read(lab.look())
    found: list[int] = []
    for frame, pad in enumerate(held(button, MOST)):
        lab.step(pad)
        now = read(lab.look())
        if now is None or place is None or len(found) > 3:
            break
        if what(now) != what(place):
            found.append(frame)
        place = now
    return found


def _lock_delay(bench: Bench) -> int | None:
    """Frames from when a pair, with no button held, comes to rest until it is part of the field; None if not seen.

    The column to the right of the spawn is filled up to three rows below the spawn. The pair is moved over that
    column, so that it soon comes to rest.
    """
    lab, grid, spawn = bench.lab.lab, bench.grid, bench.spawn
    bench.lab.load(bench.state)
    symbols = [name for name in bench.colors.raw if name in COLORS][:2]
    top = spawn.y + 3
    for number, y in enumerate(range(grid.floor, top - 1, -1)):
        bench.put([(spawn.x + 1, y)], symbols[number // 2 % 2])
    for pad in taps([bench.lab.pads.right]):
        lab.step(pad)
    cell = grid.cell(spawn.x + 1, top - 1)
    before = lab.look()[cell]
    lay: int | None = None
    for frame in range(MOST):
        lab.step()
        image = lab.look()
        place = bench.pair.state(image)
        if lay is None and place is not None and place.y >= top - 1:
            lay = frame
        if image[cell] != before:
            return None if lay is None else frame - lay - 1
    return None

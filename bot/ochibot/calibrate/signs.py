"""Which bytes tell the moments of a game: a new piece is announced, answers the pad, the game is over."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from ochibot.calibrate.driver import Fallen
from ochibot.calibrate.known import Ground
from ochibot.calibrate.lab import Bytes, tap
from ochibot.console import Button
from ochibot.errors import CalibrationError

MOST_VALUES = 40
"""A sign that holds for more values than that is a counter."""

OVER_WAIT = 420
"""Frames after the last lock in which a game over shows."""


@dataclass(frozen=True)
class Watched:
    """A piece's fall as seen: RAM after each frame; index of the first frame on which all that is known was final for
    the next piece; of the first frame with it under control.
    """

    trace: Bytes
    final: int
    control: int


@dataclass(frozen=True)
class SignByte:
    """A byte and the values at which it says something; ``others``: those it has at all other times."""

    offset: int
    values: tuple[int, ...]
    others: tuple[int, ...]
    early: int
    """The most frames from the first frame on which everything is final to the sign."""
    gap: int
    """Frames between the sign's end and control, at most; 0: it ends as control begins."""


def watch(known: Sequence[int], falls: Sequence[Fallen]) -> list[Watched]:
    """Where in each fall the next piece's bytes (``known`` offsets) were final."""
    found = []
    for fallen in falls:
        assert fallen.trace is not None
        trace = fallen.trace
        part = trace[:, list(known)]
        same = (part == part[-1]).all(axis=1)
        final = len(trace) - 1
        while final > 0 and same[final - 1]:
            final -= 1
        found.append(Watched(trace, max(final, fallen.reset - 1), len(trace)))
    return found


def _inside(watched: Sequence[Watched]) -> tuple[npt.NDArray[np.bool_], npt.NDArray[np.bool_]]:
    """(256, size) tables: the values that each byte has outside the announcement, and inside it."""
    size = watched[0].trace.shape[1]
    outside = np.zeros((256, size), bool)
    inside = np.zeros((256, size), bool)
    columns = np.arange(size)
    for one in watched:
        for number, ram in enumerate(one.trace):
            (outside if number < one.final else inside)[ram, columns] = True
    return outside, inside


def spawn_signs(watched: Sequence[Watched]) -> list[SignByte]:
    """Bytes with values of their own from when everything is final to control, the best first."""
    outside, inside = _inside(watched)
    own = inside & ~outside
    places = np.flatnonzero(own.any(axis=0) & (own.sum(axis=0) <= MOST_VALUES))
    found = []
    for place in places:
        values = np.flatnonzero(own[:, place])
        early = gap = 0
        for one in watched:
            says = np.isin(one.trace[one.final :, place], values)
            edges = np.flatnonzero(says[1:] != says[:-1])
            if not says.any() or says[:1].sum() + (says[1:] & ~says[:-1]).sum() != 1 or len(edges) > 2:
                break
            where = np.flatnonzero(says)
            early = max(early, int(where[0]))
            gap = max(gap, len(says) - 1 - int(where[-1]))
        else:
            others = tuple(int(v) for v in np.flatnonzero(outside[:, place]))
            found.append(SignByte(int(place), tuple(int(v) for v in values), others, early, gap))
    return sorted(found, key=lambda sign: (sign.gap > 2, sign.early > 2, len(sign.values), sign.gap + sign.early))


def control_values(watched: Sequence[Watched], place: int, locks: Sequence[int]) -> tuple[int, ...]:
    """The values that a byte has while pieces answer the pad and at no other time; empty when there are none."""
    during: set[int] = set()
    else_: set[int] = set()
    for one, lock in zip(watched, locks, strict=True):
        column = one.trace[:, place]
        during |= {int(v) for v in column[:lock]}
        else_ |= {int(v) for v in column[lock : one.final]}
    own = during - else_
    covered = all(int(v) in own for one in watched for v in one.trace[: max(1, len(one.trace) // 8), place])
    return tuple(sorted(own)) if own and covered and len(own) <= 8 else ()


@dataclass(frozen=True)
class OverByte:
    """A byte and the value that it has only when the game is over, and since which frame after the lock."""

    offset: int
    value: int
    since: int


def over_trace(ground: Ground, codes: Sequence[int]) -> Bytes:
    """RAM frame by frame while a piece locks on a column that is full. Raises CalibrationError when play goes on."""
    column = ground.spawn_column
    cells = {(column, row): codes[row // 1 % 2] for row in range(ground.visible - 1)}
    lab = ground.lab
    lab.load(ground.state)
    lab.poke(ground.painted(cells))
    seen = lab.trace([int(Button.DOWN)] * 60 + [0] * OVER_WAIT)
    here = lab.save()
    x = ground.driver.x.offset
    still = lab.after(here, [0] * 10)[x]
    moved = [lab.after(here, tap(b, on=4, off=6))[x] != still for b in (Button.LEFT, Button.RIGHT)]
    if all(moved):
        raise CalibrationError("a full column doesn't end the game")
    return seen


def over_signs(trace: Bytes, watched: Sequence[Watched], first: Sequence[int]) -> list[OverByte]:
    """Bytes with a value that they have in no other trace, kept for a while; those of ``first`` come first."""
    size = trace.shape[1]
    normal = np.zeros((256, size), bool)
    columns = np.arange(size)
    for one in watched:
        for ram in one.trace:
            normal[ram, columns] = True
    strange = ~normal[trace, columns]
    found = []
    for place in np.flatnonzero(strange.any(axis=0)):
        where = np.flatnonzero(strange[:, place])
        begin = int(where[0])
        value = int(trace[begin, place])
        long = 0
        while begin + long < len(trace) and trace[begin + long, place] == value:
            long += 1
        if long >= 90:
            found.append(OverByte(int(place), value, begin))
    return sorted(found, key=lambda sign: (sign.offset not in first, sign.since, sign.offset))

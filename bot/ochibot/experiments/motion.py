"""Finds what moves: the bytes that follow left and right, and those that go one way as a piece falls.

A byte that only mirrors another one (a sprite's place, a copy for the picture) moves as the first does. Poking
separates them: the game's own byte keeps what was poked, and the others follow it.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from ochibot.console import Button
from ochibot.experiments.rig import TAP_ON, Bytes, Rig, signed, tap

SIDE_FRAMES = 16
DOWN_FRAMES = 16
LONG_TAP = 14
TAPS = (TAP_ON, 7, LONG_TAP)
RETURN_FRAMES = 1500
LEAST_FALL = 16
"""A piece takes at least so many frames from the top to the next piece."""

MOST_STEPS = 129
IDLE_FRAMES = 130
"""A piece that nobody touches sinks at least once in this many frames. Games of the time take 8 to 60 frames a row."""

MOST_STEP = 32
"""What a step downwards adds to y is at most this; a greater change leads back to the top."""

FURTHER = 3
LONG_FALL = 400

ALONE = 60
"""The next piece comes later than that."""

FOLLOW_FRAMES = 24


@dataclass(frozen=True)
class Motion:
    """Candidates for x and y. across: maps an offset to what a press to the right adds; fall: to what a step
    down adds. slow: those of ``fall`` that DOWN doesn't hurry.
    """

    across: dict[int, int]
    fall: dict[int, int]
    slow: tuple[int, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.across and self.fall)


def across(rig: Rig, state: bytes, idle: Bytes | None = None) -> dict[int, int]:
    """Bytes that a tap to the right and one to the left change by opposite amounts, and that don't change otherwise.

    Returns the amount of a tap to the right by offset. Where a short tap does nothing, longer ones are tried: some
    games look at the pad on few frames only, or want a button held.
    """
    for held in TAPS:
        frames = SIDE_FRAMES + (held if held > TAP_ON else 0)
        pad = [0] * frames
        still = rig.branch(state, pad) if idle is None or len(idle) < frames else idle
        left, right = (
            rig.after(state, [int(button)] * held + [0] * (frames - held)) for button in (Button.LEFT, Button.RIGHT)
        )
        if not (left != still[frames - 1]).any():
            continue
        to_left, to_right = signed(left - still[frames - 1]), signed(right - still[frames - 1])
        constant = (still[:frames] == still[0]).all(axis=0)
        good = (to_right != 0) & (to_left == -to_right) & constant & (np.abs(to_right) <= 64)
        if good.any():
            return {int(place): int(to_right[place]) for place in np.flatnonzero(good)}
    return {}


def fall(rig: Rig, state: bytes, sideways: dict[int, int]) -> tuple[dict[int, int], tuple[int, ...]]:
    """Bytes that go one way with time, and faster with DOWN held. Leaves out those in ``sideways``.

    Returns the amount of their first step by offset, and which of them DOWN doesn't hurry. Those come last: they go one
    way by equal steps, and go back now and then. In some games DOWN hurries nothing, and sprites hurry for other
    reasons.
    """
    idle = rig.branch(state, [0] * IDLE_FRAMES)
    down = rig.branch(state, [int(Button.DOWN)] * DOWN_FRAMES)
    first = rig.branch(state, [0])[0]
    sunk = signed(np.diff(np.vstack([first[None], down]), axis=0))
    waited = signed(np.diff(np.vstack([first[None], idle]), axis=0))
    some = waited[:DOWN_FRAMES].sum(axis=0)
    changed = waited != 0
    found = {}
    slow = {}
    for sign in (1, -1):
        by_down = sign * sunk
        by_time = sign * waited
        one_way = (by_down >= 0).all(axis=0) & (by_time[:ALONE] >= 0).all(axis=0)
        sooner = (by_down.sum(axis=0) > sign * some) & ((by_down > 0).sum(axis=0) >= 2)
        at_all = changed.any(axis=0)
        begins = changed.argmax(axis=0)
        same_way = by_time[begins, np.arange(rig.size)] > 0
        for place in np.flatnonzero(one_way & sooner & at_all & same_way):
            if int(place) not in sideways:
                found[int(place)] = int(waited[begins[place], place])
        # the next piece may come before the time is up: then y goes back to the top, maybe through 255
        back = (by_time < 0) | (by_time > MOST_STEP)
        ends = np.where(back.any(axis=0), back.argmax(axis=0), len(by_time))
        sinks = np.where(np.arange(len(by_time))[:, None] < ends, by_time, 0)
        steps = (sinks != 0).sum(axis=0)
        even = (np.where(sinks != 0, sinks, sinks.max(axis=0)) == sinks.max(axis=0)).all(axis=0)
        for place in np.flatnonzero((ends >= ALONE) & (steps >= 2) & (steps <= MOST_STEPS) & even):
            if int(place) not in sideways:
                slow[int(place)] = int(waited[begins_of(changed, int(place)), place])
    slow = {place: step for place, step in slow.items() if place not in found}
    anew = returning(rig, state, slow) if slow else set()
    others = {place: step for place, step in slow.items() if place in anew}
    return {**found, **others}, tuple(others)


def returning(rig: Rig, state: bytes, falls: dict[int, int]) -> set[int]:
    """Those of the bytes that fall which go back to the top now and then, as y does when the next piece appears.

    DOWN is held, or nothing if DOWN brings no piece to rest in time. Fast counters go back too often.
    """
    places = sorted(falls)
    found: set[int] = set()
    for pad in (int(Button.DOWN), 0):
        rig.load(state)
        seen = np.zeros((RETURN_FRAMES, len(places)), np.uint8)
        for frame in range(RETURN_FRAMES):
            rig.step(pad)
            seen[frame] = [rig.peek(place) for place in places]
        for number, place in enumerate(places):
            steps = np.abs(signed(np.diff(seen[:, number])))
            usual = int(np.median(steps[steps > 0])) if steps.any() else 0
            # the way back to the top may lead through 255, where the byte wraps
            back = int((steps > 3 * max(usual, abs(falls[place]))).sum())
            if 1 <= back <= RETURN_FRAMES // LEAST_FALL:
                found.add(place)
        if found:
            break
    return found


def ends_sooner(rig: Rig, state: bytes, x: int, y: int, step: int) -> bool:
    """Whether the next piece comes sooner when the byte ``y`` is poked to be some steps further. A clock does nothing.

    The piece is moved aside first; the next one has come when the byte ``x`` changes by itself.
    """
    ends = []
    for further in (0, FURTHER):
        rig.load(state)
        rig.run(tap(Button.LEFT, 2))
        rig.poke({y: rig.peek(y) + further * step & 255})
        aside = rig.peek(x)
        for frame in range(LONG_FALL):
            rig.step(int(Button.DOWN))
            if rig.peek(x) != aside:
                ends.append(frame)
                break
    return len(ends) == 2 and ends[1] < ends[0]


def begins_of(changed: npt.NDArray[np.bool_], place: int) -> int:
    """The first frame on which a byte changes."""
    return int(np.argmax(changed[:, place]))


def motion(rig: Rig, state: bytes) -> Motion:
    """The candidates at a savestate. If there are none for x or for y, no piece falls at that savestate."""
    sideways = across(rig, state)
    if not sideways:
        return Motion({}, {})
    return Motion(sideways, *fall(rig, state, sideways))


def followers(rig: Rig, state: bytes, candidates: dict[int, int]) -> dict[int, set[int]]:
    """For each candidate: those, itself included, that are shifted FOLLOW_FRAMES frames after it alone was poked."""
    pad = [0] * FOLLOW_FRAMES
    rest = rig.after(state, pad)
    follow = {}
    for place, amount in candidates.items():
        seen = rig.after(state, pad, {place: int(_value(rig, state, place)) + amount})
        follow[place] = {
            other for other, shift in candidates.items() if int(seen[other]) == (int(rest[other]) + shift) & 255
        }
    return follow


def _value(rig: Rig, state: bytes, place: int) -> int:
    rig.load(state)
    return rig.peek(place)


def roots(follow: dict[int, set[int]]) -> list[int]:
    """Candidates that keep what is poked, sorted by how many others follow them. Copies are left out."""
    keep = [place for place, others in follow.items() if place in others]
    return sorted(keep, key=lambda place: (-len(follow[place]), place))

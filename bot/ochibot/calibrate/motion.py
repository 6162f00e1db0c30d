"""Finds what moves: the bytes that follow left and right, and those that go one way as a piece falls.

A byte that only mirrors another one (a sprite's place, a copy for the picture) moves as the first does. Poking
separates them: the game's own byte keeps what was poked, and the others follow it.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ochibot.calibrate.lab import Bytes, Lab, signed, tap
from ochibot.console import Button

SIDE_FRAMES = 16
DOWN_FRAMES = 16
IDLE_FRAMES = 130
"""A piece that nobody touches sinks at least once in this many frames. Games of the time take 8 to 60 frames a row."""

FOLLOW_FRAMES = 24


@dataclass(frozen=True)
class Motion:
    """Candidates for x and y. across: maps an offset to what a press to the right adds; fall: to what a step
    down adds.
    """

    across: dict[int, int]
    fall: dict[int, int]

    def __bool__(self) -> bool:
        return bool(self.across and self.fall)


def across(lab: Lab, state: bytes, idle: Bytes | None = None) -> dict[int, int]:
    """Bytes that a tap to the right and one to the left change by opposite amounts, and that don't change otherwise.

    Returns the amount of a tap to the right by offset.
    """
    pad = [0] * SIDE_FRAMES
    still = lab.branch(state, pad) if idle is None else idle
    left = lab.after(state, tap(Button.LEFT) + [0] * (SIDE_FRAMES - 8))
    if not (left != still[SIDE_FRAMES - 1]).any():
        return {}
    right = lab.after(state, tap(Button.RIGHT) + [0] * (SIDE_FRAMES - 8))
    to_left = signed(left - still[SIDE_FRAMES - 1])
    to_right = signed(right - still[SIDE_FRAMES - 1])
    constant = (still[:SIDE_FRAMES] == still[0]).all(axis=0)
    good = (to_right != 0) & (to_left == -to_right) & constant & (np.abs(to_right) <= 64)
    return {int(place): int(to_right[place]) for place in np.flatnonzero(good)}


def fall(lab: Lab, state: bytes, sideways: dict[int, int]) -> dict[int, int]:
    """Bytes that go one way with time, and faster with DOWN held. Leaves out those in ``sideways``.

    Returns the amount of their first step by offset.
    """
    idle = lab.branch(state, [0] * IDLE_FRAMES)
    down = lab.branch(state, [int(Button.DOWN)] * DOWN_FRAMES)
    first = lab.branch(state, [0])[0]
    sunk = signed(np.diff(np.vstack([first[None], down]), axis=0))
    waited = signed(np.diff(np.vstack([first[None], idle]), axis=0))
    some = waited[:DOWN_FRAMES].sum(axis=0)
    found = {}
    for sign in (1, -1):
        by_down = sign * sunk
        by_time = sign * waited
        one_way = (by_down >= 0).all(axis=0) & (by_time[:60] >= 0).all(axis=0)
        sooner = (by_down.sum(axis=0) > sign * some) & ((by_down > 0).sum(axis=0) >= 2)
        changed = waited != 0
        at_all = changed.any(axis=0)
        begins = changed.argmax(axis=0)
        same_way = by_time[begins, np.arange(lab.size)] > 0
        for place in np.flatnonzero(one_way & sooner & at_all & same_way):
            if int(place) not in sideways:
                found[int(place)] = int(waited[begins[place], place])
    return found


def motion(lab: Lab, state: bytes) -> Motion:
    """The candidates at a savestate. If there are none for x or for y, no piece falls at that savestate."""
    sideways = across(lab, state)
    if not sideways:
        return Motion({}, {})
    return Motion(sideways, fall(lab, state, sideways))


def followers(lab: Lab, state: bytes, candidates: dict[int, int]) -> dict[int, set[int]]:
    """For each candidate: those, itself included, that are shifted FOLLOW_FRAMES frames after it alone was poked."""
    pad = [0] * FOLLOW_FRAMES
    rest = lab.after(state, pad)
    follow = {}
    for place, amount in candidates.items():
        seen = lab.after(state, pad, {place: int(_value(lab, state, place)) + amount})
        follow[place] = {
            other for other, shift in candidates.items() if int(seen[other]) == (int(rest[other]) + shift) & 255
        }
    return follow


def _value(lab: Lab, state: bytes, place: int) -> int:
    lab.load(state)
    return lab.peek(place)


def roots(follow: dict[int, set[int]]) -> list[int]:
    """Candidates that keep what is poked, sorted by how many others follow them. Copies are left out."""
    keep = [place for place, others in follow.items() if place in others]
    return sorted(keep, key=lambda place: (-len(follow[place]), place))

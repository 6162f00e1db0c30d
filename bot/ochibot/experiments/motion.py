"""Finds what moves: the bytes that follow left and right, and those that go down with a piece.

A piece shows itself by what no menu, demo or decoration does. It follows left and right, stays where it was brought,
comes to rest, and the next piece begins where it began. So each screen is asked for all of this, by one piece that is
moved aside and dropped.

A byte that only mirrors another one (a sprite's place, a copy for the picture) moves as the first does. Poking
separates them: the game's own byte keeps what was poked, and the others follow it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from ochibot.console import Button
from ochibot.experiments.numbered import find_counted
from ochibot.experiments.rig import Bytes, Rig, signed

LONG_TAP = 14
"""Games that look at the pad rarely see a button that is held so long."""

SIDE_FRAMES = 16
MOST_ACROSS = 120
RETURN_FRAMES = 1500
"""A piece comes to rest, and the next one appears, within so many frames."""

FIRST = 128
CHUNK = 4
AFTER = 32
"""Bytes of the next piece are written at most so many frames after its x."""

TOGETHER = 2
"""The bytes of x and y begin anew within so many frames."""

SPRITES_SOONER = 48
FEWEST_STEPS = 2
MOST_STEP = 32
"""What a step downwards adds to y is at most this; a greater change leads back to the top."""

MOST_BACK = 3
"""A byte may go back to the top by way of other values."""

HIGHER = 64
"""A piece appears at most so many of y's units above the place where it was seen first."""

MOST_STARTS = 3
START_FRAMES = 30
HURRIED = 64
ALONE = 60
"""Somebody else who steers a piece moves it within so many frames."""

FOLLOW_FRAMES = 16


@dataclass(frozen=True)
class Motion:
    """Candidates for x and y. across: maps an offset to what a press to the right adds; fall: to what a step
    down adds. hurry: the buttons with which a piece was seen to fall. rests: whether it came to rest and another one
    followed. doubtful: START ended it, so it may be a demo.
    """

    across: dict[int, int]
    fall: dict[int, int]
    hurry: int = int(Button.DOWN)
    rests: bool = True
    doubtful: bool = False

    def __bool__(self) -> bool:
        return bool(self.across and self.fall)


NOTHING = Motion({}, {})


@dataclass(frozen=True)
class Drop:
    """A piece on its way down, until the next one is there. places: the bytes that changed. seen: their values,
    (frames, bytes), the first before the fall. until: the frame in which the next piece's x came. across: the bytes of
    x that changed then. times: the frames in which any of the bytes of x came.
    """

    places: npt.NDArray[np.intp]
    seen: Bytes
    until: int
    across: tuple[int, ...]
    times: tuple[int, ...]

    def together(self, fall: Fall) -> bool:
        """Whether a byte began anew with one of x."""
        return any(abs(fall.again - time) <= TOGETHER for time in self.times)


def motion(rig: Rig, state: bytes) -> Motion:
    """The candidates at a savestate. If there are none, no piece falls there that one steers. A byte that numbers the
    piece's cell may be both x and y.
    """
    sideways, leaning, sinking = across(rig, state)
    found = _apart(rig, state, sideways, leaning) if sideways else NOTHING
    number = None if found else find_counted(rig, state, [*sideways, *sinking])
    if number is None:
        return found
    found = Motion({number.offset: number.right}, {number.offset: number.lower})
    return replace(found, doubtful=_ended(rig, state, found))


def _apart(rig: Rig, state: bytes, sideways: dict[int, int], leaning: set[int]) -> Motion:
    """The candidates where x and y are different bytes. sideways, leaning: see ``across``."""
    for hurry in (int(Button.DOWN), 0):
        found: list[tuple[tuple[int, int], Motion]] = []
        times: list[tuple[int, tuple[int, ...]]] = []
        left = sorted(sideways)
        while left:
            rig.load(state)
            aside(rig)
            seen = drop(rig, hurry, left)
            if seen is None:
                break
            fell = {
                place: fall
                for place, fall in falls(seen).items()
                if abs(fall.depth) >= FEWEST_STEPS * abs(fall.step) and place not in leaning
            }
            # x and y begin anew together; bytes of the piece's cells, or of the place it tried, do so at other times
            together = sum(abs(fall.again - seen.until) <= TOGETHER for fall in fell.values())
            moves = Motion(
                {place: sideways[place] for place in seen.across}, {y: one.step for y, one in fell.items()}, hurry
            )
            found.append(((together, len(fell)), moves))
            times.append((seen.until, seen.across))
            left = [place for place in left if place not in seen.across]
        best = max(found, key=lambda one: one[0], default=((0, 0), NOTHING))[1]
        # sprites of the piece may go, or come, some frames before its own x begins anew
        when = next((until for until, places in times if best and set(places) == set(best.across)), 0)
        near = [place for until, places in times if abs(until - when) <= SPRITES_SOONER for place in places]
        best = replace(best, across={place: sideways[place] for place in near}) if best else best
        if best:
            return NOTHING if _steered(rig, state, best) else replace(best, doubtful=_ended(rig, state, best))
        if len(left) == len(sideways):
            return Motion(sideways, _hurried(rig, state), rests=False)
    return NOTHING


def _hurried(rig: Rig, state: bytes) -> dict[int, int]:
    """Bytes that go one way by themselves, and faster with DOWN, and what a step adds to them."""
    idle, down = (
        signed(np.diff(rig.branch(state, [button] * HURRIED), axis=0)).astype(int) for button in (0, int(Button.DOWN))
    )
    found = {}
    for sign in (1, -1):
        one_way = (sign * idle >= 0).all(axis=0) & (sign * down >= 0).all(axis=0) & idle.any(axis=0)
        for place in np.flatnonzero(one_way & (sign * (down - idle).sum(axis=0) > 0)):
            found[int(place)] = sign * int(np.abs(idle[:, place][idle[:, place] != 0]).min())
    return found


def _ended(rig: Rig, state: bytes, moves: Motion) -> bool:
    """Whether START ends what goes on, as in a demo. In play it pauses and goes on, or does nothing."""
    x = sorted(moves.across)
    rig.load(state)
    aside(rig)
    before = rig.snap()[x]
    start = rig.save()
    pads = [0] * (LONG_TAP + START_FRAMES)
    alone = _first_other(rig.branch(start, pads * (1 + MOST_STARTS))[:, x], before)
    rig.load(start)
    ran = 0
    for button in (0, *[int(Button.START)] * MOST_STARTS):
        other = _first_other(rig.trace([button] * LONG_TAP + [0] * START_FRAMES)[:, x], before)
        here = rig.save()
        if other is not None:
            # a piece that rests meanwhile, as it does alone, tells nothing
            return alone is None or ran + other < alone
        ran += len(pads)
        rig.run([int(Button.RIGHT)] * LONG_TAP + [0] * SIDE_FRAMES)
        if button and (rig.snap()[x] != before).any():
            return False
        rig.load(here)
    return True


def _first_other(seen: Bytes, before: Bytes) -> int | None:
    """The first frame on which bytes aren't as before; None if there is none."""
    other = (seen != before).any(axis=1)
    return int(other.argmax()) if other.any() else None


def _steered(rig: Rig, state: bytes, moves: Motion) -> bool:
    """Whether somebody else moves the piece, as in a demo: it doesn't stay where it was brought."""
    x, y = sorted(moves.across), sorted(moves.fall)
    signs = np.sign([moves.fall[place] for place in y])
    for side in (Button.LEFT, Button.RIGHT):
        rig.load(state)
        aside(rig, side)
        seen = np.vstack([rig.snap()[None], rig.trace([0] * ALONE)])
        # a byte of the place that was tried at a wall goes back by itself
        moved = 2 * (seen[:, x] != seen[0, x]).sum(axis=1) > len(x)
        near = max(0, int(moved.argmax()) - AFTER)
        down = signs * signed(np.diff(seen[near : near + 2 * AFTER, y], axis=0))
        back = ((down < 0) | (down > MOST_STEP)).any(axis=0)
        if moved.any() and 2 * int(np.sum(back)) <= np.size(back):
            # no next piece has come
            return True
    return False


def across(rig: Rig, state: bytes) -> tuple[dict[int, int], set[int], list[int]]:
    """Bytes that LEFT and RIGHT move to opposite sides, and that don't change otherwise, with the amount of RIGHT; all
    bytes that these buttons change in different ways; and bytes that are moved so and change once by themselves.
    """
    still, left, right = (
        rig.branch(state, [button] * LONG_TAP + [0] * SIDE_FRAMES)
        for button in (0, int(Button.LEFT), int(Button.RIGHT))
    )
    to_left, to_right = signed(left[-1] - still[-1]), signed(right[-1] - still[-1])
    opposite = to_left * to_right < 0
    near = np.maximum(np.abs(to_left), np.abs(to_right)) <= MOST_ACROSS
    changes = (np.diff(still, axis=0) != 0).sum(axis=0)
    good = opposite & near & (changes == 0)
    grows = opposite & near & (changes == 1)
    leaning = (to_left != 0) & (to_right != 0) & (to_left != to_right)
    return (
        {int(place): int(to_right[place]) for place in np.flatnonzero(good)},
        set(np.flatnonzero(leaning).tolist()),
        np.flatnonzero(grows).tolist(),
    )


def aside(rig: Rig, side: Button = Button.LEFT) -> None:
    """Moves the piece to a side."""
    rig.run([int(side)] * LONG_TAP + [0] * LONG_TAP)


def drop(rig: Rig, hurry: int, sideways: Sequence[int]) -> Drop | None:
    """Holds the buttons ``hurry`` until bytes of x change by themselves; None if they don't."""
    before = rig.snap()
    places = np.arange(rig.size)
    columns = np.array(sideways)
    parts = [before[None]]
    frames = 0
    while not _changed(parts[-1][:, columns], parts[0][:, columns]) and frames < RETURN_FRAMES:
        parts.append(rig.trace([hurry] * CHUNK)[:, places])
        frames += CHUNK
        if frames == FIRST:
            # what falls has moved by now
            moving = np.union1d(np.flatnonzero((np.vstack(parts) != before).any(axis=0)), sideways)
            places, parts = places[moving], [part[:, moving] for part in parts]
            columns = np.searchsorted(places, sideways)
    # the next piece is left alone
    parts.append(rig.trace([0] * AFTER)[:, places])
    whole = np.vstack(parts)
    moved = whole[:, columns] != whole[0, columns]
    times = np.where(moved.any(axis=0), moved.argmax(axis=0), -2 * TOGETHER)
    if times.max() < 0:
        return None
    alike = np.abs(times[:, None] - times) <= TOGETHER
    most: npt.NDArray[np.intp] = np.where(times > 0, alike.sum(axis=1), 0)
    until = int(times[np.argmax(most)])
    together = np.abs(times - until) <= TOGETHER
    return Drop(places, whole, until, tuple(np.array(sideways)[together].tolist()), tuple(times[times > 0].tolist()))


def _changed(seen: Bytes, first: Bytes) -> bool:
    """Whether more than half of the bytes have changed at last."""
    return bool(2 * (seen[-1] != first[0]).sum() > seen.shape[1])


@dataclass(frozen=True)
class Fall:
    """How a byte went with a piece. step: what a step down adds; depth: what the whole fall added; rest: the value at
    rest; again: the frame in which it went back to the top.
    """

    step: int
    depth: int
    rest: int
    again: int


def falls(drop: Drop) -> dict[int, Fall]:
    """The bytes that went one way, came to rest, and began anew with the next piece, by their offsets."""
    seen = drop.seen[: drop.until + AFTER]
    moves = signed(np.diff(seen, axis=0))
    anew = signed(seen[drop.until :] - seen[0])
    found = {}
    for sign in (1, -1):
        down = sign * moves
        turns = (down < 0) | (down > MOST_STEP)
        ends = turns.argmax(axis=0)
        fell = np.where(np.arange(len(down))[:, None] < ends, down, 0)
        depth = fell.sum(axis=0)
        back = (down < -depth // 2) | (down > MOST_STEP)
        times = back.sum(axis=0)
        top = sign * anew
        good = turns.any(axis=0) & (depth > 0) & (depth < 256) & (times >= 1) & (times <= MOST_BACK)
        good &= ((top >= -HIGHER) & (top <= depth // 4)).any(axis=0)
        steps = np.where(fell > 0, fell, MOST_STEP).min(axis=0)
        first = np.argmax(back, axis=0) + 1
        for number in np.flatnonzero(good):
            rest, again = int(seen[ends[number], number]), int(first[number])
            found[int(drop.places[number])] = Fall(sign * int(steps[number]), sign * int(depth[number]), rest, again)
    return found


def followers(rig: Rig, state: bytes, candidates: dict[int, int], hurry: int = 0) -> dict[int, set[int]]:
    """For each candidate: those, itself included, that are shifted FOLLOW_FRAMES frames after it alone was poked.

    hurry: the buttons held in these frames. Some copies are renewed only when the piece moves.
    """
    pad = [hurry] * FOLLOW_FRAMES
    here, rest = rig.after(state, []), rig.after(state, pad)
    follow = {}
    for place, amount in candidates.items():
        seen = rig.after(state, pad, {place: int(here[place]) + amount})
        follow[place] = {
            other for other, shift in candidates.items() if int(seen[other]) == (int(rest[other]) + shift) & 255
        }
    return follow


def roots(follow: dict[int, set[int]]) -> list[int]:
    """Candidates that keep what is poked, sorted by how many others follow them. Copies are left out, also those that
    are renewed only when the piece moves.
    """
    keep = {place for place, others in follow.items() if place in others}
    copies = {place for own in keep for place in follow[own] & keep if own not in follow[place]}
    return sorted(keep - copies, key=lambda place: (-len(follow[place]), place))

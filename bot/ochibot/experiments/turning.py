"""Finds how a piece turns: the buttons, and the byte that changes with each turn.

The module ``stance`` learns what that byte's values mean: it drops pieces and looks where their two cells are.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

import numpy as np

from ochibot.console import Button
from ochibot.errors import CalibrationError
from ochibot.experiments.driver import EDGE, Driver
from ochibot.experiments.evidence import RARE, SOME
from ochibot.experiments.fields import Came
from ochibot.experiments.pad import USUAL, Tap, signed_byte
from ochibot.experiments.rig import TURNERS, Bytes, Rig, signed

TURN_FRAMES = 10
DROP_FRAMES = 30
CYCLE = 4
MOST_APART = 8
"""Two bytes that tell together how a piece stands are at most so far from each other."""

WAIT = 4


@dataclass(frozen=True)
class Turning:
    """How a piece turns. button: turns it; back: turns it the other way, None when no button does. place: offset of the
    orientation byte, None if there is none. cycle: raw values of that byte after 0 to 3 taps of ``button``,
    from the upright piece on.
    """

    button: Button
    back: Button | None
    place: int | None
    cycle: tuple[int, ...]
    also: tuple[Button, ...] = ()
    """Further buttons that turn like ``button``, then those like ``back``."""
    second: int | None = None
    """The offset of a second byte, where only two together tell how a piece stands, as a step to the right and a step
    down do. ``cycle`` then has the first byte's value + 256 times the second one's."""

    @property
    def places(self) -> tuple[int, ...]:
        """The offsets of the orientation's bytes; none if there is no such byte."""
        return tuple(at for at in (self.place, self.second) if at is not None)

    def read(self, ram: Bytes) -> int:
        """The orientation's value. There must be a byte that has it."""
        return sum(int(ram[at]) << 8 * number for number, at in enumerate(self.places))


def turned(rig: Rig, state: bytes, button: Button, tap: Tap = USUAL) -> list[Bytes]:
    """RAM after 0, 1, 2, 3 and 4 taps, each time after the same number of frames."""
    frames = max(TURN_FRAMES, tap.frames)
    pads = Tap(tap.on, frames - tap.on).pads(button, CYCLE)
    seen = []
    for taps in range(CYCLE + 1):
        # waiting first makes all runs equally long, so every piece falls for the same time; all wait a little,
        # because a game may answer a held button before it answers a fresh press; the pause after each press gives
        # the game time to update its copies of the orientation
        rest = [0] * (EDGE + frames * (CYCLE - taps))
        seen.append(rig.after(state, rest + pads[: frames * taps]))
    return seen


def _turned(seen: Sequence[Bytes], distinct: bool) -> dict[int, tuple[int, ...]]:
    """Bytes that have their first value again after four taps; returns their values after 0 to 3 taps by offset.

    ``distinct``: only bytes with four different values.
    """
    zero, one, two, three, four = seen
    good = (four == zero) & (one != zero) & (three != zero)
    if distinct:
        good &= (two != zero) & (two != one) & (three != one) & (three != two)
    return {int(p): (int(zero[p]), int(one[p]), int(two[p]), int(three[p])) for p in good.nonzero()[0]}


Values = Mapping[int, tuple[int, ...]]
"""The values of bytes after no tap, one tap and so on, by their offsets."""


def two_bytes(rig: Rig, state: bytes, button: Button, tap: Tap, found: Values) -> tuple[int, int] | None:
    """Two bytes near each other that only together have a value of their own for each orientation: wherever the piece
    is, and kept when poked. None if there are none.

    ``found``: the bytes that have their first value again after four taps.
    """
    # where the other half is depends on the piece's place, so it is no orientation
    rig.load(state)
    rig.run(tap.pads(Button.LEFT) + [0] * WAIT)
    elsewhere = turned(rig, rig.save(), button, tap)
    steady = [at for at, values in found.items() if values == tuple(int(ram[at]) for ram in elsewhere[:CYCLE])]
    kept = {at for at in steady if rig.after(state, [0] * TURN_FRAMES, {at: found[at][1]})[at] == found[at][1]}
    pairs = [
        (low, high)
        for low, high in combinations(sorted(kept), 2)
        if high - low <= MOST_APART and len({*zip(found[low], found[high], strict=True)}) == CYCLE
    ]
    return min(pairs, key=lambda pair: pair[1] - pair[0], default=None)


def kept_bytes(rig: Rig, state: bytes, found: Values, wide: Values) -> list[int]:
    """The bytes of ``found`` that keep what is poked; those that most bytes of ``wide`` follow come first."""
    ranked = []
    for place, values in found.items():
        seen = rig.after(state, [0] * TURN_FRAMES, {place: values[1]})
        if int(seen[place]) != values[1]:
            continue
        count = sum(int(seen[other]) == others[1] for other, others in wide.items())
        ranked.append((-count, place))
    return [place for _, place in sorted(ranked)]


def drops(driver: Driver, state: bytes, button: Button) -> bool:
    """Whether a button ends a piece's fall at once: more than a column beside the place where pieces appear, x is back
    there after it.

    What follows such a tap is the next piece, not another orientation of the same one.
    """
    rig, tap = driver.rig, driver.tap
    for side in (Button.LEFT, Button.RIGHT):
        rig.load(state)
        spawn = moved = driver.x_now()
        # where a game looks at the pad rarely, one tap may lead to the wall
        while abs(signed_byte(moved - spawn)) <= abs(driver.x.step) and driver.nudge(side):
            moved = driver.x_now()
        if abs(signed_byte(moved - spawn)) > abs(driver.x.step):
            break
    else:
        return False
    here = rig.save()

    def comes(pressed: Button | int) -> bool:
        seen = rig.branch(here, tap.pads(pressed, 2) + [0] * DROP_FRAMES)[:, driver.x.offset]
        away = np.abs(signed(seen - np.uint8(moved))) > abs(driver.x.step)
        back = np.abs(signed(seen - np.uint8(spawn))) <= abs(driver.x.step)
        return bool((away & back)[-1])

    # the next piece may come by itself, if the steering took long
    return comes(button) and not comes(0)


def find_turning(driver: Driver, state: bytes, first: int | None = None) -> Turning:
    """Tries the buttons. ``first``: the offset of a byte to prefer as the orientation, if it turns out to be one.

    Raises CalibrationError when no button turns the piece.
    """
    rig = driver.rig
    cycles: dict[Button, tuple[tuple[int, ...], ...]] = {}
    place: int | None = None
    second: int | None = None
    watched: list[int] = []
    for button in TURNERS:
        if drops(driver, state, button):
            continue
        seen = turned(rig, state, button, driver.tap)
        any_cycle = _turned(seen, distinct=False)
        if not any_cycle:
            continue
        if not cycles:
            ranked = kept_bytes(rig, state, _turned(seen, distinct=True), any_cycle)
            place = first if first in ranked else ranked[0] if ranked else None
            if place is None and (both := two_bytes(rig, state, button, driver.tap, any_cycle)) is not None:
                place, second = both
            watched = [at for at in (place, second) if at is not None] or sorted(any_cycle)
        cycles[button] = tuple(tuple(int(ram[one]) for one in watched) for ram in seen[:CYCLE])
    if not cycles:
        raise CalibrationError("no button turns the piece")
    first, forward = next(iter(cycles.items()))
    backward = (forward[0], *forward[:0:-1])
    back = next((button for button, values in cycles.items() if values == backward and values != forward), None)
    same = tuple(b for b, values in cycles.items() if values == forward and b is not first)
    other = tuple(b for b, values in cycles.items() if values == backward and b is not back and values != forward)
    raw = (
        tuple(sum(value << 8 * at for at, value in enumerate(values)) for values in forward)
        if place is not None
        else ()
    )
    # four slow taps take nearly as long as a fall, so the piece is turned as it appears, upright or not
    raw = raw[len(driver.first) :] + raw[: len(driver.first)]
    return Turning(first, back, place, raw, (*same, *other), second)


def two_ways(turning: Turning, driver: Driver, state: bytes, left: Sequence[Came]) -> Turning:
    """The turning with a byte that only tells whether a piece lies or stands: it has one value after an even number of
    turns and another one after an odd number, for all pieces. Bytes that keep what is poked come first.
    """
    flying = np.stack([one.landing.flying for one in left])
    odd = np.array([one.landing.turns % 2 == 1 for one in left])
    if min(odd.sum(), (~odd).sum()) < SOME:
        return turning
    values = [np.median(part, axis=0).astype(np.uint8) for part in (flying[~odd], flying[odd])]
    wrong = (flying[~odd] != values[0]).sum(axis=0) + (flying[odd] != values[1]).sum(axis=0)
    places = np.flatnonzero((values[0] != values[1]) & (RARE * wrong <= len(left)))
    found = {int(at): (int(values[0][at]), int(values[1][at])) for at in places}
    rig = driver.rig
    kept = [at for at, (_, one) in found.items() if rig.after(state, [0] * TURN_FRAMES, {at: one})[at] == one]
    place = next(iter((*kept, *found)), None)
    return turning if place is None else replace(turning, place=place, cycle=found[place] * 2)

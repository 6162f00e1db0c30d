"""Steers the falling piece once its x and y are known: to a column, down to its lock, and on to the next piece."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import pairwise
from math import gcd

import numpy as np

from ochibot.console import Button
from ochibot.errors import CalibrationError
from ochibot.experiments.grid import Drawn
from ochibot.experiments.pad import USUAL, Tap, signed_byte
from ochibot.experiments.rig import Bytes, Rig

MOST_FALL = 900
"""With DOWN held, a piece sinks further, or the next one appears, within this many frames."""

MOST_DELAY = 150
"""A piece answers presses at most this many frames after it appeared."""

MOST_LATE = 240
"""A piece may answer at most this many frames later than usual, for instance after a long chain."""

LATER = 16
"""This many frames after a piece first answers, a press takes as long as it usually does."""

EDGE = 4
"""How many frames a press to a side is held, to see whether a piece answers."""

MOST_COLUMNS = 24
MOST_TAPS = 4 * MOST_COLUMNS
"""After so many taps, a piece that isn't over its column is left where it is."""

MOST_TRIPS = 1
"""How many times a piece is brought to a wall, to get to a column that taps lead past."""

LEAST_PIXELS = 8
"""A column is at least so many pixels wide, where x counts pixels."""

HIGHEST_KICK = 40
"""How many of y's units a piece may be above the place where it was at the savestate: a kick lifts it, or a new one
appears higher up.
"""


@dataclass(frozen=True)
class Place:
    """Where the game keeps a coordinate: the byte's offset, and what a step to the right, or down, adds to it."""

    offset: int
    step: int


@dataclass(frozen=True)
class Fallen:
    """One piece, from its first frame under control to that of the next piece.

    state: a savestate with the next piece under control. ram: RAM at that moment. lowest: raw y where the piece came
    to rest; x: raw x there. reset: how many frames passed until y went back to the top. top: raw y on that frame.
    frames: how many passed until the next piece was under control. flying: RAM shortly before the piece rested.
    trace: RAM after each of these frames; None if it was not kept.
    """

    state: bytes
    ram: Bytes
    lowest: int
    reset: int
    top: int
    frames: int
    x: int
    flying: Bytes
    trace: Bytes | None = None


class Driver:
    """Presses buttons and watches x and y.

    control_delay: frames from y's reset to the first press that the piece answers. drawn: where the game draws a piece
    that has just appeared into the field; None if it doesn't. top: raw y where pieces appear, if it was measured: where
    a piece has sunk far before its savestate, y may seem to wrap. first: buttons that are tapped as soon as a piece is
    under control, so that it stands upright. tap: how the game wants a button tapped.
    """

    def __init__(self, rig: Rig, x: Place, y: Place, first: tuple[int, ...] = (), tap: Tap = USUAL) -> None:
        self.rig = rig
        self.tap = tap
        self.x = x
        self.y = y
        self.first = first
        self.control_delay: int | None = None
        self.drawn: Drawn | None = None
        self.latency: int | None = None
        self.top: int | None = None

    def settled(self, ram: Bytes) -> Bytes:
        """RAM without the piece that has just appeared, if the game draws it into the field; ``ram`` is changed."""
        return ram if self.drawn is None else self.drawn.taken_out(ram, int(ram[self.y.offset]))

    def x_now(self) -> int:
        """The falling piece's x now, as the byte in RAM."""
        return self.rig.peek(self.x.offset)

    def y_now(self) -> int:
        """The falling piece's y now, as the byte in RAM."""
        return self.rig.peek(self.y.offset)

    def nudge(self, button: Button, ways: list[int] | None = None) -> bool:
        """Taps a button, again if the first tap did nothing. Returns whether x has changed. ``ways``: gets what each
        frame added to x.
        """
        before = self.x_now()
        for _ in range(self.tap.tries):
            for pad in self.tap.pads(button):
                here = self.x_now()
                self.rig.step(pad)
                if ways is not None:
                    ways.append(signed_byte(self.x_now() - here))
            if self.x_now() != before:
                return True
        return False

    def columns(self, state: bytes) -> tuple[int, ...]:
        """Raw x of every column that taps can move the piece to, from left to right.

        A tap may move the piece by several columns in games that look at the pad rarely. Raises CalibrationError when x
        doesn't go by equal steps between two walls.
        """
        found: dict[Button, list[int]] = {}
        ways: list[int] = []
        for button in (Button.LEFT, Button.RIGHT):
            self.rig.load(state)
            for turn in self.first:
                self.rig.run(self.tap.pads(turn))
            seen = [self.x_now()]
            while len(seen) < MOST_COLUMNS and self.nudge(button, ways):
                if len(seen) > 1 and signed_byte(self.x_now() - seen[-1]) * signed_byte(seen[1] - seen[0]) < 0:
                    # it has come to rest before it reached the wall, and x is the next piece's
                    break
                seen.append(self.x_now())
            found[button] = seen
        seen = [*reversed(found[Button.LEFT]), *found[Button.RIGHT][1:]]
        if len(seen) > MOST_COLUMNS:
            raise CalibrationError("nothing stops it at the sides, so what falls there falls on no grid")
        steps = [signed_byte(after - before) for before, after in pairwise(seen)]
        step = gcd(*steps) * (1 if sum(steps) > 0 else -1)
        between = gcd(*ways)
        if step and ((between == 1 and abs(step) < LEAST_PIXELS) or between >= LEAST_PIXELS):
            # a tap moves the piece by several columns; what glides goes by fewer pixels
            step = between * (1 if step > 0 else -1)
        count = sum(steps) // step + 1 if step else 0
        if len(seen) < 3 or count > MOST_COLUMNS or any(one * step < 0 for one in steps):
            raise CalibrationError(f"x doesn't go by equal steps between two walls: {seen}")
        return tuple(seen[0] + step * number & 255 for number in range(count))

    def fall(
        self,
        state: bytes,
        *,
        column: int | None = None,
        turns: tuple[int, ...] = (),
        pokes: Mapping[int, int] | None = None,
        keep: bool = False,
        pad: int | None = None,
        most: int = MOST_FALL,
        about: bool = False,
    ) -> Fallen:
        """Turn the piece of a savestate by taps, bring it over raw x ``column``, drop it, and wait for the next one.

        ``pokes``: bytes to write first. ``keep``: keep RAM of every frame. ``pad``: buttons held as it falls (None:
        DOWN). ``most``: it gives up so many frames after the piece last sank. ``about``: a piece that can't get to the
        column is dropped where it stops. Raises CalibrationError when the piece can't get there, or no next one comes.
        """
        rig = self.rig
        rig.load(state)
        rig.poke(pokes or {})
        held = int(Button.DOWN) if pad is None else pad
        # the piece may sink while it is steered: what counts is where it was before
        lowest = self.y_now()
        start = self._start(lowest)
        seen: list[Bytes] = []
        count = 0

        def run(pads: list[int]) -> None:
            nonlocal count
            for one in pads:
                rig.step(one)
                count += 1
                if keep:
                    seen.append(rig.snap())

        if self.first or turns:
            # wait: the control delay was measured with a held button, and a game may answer a fresh press only later
            run([0] * EDGE)
        begun, wide = self.x_now(), abs(self.x.step)
        for button in (*self.first, *turns):
            run(self.tap.pads(button))
        direction = 1 if self.y.step > 0 else -1

        def depth_now() -> int:
            # from -HIGHEST_KICK to 255 - HIGHEST_KICK: a kick can lift the piece a little, and a field can be higher
            # than 127 of y's units, which a signed byte couldn't hold
            return ((self.y_now() - start) * direction + HIGHEST_KICK & 255) - HIGHEST_KICK

        depth = depth_now()
        span = 0 if start == lowest else depth
        since = 0
        leap: int | None = None
        across = self.x_now()
        flying = sunk = rig.snap()
        rested = False

        def is_next(here: int, aim: int = 0) -> bool:
            """Whether the next piece is there. here: x a frame ago. aim: the sign of what a press adds to x."""
            moved = signed_byte(self.x_now() - here)
            # a piece that rests where it appeared shows in x alone, unless it was moved back there
            back = span <= 0 and self.x_now() == begun and abs(moved) >= wide and moved * aim <= 0
            # a y that has gone up is a new piece's where it is at most three steps below its start
            return back or (bool(span) and depth < span / 2 and depth <= 3 * abs(self.y.step))

        def sunk_to(now: int) -> None:
            nonlocal span, lowest, across, flying, sunk, since
            span, lowest, across, since = depth, now, self.x_now(), count
            flying, sunk = sunk, rig.snap()

        def steer(pads: list[int]) -> None:
            nonlocal depth, across, rested
            aim = self.x.step if pads[0] & int(Button.RIGHT) else -self.x.step
            for one in pads if not rested else ():
                here = self.x_now()
                run([one])
                depth = depth_now()
                # a piece that is moved to a side doesn't go up
                rested = is_next(here, aim)
                if rested:
                    break
                across = self.x_now()
                if depth > span:
                    sunk_to(self.y_now())

        if column is not None and not (self.go(column, steer) and not rested) and not about:
            raise CalibrationError(f"the piece doesn't get to the column of x = {column}")
        while not rested:
            here = self.x_now()
            run([held])
            now = self.y_now()
            before, depth = depth, depth_now()
            ends = is_next(here)
            if depth > span and depth > before + HIGHEST_KICK:
                leap = now
            elif leap is not None and self.top is None and (depth > span or ends):
                # either it dropped at once, or this is the next piece, far above where this one was at the savestate:
                # a new piece sinks further
                since = (now - leap) * direction & 255
                if since <= HIGHEST_KICK if ends else since > HIGHEST_KICK // 2:
                    self.top = leap
                    return self.fall(
                        state, column=column, turns=turns, pokes=pokes, keep=keep, pad=pad, most=most, about=about
                    )
            if depth > span:
                sunk_to(now)
            elif ends:
                break
            if count > most + since:
                raise CalibrationError("no next piece comes after this one")
        reset, top = count, self.y_now()
        top_state = rig.save()
        if self.control_delay is None:
            self.control_delay = self._measure_delay(top_state)
            rig.load(top_state)
        run([0] * self.control_delay)
        # cells may still be vanishing between y's reset and the moment when the piece answers
        late = self._not_yet()
        run([0] * late)
        return Fallen(
            rig.save(),
            self.settled(rig.snap()),
            lowest,
            reset,
            top,
            count,
            across,
            flying,
            np.stack(seen) if keep else None,
        )

    def _start(self, now: int) -> int:
        """Raw y from which a piece's depth is counted: where it is now, or where pieces appear if that is far above."""
        if self.top is None:
            return now
        sunk = (now - self.top) * (1 if self.y.step > 0 else -1) & 255
        return self.top if HIGHEST_KICK < sunk < 256 - HIGHEST_KICK else now

    def go(self, target: int, run: Callable[[list[int]], None] | None = None) -> bool:
        """Taps left or right until raw x is ``target``; a number that is no byte lies beyond all columns. ``run``: runs
        frames with these pads (None: the rig). Returns whether the piece got there.
        """
        run = run or self.rig.run
        missed = trips = 0
        seen: set[int] = set()
        wall: Button | None = None
        # somebody else may move what isn't the piece, and there may be no wall
        for _ in range(MOST_TAPS):
            before = self.x_now()
            away = (target - before) * (1 if self.x.step > 0 else -1)
            if away & 255 == 0:
                return True
            button = wall or (Button.RIGHT if away > 0 else Button.LEFT)
            if wall is None and before in seen and not missed:
                # taps lead past the column, to and fro until the piece lands: from a wall, they may lead there
                if trips == MOST_TRIPS:
                    return False
                wall, trips = button, trips + 1
            seen.add(before)
            run(self.tap.pads(button))
            missed = missed + 1 if self.x_now() == before else 0
            if missed >= self.tap.tries:
                if wall is None:
                    return False
                wall, missed, seen = None, 0, set()
        return False

    def answers(self, here: bytes) -> bool:
        """Whether the piece of a savestate follows left or right."""
        return self._latency(here) is not None

    def _latency(self, here: bytes, wait: int = 0) -> int | None:
        """Frames until a press to a side moves the piece, from ``wait`` frames after a savestate; None: none does."""
        rig, x = self.rig, self.x.offset
        on = max(EDGE, self.tap.on)

        def seen(button: int) -> list[int]:
            rig.load(here)
            rig.run([0] * wait)
            found = []
            for pad in [button] * on + [0] * 6:
                rig.step(pad)
                found.append(rig.peek(x))
            return found

        still = seen(0)
        for button in (Button.LEFT, Button.RIGHT):
            moved = [a != b for a, b in zip(seen(int(button)), still, strict=True)]
            if moved[-1]:
                return moved.index(True) + 1
        return None

    def _usual_latency(self, here: bytes, otherwise: int) -> int:
        """The longest latency some time after the savestate, at which a piece begins to answer. It is measured once."""
        if self.latency is None:
            # a game may look at the pad on some frames only
            waits = range(LATER, LATER + self.tap.on)
            self.latency = max(self._latency(here, wait) or 0 for wait in waits) or otherwise
        return self.latency

    def _measure_delay(self, state: bytes) -> int:
        """Frames from ``state`` to the first press that moves the piece. Raises CalibrationError if none does."""
        rig = self.rig
        rig.load(state)
        for delay in range(MOST_DELAY):
            here = rig.save()
            latency = self._latency(here)
            if latency is not None:
                # a game may answer a press that began some frames before it looked at the pad
                return delay + max(0, latency - self._usual_latency(here, latency))
            rig.load(here)
            rig.step()
        raise CalibrationError("the next piece answers no press")

    def _not_yet(self) -> int:
        """Frames from now until the piece answers, up to 3 too many; 0 if it answers now.

        Raises CalibrationError when it doesn't answer at all: what moves there is no piece, and the game has ended.
        """
        rig = self.rig
        now = rig.save()
        for number in range(MOST_LATE):
            here = rig.save()
            latency = self._latency(here) if number % 4 == 0 else None
            rig.load(here)
            if latency is not None:
                # a press that is held may be answered only when the piece comes under control
                late = 0 if latency == 1 else max(0, latency - self._usual_latency(here, latency))
                rig.load(now)
                return number + late
            rig.step()
        raise CalibrationError("the next piece answers no press")

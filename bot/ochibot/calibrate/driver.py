"""Steers the falling piece once its x and y are known: to a column, down to its lock, and on to the next piece."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from ochibot.calibrate.lab import Bytes, Lab, tap
from ochibot.console import Button
from ochibot.errors import CalibrationError

MOST_FALL = 900
"""With DOWN held, a piece locks and the next one appears within this many frames."""

MOST_DELAY = 150
"""A piece answers presses at most this many frames after it appeared."""

MOST_LATE = 240
"""A piece may answer at most this many frames later than usual, for instance after a long chain."""

EDGE = 4
"""How many frames a press to a side is held, to see whether a piece answers."""

MOST_COLUMNS = 24

HIGHEST_KICK = 40
"""How many of y's units a kick may lift a piece above the place where it appeared."""


@dataclass(frozen=True)
class Place:
    """Where the game keeps a coordinate: the byte's offset, and what a step to the right, or down, adds to it."""

    offset: int
    step: int


@dataclass(frozen=True)
class Fallen:
    """One piece, from its first frame under control to that of the next piece.

    state: a savestate with the next piece under control. ram: RAM at that moment. lowest: raw y where the piece came to
    rest. reset: how many frames passed until y went back to the top. top: raw y on that frame. frames: how many passed
    until the next piece was under control. trace: RAM after each of these frames; None if it was not kept.
    """

    state: bytes
    ram: Bytes
    lowest: int
    reset: int
    top: int
    frames: int
    trace: Bytes | None = None


class Driver:
    """Presses buttons and watches x and y.

    control_delay: frames from y's reset to the first press that the piece answers. first: buttons that are tapped as
    soon as a piece is under control, so that it stands upright.
    """

    def __init__(self, lab: Lab, x: Place, y: Place, first: tuple[int, ...] = ()) -> None:
        self.lab = lab
        self.x = x
        self.y = y
        self.first = first
        self.control_delay: int | None = None

    def x_now(self) -> int:
        """The falling piece's x now, as the byte in RAM."""
        return self.lab.peek(self.x.offset)

    def y_now(self) -> int:
        """The falling piece's y now, as the byte in RAM."""
        return self.lab.peek(self.y.offset)

    def nudge(self, button: Button) -> bool:
        """Taps a button. Returns whether x has changed."""
        before = self.x_now()
        for pad in tap(button, on=3, off=4):
            self.lab.step(pad)
        return self.x_now() != before

    def columns(self, state: bytes) -> tuple[int, ...]:
        """Raw x of every column that taps can move the piece to, from left to right.

        Raises CalibrationError when x doesn't go by equal steps between two walls.
        """
        found: dict[Button, list[int]] = {}
        for button in (Button.LEFT, Button.RIGHT):
            self.lab.load(state)
            for turn in self.first:
                self.lab.run(tap(turn, on=3, off=4))
            seen = [self.x_now()]
            while len(seen) < MOST_COLUMNS and self.nudge(button):
                seen.append(self.x_now())
            found[button] = seen
        columns = [*reversed(found[Button.LEFT]), *found[Button.RIGHT][1:]]
        steps = set(np.diff(np.array(columns, np.uint8)).tolist())
        if len(columns) > MOST_COLUMNS:
            raise CalibrationError("nothing stops it at the sides, so what falls there falls on no grid")
        if len(columns) < 3 or len(steps) != 1:
            raise CalibrationError(f"x doesn't go by equal steps between two walls: {columns}")
        return tuple(columns)

    def go(self, target: int) -> bool:
        """Taps left or right until raw x is ``target``. Returns whether the piece got there."""
        for _ in range(MOST_COLUMNS):
            away = (target - self.x_now()) * (1 if self.x.step > 0 else -1)
            if away == 0:
                return True
            if not self.nudge(Button.RIGHT if away > 0 else Button.LEFT):
                return False
        return False

    def fall(
        self,
        state: bytes,
        *,
        column: int | None = None,
        turns: tuple[int, ...] = (),
        pokes: Mapping[int, int] | None = None,
        keep: bool = False,
        pad: int = int(Button.DOWN),
        most: int = MOST_FALL,
    ) -> Fallen:
        """Turn the piece of a savestate by taps, bring it over raw x ``column``, drop it, and wait for the next one.

        ``pokes``: bytes to write first. ``keep``: keep RAM of every frame. ``pad``: buttons held as it falls. ``most``:
        after how many frames it gives up. Raises CalibrationError when the piece can't get there, or no next one comes.
        """
        lab = self.lab
        lab.load(state)
        lab.poke(pokes or {})
        seen: list[Bytes] = []
        count = 0

        def run(pads: list[int]) -> None:
            nonlocal count
            for one in pads:
                lab.step(one)
                count += 1
                if keep:
                    seen.append(lab.snap())

        if self.first or turns:
            # wait: the control delay was measured with a held button, and a game may answer a fresh press only later
            run([0] * EDGE)
        for button in (*self.first, *turns):
            run(tap(button, on=3, off=4))
        if column is not None and not self._go(column, run):
            raise CalibrationError(f"the piece doesn't get to the column of x = {column}")
        start = lowest = self.y_now()
        direction = 1 if self.y.step > 0 else -1
        span = 0
        while True:
            run([pad])
            now = self.y_now()
            # from -HIGHEST_KICK to 255 - HIGHEST_KICK: a kick can lift the piece a little, and a field can be higher
            # than 127 of y's units, which a signed byte couldn't hold
            depth = ((now - start) * direction + HIGHEST_KICK & 255) - HIGHEST_KICK
            if depth > span:
                span, lowest = depth, now
            elif span and depth < span / 2 and self._is_reset(depth):
                break
            if count > most:
                raise CalibrationError("no next piece comes after this one")
        reset, top = count, self.y_now()
        lab_state = lab.save()
        if self.control_delay is None:
            self.control_delay = self._measure_delay(lab_state)
            lab.load(lab_state)
        run([0] * self.control_delay)
        # cells may still be vanishing between y's reset and the moment when the piece answers
        late = self._not_yet()
        run([0] * late)
        return Fallen(lab.save(), lab.snap(), lowest, reset, top, count, np.stack(seen) if keep else None)

    def _go(self, target: int, run: object) -> bool:
        assert callable(run)
        missed = 0
        for _ in range(2 * MOST_COLUMNS):
            away = (target - self.x_now()) * (1 if self.x.step > 0 else -1)
            if away == 0:
                return True
            before = self.x_now()
            run(tap(Button.RIGHT if away > 0 else Button.LEFT, on=3, off=4))
            missed = missed + 1 if self.x_now() == before else 0
            if missed > 1:
                return False
        return False

    def _is_reset(self, depth: int) -> bool:
        """Whether a y that has gone up belongs to a new piece: it is at most three steps below its start."""
        return depth <= 2 * abs(self.y.step) + abs(self.y.step)

    def _answers(self, here: bytes) -> bool:
        """Whether a press to a side moves the piece at a savestate."""
        lab, x = self.lab, self.x.offset

        def after(pads: list[int]) -> int:
            lab.load(here)
            lab.run(pads)
            return lab.peek(x)

        still = after([0] * 10)
        return any(after(tap(button, on=EDGE, off=6)) != still for button in (Button.LEFT, Button.RIGHT))

    def _measure_delay(self, state: bytes) -> int:
        """Frames from ``state`` to the first press that moves the piece. Raises CalibrationError if none does."""
        lab = self.lab
        lab.load(state)
        for delay in range(MOST_DELAY):
            here = lab.save()
            if self._answers(here):
                return delay
            lab.load(here)
            lab.step()
        raise CalibrationError("the next piece answers no press")

    def _not_yet(self) -> int:
        """Frames from now until the piece answers, up to 3 too many; 0 if it answers now, and if it never does."""
        lab = self.lab
        now = lab.save()
        late = 0
        if not self._answers(now):
            lab.load(now)
            for number in range(1, MOST_LATE):
                lab.step()
                here = lab.save()
                if number % 4 == 0 and self._answers(here):
                    late = number
                    break
                lab.load(here)
        lab.load(now)
        return late

"""Taps that a pad must be given, falls that RAM shows and bytes that tell kinds, beside what a naive look finds."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from ochibot.console import Button
from ochibot.experiments.colors import candidates
from ochibot.experiments.motion import AFTER, Drop, falls
from ochibot.experiments.pad import PAUSES, PHASES, PRESSES, SHORT, USUAL, Tap, measure_tap, shortest_tap

from tests.experiments.frames import Frames


class Piece(Frames):
    """A game that looks at the pad every so many frames. It moves a piece by ``by`` when a button that it saw for
    ``looks`` looks was not pressed before, and again after ``repeat`` further looks. Walls are ``room`` steps away.
    """

    def __init__(self, every: int = 1, looks: int = 1, by: int = 1, repeat: int = 16, room: int = 5) -> None:
        self.every, self.looks, self.by, self.repeat, self.room = every, looks, by, repeat, room
        self.load(b"")

    def load(self, _: bytes) -> None:
        self.frame, self.at, self.held, self.pad = 0, 0, 0, 0

    def step(self, pad: int = 0) -> None:
        if self.frame % self.every == 0:
            self.held = self.held + 1 if pad and pad == self.pad else int(bool(pad))
            self.pad = pad
            if self.held == self.looks or (self.held > self.looks and (self.held - self.looks) % self.repeat == 0):
                self.at += {int(Button.LEFT): -1, int(Button.RIGHT): 1}.get(pad, 0)
                self.at = max(-1, min(self.room, self.at))
        self.frame += 1

    def snap(self) -> Any:
        return np.array([100 + self.at * self.by & 255], np.uint8)

    def moved(self, tap: Tap, times: int, phase: int) -> int:
        """How many steps so many taps move the piece that begin on this frame."""
        self.load(b"")
        self.run([0] * phase)
        for _ in range(times):
            self.run([int(Button.RIGHT)] * tap.on + [0] * tap.off)
        self.run([0] * 40)
        return self.at


def reliable(piece: Piece, tap: Tap) -> bool:
    return all(piece.moved(tap, times, phase) == times for times in (1, 2) for phase in PHASES)


@pytest.mark.parametrize("every", [1, 2, 3, 5, 8, 12])
@pytest.mark.parametrize("looks", [1, 2])
@pytest.mark.parametrize("step", [1, -8, 16])
def test_a_tap_moves_a_piece_by_one_step_on_whichever_frame_it_begins(every: int, looks: int, step: int) -> None:
    piece: Any = Piece(every, looks, step)
    tap = measure_tap(piece, b"", 0)
    usable = [Tap(on, off) for on in PRESSES for off in {max(on, pause) for pause in PAUSES}]
    works = [one for one in usable if reliable(piece, one)]
    if works:
        assert reliable(piece, tap)
        assert tap.tries == 2
        # no shorter pause would do with this press, and the first press of the list that does was taken
        assert tap.off == min(one.off for one in works if one.on == tap.on)
        assert tap.on == next(on for on in PRESSES if any(one.on == on for one in works))
    short = shortest_tap(piece, b"", 0, tap)
    quick = [
        one for one in SHORT if one.frames < tap.frames and all(piece.moved(one, 2, phase) == 2 for phase in PHASES)
    ]
    assert short == (quick[0] if quick else tap)


def test_a_piece_that_goes_nowhere_is_tapped_as_usual() -> None:
    piece: Any = Piece(looks=99)
    assert measure_tap(piece, b"", 0) == USUAL
    assert shortest_tap(piece, b"", 0, Tap(9, 9)) == Tap(9, 9)
    assert Tap(2, 3, 4).pads(7, 2) == [7, 7, 0, 0, 0] * 2
    assert Tap(2, 3, 4).frames == 5


@pytest.mark.parametrize("step", [1, -1, 8, -16])
def test_bytes_that_sink_rest_and_begin_anew_are_falls(step: int) -> None:
    every, rows, rest, gap = 5, 10, 12, 6
    top = 40 if step > 0 else 220
    column = [top] * 3
    for row in range(rows):
        column += [top + (row + 1) * step] * every
    column += [column[-1]] * rest
    until = len(column)
    column += [top] * (AFTER + gap)
    seen = np.zeros((len(column), 7), np.uint8)
    seen[:, 0] = np.array(column) & 255
    # a byte that never comes back, one that goes to and fro, one that sinks and goes on, and a constant
    seen[:, 1] = np.minimum(np.arange(len(column)) // every, 40)
    seen[:, 2] = np.arange(len(column)) % 3
    seen[:, 3] = np.arange(len(column)) & 255
    seen[:, 4] = 9
    # another one that follows it by half as much, upwards
    seen[:, 5] = 200 - (np.abs(np.array(column) - top) // abs(step))
    seen[:, 6] = seen[:, 0]
    seen[until:, 6] = top + rows * step & 255
    dropped = Drop(np.array([7, 8, 9, 10, 11, 12, 13]), seen, until, (3,), (until,))
    found = falls(dropped)
    assert set(found) == {7, 12}
    assert dropped.together(found[7])
    assert not replace(dropped, times=(until - 9,)).together(found[7])
    fall, other = found[7], found[12]
    assert (fall.step, fall.depth, fall.rest, fall.again) == (step, rows * step, top + rows * step & 255, until)
    assert (other.step, other.depth, other.rest, other.again) == (-1, -rows, 200 - rows, until)


def test_the_bytes_that_tell_kinds_are_those_that_a_naive_look_finds() -> None:
    dice = np.random.default_rng(2)
    kinds = [int(one) for one in dice.integers(0, 3, 40)]
    rams = dice.integers(0, 4, (40, 60)).astype(np.uint8)
    for place, table in ((5, (1, 7, 4)), (20, (0x91, 0x32, 0x03)), (33, (2, 2, 9)), (41, (9, 8, 7))):
        rams[:, place] = [table[kind] for kind in kinds]
    # other bits change beside the low ones
    rams[:, 20] |= (dice.integers(0, 2, 40) << 6).astype(np.uint8)

    def naive(mask: int) -> list[int]:
        found = []
        for place in range(60):
            values = {kind: {int(ram[place]) & mask for ram, one in zip(rams, kinds, strict=True) if one == kind}
                      for kind in range(3)}  # fmt: skip
            if all(len(one) == 1 for one in values.values()) and len(set.union(*values.values())) == 3:
                found.append(place)
        return found

    assert naive(0xFF) == [5, 41]
    assert naive(0x0F) == [5, 20, 41]
    for mask in (0xFF, 0x0F):
        assert candidates(list(rams), kinds, mask) == naive(mask)
    # one sample of fourteen may be of something else; those without a contradiction come first
    rams[3, 5] = 77
    assert candidates(list(rams), kinds, 0xFF) == [41, 5]
    rams[[8, 12, 14, 16], 41] = 70
    assert candidates(list(rams), kinds, 0xFF) == [5]

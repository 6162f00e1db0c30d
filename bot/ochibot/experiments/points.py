"""Finds the score of a game whose rules aren't known: a number that only grows, and only where pieces lock."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from ochibot.experiments.evidence import Evidence
from ochibot.experiments.landings import Landing
from ochibot.experiments.rig import Bytes, Rig
from ochibot.experiments.score import FORMS, Form

IDLE: Final = 40
FEWEST_STEPS: Final = 4
MOST: Final = 10**6

Numbers = npt.NDArray[np.int64]


@dataclass(frozen=True)
class Number:
    """Where a number is, and its form."""

    offset: int
    form: Form
    evidence: Evidence


def find_number(
    rig: Rig, landings: Sequence[Landing], cleared: Sequence[bool], taken: Collection[int]
) -> Number | None:
    """The number that is most likely the score; None when none grows as a score does. ``taken``: bytes of other things.

    ``cleared``: whether cells vanished after each landing: then a score grows by more than usual. It never falls within
    a game, it doesn't change by itself, and it doesn't grow by the same amount each time, as counters do.
    """
    rams = [one.before for one in landings] + [one.after for one in landings]
    idle = np.stack([landings[-1].before, rig.after(landings[-1].state, [0] * IDLE)])
    stack = np.concatenate([np.stack(rams), idle])
    free = np.ones(rig.size, bool)
    free[list(taken)] = False
    # the numbers before and after each landing, in the order of play; a new game begins where the number may fall
    order = [(number, len(landings) + number) for number in range(len(landings))]
    clears = np.array(cleared, bool)
    best: list[tuple[tuple[int, ...], Number]] = []
    for rank, form in enumerate(FORMS):
        places = _places(stack, form, free)
        if not len(places):
            continue
        numbers = _read(stack, places, form)
        steps = np.stack([numbers[after] - numbers[before] for before, after in order])
        good = (numbers < MOST).all(axis=0) & (steps >= 0).all(axis=0) & (numbers[-1] == numbers[-2])
        good &= (steps > 0).sum(axis=0) >= FEWEST_STEPS
        for at in np.flatnonzero(good):
            grown = steps[:, at]
            kinds = len(set(grown[grown > 0].tolist()))
            if kinds < 2:
                continue
            # digits first: a binary number fits many bytes by chance
            usual = int(np.median(grown[~clears])) if (~clears).any() else 0
            paid = int((grown[clears] > usual).sum()) if clears.any() else 0
            if 4 * paid < 3 * int(clears.sum()):
                continue
            # few landings without a clear pay, and those much less
            idly = int((grown[~clears] > usual).sum())
            key = (idly - paid, form.digits == "", -kinds, rank, int(places[at]))
            best.append((key, Number(int(places[at]), form, Evidence(min(11, int((grown > 0).sum()))))))
    if not best:
        return None
    best.sort(key=lambda item: item[0])
    found = best[0][1]
    return Number(found.offset, found.form, Evidence(found.evidence.supported, 0, len(best) - 1))


def _places(stack: Bytes, form: Form, free: npt.NDArray[np.bool_]) -> npt.NDArray[np.int64]:
    """Offsets where a number of this form may begin: its bytes are digits, one of them changes, none is taken."""
    fits = free.copy()
    if form.digits == "decimal":
        fits &= ((stack >= form.zero) & (stack.astype(np.int64) <= form.zero + 9)).all(axis=0)
    elif form.digits == "bcd":
        fits &= ((stack >> 4 <= 9) & (stack & 15 <= 9)).all(axis=0)
    moves = (stack != stack[0]).any(axis=0)
    # BCD has high digits that change; where they don't, single digits stand in the bytes
    tens = (stack >> 4 != stack[0] >> 4).any(axis=0) if form.digits == "bcd" else moves
    count = len(fits) - form.width + 1
    good = np.ones(count, bool)
    some = np.zeros((2, count), bool)
    for number in range(form.width):
        good &= fits[number : number + count]
        some |= np.stack([moves[number : number + count], tens[number : number + count]])
    low = 0 if form.little else form.width - 1
    if not form.digits:
        # the lowest byte changes whenever the number does, but for round ones
        turns = (stack[1:] != stack[:-1]).sum(axis=0)
        most = np.stack([turns[number : number + count] for number in range(form.width)]).max(axis=0)
        good &= 2 * turns[low : low + count] >= most
    return np.flatnonzero(good & some.all(axis=0))


def _read(stack: Bytes, places: npt.NDArray[np.int64], form: Form) -> Numbers:
    """The numbers at these offsets in each RAM, (rams, places) int64."""
    total = np.zeros((len(stack), len(places)), np.int64)
    for number in range(form.width):
        byte = stack[:, places + number].astype(np.int64)
        power = number if form.little else form.width - 1 - number
        if form.digits == "bcd":
            total += ((byte >> 4) * 10 + (byte & 15)) * 100**power
        elif form.digits == "decimal":
            total += (byte - form.zero) * 10**power
        else:
            total += byte << (8 * power)
    return total

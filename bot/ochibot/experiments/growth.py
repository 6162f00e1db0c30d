"""Numbers in RAM that grow as scores do."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ochibot.experiments.digits import Form
from ochibot.experiments.effects import Event

MOST_GAIN = 10_000
"""The number in RAM grows by less than this for a cell of the first group."""

COUNTED = (1, 10, 100, 1000)
"""So much one step adds to a count of steps, whether or not zeros below it are taken for its digits."""

MOST_GROUP_TIMES = 64
"""A group in the first step is worth at most this many times the points of its cells."""


def grows(events: Sequence[Event], size: int, form: Form, *, by_cells: bool = True) -> list[int]:
    """Offsets of numbers that grow as scores do.

    Each group adds a whole multiple of its cells, a larger one at least as much for each cell. More colours and a
    longer chain add more, and the longest more than its cells alone: a number that doesn't might just count cells.
    Without ``by_cells``, a larger group and more colours just add as much or more, and one number at least isn't that
    of its cells: some games give points for a group, a step, or cells beyond a group's least. A number to which all
    groups and colours add 1, 10, 100 or 1,000 may count steps.
    """
    if not by_cells:
        return _grown_somehow(events, size, form)
    before = form.read(events[0].fallen.ram)
    good = before >= 0
    last = np.zeros(len(good), np.int64)
    least = np.full(len(good), MOST_GAIN)
    round_ = np.ones(len(good), bool)
    whole = {"": 256, "bcd": 100}.get(form.digits, MOST_GAIN)
    for count, event in _in_order(events, "group"):
        gain = form.read(event.fallen.ram) - before
        good &= (gain > 0) & (gain % count == 0) & (gain // count >= last)
        last = gain // count
        least = np.minimum(least, last)
        round_ &= gain % whole == 0
    good &= (last <= MOST_GROUP_TIMES * least) & (least < MOST_GAIN)
    # points that wait to become nuisance shrink at the next one
    for kind in ("colours", "chain"):
        last = least * size
        for _, event in _in_order(events, kind):
            gain = form.read(event.fallen.ram) - before
            good &= (gain > last) & (gain % size == 0)
            last = gain
    if chains := _in_order(events, "chain"):
        good &= last > least * chains[-1][0]
    # a number that begins a byte too low adds only round numbers
    return [int(place) for place in np.flatnonzero(good & ~round_)]


def _grown_somehow(events: Sequence[Event], size: int, form: Form) -> list[int]:
    before = form.read(events[0].fallen.ram)
    good = before >= 0
    round_ = np.ones(len(good), bool)
    even = np.ones(len(good), bool)
    counts = np.ones(len(good), bool)
    least = np.zeros(len(good), np.int64)
    whole = {"": 256, "bcd": 100}.get(form.digits, MOST_GAIN)
    for kind in ("group", "colours", "chain"):
        last = least
        for number, (cells, event) in enumerate(_in_order(events, kind)):
            gain = form.read(event.fallen.ram) - before
            if kind == "group" and not number:
                least = last = gain
                good &= gain >= cells
            good &= gain >= last + (kind == "chain")
            even &= gain * size == least * cells
            counts &= (kind == "chain") | (gain == least)
            round_ &= gain % whole == 0
            last = gain
    good &= (least < MOST_GAIN * size) & (last <= MOST_GROUP_TIMES * MOST_GROUP_TIMES * np.maximum(least, 1))
    return [int(place) for place in np.flatnonzero(good & ~round_ & ~even & ~(counts & np.isin(least, COUNTED)))]


def _in_order(events: Sequence[Event], kind: str) -> list[tuple[int, Event]]:
    """The events whose names begin with ``kind``, each with the cells that it cleared; those with fewest first."""
    found = [(sum(n for step in one.steps for n, _ in step), one) for one in events if one.name.startswith(kind)]
    return sorted(found, key=lambda one: one[0])

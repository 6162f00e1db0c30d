"""Different states of Puyo Puyo Tsu lead to the same pools. This lets a search over all states skip most of the work.

The game's step, r + ((r + c) rotated by 5) + 1, is not one-to-one: the five draws for the colour set turn the 2^32
states into some 900 million *values*, and each value comes from five states on average. All draws for the pools follow
from the value. So all states that become the same value deal the same pools, except that the colours are exchanged. A
search over all states therefore examines the values, and then finds the states from which the fitting values come.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import numpy as np
import numpy.typing as npt

from ochibot.puyo.pairs.engine import PAIRS_KERNELS, States
from ochibot.puyo.pairs.sieve import LANES, MARK_BITS, SET_DRAWS
from ochibot.puyo.pairs.tsu import SET_STACK

PARTS: Final = 1 << (32 - MARK_BITS)
"""The values are examined in this many parts."""

_STATES: Final = 1 << 32
_MARKED_AT_ONCE: Final = 1 << 26
_READ_AT_ONCE: Final = 1 << 19
"""How many bytes of marks are turned into values at once."""

MARKING: Final = 0.35
"""Roughly the share of a part's work that marking takes."""


def values_of(part: int) -> Iterator[tuple[float, States]]:
    """Yields (the share of the part's work that is done, a batch of values): the values in a part that states become.

    The values are in rising order. The first batches are empty, because the values are only marked at first.
    """
    marks = np.zeros(1 << (MARK_BITS - 3), np.uint8)
    mark, scratch, hits = PAIRS_KERNELS.load("tsu_marks"), np.empty(LANES, np.uint32), np.empty(2 * LANES, np.uint32)
    for first in range(0, _STATES, _MARKED_AT_ONCE):
        count = min(_MARKED_AT_ONCE, _STATES - first)
        mark(np.uint32(first), count, np.uint32(part), scratch, hits, marks)
        yield MARKING * (first + count) / _STATES, np.empty(0, np.uint32)
    marked, found = PAIRS_KERNELS.load("tsu_marked"), np.empty(1, np.int64)
    values = np.empty(8 * _READ_AT_ONCE, np.uint32)
    for first in range(0, len(marks), _READ_AT_ONCE):
        marked(marks[first : first + _READ_AT_ONCE], np.uint32(8 * first + (part << MARK_BITS)), values, found)
        yield MARKING + (1 - MARKING) * (first + _READ_AT_ONCE) / len(marks), values[: found[0]]


def states_of(values: States) -> tuple[States, npt.NDArray[np.intp]]:
    """All states that the draws for the colour set turn into one of the values, each with the index of its value."""
    numbers = np.arange(len(values))
    for _ in range(SET_DRAWS):
        values, of = before(values)
        numbers = numbers[of]
    return values, numbers


def before(values: States) -> tuple[States, npt.NDArray[np.intp]]:
    """All states from which one draw for the colour set leads to one of the values, each with the index of its value.

    With x = r + c, the step is r' = x + (x rotated by 5) - c + 1. Every value of the upper five bits of x is tried.
    They are the lower five of the rotated x, which gives the lower five of x, then the next five of both, and so on.
    """
    added = np.uint32(SET_STACK + 4)
    sums = values + added - np.uint32(1)
    found, numbers = [], []
    for top in range(32):
        x = sums
        for _ in range(7):
            x = sums - (x << np.uint32(5) | np.uint32(top))
        fits = np.flatnonzero(x >> np.uint32(27) == top)
        found.append(x[fits] - added)
        numbers.append(fits)
    return np.concatenate(found), np.concatenate(numbers)

"""Different states of Puyo Puyo Tsu lead to the same pools. This lets a search over all states skip most of the work.

The game's step, r + ((r + c) rotated by 5) + 1, is not one-to-one: the five draws for the colour set turn the 2^32
states into some 900 million *values*, and each value comes from five states on average. All draws for the pools follow
from the value. So all states that become the same value deal the same pools, except that the colours are exchanged. A
search over all states therefore examines the values (``marks`` finds them), and then finds the states from which the
fitting values come.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import numpy as np
import numpy.typing as npt

from ochibot.puyo.pairs.engine import PAIRS_KERNELS, States
from ochibot.puyo.pairs.marks import WINDOW
from ochibot.puyo.pairs.sieve import SET_DRAWS
from ochibot.puyo.pairs.tsu import SET_STACK

PARTS: Final = 8
"""The values are examined in this many parts."""

_EACH: Final = (1 << 32) // PARTS


def windows_of(part: int) -> range:
    """Where the windows of a part begin (see ``marks``)."""
    return range(part * _EACH, (part + 1) * _EACH, WINDOW)


def values_of(part: int) -> Iterator[tuple[float, States]]:
    """Yields (the share of the part's work that is done before it, a batch of values): the values in a part that states
    become.
    """
    marks = np.empty(WINDOW // 64, np.uint64)
    mark, marked = PAIRS_KERNELS.load("tsu_marks"), PAIRS_KERNELS.load("tsu_marked")
    values, found = np.empty(WINDOW, np.uint32), np.empty(1, np.int64)
    windows = windows_of(part)
    for number, first in enumerate(windows):
        mark(first, marks)
        marked(marks, first, values, found)
        yield number / len(windows), values[: found[0]]


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

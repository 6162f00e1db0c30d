"""Tells screens of a menu apart, by the bytes that don't change by themselves."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import numpy.typing as npt

from ochibot.experiments.rig import Bytes

FEWEST_SCREENS = 3
TIMER_SHARE = 0.15
"""A byte is a slow timer if it changes by itself on at least FEWEST_SCREENS screens, and on this share of all."""

MOST_VALUES = 8
VALUES_SHARE = 0.4
"""A byte is a random number or a counter if it has at least MOST_VALUES values on the screens, and others on this share
of them.
"""

FEWEST_ALIKE = 6
"""A byte that had the same value whatever was pressed, each of at least so many times, and counts on, is a clock."""


class Screens:
    """The screens met so far. Bytes that change by themselves are not compared.

    A byte that changes again and again while nothing is pressed is a timer, on all screens. A byte that changed once
    may be a timer, or may show that the next screen came: it is left out of the comparison for that screen alone. A
    byte that is different after nearly every press, such as a random number, tells no screens apart. Nor does a slow
    clock: a byte that counts on with time, whatever was pressed, beside one that changes all the time.
    """

    def __init__(self, size: int) -> None:
        self._timers = np.zeros(size, bool)
        self._changed = np.zeros(size, np.int32)
        self._values = np.zeros((256, size), bool)
        self._distinct = np.zeros(size, np.int32)
        self._first: dict[int, Bytes] = {}
        self._by_time = np.ones(size, bool)
        self._alike = 0
        self._watched = 0
        self._all: list[tuple[Bytes, npt.NDArray[np.bool_]]] = []

    def _clocks(self, still: Bytes, time: int) -> npt.NDArray[np.bool_]:
        """High bytes of clocks: they count on with time alone, beside a byte that changes all the time.

        time: how many steps after the first screen this one came.
        """
        if time in self._first:
            self._by_time &= self._first[time] == still
            self._alike += 1
        else:
            self._first[time] = still
        times = sorted(self._first)
        steps = np.array([self._first[b] - self._first[a] for a, b in pairwise(times) if b == a + 1])
        if not len(steps) or self._alike < FEWEST_ALIKE:
            return np.zeros(len(still), bool)
        beside = np.zeros(len(still), bool)
        beside[1:] |= self._timers[:-1]
        beside[:-1] |= self._timers[1:]
        return beside & self._by_time & (steps <= 1).all(axis=0) & (steps > 0).any(axis=0)

    def is_new(self, watched: Bytes, time: int) -> bool:
        """Whether a screen is new; if so, remembers it. ``watched``: RAM of some frames without a button pressed.

        time: how many steps after the first screen.
        """
        changes = (watched[1:] != watched[:-1]).sum(axis=0)
        some = changes > 0
        self._watched += 1
        self._changed += some
        often = (self._changed >= FEWEST_SCREENS) & (self._changed >= TIMER_SHARE * self._watched)
        self._timers |= (changes > 1) | often
        still = watched[-1]
        places = np.arange(len(still))
        self._distinct += ~self._values[still, places]
        self._values[still, places] = True
        restless = self._distinct >= max(MOST_VALUES, VALUES_SHARE * self._watched)
        steady = ~(self._timers | some | restless | self._clocks(still, time))
        for other, other_steady in self._all:
            if not ((other != still) & steady & other_steady).any():
                return False
        self._all.append((still, ~some))
        return True

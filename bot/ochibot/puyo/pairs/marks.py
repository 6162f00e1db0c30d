"""Finds the values that Tsu's states become after the draws for the colour set (imports numba).

Different states of Puyo Puyo Tsu lead to the same pools. The game's step, r + ((r + c) rotated by 5) + 1, is not
one-to-one: the five draws for the colour set turn the 2^32 states into some 900 million *values*, and each value comes
from five states on average. All draws for the pools follow from the value. So all states that become the same value
deal the same pools, except that the colours are exchanged. A search over all states therefore examines the values, and
then finds the states from which the fitting values come.

Let x be a state plus the constant c that the step adds (``SET_STACK`` + 4). A step makes x into 33 x + h + 1 modulo
2^32, where h is the number in the upper five bits of x. The x with the same h are an *arc* of the circle of 2^32
numbers; a step stretches each arc to 33/32 of the circle, so that arcs overlap. Undone, this leads from a *window*, a
few neighbouring numbers in one arc, to 33 windows a thirty-third as wide:

    after the step    |....[====]....|.............|.............|   32 arcs
    before it         |..[].......[].|.....[]......|[].......[]..|   a thirty-third as wide

So all ways that lead to a window of 2^23 numbers are found by going back four steps, to a few numbers at a time. Which
of these come from any state is known without looking: in each arc, it depends on the remainder modulo 33. The marks of
a window are few enough for a processor's second-level cache.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from ochibot.jit.lanes import compiled, inlined, trailing_zeros
from ochibot.puyo.pairs.engine import PAIRS_KERNELS, States
from ochibot.puyo.pairs.sieve import SET_DRAWS
from ochibot.puyo.pairs.tsu import SET_STACK

ADDED: Final = SET_STACK + 4
"""The constant c."""
WINDOW_BITS: Final = 23
WINDOW: Final = 1 << WINDOW_BITS
"""How many numbers are marked at once: 1 MiB of bits."""

_U: Final = np.uint64
_ZERO: Final = _U(0)
_ONE: Final = _U(1)
_WORD_BITS: Final = _U(6)
_IN_WORD: Final = _U(63)
_CIRCLE: Final = 1 << 32
_TURN: Final = _U(_CIRCLE - 1)
_ARCS: Final = 32
_ARC_BITS: Final = 27
_FACTOR: Final = _ARCS + 1
_STRIDE: Final = _U(_FACTOR**4)


def _pattern(arc: int) -> int:
    """The remainders of x - 1 modulo 33, as bits, of the numbers x in an arc that a step leads to; then the first of
    these bits once more.

    The number before the step, times 33, is x - h - 1 + 2^32 m for an m from 0 to 32. Its h is m if m is at most the
    arc of x, otherwise m - 1.
    """
    bits = 0
    for m in range(_FACTOR):
        h = m if m <= arc else m - 1
        bits |= 1 << (h - m * _CIRCLE) % _FACTOR
    return (bits | bits << _FACTOR) % (1 << 64)


_PATTERNS: Final = np.array([_pattern(arc) for arc in range(_ARCS)], np.uint64)


@inlined
def _before(first: Any, end: Any, m: Any) -> Any:
    """One of the 33 windows (m: its number) from which a step leads to the window from ``first`` to ``end`` - 1.

    Returns (its first number, its end, its arc). It is empty if the end isn't greater than the first number.
    """
    h = m if m <= first >> _ARC_BITS else m - 1
    moved = (m << 32) - h - 1 + _ARCS  # the sum is rounded up when divided by 33
    return max((first + moved) // _FACTOR, h << _ARC_BITS), min((end + moved) // _FACTOR, (h + 1) << _ARC_BITS), h


@compiled
def tsu_marks(first: Any, marks: Any) -> None:
    """Marks which of WINDOW numbers, from ``first`` on (a multiple of WINDOW), any state becomes, each plus c.

    marks: uint64, a bit for each number.
    """
    for k in range(len(marks)):
        marks[k] = _ZERO
    # A number x in a window leads to F x + A, where F is a power of 33. A is kept without its multiples of 2^32.
    for m4 in range(_FACTOR):
        first_4, end_4, h4 = _before(first, first + WINDOW, m4)
        added_4 = h4 + 1 - first
        for m3 in range(_FACTOR if first_4 < end_4 else 0):
            first_3, end_3, h3 = _before(first_4, end_4, m3)
            added_3 = added_4 + _FACTOR * (h3 + 1)
            for m2 in range(_FACTOR if first_3 < end_3 else 0):
                first_2, end_2, h2 = _before(first_3, end_3, m2)
                added_2 = added_3 + _FACTOR**2 * (h2 + 1)
                for m1 in range(_FACTOR if first_2 < end_2 else 0):
                    first_1, end_1, h1 = _before(first_2, end_2, m1)
                    if first_1 < end_1:
                        reached = _PATTERNS[h1] >> _U((first_1 + _ARCS) % _FACTOR)
                        reached &= (_ONE << _U(end_1 - first_1)) - _ONE
                        start = _U(added_2 + _FACTOR**3 * (h1 + 1) + _FACTOR**4 * first_1)
                        while reached != _ZERO:
                            place = (start + trailing_zeros(reached) * _STRIDE) & _TURN
                            reached &= reached - _ONE
                            marks[np.int64(place >> _WORD_BITS)] |= _ONE << (place & _IN_WORD)


@compiled
def tsu_marked(marks: Any, first: Any, values: Any, found: Any) -> None:
    """Writes the values that are marked, in the order of their marks, and how many there are to ``found[0]``.

    marks: as ``tsu_marks`` made them for ``first``. values: uint32, WINDOW of them.
    """
    n = 0
    for k in range(len(marks)):
        word = marks[k]
        while word != _ZERO:
            values[n] = np.uint32(_U(first + 64 * k - ADDED) + trailing_zeros(word))
            word &= word - _ONE
            n += 1
    found[0] = n


PARTS: Final = 8
"""The values are examined in this many parts."""

_EACH: Final = (1 << 32) // PARTS


def windows_of(part: int) -> range:
    """Where the windows of a part begin."""
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

"""Lists the cells that burn on a board and the claims on them, for the kernel of many boards (imports numba).

A *plane* is a set of cells in two words, in reading order: the cells 0 to 41 (the upper six rows), and the others::

    word "low":   bit 0 1 2 3 4 5 6     word "high":  bit 0 1 2 3 4 5 6
                      7 8 9 ...                           7 8 9 ...
                      ...          41                     ...          41

The cells that burn are listed by group, within a group by step, within a step in reading order. A cell's index in this
list is its *place*. A set of places is two words, too; the first word has the places 0 to 63. Both rulesets use the
same list.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from ochibot.jit.lanes import compiled, inlined, trailing_zeros
from ochibot.nyaa.rules.grid import COLUMNS

U: Final = np.uint64
ZERO: Final = U(0)
ONE: Final = U(1)
HALF: Final = 42
ROW: Final = U(COLUMNS)
TO_LAST_ROW: Final = U(HALF - COLUMNS)
ALL: Final = U((1 << HALF) - 1)
NOT_FIRST: Final = U(sum(0b1111110 << row for row in range(0, HALF, COLUMNS)))
NOT_LAST: Final = U(sum(0b0111111 << row for row in range(0, HALF, COLUMNS)))
CODES: Final = 10
COLORS: Final = 4
PLANE_WORDS: Final = 2 * CODES

CELL, STEP, SOURCES, TWICE, SOURCE = range(5)
"""The columns of a claim: the cell, its step, the number of its sources (neighbours that burn in the step before),
whether two sources are strong (both vertical, or both horizontal if none is vertical), and from SOURCE on the sources'
places, strong ones first, then in reading order."""
CLAIM_WORDS: Final = SOURCE + 4
FIRST, LIT, END = range(3)
"""The columns of a group: the place of its first start, the place of its first cell that isn't a start, and the place
after its last cell.
"""


@inlined
def lowest(low: Any, high: Any, half: Any) -> Any:
    """The lowest element of a set in two words. The first word has ``half`` bits."""
    return np.int64(trailing_zeros(low)) if low != ZERO else np.int64(trailing_zeros(high)) + half


@inlined
def without_lowest(low: Any, high: Any) -> Any:
    """The set without its lowest element."""
    return low & (low - ONE), high if low != ZERO else high & (high - ONE)


@inlined
def _down(low: Any, high: Any) -> Any:
    """The plane with every cell moved one row down."""
    return (low << ROW) & ALL, ((high << ROW) | (low >> TO_LAST_ROW)) & ALL


@inlined
def _up(low: Any, high: Any) -> Any:
    """The plane with every cell moved one row up."""
    return (low >> ROW) | ((high << TO_LAST_ROW) & ALL), high >> ROW


@inlined
def _right(low: Any, high: Any) -> Any:
    """The plane with every cell moved one column to the right."""
    return (low & NOT_LAST) << ONE, (high & NOT_LAST) << ONE


@inlined
def _left(low: Any, high: Any) -> Any:
    """The plane with every cell moved one column to the left."""
    return (low & NOT_FIRST) >> ONE, (high & NOT_FIRST) >> ONE


@inlined
def _beside(low: Any, high: Any) -> Any:
    """The cells beside those of a plane."""
    a, b = _down(low, high)
    c, d = _up(low, high)
    e, f = _right(low, high)
    g, h = _left(low, high)
    return a | c | e | g, b | d | f | h


@inlined
def _note_start(cell: Any, at: Any, place: Any, claims: Any) -> None:
    place[cell] = at
    claims[at, CELL] = cell
    claims[at, STEP] = 1
    claims[at, SOURCES] = 0
    claims[at, TWICE] = 0


@inlined
def _note_claim(
    cell: Any, at: Any, step: Any, above: Any, left: Any, right: Any, below: Any, place: Any, claims: Any
) -> None:
    """Gives a cell the place ``at``, and writes the claims on it. ``above``, ``left``, ``right``, ``below``: words
    whose lowest bit is set if that neighbour burns in the step before.
    """
    place[cell] = at
    claims[at, CELL] = cell
    claims[at, STEP] = step
    many = SOURCE
    if above & ONE:
        claims[at, many] = place[cell - COLUMNS]
        many += 1
    if below & ONE:
        claims[at, many] = place[cell + COLUMNS]
        many += 1
    upright = many
    if left & ONE:
        claims[at, many] = place[cell - 1]
        many += 1
    if right & ONE:
        claims[at, many] = place[cell + 1]
        many += 1
    claims[at, SOURCES] = many - SOURCE
    claims[at, TWICE] = 1 if (upright if upright > SOURCE else many) == SOURCE + 2 else 0


@inlined
def _whole_group(low: Any, high: Any, color_low: Any, color_high: Any) -> Any:
    """The whole group of a cell: all cells of its colour that are connected with it."""
    while True:
        near_low, near_high = _beside(low, high)
        more_low, more_high = (near_low & color_low) | low, (near_high & color_high) | high
        if more_low == low and more_high == high:
            return low, high
        low, high = more_low, more_high


@compiled
def lay_out(codes: Any, planes: Any, place: Any, claims: Any, groups: Any) -> Any:
    """Lists the cells that burn on a board (see the module's text). Returns the number of groups.

    codes: 84 cell codes. planes: scratch, PLANE_WORDS words. place: receives the place of each cell that burns; other
    entries aren't changed. claims: receives CLAIM_WORDS words for each place. groups: receives FIRST, LIT and END of
    each group.
    """
    for k in range(PLANE_WORDS):
        planes[k] = ZERO
    for k in range(HALF):
        planes[codes[k]] |= ONE << U(k)
        planes[CODES + codes[HALF + k]] |= ONE << U(k)
    all_low = all_high = ZERO
    for color in range(1, COLORS + 1):
        needle = color + CODES - COLORS - 1
        low, high = planes[needle], planes[CODES + needle]
        if (low | high) != ZERO:
            low, high = _beside(low, high)
            all_low |= low & planes[color]
            all_high |= high & planes[CODES + color]
    many = at = 0
    while (all_low | all_high) != ZERO:
        cell = lowest(all_low, all_high, HALF)
        low, high = without_lowest(all_low, all_high)
        low, high = low ^ all_low, high ^ all_high
        color_low, color_high = planes[codes[cell]], planes[CODES + codes[cell]]
        if (all_low & color_low) != low or (all_high & color_high) != high:
            low, high = _whole_group(low, high, color_low, color_high)
            low &= all_low
            high &= all_high
        all_low &= ~low
        all_high &= ~high
        groups[many, FIRST] = at
        color_low &= ~low
        color_high &= ~high
        more = low
        while more != ZERO:
            _note_start(np.int64(trailing_zeros(more)), at, place, claims)
            more &= more - ONE
            at += 1
        more = high
        while more != ZERO:
            _note_start(np.int64(trailing_zeros(more)) + HALF, at, place, claims)
            more &= more - ONE
            at += 1
        groups[many, LIT] = at
        step = 1
        while True:
            above_low, above_high = _down(low, high)
            below_low, below_high = _up(low, high)
            left_low, left_high = _right(low, high)
            right_low, right_high = _left(low, high)
            low = (above_low | below_low | left_low | right_low) & color_low
            high = (above_high | below_high | left_high | right_high) & color_high
            if (low | high) == ZERO:
                break
            step += 1
            color_low &= ~low
            color_high &= ~high
            more = low
            while more != ZERO:
                k = trailing_zeros(more)
                _note_claim(
                    np.int64(k), at, step, above_low >> k, left_low >> k, right_low >> k, below_low >> k, place, claims
                )
                more &= more - ONE
                at += 1
            more = high
            while more != ZERO:
                k = trailing_zeros(more)
                _note_claim(
                    np.int64(k) + HALF,
                    at,
                    step,
                    above_high >> k,
                    left_high >> k,
                    right_high >> k,
                    below_high >> k,
                    place,
                    claims,
                )
                more &= more - ONE
                at += 1
        groups[many, END] = at
        many += 1
    return many

"""Bit tricks on planes, for kernels only (imports numba): shifts, masks, popcount, groups, falling.

A plane is two words, three 16-bit columns each, bit 0 the floor (see ``bot.puyo.field``), or two ``bot.jit.lanes``:
the planes of all colours at once. Diagrams show a plane from above, '#' set, as the player sees the field. Everything
here is inlined into the kernels that use it; nothing allocates. All constants are ``np.uint64``: a uint64 mixed with
an int64 would become a float64.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from bot.jit.lanes import any_of, inlined, load, store
from bot.puyo.field import PLANE_LANES, PLANE_WORDS
from bot.puyo.special import clear_size

U: Final = np.uint64

LANES: Final = PLANE_LANES
NUISANCE_LOW: Final = 2 * LANES
NUISANCE_HIGH: Final = NUISANCE_LOW + 1
WORDS: Final = PLANE_WORDS


def _every_lane(column: int) -> np.uint64:
    return U(column | column << 16 | column << 32)


ZERO: Final = U(0)
ONE: Final = U(1)
TWO: Final = U(2)
THREE: Final = U(3)
FOUR: Final = U(4)
FLOOR: Final = _every_lane(0x0001)  # the bottom row of each column
GUARD: Final = _every_lane(0x8000)  # a spare bit above each column
COLUMN: Final = U(16)
TO_LAST: Final = U(32)
LANE: Final = U(0xFFFF)
WORD: Final = U(0xFFFF_FFFF_FFFF)


@inlined
def from_left(low: Any, high: Any) -> Any:
    """Every cell of a plane, one column further right.

    ::

        #.....      .#....
        .#...#  ->  ..#...      (what leaves the field is gone)
    """
    return (low << COLUMN) & WORD, ((high << COLUMN) & WORD) | (low >> TO_LAST)


@inlined
def from_right(low: Any, high: Any) -> Any:
    """Every cell of a plane, one column further left (the mirror image of ``from_left``)."""
    return (low >> COLUMN) | ((high & LANE) << TO_LAST), high >> COLUMN


@inlined
def seeds(g: Any, low: Any, high: Any) -> Any:
    """Cells of a plane inside a group of four or more; every such group has one, and its other cells touch one.

    A cell is a seed when it has three neighbours, or two and a neighbour that has two. ``low`` and ``high`` hold
    grouping cells only. Where smaller groups clear, the like for those; larger ones are picked out later::

        ##....      ##....        ...#..      ......
        .##..#  ->  .##...        ..###.  ->  ...#..
        .....#      ......        ......      ......
    """
    right_low, right_high = from_right(low, high)
    left_low, left_high = from_left(low, high)
    right_low &= low
    right_high &= high
    left_low &= low
    left_high &= high
    up_low = (low >> ONE) & low
    up_high = (high >> ONE) & high
    down_low = (low << ONE) & low
    down_high = (high << ONE) & high
    beside_low, beside_high = left_low | right_low, left_high | right_high
    both_low, both_high = left_low & right_low, left_high & right_high
    along_low, along_high = up_low | down_low, up_high | down_high
    through_low, through_high = up_low & down_low, up_high & down_high
    three_low = (both_low & along_low) | (through_low & beside_low)
    three_high = (both_high & along_high) | (through_high & beside_high)
    two_low = both_low | through_low | (beside_low & along_low)
    two_high = both_high | through_high | (beside_high & along_high)
    if clear_size(g) == TWO:
        return beside_low | along_low, beside_high | along_high
    if clear_size(g) == THREE:
        return two_low, two_high
    right_low, right_high = from_right(two_low, two_high)
    left_low, left_high = from_left(two_low, two_high)
    near_low = right_low | left_low | (two_low >> ONE) | (two_low << ONE)
    near_high = right_high | left_high | (two_high >> ONE) | (two_high << ONE)
    return three_low | (two_low & near_low), three_high | (two_high & near_high)


@inlined
def grown(low: Any, high: Any) -> Any:
    """A plane and every cell beside one of its cells (rows may spill into the guard bits: mask the result)."""
    right_low, right_high = from_right(low, high)
    left_low, left_high = from_left(low, high)
    return (
        low | right_low | left_low | (low >> ONE) | (low << ONE),
        high | right_high | left_high | (high >> ONE) | (high << ONE),
    )


@inlined
def occupied(planes: Any) -> Any:
    """The plane of all puyos."""
    return any_of(load(planes, 0)) | planes[NUISANCE_LOW], any_of(load(planes, LANES)) | planes[NUISANCE_HIGH]


@inlined
def copy(words: Any, at: Any, board: Any) -> None:
    """Copies the board that begins at ``at``, in the pieces in which it is read next (others would have to wait in the
    store buffer)."""
    store(board, 0, load(words, at))
    store(board, LANES, load(words, at + LANES))
    board[NUISANCE_LOW] = words[at + NUISANCE_LOW]
    board[NUISANCE_HIGH] = words[at + NUISANCE_HIGH]


@inlined
def holes(occupied_word: Any) -> Any:
    """The empty cells below the highest puyo of each column, of one word.

    ::

        ..#...      ......
        #.....  ->  ..#...
        ..#...      #.....
    """
    below = occupied_word
    below |= (below >> ONE) & U(0x7FFF_7FFF_7FFF)
    below |= (below >> TWO) & U(0x3FFF_3FFF_3FFF)
    below |= (below >> FOUR) & U(0x0FFF_0FFF_0FFF)
    below |= (below >> U(8)) & U(0x00FF_00FF_00FF)
    return below & ~occupied_word


@inlined
def floats(occupied_word: Any) -> Any:
    """Nonzero when a puyo of this word floats: adding 1 to a column without gaps carries past all of it."""
    return (occupied_word + FLOOR) & occupied_word


@inlined
def fall(planes: Any, low: Any, high: Any) -> None:
    """Takes the empty cells ``low``, ``high`` out of every column: what is above them moves down.

    In each round every column loses its lowest such cell::

        R.....      ......
        *.....      ......          *: a cell to take out
        G.....  ->  R.....
        *B....      GB....
    """
    while (low | high) != ZERO:
        rest_low = (low | GUARD) - FLOOR
        rest_high = (high | GUARD) - FLOOR
        keep_low = rest_low & ~low & ~GUARD
        keep_high = rest_high & ~high & ~GUARD
        words = load(planes, 0)
        store(planes, 0, (words & keep_low) | ((words & ~keep_low) >> ONE))
        words = load(planes, LANES)
        store(planes, LANES, (words & keep_high) | ((words & ~keep_high) >> ONE))
        low_word = planes[NUISANCE_LOW]
        planes[NUISANCE_LOW] = (low_word & keep_low) | ((low_word & ~keep_low) >> ONE)
        high_word = planes[NUISANCE_HIGH]
        planes[NUISANCE_HIGH] = (high_word & keep_high) | ((high_word & ~keep_high) >> ONE)
        low = (low & rest_low) >> ONE
        high = (high & rest_high) >> ONE

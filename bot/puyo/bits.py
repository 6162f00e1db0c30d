"""Bit tricks on planes, for kernels only (imports numba): shifts, masks, holes, falling.

A plane is two words, three 16-bit columns each, bit 0 the floor (see ``bot.puyo.field``; ``bot.puyo.planes`` has other
words for groups). Diagrams show a plane from above, '#' set, as the player sees the field. Everything
here is inlined into the kernels that use it; nothing allocates. All constants are ``np.uint64``: a uint64 mixed with
an int64 would become a float64.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from bot.jit.lanes import any_of, inlined, load, store
from bot.puyo.field import PLANE_LANES, PLANE_WORDS
from bot.puyo.planes import colored

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
def occupied(g: Any, board: Any) -> Any:
    """The plane of all puyos."""
    low, high = any_of(colored(g, board, 0)), any_of(colored(g, board, LANES))
    return low | board[NUISANCE_LOW], high | board[NUISANCE_HIGH]


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

"""Bit tricks on planes, for kernels only (imports numba): shifts, masks, holes.

A plane is two words, see ``ochibot.puyo.rules.field``. Diagrams show a plane as the player sees the field, '#' set.
Everything here is inlined into the kernels that use it; nothing allocates. All constants are ``np.uint64``: a uint64
mixed with an int64 would become a float64.

Random numbers in kernels are drawn here, too.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from ochibot.falling.draws import GAMMA, MIX_1, MIX_2
from ochibot.jit.lanes import inlined

U: Final = np.uint64


def every_column(column: int) -> np.uint64:
    """A word with these 16 bits in each of its four columns."""
    return U(column * 0x0001_0001_0001_0001)


ZERO: Final = U(0)
ONE: Final = U(1)
TWO: Final = U(2)
THREE: Final = U(3)
FOUR: Final = U(4)
FLOOR: Final = every_column(0x0001)  # the bottom row
GUARD: Final = every_column(0x8000)  # a spare bit above each column
LANE: Final = U(0xFFFF)
COLUMN: Final = U(16)
THREE_COLUMNS: Final = U(48)
EAST_WORD: Final = U(0xFFFF_FFFF)

_BELOW: Final = tuple(every_column(0xFFFF >> rows) for rows in (1, 2, 4, 8))


@inlined
def from_left(west: Any, east: Any) -> Any:
    """Every cell of a plane, one column further right.

    ::

        #.....      .#....
        .#...#  ->  ..#...      (what leaves the field is gone)
    """
    return west << COLUMN, ((east << COLUMN) & EAST_WORD) | (west >> THREE_COLUMNS)


@inlined
def from_right(west: Any, east: Any) -> Any:
    """Every cell of a plane, one column further left (the mirror image of ``from_left``)."""
    return (west >> COLUMN) | (east << THREE_COLUMNS), east >> COLUMN


@inlined
def grown(west: Any, east: Any) -> Any:
    """A plane together with every cell beside one of its cells. The result may leave the field: mask it."""
    return (
        west | (west << COLUMN) | (west >> COLUMN) | (east << THREE_COLUMNS) | (west >> ONE) | (west << ONE),
        east | (east << COLUMN) | (east >> COLUMN) | (west >> THREE_COLUMNS) | (east >> ONE) | (east << ONE),
    )


@inlined
def holes(occupied_word: Any) -> Any:
    """The empty cells below the highest puyo of each column, of one word.

    ::

        ..#...      ......
        #.....  ->  ..#...
        ..#...      #.....
    """
    below = occupied_word
    below |= (below >> ONE) & _BELOW[0]
    below |= (below >> TWO) & _BELOW[1]
    below |= (below >> FOUR) & _BELOW[2]
    below |= (below >> U(8)) & _BELOW[3]
    return below & ~occupied_word


@inlined
def floats(occupied_word: Any) -> Any:
    """Nonzero when a puyo of this word floats: adding 1 to a column without gaps clears all bits that were set."""
    return (occupied_word + FLOOR) & occupied_word


_GAMMA: Final = U(GAMMA)
_MIX_1: Final = U(MIX_1)
_MIX_2: Final = U(MIX_2)


@inlined
def rolled(random: Any, limit: Any) -> Any:
    """The next number of SplitMix64, 0 <= n < ``limit``: the high half of the generator's number, times ``limit``,
    divided by 2^32. random[0], uint64: its state.
    """
    random[0] += _GAMMA
    z = random[0]
    z = (z ^ (z >> U(30))) * _MIX_1
    z = (z ^ (z >> U(27))) * _MIX_2
    z ^= z >> U(31)
    return np.int64((z >> U(32)) * U(limit) >> U(32))

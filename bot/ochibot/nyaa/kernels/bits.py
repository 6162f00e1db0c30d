"""Bit tricks on planes, for kernels only (imports numba): shifts, pops and the fall.

A *board* and its planes are described in ``ochibot.nyaa.kernels.packed``. In the diagrams, '#' is a set bit, drawn
where its cell is on the screen. Nothing here allocates. All constants are ``np.uint64``: a uint64 mixed with an int64
would become a float64.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from ochibot.jit.lanes import inlined, popcount
from ochibot.nyaa.kernels.packed import NEEDLES, NUISANCE_WORD

U: Final = np.uint64
ZERO: Final = U(0)
ONE: Final = U(1)
COLUMN: Final = U(16)
TO_LAST: Final = U(48)
FLOOR: Final = U(0x0001_0001_0001_0001)
GUARD: Final = U(0x8000_8000_8000_8000)
COLORS: Final = 4


@inlined
def from_left(low: Any, high: Any) -> Any:
    """The plane with every cell moved one column to the right.

    ::

        #......      .#.....
        ...#..#  ->  ....#..      (what leaves the grid lands in the spare lane)
    """
    return low << COLUMN, (high << COLUMN) | (low >> TO_LAST)


@inlined
def from_right(low: Any, high: Any) -> Any:
    """The plane with every cell moved one column to the left (the mirror image of ``from_left``)."""
    return (low >> COLUMN) | (high << TO_LAST), high >> COLUMN


@inlined
def beside(low: Any, high: Any) -> Any:
    """The cells beside those of a plane (and some spare bits: mask the result).

    ::

        .......      ..#....
        ..#....  ->  .#.#...
        .......      ..#....
    """
    right_low, right_high = from_left(low, high)
    left_low, left_high = from_right(low, high)
    return (
        right_low | left_low | (low << ONE) | (low >> ONE),
        right_high | left_high | (high << ONE) | (high >> ONE),
    )


@inlined
def count(low: Any, high: Any) -> Any:
    """How many cells a plane has."""
    return np.int64(popcount(low) + popcount(high))


@inlined
def blocks(board: Any) -> Any:
    """The plane of all coloured blocks."""
    return (board[0] | board[1]) | (board[2] | board[3]), (board[4] | board[5]) | (board[6] | board[7])


@inlined
def lowest(low: Any, high: Any) -> Any:
    """The first cell of a plane, as a plane."""
    return low & (~low + ONE), high & (~high + ONE) if low == ZERO else ZERO


@inlined
def settle(board: Any) -> None:
    """Drops everything that floats.

    In each round, every column with a gap loses its lowest empty cell: all cells above it move down one row::

        r......      .......
        .......      .......
        g......  ->  r......
        .b.....      gb.....
    """
    while True:
        low, high = board[NUISANCE_WORD], board[NUISANCE_WORD + 1]
        for k in range(COLORS):
            low |= board[k] | board[NEEDLES + k]
            high |= board[COLORS + k] | board[NEEDLES + COLORS + k]
        # in a column without gaps, adding 1 clears all its bits, so ``&`` leaves nothing
        if ((low + FLOOR) & low) == ZERO and ((high + FLOOR) & high) == ZERO:
            return
        hole_low, hole_high = ~low & (low + FLOOR), ~high & (high + FLOOR)  # the lowest empty cell of each column
        keep_low, keep_high = (hole_low | GUARD) - FLOOR, (hole_high | GUARD) - FLOOR  # the cells below that empty cell
        keep_low &= ~GUARD
        keep_high &= ~GUARD
        for k in range(0, NUISANCE_WORD, 8):
            for c in range(COLORS):
                word = board[k + c]
                board[k + c] = (word & keep_low) | ((word & ~keep_low) >> ONE)
                word = board[k + COLORS + c]
                board[k + COLORS + c] = (word & keep_high) | ((word & ~keep_high) >> ONE)
        word = board[NUISANCE_WORD]
        board[NUISANCE_WORD] = (word & keep_low) | ((word & ~keep_low) >> ONE)
        word = board[NUISANCE_WORD + 1]
        board[NUISANCE_WORD + 1] = (word & keep_high) | ((word & ~keep_high) >> ONE)


@inlined
def burn_out(board: Any, pop_low: Any, pop_high: Any, vanishes: Any, nuisance_pops: Any) -> None:
    """Removes the blocks that pop and the needles that lit one, and lets everything else fall.

    vanishes: 1 also removes the other needles; 0 turns them into blocks. nuisance_pops: 1 also removes the nuisance
    beside blocks that pop; 0 leaves it.
    """
    stays = U(vanishes) - ONE  # all bits are set if vanishes is 0, none if it is 1
    near_pops = ZERO - U(nuisance_pops)
    for c in range(COLORS):
        near_low, near_high = beside(board[c], board[COLORS + c])
        board[c] = (board[c] & ~pop_low) | (board[NEEDLES + c] & ~near_low & stays)
        board[COLORS + c] = (board[COLORS + c] & ~pop_high) | (board[NEEDLES + COLORS + c] & ~near_high & stays)
        board[NEEDLES + c] = ZERO
        board[NEEDLES + COLORS + c] = ZERO
    near_low, near_high = beside(pop_low, pop_high)
    board[NUISANCE_WORD] &= ~(near_low & near_pops)
    board[NUISANCE_WORD + 1] &= ~(near_high & near_pops)
    settle(board)

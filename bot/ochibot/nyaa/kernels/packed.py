"""Packs grids into bit planes, on which the kernels work.

A plane has one bit for every cell. It is two words of 64 bits, with one lane of 16 bits for each column. Bit 0 of a
lane is the floor, bit 11 the top row::

    word "low":   x=1 bits 0-15 | x=2 bits 16-31 | x=3 bits 32-47 | x=4 bits 48-63
    word "high":  x=5           | x=6            | x=7            | spare

A *board* is 18 words. [0:4] are the low words of the blocks red, green, blue, yellow; [4:8] their high words; [8:12]
and [12:16] the same for the needles; [16] and [17] nuisance.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np
import numpy.typing as npt

from ochibot.nyaa.rules.grid import COLUMNS, ROWS, Grid

BOARD_WORDS: Final = 18
NEEDLES: Final = 8
NUISANCE_WORD: Final = 16

WORK_WORDS: Final = 16
"""Words of scratch memory that an ignition needs."""

# For each cell code: the index of its low word, and the distance from it to its high word. Code 0 (empty) has neither.
_WORD = np.array([0, 0, 1, 2, 3, 16, 8, 9, 10, 11])
_HIGH = np.array([0, 4, 4, 4, 4, 1, 4, 4, 4, 4])
_CODES = len(_WORD)


def pack(codes: npt.NDArray[np.uint8]) -> npt.NDArray[np.uint64]:
    """Packs n grids, given as cell codes (n, 84) in reading order, into boards (n, 18). Codes are not checked."""
    count = len(codes)
    # indexed [grid, column, row from the floor]
    cells = codes.reshape(count, ROWS, COLUMNS)[:, ::-1].transpose(0, 2, 1)
    boards = np.zeros((count, BOARD_WORDS), np.uint64)
    for code in range(1, _CODES):
        bits = np.zeros((count, 8, 16), np.uint8)
        bits[:, :COLUMNS, :ROWS] = cells == code
        words = np.packbits(bits.reshape(count, 128), axis=1, bitorder="little").view("<u8")
        boards[:, _WORD[code]] = words[:, 0]
        boards[:, _WORD[code] + _HIGH[code]] = words[:, 1]
    return boards


def boards_of(grids: Sequence[Grid]) -> npt.NDArray[np.uint64]:
    """The boards of these grids, (n, 18)."""
    codes = np.frombuffer(b"".join(grid.codes for grid in grids), np.uint8)
    return pack(codes.reshape(len(grids), ROWS * COLUMNS))

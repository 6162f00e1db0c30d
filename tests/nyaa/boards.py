"""Random boards of several kinds, for tests and the proof, and a conversion of the kernels' boards to grids."""

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt
from ochibot.nyaa import Grid
from ochibot.nyaa.rules.grid import CELLS

KINDS: Final = {
    # number of colours, share of cells with a block, number of needles
    "four colours, one needle": (4, 0.6, 1),
    "four colours, a pair": (4, 0.7, 2),
    "two colours, a pair": (2, 0.8, 2),
    "one colour, one needle": (1, 0.85, 1),
    "one colour, a pair": (1, 0.8, 2),
    "one colour, ten needles": (1, 0.7, 10),
}
SHARES: Final = (0.3, 0.3, 0.2, 0.1, 0.05, 0.05)
"""The share of each of the KINDS, in their order, in a mixture."""


def random_codes(dice: np.random.Generator, kind: str) -> bytes:
    """The cell codes of one board; some of its blocks are nuisance, and some float."""
    colors, full, needles = KINDS[kind]
    codes = (dice.integers(1, colors + 1, CELLS) * (dice.random(CELLS) < full)).astype(np.uint8)
    codes[dice.random(CELLS) < 0.05] = 5
    codes[dice.choice(CELLS, needles, replace=False)] = 5 + dice.integers(1, colors + 1, needles)
    return codes.tobytes()


def mixture(seed: int, count: int) -> list[Grid]:
    """``count`` boards, whose kinds are drawn at random by ``SHARES``."""
    dice = np.random.default_rng(seed)
    kinds = dice.choice(len(KINDS), count, p=SHARES)
    names = list(KINDS)
    return [Grid(random_codes(dice, names[kind])) for kind in kinds]


def grid_of(board: npt.NDArray[np.uint64]) -> Grid:
    """Converts a board (``ochibot.nyaa.kernels.packed``) to a grid, cell by cell."""
    words = [int(word) for word in board]
    pairs = (
        [(0, 4, code, code - 1) for code in range(1, 5)] + [(16, 1, 5, 0)] + [(8, 4, 5 + n, n - 1) for n in range(1, 5)]
    )
    codes = bytearray(CELLS)
    for first, apart, code, number in pairs:
        for x in range(7):
            word = words[first + number + (apart if x > 3 else 0)]
            for y in range(16):
                if word >> 16 * (x & 3) + y & 1:
                    codes[(11 - y) * 7 + x] += code
    return Grid(bytes(codes))

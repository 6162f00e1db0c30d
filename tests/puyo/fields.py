"""Random fields of many kinds, always the same for a seed."""

from __future__ import annotations

from functools import cache

import numpy as np
import numpy.typing as npt
import pytest
from ochibot.puyo.rules.field import BOARD_WORDS, Field
from ochibot.puyo.rules.profile import Rules
from ochibot.puyo.search.engine import MOST_LOCKS, SEARCH_KERNELS, SPOT_WORDS
from ochibot.puyo.search.locks import lock_order

Cells = npt.NDArray[np.uint8]

FIELDS = 20_000


def sampled(few: int, many: int) -> pytest.MarkDecorator:
    """Runs a test with ``fields`` = few, and once more with many, which is marked as long."""
    return pytest.mark.parametrize("fields", [few, pytest.param(many, marks=pytest.mark.long)])


@cache
def random_cells(n: int = FIELDS, seed: int = 2) -> Cells:
    """(n, 14, 6) cells: floating and settled, from nearly empty to overfull, 1 to 6 colours, with nuisance.

    The hidden row is in use wherever a column is full.
    """
    rng = np.random.default_rng(seed)
    colors = rng.integers(1, 7, (n, 1, 1))
    cells = 1 + (rng.random((n, 14, 6)) * colors).astype(np.uint8)
    nuisance = rng.choice([0.0, 0.05, 0.3], (n, 1, 1))
    cells[rng.random((n, 14, 6)) < nuisance] = 7
    density = rng.choice([0.1, 0.3, 0.6, 0.9, 0.97, 1.0], (n, 1, 1))
    floating = rng.random((n, 14, 6)) < density
    # settled fields: heights around a level that is often close to the top.
    level = rng.choice([2, 5, 9, 12, 13], (n, 1))
    heights = np.clip(level + rng.integers(-2, 3, (n, 6)), 0, 14)
    settled = np.arange(14)[None, :, None] >= 14 - heights[:, None, :]
    kind = rng.random((n, 1, 1)) < 0.3
    cells[~np.where(kind, floating, settled)] = 0
    return cells


def boards_of(cells: Cells) -> npt.NDArray[np.uint64]:
    """(n, BOARD_WORDS) boards for the kernels."""
    boards = np.zeros((len(cells), BOARD_WORDS), np.uint64)
    for i, one in enumerate(cells):
        boards[i] = Field.from_cells(one).planes
    return boards


def cells_of(board: npt.NDArray[np.uint64]) -> Cells:
    """The cells of a kernel's board, (14, 6)."""
    return Field.from_planes(board).cells


def ordered_kernel_locks(
    boards: npt.NDArray[np.uint64], rules: Rules, piece: int, start: tuple[int, int, int]
) -> list[list[tuple[int, int, int]]]:
    """For each board, the locks (x, y, orientation) that the kernel writes, in its order."""
    x, y, turned = start
    results = np.zeros((len(boards), 1 + MOST_LOCKS), np.int64)
    place, spots = np.array([x - 1, 13 - y, turned]), np.zeros(SPOT_WORDS, np.uint64)
    SEARCH_KERNELS.kernel("lock_boards", rules)(boards, place, piece, spots, results)
    order = lock_order()
    return [
        [(*order[code // 16][:1], 13 - code % 16, int(order[code // 16][1])) for code in row[1 : 1 + row[0]]]
        for row in results.tolist()
    ]

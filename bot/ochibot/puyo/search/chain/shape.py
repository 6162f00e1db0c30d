"""The shape of a field as a value (imports numba): links, column heights, and room for new pairs."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from ochibot.jit.lanes import compiled, inlined, popcount
from ochibot.jit.planes import rightward, words
from ochibot.puyo.kernels.bits import LANE, ONE, U
from ochibot.puyo.kernels.codes import alike, linked, load, puyos, vectors
from ochibot.puyo.kernels.special import spawn_row
from ochibot.puyo.rules.field import COLUMNS
from ochibot.puyo.rules.profile import SPAWN_COLUMN
from ochibot.puyo.search.chain.layout import DANGER, LINK, PROFILE, TRIPLE, UNEVEN, WELL

_SPAWN: Final = SPAWN_COLUMN - 1
_FREE: Final = 4
"""The spawn's column is too high if fewer than this many of its cells below the spawn cell are free."""


@inlined
def heights(codes: Any) -> Any:
    """How many puyos each column of a settled board has, six int64."""
    west, east = puyos(codes)
    return (
        np.int64(popcount(west & LANE)),
        np.int64(popcount((west >> U(16)) & LANE)),
        np.int64(popcount((west >> U(32)) & LANE)),
        np.int64(popcount(west >> U(48))),
        np.int64(popcount(east & LANE)),
        np.int64(popcount(east >> U(16))),
    )


@compiled
def shape(g: Any, codes: Any, weights: Any) -> Any:
    """The value of a resolved board's shape; ``weights`` as in ``ochibot.puyo.search.chain.layout``.

    link counts for each two neighbours of one colour. triple counts for each puyo with two such neighbours, so once
    for a group of three::

        RR.BB.      4 links, 2 triples
        .R.B..

    uneven counts for each row by which a column differs from the profile (how much higher than the average it should
    be). well counts for each row, after the first, by which a column is lower than both its neighbours; a column at the
    wall has only one. danger counts for the square of the rows by which the spawn's column is too high: it should leave
    four free rows below the spawn cell.
    """
    right, up, _ = alike(vectors(codes))
    right, up = linked(g, right, up)
    left, down = rightward(right), up << ONE
    twice = (left & right) | (up & down) | ((left | right) & (up | down))
    (a, b), (c, d), (e, f) = words(right), words(up), words(twice)
    value = weights[LINK] * np.float64(popcount(a) + popcount(b) + popcount(c) + popcount(d))
    value += weights[TRIPLE] * np.float64(popcount(e) + popcount(f))
    tall = heights(codes)
    total = tall[0] + tall[1] + tall[2] + tall[3] + tall[4] + tall[5]
    average = total / COLUMNS
    uneven, wells = 0.0, 0
    for x in range(COLUMNS):
        uneven += abs(tall[x] - average - weights[PROFILE + x])
        beside = tall[1] if x == 0 else tall[x - 1]
        if 0 < x < COLUMNS - 1:
            beside = min(beside, tall[x + 1])
        wells += max(0, beside - tall[x] - 1)
    over = max(0, tall[_SPAWN] + _FREE - np.int64(spawn_row(g)))
    return value + weights[UNEVEN] * uneven + weights[WELL] * wells + weights[DANGER] * over * over


@compiled
def shape_boards(g: Any, boards: Any, weights: Any, results: Any) -> None:
    """Writes ``shape`` of every row of ``boards``, (n, BOARD_WORDS), to ``results``, n float64."""
    for i in range(boards.shape[0]):
        results[i] = shape(g, load(boards[i], 0), weights)

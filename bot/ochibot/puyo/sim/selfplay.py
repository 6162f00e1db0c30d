"""Self-play in one kernel (imports numba): one player alone, without an emulator, for any number of pieces."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from ochibot.jit.lanes import compiled, inlined, popcount
from ochibot.puyo.kernels.bits import LANE, ZERO, U, rolled
from ochibot.puyo.kernels.codes import load, puyos, save
from ochibot.puyo.kernels.resolve import resolve
from ochibot.puyo.kernels.special import spawn_row
from ochibot.puyo.rules.field import ROWS
from ochibot.puyo.search.kernels import lock_piece, search
from ochibot.puyo.search.reach import LOCK_ORIENTATION, LOCKS
from ochibot.puyo.search.replies import is_over

_COLUMNS: Final = tuple(U(LANE << U(16 * x)) for x in range(4))
HEIGHTS: Final = ROWS + 1
"""How many heights a column can have, 0 included."""
LOCK_RANKS: Final = np.arange(LOCKS)
"""The rank of each lock for breaking ties in the search: the first lock wins."""


@inlined
def draw_color(random: Any, colors: Any) -> Any:
    """Advances a dealer's state, ``random``, and returns its next colour (from 0).

    With ``colors`` above 0, the dealer is ``ochibot.puyo.UniformDealer`` (which counts colours from 1). With 0, it is
    ``PoolDealer``, and ``random`` holds its ``words``.
    """
    if colors == 0:
        dealt = random[0]
        random[0] = dealt + U(1)
        place = dealt if dealt < U(256) else U(256) + (dealt & U(255))
        return np.int64(random[np.int64(place >> U(3)) + 1] >> ((place & U(7)) << U(3)) & U(255))
    return rolled(random, colors)


@compiled
def self_play(
    g: Any,
    board: Any,
    random: Any,
    state: Any,
    counts: Any,
    chains: Any,
    heights: Any,
    factors: Any,
    table: Any,
    work: Any,
) -> None:
    """Plays on from the state in the arrays, and leaves there all that is needed to continue later.

    board, BOARD_WORDS uint64: the field. random, uint64: the dealer's ``words``. factors, 7 float64: how the player
    weighs each metric. table: the score table.

    state, STATE_NUMBERS int64: [0] pieces to play now, [1] colours (0: the dealer has a pool), [2:4] current pair,
    [4:6] next pair (colours from 0). These counts are increased: [6] pieces, [7] game overs (the field is then
    emptied), [8] shown points, [9] field clears, [10] leaves, [11] puyos cleared, [12] leaves evaluated (equal fields
    after a lock are evaluated once), [14] field clears that a chain followed in the same game. [13] is 1 while the last
    field clear still waits for such a chain.

    counts, 85 int64: counts[n] is how often n puyos were on the field after a lock. chains, 20 int64: chains[n] is how
    often a chain of n steps came (0: nothing cleared; 19: also longer ones). heights, 6 * HEIGHTS int64: for each
    column, how often it had each height after a lock.
    """
    codes = load(board, 0)
    for _ in range(state[0]):
        _, lock, west, east, leaves, looked_at = search(
            g,
            codes,
            state[2],
            state[3],
            state[4],
            state[5],
            2,
            np.int64(spawn_row(g)),
            2,
            2,
            factors,
            work,
            LOCK_RANKS,
            0,
        )
        codes, _ = lock_piece(codes, state[2], state[3], west, east, LOCK_ORIENTATION[lock])
        codes, score, chain, cleared = resolve(g, codes, table)
        west, east = puyos(codes)
        count = popcount(west) + popcount(east)
        counts[np.int64(count)] += 1
        # no puyo floats, so a column's height is the number of its puyos
        for x in range(4):
            heights[HEIGHTS * x + np.int64(popcount(west & _COLUMNS[x]))] += 1
        for x in range(2):
            heights[HEIGHTS * (x + 4) + np.int64(popcount(east & _COLUMNS[x]))] += 1
        chains[min(chain, 19)] += 1
        state[6] += 1
        state[8] += score
        state[10] += leaves
        state[11] += cleared
        state[12] += looked_at
        if chain > 0:
            state[14] += state[13]
            state[13] = 0
        if count == ZERO:
            state[9] += 1
            state[13] = 1
        if is_over(g, codes):
            state[7] += 1
            state[13] = 0
            codes = (ZERO, ZERO, ZERO, ZERO, ZERO, ZERO)
        state[2] = state[4]
        state[3] = state[5]
        state[4] = draw_color(random, state[1])
        state[5] = draw_color(random, state[1])
    save(codes, board)

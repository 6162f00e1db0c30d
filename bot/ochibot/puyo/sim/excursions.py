"""Self-play from crowded fields, in one kernel (imports numba), to measure how they fill further."""

from __future__ import annotations

from typing import Any

import numpy as np

from ochibot.jit.lanes import compiled, inlined, popcount
from ochibot.puyo.kernels.bits import ZERO, U
from ochibot.puyo.kernels.codes import load, puyos, save
from ochibot.puyo.kernels.special import spawn_row
from ochibot.puyo.rules.field import BOARD_WORDS
from ochibot.puyo.search.kernels import lock_piece, search
from ochibot.puyo.search.reach import LOCK_ORIENTATION
from ochibot.puyo.search.replies import is_over, settle_and_clear
from ochibot.puyo.sim.selfplay import LOCK_RANKS, draw_color


@inlined
def _keep(codes: Any, c: Any, d: Any, state: Any) -> None:
    """Writes a moment (see ``excursions``): the field and the next pair."""
    save(codes, state)
    state[BOARD_WORDS] = U(c) | (U(d) << U(3))


@compiled
def excursions(
    g: Any,
    starts: Any,
    chosen: Any,
    entrances: Any,
    last: Any,
    random: Any,
    how: Any,
    counts: Any,
    overs: Any,
    factors: Any,
    work: Any,
) -> None:
    """Plays on from each chosen start until fewer than ``floor`` puyos lie on the field, or ``how`` [3] ends the run.

    A *moment* is EXCURSION_WORDS uint64: the field after a lock (BOARD_WORDS words) and the pair that comes next. Each
    run draws the pairs after that anew. An *entrance* is a moment with ``ceiling`` puyos or more that follows one with
    fewer (``before``: the puyos one lock before each start).

    starts: moments. chosen, int64: the row of ``starts`` where each run begins. entrances: receives the entrances of
    all runs as moments; when there are more than it has rows, it receives a uniformly random selection. last: receives
    the last moment. random, 2 uint64: the states of the dealer and of that selection.

    how, int64: [0] floor, [1] ceiling, [2] colours, [3] locks in each run, counting the start's own (0: no limit,
    and the end of a game ends the run; otherwise the run goes on with an empty field), [4] before, updated for playing
    on from ``last``; [5] receives the number of entrances, [6] that of locks played.

    counts, overs, 85 int64 each, indexed by the number of puyos on the field after a lock: each lock adds 1 to
    ``counts``, and also to ``overs`` if it ended the game.
    """
    floor, ceiling, colors, limit = how[0], how[1], how[2], how[3]
    found: Any = np.int64(0)
    played: Any = np.int64(0)
    before: Any = how[4]
    for run in range(chosen.shape[0]):
        start = starts[chosen[run]]
        codes = load(start, 0)
        c = np.int64(start[BOARD_WORDS] & U(7))
        d = np.int64(start[BOARD_WORDS] >> U(3))
        before = how[4]
        locks: Any = np.int64(0)
        while True:
            west, east = puyos(codes)
            count = np.int64(popcount(west) + popcount(east))
            if count < floor:
                break
            counts[count] += 1
            locks += 1
            if before < ceiling <= count:
                row = found
                found += 1
                if row >= entrances.shape[0]:
                    row = draw_color(random[1:], found)
                if row < entrances.shape[0]:
                    _keep(codes, c, d, entrances[row])
            before = count
            if is_over(g, codes):
                overs[count] += 1
                if limit == 0:
                    break
                codes = (ZERO, ZERO, ZERO, ZERO, ZERO, ZERO)
                before = 0
            if locks == limit:
                break
            a, b = c, d
            c = draw_color(random, colors)
            d = draw_color(random, colors)
            _, lock, west, east, _, _ = search(
                g, codes, a, b, c, d, 2, np.int64(spawn_row(g)), 2, 2, factors, work, LOCK_RANKS, 0
            )
            codes, _ = lock_piece(codes, a, b, west, east, LOCK_ORIENTATION[lock])
            codes, _ = settle_and_clear(g, codes)
            played += 1
        _keep(codes, c, d, last)
    how[4] = before
    how[5] = found
    how[6] = played

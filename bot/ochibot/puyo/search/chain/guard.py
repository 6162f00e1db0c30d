"""Finds the locks after which the game can't end soon (imports numba).

Boards, colours, columns and rows are those of ``ochibot.puyo.search.kernels``.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from ochibot.falling.orientation import Orientation
from ochibot.jit.lanes import compiled, popcount
from ochibot.puyo.kernels.bits import ONE, ZERO, U, rolled
from ochibot.puyo.kernels.codes import clears, load, puyos
from ochibot.puyo.kernels.special import spawn_row
from ochibot.puyo.rules.field import COLORS
from ochibot.puyo.rules.profile import SPAWN_COLUMN
from ochibot.puyo.search.chain.beam import locked
from ochibot.puyo.search.chain.shape import heights
from ochibot.puyo.search.kernels import lock_piece, search
from ochibot.puyo.search.reach import (
    LOCK_COLUMN,
    LOCK_ORIENTATION,
    LOCKS,
    find_locks,
    lock_bits,
    reply_locks,
)
from ochibot.puyo.search.replies import is_over, settle_and_clear

_SPAWN: Final = SPAWN_COLUMN - 1
_UP: Final = int(Orientation.UP)


@compiled
def _placed(g: Any, codes: Any, tall: Any, lock: Any, a: Any, b: Any) -> Any:
    """The board after a lock and its whole chain."""
    after, _ = locked(g, codes, tall, lock, a, b)
    if clears(g, after):
        after, _ = settle_and_clear(g, after)
    return after


@compiled
def _outlasts(g: Any, codes: Any, a: Any, b: Any, spots: Any) -> Any:
    """Whether a pair has a lock that doesn't end the game."""
    bits = reply_locks(g, spots, *puyos(codes), a == b)
    tall = heights(codes)
    for i in range(LOCKS):
        if (bits >> U(i)) & ONE == ZERO:
            continue
        if not is_over(g, _placed(g, codes, tall, i, a, b)):
            return True
    return False


@compiled
def _outlasts_all(g: Any, codes: Any, colors: Any, spots: Any) -> Any:
    """Whether every pair of the colours dealt has a lock that doesn't end the game.

    A pair that clears nothing ends the game only if it covers the spawn cell. So the colours matter only where every
    reachable lock covers it::

        ......      the third column has room for two more below the spawn cell: every pair can lock there
        ##.###
        ##.###
    """
    tall = heights(codes)
    if tall[_SPAWN] + 2 <= np.int64(spawn_row(g)):
        return True
    bits = reply_locks(g, spots, *puyos(codes), False)
    for i in range(LOCKS):
        if (bits >> U(i)) & ONE == ZERO:
            continue
        x, o = LOCK_COLUMN[i], LOCK_ORIENTATION[i]
        covers = x == _SPAWN or (o & 1 == 1 and x + o - 2 == _SPAWN)
        more = 2 if o & 1 == 0 else 1
        if not covers or tall[_SPAWN] + more <= np.int64(spawn_row(g)):
            return True
    for a in range(len(COLORS)):
        for b in range(a, len(COLORS)):
            both = (ONE << U(a)) | (ONE << U(b))
            if U(colors) & both == both and not _outlasts(g, codes, a, b, spots):
                return False
    return True


@compiled
def lasting_locks(g: Any, question: Any, board: Any, spots: Any) -> Any:
    """The falling pair's *lasting* locks, one bit for each lock in the order of ``lock_order``.

    A lock is lasting if the next pair can lock in such a way that every possible third pair still has a lock that
    doesn't end the game. If the next pair isn't known, every possible next pair must have such a lock.

    question, int64: the falling pair's colours a, b from 0; the next pair's colours, or -1 if it isn't known; a mask of
    the colours dealt; the falling pair's column, row and orientation. board: settled, nothing clears. spots: scratch,
    FLOOD words.
    """
    a, b, c, d, colors = question[0], question[1], question[2], question[3], question[4]
    codes = load(board, 0)
    find_locks(g, spots, *puyos(codes), True, question[5], question[6], question[7], a == b)
    roots = lock_bits(spots)
    tall = heights(codes)
    lasting = ZERO
    for i in range(LOCKS):
        if (roots >> U(i)) & ONE == ZERO:
            continue
        after = _placed(g, codes, tall, i, a, b)
        if is_over(g, after):
            continue
        if c < 0:
            if _outlasts_all(g, after, colors, spots):
                lasting |= ONE << U(i)
            continue
        bits = reply_locks(g, spots, *puyos(after), c == d)
        high = heights(after)
        for j in range(LOCKS):
            if (bits >> U(j)) & ONE == ZERO:
                continue
            last = _placed(g, after, high, j, c, d)
            if not is_over(g, last) and _outlasts_all(g, last, colors, spots):
                lasting |= ONE << U(i)
                break
    return lasting


@compiled
def outlives(
    g: Any, board: Any, known: Any, palette: Any, how: Any, random: Any, factors: Any, work: Any, ranks: Any
) -> Any:
    """Whether the two-ply player, which sees one next pair, lives through every trial from a board on.

    In a trial the known pairs come first, then one of all the pairs that may come, and each of these gets the same
    number of trials. Of the pairs after that one, several are drawn at random each time, and the one that leaves the
    player the worst value comes. A trial ends well when few puyos are left, or when its pairs are used up.

    board: resolved. known, (n, 2) int64: colours from 0. palette, int64: the colours dealt, from 0. how, int64: the
    trials of each pair, the pairs of a trial, how many puyos are few, how many pairs are drawn each time. random, 1
    uint64: a seed. factors, work, ranks: see ``ochibot.puyo.search.kernels.search``.
    """
    row, colors = np.int64(spawn_row(g)), palette.shape[0]
    for trial in range(how[0] * colors * colors):
        first_a, first_b = palette[trial % colors], palette[trial // colors % colors]
        if first_a > first_b:
            continue
        codes = load(board, 0)
        c, d = (known[0, 0], known[0, 1]) if known.shape[0] else (first_a, first_b)
        for number in range(1, how[1]):
            west, east = puyos(codes)
            if popcount(west) + popcount(east) <= U(how[2]):
                break
            a, b = c, d
            worst, lock = np.inf, 0
            for _ in range(how[3] if number > known.shape[0] else 1):
                if number < known.shape[0]:
                    next_a, next_b = known[number, 0], known[number, 1]
                elif number == known.shape[0]:
                    next_a, next_b = first_a, first_b
                else:
                    next_a, next_b = palette[rolled(random, colors)], palette[rolled(random, colors)]
                value, i, one_west, one_east, _, _ = search(
                    g, codes, a, b, next_a, next_b, _SPAWN, row, _UP, 2, factors, work, ranks, 0
                )
                if value < worst:
                    worst, lock, west, east, c, d = value, i, one_west, one_east, next_a, next_b
            if lock < 0:
                return False
            codes, _ = lock_piece(codes, a, b, west, east, LOCK_ORIENTATION[lock])
            codes, _ = settle_and_clear(g, codes)
            if is_over(g, codes):
                return False
    return True

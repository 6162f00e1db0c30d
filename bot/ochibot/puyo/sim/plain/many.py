"""Many games at once: the steps of ``ochibot.puyo.sim.vectors`` for a target, with the same results."""

from __future__ import annotations

from typing import Any, Final, NamedTuple

import numpy as np

from ochibot.puyo.rules.field import COLUMNS
from ochibot.puyo.sim.dealing import dealing_of
from ochibot.puyo.sim.layout import (
    ALL_CLEAR_LATER,
    ALL_CLEAR_NOW,
    COLORS,
    DEALT,
    DICE,
    ILLEGAL,
    LOCKED,
    MASK,
    MOST_LOCKS,
    OVER,
    OWED,
    PIECES,
    SCORE,
    SCORE_CAP,
    SEEDS,
    SHOWN,
    SOURCE,
    TERMINATED,
    TRUNCATED,
    TSU,
    WITH_PLANES,
)
from ochibot.puyo.sim.plain.locks import locks_of
from ochibot.puyo.sim.plain.rules import moves_of
from ochibot.puyo.sim.plain.shape import BOARD, KEPT, LOCKS, ONE, SPAWN, VISIBLE, ZERO, Target, U, planes_of

_MOST_SEED: Final = (1 << 32) - 1


class Steps(NamedTuple):
    """The functions on one game, compiled for a target."""

    begin: Any
    step: Any
    random_lock: Any


def steps_of(target: Target) -> Steps:
    """Makes the functions for a target.

    Their arrays are one game's rows of those of ``ochibot.puyo.sim.many.ManyGames``, but for ``board``, which has this
    package's layout, and ``planes`` and ``mask``, which are uint8. ``shape``, ``cells``: ``numbers`` and ``masks`` of
    ``shape_of``. ``room``, ``seed``, ``spots``: scratch.
    """
    jit, popcount = target.jit, target.popcount
    plane_functions = planes_of(target)
    puyos, height = plane_functions.puyos, plane_functions.height
    put_pair, _, resolve = moves_of(target, plane_functions)
    locks = locks_of(target, plane_functions)
    rolled, deal_pair, make_pool = dealing_of(jit)

    @jit
    def show(board: Any, game: Any, numbers: Any, shape: Any, planes: Any, pairs: Any, mask: Any) -> None:
        if numbers[WITH_PLANES] != 0:
            rows = shape[KEPT]
            # the last plane, of nuisance, stays empty
            for k in range(numbers[COLORS]):
                for row in range(rows):
                    for x in range(COLUMNS):
                        bit = (board[2 * k + x // 4] >> U(16 * (x & 3) + row)) & ONE
                        planes[k, rows - 1 - row, x] = np.uint8(bit)
        for k in range(1 + numbers[SHOWN]):
            pairs[k, 0] = np.uint8(game[PIECES + 2 * k])
            pairs[k, 1] = np.uint8(game[PIECES + 2 * k + 1])
        for k in range(LOCKS):
            mask[k] = np.uint8((game[MASK] >> k) & 1)

    @jit
    def is_over(board: Any, shape: Any) -> Any:
        west, east = puyos(board)
        return height(west, east, SPAWN) >= shape[VISIBLE]

    @jit
    def find_mask(board: Any, game: Any, shape: Any, cells: Any, spots: Any) -> None:
        game[MASK] = 0
        if not is_over(board, shape):
            game[MASK] = locks(board, shape, cells, game[PIECES] == game[PIECES + 1], spots)

    @jit
    def begin(
        numbers: Any,
        board: Any,
        game: Any,
        random: Any,
        pool: Any,
        room: Any,
        seed: Any,
        spots: Any,
        planes: Any,
        pairs: Any,
        mask: Any,
        shape: Any,
        cells: Any,
    ) -> None:
        """Begins a game with the next seed, and writes its observation."""
        for k in range(OVER + 1):
            game[k] = 0
        for k in range(BOARD):
            board[k] = ZERO
        state = rolled(random, SEEDS, _MOST_SEED) + 1
        source = numbers[SOURCE]
        random[DEALT] = U(state)
        if source >= TSU:
            random[DEALT] = ZERO
            seed[0] = np.uint32(state)
            make_pool(source, numbers[COLORS], seed, pool, room)
        for k in range(1 + numbers[SHOWN]):
            deal_pair(game, random, pool, numbers, PIECES + 2 * k)
        find_mask(board, game, shape, cells, spots)
        show(board, game, numbers, shape, planes, pairs, mask)

    @jit
    def lock_pair(
        board: Any, game: Any, random: Any, pool: Any, numbers: Any, table: Any, lock: Any, shape: Any, cells: Any
    ) -> Any:
        """Locks the falling pair: (points gained, whether the spawn cell is occupied)."""
        put_pair(board, shape, game[PIECES] - 1, game[PIECES + 1] - 1, lock)
        points, chain, _ = resolve(board, shape, cells, table)
        west, east = puyos(board)
        if chain > 0:
            if game[OWED] != 0:
                points += numbers[ALL_CLEAR_LATER]
            game[OWED] = 0
            if (west | east) == ZERO:
                points += numbers[ALL_CLEAR_NOW]
                game[OWED] = 1
        before = game[SCORE]
        game[SCORE] = min(before + points, numbers[SCORE_CAP])
        over = is_over(board, shape)
        if not over:
            last = PIECES + 2 * numbers[SHOWN]
            for k in range(PIECES, last):
                game[k] = game[k + 2]
            deal_pair(game, random, pool, numbers, last)
        return game[SCORE] - before, over

    @jit
    def step(
        lock: Any,
        table: Any,
        rewards: Any,
        ended: Any,
        numbers: Any,
        board: Any,
        game: Any,
        random: Any,
        pool: Any,
        room: Any,
        seed: Any,
        spots: Any,
        planes: Any,
        pairs: Any,
        mask: Any,
        shape: Any,
        cells: Any,
    ) -> None:
        """One step: a lock, or a new game if the last step ended one. ``rewards``: one number."""
        ended[TERMINATED] = ended[TRUNCATED] = ended[ILLEGAL] = 0
        rewards[0] = 0
        if game[OVER] != 0:
            begin(numbers, board, game, random, pool, room, seed, spots, planes, pairs, mask, shape, cells)
            return
        game[LOCKED] += 1
        cut = numbers[MOST_LOCKS] > 0 and game[LOCKED] >= numbers[MOST_LOCKS]
        if lock < 0 or lock >= LOCKS or (game[MASK] >> lock) & 1 == 0:
            game[OVER] = 1
            ended[TERMINATED], ended[TRUNCATED], ended[ILLEGAL] = 1, cut, 1
            return
        points, over = lock_pair(board, game, random, pool, numbers, table, lock, shape, cells)
        find_mask(board, game, shape, cells, spots)
        over = over or game[MASK] == 0
        rewards[0] = points
        ended[TERMINATED], ended[TRUNCATED] = over, cut
        game[OVER] = over or cut
        show(board, game, numbers, shape, planes, pairs, mask)

    @jit
    def random_lock(game: Any, random: Any) -> Any:
        """A random legal lock; 0 if none is legal."""
        mask = U(game[MASK])
        if mask == ZERO:
            return np.int64(0)
        for _ in range(rolled(random, DICE, popcount(mask))):
            mask &= mask - ONE
        return popcount((mask & (~mask + ONE)) - ONE)

    return Steps(begin, step, random_lock)

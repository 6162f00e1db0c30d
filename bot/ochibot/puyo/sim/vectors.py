"""Many games at once, in one kernel (imports numba); ``ochibot.puyo.sim.many.ManyGames`` has the arrays.

Each game is what ``ochibot.puyo.sim.match.Match`` plays with one seat. Colours are renamed in each game, in the order
in which they are dealt, from 1; no rule depends on their names. ``i`` is a game's number. The other arguments are the
arrays of ``ManyGames``; ``ochibot.puyo.sim.layout`` says what their numbers are.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from ochibot.jit.lanes import compiled, inlined, popcount
from ochibot.puyo.kernels.bits import FLOOR, ONE, ZERO, U
from ochibot.puyo.kernels.codes import added, codes_of, load, puyos, save, vectors
from ochibot.puyo.kernels.resolve import resolve
from ochibot.puyo.kernels.special import kept_east, kept_west, pdep, spawn_cell, uses_pext
from ochibot.puyo.rules.field import BOARD_WORDS, COLUMNS, ROWS
from ochibot.puyo.search.reach import LOCKS, reply_locks
from ochibot.puyo.search.replies import is_over, rest_cells
from ochibot.puyo.sim.dealing import dealing_of
from ochibot.puyo.sim.layout import (
    ALL_CLEAR_LATER,
    ALL_CLEAR_NOW,
    COLORS,
    DEALT,
    DICE,
    FALLS,
    ILLEGAL,
    LOCKED,
    MASK,
    MOST_LOCKS,
    OVER,
    OWED,
    PIECES,
    REACHES,
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
from ochibot.puyo.sim.observing import TWO_CELLS, write_planes

_COLUMNS: Final = np.array([0xFFFF << 16 * (x % 4) for x in range(COLUMNS)], np.uint64)
_rolled, _deal_pair, _make_pool = dealing_of(compiled)
_MOST_SEED: Final = (1 << 32) - 1
_LOW_ROWS: Final = U(ROWS - 4)
"""A column as high as this, or less, is in nobody's way."""
_WEST_POWERS: Final = U(sum(5**x << 48 - 16 * x for x in range(4)))
_EAST_POWERS: Final = U(sum(5 ** (4 + x) << 48 - 16 * x for x in range(2)))


@compiled
def _begin(i: Any, numbers: Any, boards: Any, games: Any, random: Any, pools: Any, room: Any, seed: Any) -> None:
    """Begins a game with the next seed."""
    game = games[i]
    for k in range(OVER + 1):
        game[k] = 0
    for k in range(BOARD_WORDS):
        boards[i, k] = ZERO
    state = _rolled(random[i], SEEDS, _MOST_SEED) + 1
    random[i, DEALT] = U(state)
    source = numbers[SOURCE]
    pool = pools[i if source >= TSU else 0]
    if source >= TSU:
        seed[0] = np.uint32(state)
        _make_pool(source, numbers[COLORS], seed, pool, room)
        random[i, DEALT] = ZERO
    for k in range(1 + numbers[SHOWN]):
        _deal_pair(game, random[i], pool, numbers, PIECES + 2 * k)


@inlined
def _show(g: Any, codes: Any, game: Any, numbers: Any, planes: Any, pairs: Any, mask: Any) -> None:
    """Writes the observation of a game."""
    if numbers[WITH_PLANES]:
        write_planes(g, codes, numbers[COLORS], planes)
    for k in range(2 + 2 * numbers[SHOWN]):
        pairs[k] = game[PIECES + k]
    bits = U(game[MASK])
    for k in range(mask.shape[0]):
        two = bits & U(3)
        mask[k] = np.uint16((two | (two << U(7))) & TWO_CELLS)
        bits >>= U(2)


@inlined
def _heights(word: Any, west: Any) -> Any:
    """The sum, over the columns of a word of a settled field, of the puyos in the top rows times a power of 5."""
    high = word >> _LOW_ROWS
    counts = (high & FLOOR) + ((high >> ONE) & FLOOR) + ((high >> U(2)) & FLOOR) + ((high >> U(3)) & FLOOR)
    # the highest 16 bits of the product are that sum
    return (counts * (_WEST_POWERS if west else _EAST_POWERS)) >> U(48)


@inlined
def _legal(codes: Any, game: Any, reach: Any) -> Any:
    """The legal locks of the falling pair on a settled field, a bit each; none if the spawn cell is occupied."""
    west, east = puyos(codes)
    at = np.int64(_heights(west, True) + _heights(east, False))
    return np.int64(reach[np.int64(game[PIECES] == game[PIECES + 1]), at])


@compiled
def find_reach(g: Any, spots: Any, reach: Any) -> None:
    """Writes the legal locks of a pair for all heights that the columns of a settled field can have.

    ``reach``, (2, REACHES) uint32: locks of a pair of two colours, and of one. Columns that leave the top rows free
    don't differ. The index is that of ``_heights``. ``spots``: scratch, SPOT_WORDS words.
    """
    for at in range(REACHES):
        west, east, rest = ZERO, ZERO, at
        for x in range(COLUMNS):
            column = ((ONE << (_LOW_ROWS + U(rest % 5))) - ONE) << U(16 * (x % 4))
            if x < 4:
                west |= column
            else:
                east |= column
            rest //= 5
        for single in range(2):
            reach[single, at] = 0
            if west & spawn_cell(g) == ZERO:
                reach[single, at] = np.uint32(reply_locks(g, spots, west, east, single == 1))


@inlined
def _placed(g: Any, codes: Any, lock: Any, game: Any, table: Any) -> Any:
    """The board after a lock of the falling pair: (codes, points, chain)."""
    west, east = puyos(codes)
    free_west, free_east = (west + FLOOR) & ~west, (east + FLOOR) & ~east
    axis, partner = rest_cells(g, free_west, free_east, lock)
    planes = added(added(vectors(codes), game[PIECES] - 1, axis), game[PIECES + 1] - 1, partner)
    codes, points, chain, _ = resolve(g, codes_of(planes), table)
    return codes, points, chain


@inlined
def _lock(g: Any, codes: Any, lock: Any, game: Any, random: Any, pool: Any, numbers: Any, table: Any) -> Any:
    """Locks the falling pair: (codes, points gained, whether the spawn cell is occupied)."""
    codes, points, chain = _placed(g, codes, lock, game, table)
    west, east = puyos(codes)
    if chain > 0:
        if game[OWED]:
            points += numbers[ALL_CLEAR_LATER]
        game[OWED] = 0
        if (west | east) == ZERO:
            points += numbers[ALL_CLEAR_NOW]
            game[OWED] = 1
    before = game[SCORE]
    game[SCORE] = min(before + points, numbers[SCORE_CAP])
    game[LOCKED] += 1
    over = is_over(g, codes)
    if not over:
        last = PIECES + 2 * numbers[SHOWN]
        for k in range(PIECES, last):
            game[k] = game[k + 2]
        _deal_pair(game, random, pool, numbers, last)
    return codes, game[SCORE] - before, over


@compiled
def begin_games(
    g: Any,
    first: Any,
    end: Any,
    chosen: Any,
    numbers: Any,
    boards: Any,
    games: Any,
    random: Any,
    pools: Any,
    room: Any,
    seed: Any,
    reach: Any,
    planes: Any,
    pairs: Any,
    masks: Any,
) -> None:
    """Begins the chosen games among those from ``first`` to before ``end``. ``chosen``: uint8, 1 for each."""
    for i in range(first, end):
        if chosen[i]:
            _begin(i, numbers, boards, games, random, pools, room, seed)
            codes = load(boards[i], 0)
            games[i, MASK] = _legal(codes, games[i], reach)
            _show(g, codes, games[i], numbers, planes[i], pairs[i], masks[i])


@compiled
def step_games(
    g: Any,
    first: Any,
    end: Any,
    actions: Any,
    numbers: Any,
    table: Any,
    boards: Any,
    games: Any,
    random: Any,
    pools: Any,
    room: Any,
    seed: Any,
    reach: Any,
    planes: Any,
    pairs: Any,
    masks: Any,
    rewards: Any,
    ended: Any,
) -> None:
    """One step of the games from ``first`` to before ``end``: a lock, or a new game where the last step ended one."""
    for i in range(first, end):
        game = games[i]
        ended[i, TERMINATED] = ended[i, TRUNCATED] = ended[i, ILLEGAL] = 0
        rewards[i] = 0
        if game[OVER]:
            _begin(i, numbers, boards, games, random, pools, room, seed)
            codes = load(boards[i], 0)
            game[MASK] = _legal(codes, game, reach)
            _show(g, codes, game, numbers, planes[i], pairs[i], masks[i])
            continue
        lock = actions[i]
        if lock < 0 or lock >= LOCKS or (game[MASK] >> lock) & 1 == 0:
            game[LOCKED] += 1
            game[OVER] = ended[i, TERMINATED] = ended[i, ILLEGAL] = 1
            ended[i, TRUNCATED] = numbers[MOST_LOCKS] > 0 and game[LOCKED] >= numbers[MOST_LOCKS]
            continue
        pool = pools[i if numbers[SOURCE] >= TSU else 0]
        codes, points, over = _lock(g, load(boards[i], 0), lock, game, random[i], pool, numbers, table)
        save(codes, boards[i])
        game[MASK] = _legal(codes, game, reach)
        over = over or game[MASK] == 0
        cut = numbers[MOST_LOCKS] > 0 and game[LOCKED] >= numbers[MOST_LOCKS]
        rewards[i] = points
        ended[i, TERMINATED] = over
        ended[i, TRUNCATED] = cut
        game[OVER] = over or cut
        _show(g, codes, game, numbers, planes[i], pairs[i], masks[i])


@compiled
def random_locks(g: Any, first: Any, end: Any, games: Any, random: Any, actions: Any) -> None:
    """Writes a random legal lock of each game to ``actions``; 0 if none is legal."""
    for i in range(first, end):
        mask = U(games[i, MASK])
        actions[i] = 0
        if mask == ZERO:
            continue
        number = _rolled(random[i], DICE, np.int64(popcount(mask)))
        if uses_pext(g):
            mask = pdep(g, ONE << U(number), mask)
        else:
            for _ in range(number):
                mask &= mask - ONE
            mask &= ~mask + ONE
        actions[i] = np.int64(popcount(mask - ONE))


@compiled
def look_ahead(
    g: Any,
    first: Any,
    end: Any,
    numbers: Any,
    table: Any,
    boards: Any,
    games: Any,
    planes: Any,
    points: Any,
    over: Any,
) -> None:
    """What each lock of each game leads to, for the games from ``first`` to before ``end``.

    planes, uint16: (games * LOCKS, words of an observation's planes). points, float64, and over, uint8: (games, LOCKS).
    An illegal lock is over, and has no planes and no points.
    """
    for i in range(first, end):
        codes = load(boards[i], 0)
        for lock in range(LOCKS):
            points[i, lock] = 0
            over[i, lock] = 1
            out = planes[LOCKS * i + lock]
            if (games[i, MASK] >> lock) & 1 == 0:
                for k in range(out.shape[0]):
                    out[k] = 0
                continue
            after, made, _ = _placed(g, codes, lock, games[i], table)
            points[i, lock] = made
            over[i, lock] = is_over(g, after)
            write_planes(g, after, numbers[COLORS], out)


@compiled
def drop_nuisance(
    g: Any,
    first: Any,
    end: Any,
    counts: Any,
    numbers: Any,
    boards: Any,
    games: Any,
    random: Any,
    reach: Any,
    planes: Any,
    pairs: Any,
    masks: Any,
    ended: Any,
) -> None:
    """Drops nuisance on the games from ``first`` to before ``end``. ``counts``, int64: how much on each.

    Whole rows fall on all columns, the rest on different columns drawn at random. What finds no room is lost.
    """
    for i in range(first, end):
        if counts[i] <= 0 or games[i, OVER]:
            continue
        codes = load(boards[i], 0)
        rest, left = counts[i] % COLUMNS, COLUMNS
        rows = counts[i] // COLUMNS
        for x in range(COLUMNS):
            # of the columns that are left, each is chosen alike
            more = np.int64(_rolled(random[i], FALLS, left) < rest)
            left -= 1
            rest -= more
            for _ in range(rows + more):
                codes = _with_nuisance(g, codes, x)
        save(codes, boards[i])
        games[i, MASK] = _legal(codes, games[i], reach)
        if games[i, MASK] == 0:
            games[i, OVER] = ended[i, TERMINATED] = 1
        _show(g, codes, games[i], numbers, planes[i], pairs[i], masks[i])


@inlined
def _with_nuisance(g: Any, codes: Any, x: Any) -> Any:
    """The codes with a nuisance puyo on top of a column, if it has room."""
    a, b, c, d, e, f = codes
    west, east = puyos(codes)
    column = _COLUMNS[x]
    if x < 4:
        cell = (west + FLOOR) & ~west & column & kept_west(g)
        return a | cell, b | cell, c | cell, d, e, f
    cell = (east + FLOOR) & ~east & column & kept_east(g)
    return a, b, c, d | cell, e | cell, f | cell

"""The second ply (imports numba): the best lock of the next piece, and the value of the field after it."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
import numpy.typing as npt

from ochibot.jit.lanes import compiled, inlined, popcount
from ochibot.jit.planes import plane, words
from ochibot.puyo.kernels.bits import FLOOR, FOUR, LANE, ONE, ZERO, U
from ochibot.puyo.kernels.codes import (
    added,
    clears,
    codes_of,
    nuisance,
    puyos,
    resolved,
    settled,
    vectors,
)
from ochibot.puyo.kernels.special import clear_size, kept_east, kept_west, loses_rows, spawn_cell, spawn_row
from ochibot.puyo.rules.field import COLUMNS
from ochibot.puyo.search.cells import (
    CLEARS,
    ENDS,
    ENTRY_WORDS,
    VARIANCE,
    beside,
    measure_cells,
    neighbours,
    packed,
    passing,
    unpacked,
)
from ochibot.puyo.search.engine import FLOOD_WORDS, OVER_NEXT
from ochibot.puyo.search.items import find_item_locks, lock_item
from ochibot.puyo.search.measure import (
    NOTES,
    changed_spreads,
    measure,
    moments_with,
    note_changes,
    noted_moments,
    noted_spread,
    spread,
    spreads,
    totals,
    weigh,
    with_puyo,
)
from ochibot.puyo.search.reach import (
    LOCK_COLUMN,
    LOCK_ORIENTATION,
    LOCKS,
    SPAWN_COLUMN,
    reply_locks,
)

# For each lock: how many rows above the lowest free cell of its column each half comes to rest (1 for an upper half).
_AXIS_UP: Final = np.array([o == 0 for o in LOCK_ORIENTATION], np.uint64)
_PARTNER_UP: Final = np.array([o == 2 for o in LOCK_ORIENTATION], np.uint64)
_PARTNER_COLUMN: Final = LOCK_COLUMN + np.array([(0, -1, 0, 1)[o] for o in LOCK_ORIENTATION])


def _columns(columns: npt.NDArray[np.int64], first: int, number: int) -> npt.NDArray[np.uint64]:
    """For each lock, the mask of its column in ``columns``; 0 if that isn't among ``number`` columns from ``first``."""
    return np.array([0xFFFF << 16 * (x - first) if first <= x < first + number else 0 for x in columns.tolist()], U)


ROOT_NOTES: Final = FLOOD_WORDS + 2 * ENTRY_WORDS
_AXIS_ENTRY: Final = 4 * LOCK_COLUMN + 2 * _AXIS_UP.astype(np.int64)
_PARTNER_ENTRY: Final = 4 * _PARTNER_COLUMN + 2 * _PARTNER_UP.astype(np.int64)
_LEFT: Final = 1
_RIGHT: Final = 3

# For each lock, the mask of the column of either half. It has two words: west (columns 0 to 3) and east (4 and 5).
_AXIS_WEST: Final = _columns(LOCK_COLUMN, 0, 4)
_AXIS_EAST: Final = _columns(LOCK_COLUMN, 4, 2)
_PARTNER_WEST: Final = _columns(_PARTNER_COLUMN, 0, 4)
_PARTNER_EAST: Final = _columns(_PARTNER_COLUMN, 4, 2)


@inlined
def is_over(g: Any, codes: Any) -> Any:
    """Whether the spawn cell of a settled board is occupied."""
    west, _ = puyos(codes)
    return (west & spawn_cell(g)) != ZERO


@compiled
def settle_and_clear(g: Any, codes: Any) -> Any:
    """Drops what floats and resolves, without a score: (codes, whether anything may have been cleared)."""
    codes = settled(g, codes)
    if clears(g, codes):
        return resolved(g, codes), True
    return codes, False


@compiled
def evaluate(g: Any, codes: Any, factors: Any) -> Any:
    """The value of a resolved board."""
    west, east = puyos(codes)
    _, consecutive, links = measure(g, vectors(codes))
    return weigh(totals(g, west, east, *nuisance(codes)), consecutive, spreads(codes), links, factors)


@compiled
def best_reply(g: Any, codes: Any, c: Any, d: Any, factors: Any, spots: Any, root: Any, known: Any) -> Any:
    """Finds the best lock of the pair ``c``, ``d`` on a resolved board where the game isn't over: (value, leaves).

    ``root``: the board before the first lock. ``spots`` holds the notes on its colours
    (``ochibot.puyo.search.measure.note_colors``). ``known``: values below it may be inexact (see ``_clearing_reply``).
    """
    notes = spots[ROOT_NOTES + NOTES :]
    variance = note_changes(codes, root, spots[ROOT_NOTES:], notes)
    west, east = puyos(codes)
    locks = reply_locks(g, spots, west, east, c == d)
    for x in range(COLUMNS):
        spots[x] = popcount((west >> U(16 * x)) & LANE) if x < 4 else popcount((east >> U(16 * (x - 4))) & LANE)
    if c != d and clear_size(g) == FOUR:
        return best_reply_of_two(g, codes, c, d, factors, spots, locks, variance, notes, known)
    free_west, free_east = (west + FLOOR) & ~west, (east + FLOOR) & ~east  # adding 1 carries to the lowest free cell
    # These don't depend on the lock: sums over all puyos, and the variance of the colours that aren't the pair's.
    sums = totals(g, west, east, *nuisance(codes))
    of_c, of_d = noted_moments(notes, c), noted_moments(notes, d)
    rest = variance - noted_spread(notes, c)
    if c != d:
        rest -= noted_spread(notes, d)
    planes = vectors(codes)
    best = OVER_NEXT
    leaves = 0
    for i in range(LOCKS):
        if (locks >> U(i)) & ONE == ZERO:
            continue
        leaves += 1
        axis_plane, partner_plane = rest_cells(g, free_west, free_east, i)
        leaf = added(added(planes, c, axis_plane), d, partner_plane)
        clearing, consecutive, links = measure(g, leaf)
        if clearing:
            value = _clearing_reply(g, codes_of(leaf), codes, factors, notes, known)
        else:
            if (words(axis_plane)[0] | words(partner_plane)[0]) & spawn_cell(g) != ZERO:
                continue
            x, u = LOCK_COLUMN[i], _PARTNER_COLUMN[i]
            y, v = np.int64(spots[x] + _AXIS_UP[i]), np.int64(spots[u] + _PARTNER_UP[i])
            more = with_puyo(g, with_puyo(g, sums, x, y), u, v)
            if c == d:
                spread_out = rest + spread(*moments_with(g, moments_with(g, of_c, x, y), u, v))
            else:
                spread_out = rest + spread(*moments_with(g, of_c, x, y)) + spread(*moments_with(g, of_d, u, v))
            value = weigh(more, consecutive, spread_out, links, factors)
        best = max(best, value)
    return best, leaves


@compiled
def best_reply_of_two(
    g: Any, codes: Any, c: Any, d: Any, factors: Any, spots: Any, locks: Any, variance: Any, notes: Any, known: Any
) -> Any:
    """``best_reply`` for a pair of two colours in games where four puyos clear. It measures every cell only once.

    ``locks``: the locks that the pair can reach, one bit each.
    """
    west, east = puyos(codes)
    planes, all_puyos = vectors(codes), plane(west, east)
    sums = totals(g, west, east, *nuisance(codes))
    _, consecutive, links = measure(g, planes)
    base = packed(sums, consecutive, links)
    of_c, of_d = noted_moments(notes, c), noted_moments(notes, d)
    rest = variance - noted_spread(notes, c) - noted_spread(notes, d)
    left, right = neighbours(planes)
    between = passing(left, right)
    of_axis, of_partner = spots[FLOOD_WORDS:], spots[FLOOD_WORDS + ENTRY_WORDS :]
    measure_cells(g, planes, left, right, between, all_puyos, c, of_c, of_axis)
    measure_cells(g, planes, left, right, between, all_puyos, d, of_d, of_partner)
    free_west, free_east = (west + FLOOR) & ~west, (east + FLOOR) & ~east
    best = OVER_NEXT
    leaves = 0
    for i in range(LOCKS):
        if (locks >> U(i)) & ONE == ZERO:
            continue
        leaves += 1
        axis, partner = _AXIS_ENTRY[i], _PARTNER_ENTRY[i]
        axis_rest, partner_rest = of_axis[axis + 1], of_partner[partner + 1]
        flags = axis_rest | partner_rest
        if flags & CLEARS != ZERO:
            axis_plane, partner_plane = rest_cells(g, free_west, free_east, i)
            leaf = added(added(planes, c, axis_plane), d, partner_plane)
            value = _clearing_reply(g, codes_of(leaf), codes, factors, notes, known)
        elif flags & ENDS != ZERO:
            continue
        else:
            total = base + of_axis[axis] + of_partner[partner]
            # true for a lying pair with both halves in one row, and for every upright pair
            if spots[LOCK_COLUMN[i]] == spots[_PARTNER_COLUMN[i]]:
                if LOCK_ORIENTATION[i] == _RIGHT:
                    total -= beside(axis_rest, partner_rest)
                elif LOCK_ORIENTATION[i] == _LEFT:
                    total -= beside(partner_rest, axis_rest)
            count, edge, spawn, consecutive, links = unpacked(total)
            spread_out = rest + np.int64(axis_rest >> VARIANCE) + np.int64(partner_rest >> VARIANCE)
            value = weigh((count, sums[1], edge, spawn), consecutive, spread_out, links, factors)
        best = max(best, value)
    return best, leaves


@inlined
def rest_cells(g: Any, free_west: Any, free_east: Any, i: Any) -> Any:
    """Where both halves come to rest with the ``i``-th lock, as vectors, given the lowest free cell of every column."""
    c_west, c_east = (free_west & _AXIS_WEST[i]) << _AXIS_UP[i], (free_east & _AXIS_EAST[i]) << _AXIS_UP[i]
    d_west = (free_west & _PARTNER_WEST[i]) << _PARTNER_UP[i]
    d_east = (free_east & _PARTNER_EAST[i]) << _PARTNER_UP[i]
    if loses_rows(g):
        c_west, c_east = c_west & kept_west(g), c_east & kept_east(g)
        d_west, d_east = d_west & kept_west(g), d_east & kept_east(g)
    return plane(c_west, c_east), plane(d_west, d_east)


@compiled
def _clearing_reply(g: Any, leaf: Any, before: Any, factors: Any, notes: Any, known: Any) -> Any:
    """The value of a leaf where something clears. ``notes``: on the colours of the board before the lock.

    When the value is below ``known``, the result may be any upper bound that is still below ``known``.
    """
    codes = resolved(g, leaf)
    if is_over(g, codes):
        return OVER_NEXT
    west, east = puyos(codes)
    _, consecutive, links = measure(g, vectors(codes))
    sums = totals(g, west, east, *nuisance(codes))
    bound = weigh(sums, consecutive, 0, links, factors)
    if factors[5] <= 0.0 and bound < known:  # the variance takes longest to compute, and could only lower the value
        return bound
    return weigh(sums, consecutive, changed_spreads(codes, before, notes), links, factors)


@compiled
def best_item_reply(g: Any, codes: Any, item: Any, factors: Any, spots: Any) -> Any:
    """Finds the best lock of an item on a resolved board where the game isn't over: (value, leaves)."""
    find_item_locks(g, spots, *puyos(codes), item, SPAWN_COLUMN, np.int64(spawn_row(g)))
    rest_west, rest_east = spots[2], spots[6]
    best = OVER_NEXT
    leaves = 0
    while (rest_west | rest_east) != ZERO:
        axis_west = rest_west & (~rest_west + ONE)
        axis_east = rest_east & (~rest_east + ONE) if axis_west == ZERO else ZERO
        rest_west ^= axis_west
        rest_east ^= axis_east
        leaves += 1
        leaf, _ = lock_item(codes, item, axis_west, axis_east)
        leaf, _ = settle_and_clear(g, leaf)
        # ``is_over`` isn't asked: an item adds no puyos, so it can't fill the spawn cell
        best = max(best, evaluate(g, leaf, factors))
    return best, leaves

"""Items on bit planes (imports numba): where they can come to rest, and what they do there.

The kernels give an item a colour number from ``BIG_ITEM`` on. An item has no orientation; its locks are written like
those of an upright pair.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from ochibot.jit.lanes import compiled, inlined, popcount
from ochibot.puyo.kernels.bits import COLUMN, LANE, ONE, ZERO, U, from_left, from_right
from ochibot.puyo.kernels.codes import kept_only, puyos
from ochibot.puyo.kernels.special import kept_east, kept_west, moving_east, moving_west
from ochibot.puyo.rules.pair import BIG

BIG_ITEM: Final = BIG - 1
_UP: Final = 2


@inlined
def item_fit(g: Any, west: Any, east: Any, item: Any) -> Any:
    """The cells where an item fits, as a plane, for the puyos ``west``, ``east``."""
    fit_west, fit_east = moving_west(g) & ~west, moving_east(g) & ~east
    if item == BIG_ITEM:
        fit_west, fit_east = fit_west & (fit_west >> ONE), fit_east & (fit_east >> ONE)
        right_west, right_east = from_right(fit_west, fit_east)
        fit_west, fit_east = fit_west & right_west, fit_east & right_east
    return fit_west & kept_west(g), fit_east & kept_east(g)


@compiled
def find_item_locks(g: Any, spots: Any, west: Any, east: Any, item: Any, column: Any, row: Any) -> None:
    """Writes all locks of an item to ``spots`` [2] and [6], for the puyos ``west``, ``east``; the other words become 0.

    The big puyo may start on puyos, but it moves only to where its four cells are empty.
    """
    fit_west, fit_east = item_fit(g, west, east, item)
    start_west = start_east = ZERO
    if column < 4:
        start_west = ONE << U(16 * column + row)
    else:
        start_east = ONE << U(16 * (column - 4) + row)
    if item == BIG_ITEM:
        inside_west = kept_west(g) & (moving_west(g) >> ONE)
        inside_east = kept_east(g) & (moving_east(g) >> ONE) & (moving_east(g) >> COLUMN)
        start_west, start_east = start_west & inside_west, start_east & inside_east
    else:
        start_west, start_east = start_west & fit_west, start_east & fit_east
    growing = True
    while growing:
        left_west, left_east = from_right(start_west, start_east)
        right_west, right_east = from_left(start_west, start_east)
        more_west = start_west | ((left_west | right_west | (start_west >> ONE)) & fit_west)
        more_east = start_east | ((left_east | right_east | (start_east >> ONE)) & fit_east)
        growing = more_west != start_west or more_east != start_east
        start_west, start_east = more_west, more_east
    for i in range(8):
        spots[i] = ZERO
    spots[_UP] = start_west & ~(fit_west << ONE)
    spots[_UP + 4] = start_east & ~(fit_east << ONE)


@compiled
def _columns(word: Any) -> Any:
    """The whole columns in which the cells of a word lie."""
    columns = ZERO
    for k in range(4):
        column = LANE << U(16 * k)
        if word & column != ZERO:
            columns |= column
    return columns


@compiled
def lock_item(codes: Any, item: Any, west: Any, east: Any) -> Any:
    """The effect of an item at rest with its cell at ``west``, ``east``: (codes, puyos that it clears).

    ::

        big:        .**...      ......      carbuncle:    .R&B..      .G.G..
                    .**...      ......                    .YGR..  ->  .YGR..
                    GRBo..  ->  G..o..
    """
    all_west, all_east = puyos(codes)
    if item == BIG_ITEM:
        # the columns of the lower left cell and of its right neighbour
        west, east = _columns(west), _columns(east)
        right_west, right_east = from_left(west, east)
        west |= right_west
        east |= right_east
        return kept_only(codes, ~west, ~east), np.int64(popcount(all_west & west) + popcount(all_east & east))
    a, b, c, d, e, f = codes
    in_a = ((a & (west >> ONE)) | (d & (east >> ONE))) != ZERO
    in_b = ((b & (west >> ONE)) | (e & (east >> ONE))) != ZERO
    in_c = ((c & (west >> ONE)) | (f & (east >> ONE))) != ZERO
    if in_a == in_b and in_b == in_c:
        return codes, 0  # the carbuncle lies on the floor or on nuisance, so it recolours nothing
    left_west, left_east = from_left(west, east)
    right_west, right_east = from_right(west, east)
    west = (left_west | right_west) & ((a ^ b) | (b ^ c))  # coloured neighbours
    east = (left_east | right_east) & ((d ^ e) | (e ^ f))
    a, b, c, d, e, f = kept_only(codes, ~west, ~east)
    if in_a:
        a, d = a | west, d | east
    if in_b:
        b, e = b | west, e | east
    if in_c:
        c, f = c | west, f | east
    return (a, b, c, d, e, f), 0

"""The kernel that values all replies of a pair of two colours at once (imports numba).

A cell of one colour never changes the groups of another. So when the pair has two colours and neither half clears
anything, a lock adds to the metrics what its axis puyo adds alone plus what its partner adds alone. Only the strips
(see ``metrics``, ``consecutive``) of a row in which both halves lie need a correction. A pair has 22 locks, but each
half has only 12 cells: the lowest free cell of each column and the one above. The kernel measures every cell once for
both colours, and adds two entries for each lock. The results are whole numbers, equal to those of
``ochibot.puyo.search.measure`` on the leaf.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from ochibot.jit.lanes import compiled, inlined, popcount
from ochibot.jit.planes import around, leftward, leftward_2, plane, rightward, words
from ochibot.puyo.kernels.bits import LANE, ONE, ZERO, U
from ochibot.puyo.kernels.codes import COLOR_BITS
from ochibot.puyo.kernels.special import (
    SUM_COUNT,
    SUM_EDGE,
    SUM_LINKS,
    SUM_SPAWN,
    grouping_east,
    grouping_west,
    kept_rows,
    loses_rows,
    spawn_row,
    stack,
)
from ochibot.puyo.rules.field import COLUMNS
from ochibot.puyo.rules.profile import SPAWN_COLUMN
from ochibot.puyo.search.measure import from_left, spread

ENTRIES: Final = 2 * COLUMNS
"""How many cells a half can rest in. Entry 2 x is the lowest free cell of column x, entry 2 x + 1 the one above."""
ENTRY_WORDS: Final = 2 * ENTRIES
"""Words for the entries of one colour: two for each entry, first its sums, then its flags and variance."""

_LINKS: Final = U(SUM_LINKS)
_COUNT: Final = U(SUM_COUNT)
_EDGE: Final = U(SUM_EDGE)
_SPAWN: Final = U(SUM_SPAWN)
_FIELD: Final = U(0xFFFF)
_SMALL_FIELD: Final = U(0xFF)

# An entry's second word: flags, and from bit 8 on the variance of the colour with this cell added.
CLEARS: Final = U(1)
"""The flag of a half that completes a group."""
ENDS: Final = U(2)
"""The flag of a half that fills the spawn cell."""
_ENDS_BIT: Final = U(1)
_LEFT_BIT: Final = U(2)
_RIGHT_BIT: Final = U(3)
_GAP_BIT: Final = U(4)
VARIANCE: Final = U(8)
"""The bit of an entry's second word where the variance begins."""


@inlined
def neighbours(planes: Any) -> Any:
    """For every cell, the code of the next puyo to its left in the row, and of the next one to its right, as planes."""
    a, b, c = planes
    empty = ~(a | b | c)
    left_two, right_two = rightward(empty) & empty, leftward(empty) & empty
    left = from_left(a, empty, left_two), from_left(b, empty, left_two), from_left(c, empty, left_two)
    right = _from_right(a, empty, right_two), _from_right(b, empty, right_two), _from_right(c, empty, right_two)
    return left, right


@inlined
def _from_right(bit: Any, empty: Any, two: Any) -> Any:
    """For every cell, one bit of the code of the next puyo to its right.

    ``bit``: the plane of this bit. ``two``: the empty cells with an empty cell to their right.
    """
    bit |= leftward(bit) & empty
    bit |= leftward_2(bit) & two
    bit |= leftward(bit) & empty
    return leftward(bit)


@inlined
def passing(left: Any, right: Any) -> Any:
    """The cells between two puyos of one colour, which count as consecutive until a puyo comes between them."""
    colored = (left[0] ^ left[1]) | (left[1] ^ left[2])
    return ~((left[0] ^ right[0]) | (left[1] ^ right[1]) | (left[2] ^ right[2])) & colored


@inlined
def of_color(planes: Any, k: Any) -> Any:
    """The cells whose code is that of colour ``k``, from 0."""
    a, b, c = planes
    return ~((a ^ COLOR_BITS[0, k]) | (b ^ COLOR_BITS[1, k]) | (c ^ COLOR_BITS[2, k]))


@inlined
def linked(own: Any) -> Any:
    """The cells of ``own`` in groups of three, and those in groups of two. No four of them are joined."""
    right = own & leftward(own)
    left = rightward(right)
    up = own & (own >> ONE)
    down = up << ONE
    two_links = (left & right) | (up & down) | ((left | right) & (up | down))
    three = two_links | (around(two_links) & own)
    return three, (left | right | up | down) & ~three


@inlined
def _completing(own: Any, at_left: Any, at_right: Any, below: Any) -> Any:
    """The cells where one more puyo makes a group of four, on a resolved board.

    ``own``: the cells of the colour that group. ``at_left``, ``at_right``, ``below``: the cells with a cell of ``own``
    to their left, to their right, below. A cell completes a group if it touches a group of three, or a group of two and
    another puyo, or three puyos. (No two puyos that it touches are neighbours, so they belong to different groups or to
    one group of three.)
    """
    three, two = linked(own)
    touches_three = rightward(three) | leftward(three) | (three << ONE)
    touches_two = rightward(two) | leftward(two) | (two << ONE)
    several = (at_left & at_right) | (at_left & below) | (at_right & below)
    return touches_three | (touches_two & several) | (at_left & at_right & below)


@compiled
def measure_cells(
    g: Any, planes: Any, left: Any, right: Any, between: Any, all_puyos: Any, k: Any, sums: Any, entries: Any
) -> None:
    """Writes the entries of colour ``k`` on a resolved board, given as vectors: ``planes``, and ``all_puyos``.

    ``left``, ``right``, ``between``: the results of ``neighbours`` and ``passing``. ``sums``: the colour's ``moments``.
    ``entries``: ENTRY_WORDS words.
    """
    grouping = plane(grouping_west(g), grouping_east(g))
    colored = of_color(planes, k)
    own = colored & grouping
    at_left, at_right, below = rightward(own) & grouping, leftward(own) & grouping, (own << ONE) & grouping
    completes = _completing(own, at_left, at_right, below) & grouping
    strip_left, strip_right = of_color(left, k), of_color(right, k)
    west, east = words(all_puyos)
    lefts, rights, belows, stacks = words(at_left), words(at_right), words(below), words(colored << ONE)
    froms, tos, gaps, ends = words(strip_left), words(strip_right), words(between), words(completes)
    for x in range(4):
        _column(
            g, entries, x, west, froms[0], tos[0], gaps[0], stacks[0], lefts[0], rights[0], belows[0], ends[0], sums
        )
    for x in range(4, COLUMNS):
        _column(
            g, entries, x, east, froms[1], tos[1], gaps[1], stacks[1], lefts[1], rights[1], belows[1], ends[1], sums
        )


@inlined
def _column(
    g: Any,
    entries: Any,
    x: Any,
    puyos: Any,
    strip_left: Any,
    strip_right: Any,
    between: Any,
    stacked: Any,
    at_left: Any,
    at_right: Any,
    below: Any,
    completes: Any,
    sums: Any,
) -> None:
    """Writes the two entries of a column. The planes are given by the word that holds the column."""
    n, sum_x, sum_y, squares = sums
    first = U(16 * (x % 4))
    height = np.int64(popcount((puyos >> first) & LANE))
    for up in range(2):
        row = height + up
        at = first + U(row)
        entry = 4 * x + 2 * up
        if loses_rows(g) and row >= np.int64(kept_rows(g)):  # this half is lost above the field
            entries[entry] = ZERO
            entries[entry + 1] = U(spread(n, sum_x, sum_y, squares)) << VARIANCE
            continue
        from_left, from_right, gap = (strip_left >> at) & ONE, (strip_right >> at) & ONE, (between >> at) & ONE
        consecutive = from_left + from_right + ((stacked >> at) & ONE) - gap
        links = ((at_left >> at) & ONE) + ((at_right >> at) & ONE) + ((below >> at) & ONE)
        entries[entry] = consecutive + (links << _LINKS) + stack(g, x, row + 1) - stack(g, x, row)
        variance = spread(n + 1, sum_x + x, sum_y + row, squares + x * x + row * row)
        over = x == SPAWN_COLUMN - 1 and row == np.int64(spawn_row(g))
        flags = ((completes >> at) & ONE) | (U(over) << _ENDS_BIT)
        flags |= (from_left << _LEFT_BIT) | (from_right << _RIGHT_BIT) | (gap << _GAP_BIT)
        entries[entry + 1] = flags | (U(variance) << VARIANCE)


@inlined
def packed(sums: Any, consecutive: Any, links: Any) -> Any:
    """The metrics of a board, packed as in an entry's sums."""
    count, _, edge, spawn = sums
    return U(consecutive) + (U(links) << _LINKS) + (U(count) << _COUNT) + (U(edge) << _EDGE) + (U(spawn) << _SPAWN)


@inlined
def unpacked(total: Any) -> Any:
    """The inverse of ``packed``: (count, edge, spawn, consecutive, links), int64."""
    return (
        np.int64((total >> _COUNT) & _SMALL_FIELD),
        np.int64((total >> _EDGE) & _SMALL_FIELD),
        np.int64(total >> _SPAWN),
        np.int64(total & _FIELD),
        np.int64((total >> _LINKS) & _FIELD),
    )


@inlined
def beside(left_rest: Any, right_rest: Any) -> Any:
    """The number of strips that the entries of two halves count too often, when the halves lie side by side in a row.

    Each half's entry takes the other half's cell as empty. So it may count a strip to the puyo behind that cell.
    And both subtract the strip across the gap in which the halves lie, which is lost only once.
    """
    behind = ((left_rest >> _RIGHT_BIT) & ONE) + ((right_rest >> _LEFT_BIT) & ONE)
    return behind - ((left_rest >> _GAP_BIT) & ONE)

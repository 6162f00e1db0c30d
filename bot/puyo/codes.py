"""A board as *codes* in bit planes (imports numba): six words, in registers, while a chain runs.

The cell codes 1..7 (six colours, nuisance) have three bits. Words 0 to 2 are the west words (``bot.puyo.planes``) of
the planes of these bits, 3 to 5 the east words. Falling then moves six words instead of fourteen; colours are taken out
of the codes where groups are looked for, all at once in vector lanes.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from bot.jit.lanes import compiled, inlined, popcount
from bot.puyo.bits import FOUR, LANE, LANES, NUISANCE_HIGH, NUISANCE_LOW, ONE, ZERO, U
from bot.puyo.planes import (
    any_cell,
    grown,
    grown_plane,
    mask,
    packed,
    plane,
    scatter,
    seeds,
    union,
    unpacked,
    without_0,
    without_1,
    without_2,
    words,
)
from bot.puyo.special import clear_size, colors, grouping_east, grouping_west, pdep, pext, uses_pext

_ALL: Final = 0xFFFF_FFFF_FFFF_FFFF
_FLOOR: Final = U(0x0001_0001_0001_0001)
_GUARD: Final = U(0x8000_8000_8000_8000)

# For colour c (from 0, its code is c + 1): all ones where the code's bit k is 0.
_NOT: Final = np.array([[0 if (c + 1) & 1 << k else _ALL for c in range(LANES)] for k in range(3)], np.uint64)
_LANES: Final = tuple(U(LANE << U(16 * x)) for x in range(4))


@inlined
def encode(g: Any, board: Any) -> Any:
    """The six words of a board."""
    nuisance_low, nuisance_high = board[NUISANCE_LOW], board[NUISANCE_HIGH]
    a = board[0] | board[2] | nuisance_low
    b = board[1] | board[2] | nuisance_low
    c = board[3] | nuisance_low
    d = board[LANES] | board[LANES + 2] | nuisance_high
    e = board[LANES + 1] | board[LANES + 2] | nuisance_high
    f = board[LANES + 3] | nuisance_high
    if colors(g) > FOUR:
        a |= board[4]
        b |= board[5]
        c |= board[4] | board[5]
        d |= board[LANES + 4]
        e |= board[LANES + 5]
        f |= board[LANES + 4] | board[LANES + 5]
    a, d = packed(a, d)
    b, e = packed(b, e)
    c, f = packed(c, f)
    return a, b, c, d, e, f


@inlined
def planes_of(g: Any, codes: Any) -> Any:
    """The packed planes of all colours."""
    a, b, c, d, e, f = codes
    return (without_0(g) ^ mask(g, a, d)) & (without_1(g) ^ mask(g, b, e)) & (without_2(g) ^ mask(g, c, f))


@inlined
def puyos(codes: Any) -> Any:
    """The plane of all puyos."""
    a, b, c, d, e, f = codes
    return a | b | c, d | e | f


@inlined
def nuisance(codes: Any) -> Any:
    """The plane of the nuisance puyos."""
    a, b, c, d, e, f = codes
    return a & b & c, d & e & f


@inlined
def decode(g: Any, codes: Any, board: Any) -> None:
    """Writes the planes of six words."""
    a, d = unpacked(codes[0], codes[3])
    b, e = unpacked(codes[1], codes[4])
    c, f = unpacked(codes[2], codes[5])
    scatter(g, a, b, c, board, 0)
    scatter(g, d, e, f, board, LANES)
    board[NUISANCE_LOW] = a & b & c
    board[NUISANCE_HIGH] = d & e & f


@inlined
def add(codes: Any, color: Any, west: Any, east: Any) -> Any:
    """The six words with the empty cells ``west``, ``east`` filled in one colour (from 0)."""
    a, b, c, d, e, f = codes
    in_0, in_1, in_2 = ~_NOT[0, color], ~_NOT[1, color], ~_NOT[2, color]
    return (
        a | (west & in_0),
        b | (west & in_1),
        c | (west & in_2),
        d | (east & in_0),
        e | (east & in_1),
        f | (east & in_2),
    )


@compiled
def large(west: Any, east: Any, least: Any) -> Any:
    """Of a plane of one colour, the groups of at least ``least`` cells."""
    all_west = all_east = ZERO
    while (west | east) != ZERO:
        group_west, group_east, size = group(west, east)
        if size >= least:
            all_west |= group_west
            all_east |= group_east
        west &= ~group_west
        east &= ~group_east
    return all_west, all_east


@compiled
def group(west: Any, east: Any) -> Any:
    """One group of a plane that isn't empty: (west, east, size). The lowest cell of one of the words grows into it."""
    group_west = west & (~west + ONE)
    group_east = ZERO
    if west == ZERO:
        group_east = east & (~east + ONE)
    size = ZERO
    while True:
        group_west, group_east = grown_plane(group_west, group_east)
        group_west &= west
        group_east &= east
        now = popcount(group_west) + popcount(group_east)
        if now == size:
            return group_west, group_east, size
        size = now


@inlined
def color_plane(codes: Any, k: Any) -> Any:
    """The cells of colour ``k``, from 0: (low, high)."""
    a, b, c, d, e, f = codes
    return (
        (a ^ _NOT[0, k]) & (b ^ _NOT[1, k]) & (c ^ _NOT[2, k]),
        (d ^ _NOT[0, k]) & (e ^ _NOT[1, k]) & (f ^ _NOT[2, k]),
    )


@inlined
def doomed(g: Any, codes: Any) -> Any:
    """The coloured cells to clear, a plane.

    ::

        RRG...      ##....
        RRGG..  ->  ##....      (three G are too few)
    """
    return doomed_of(g, codes, planes_of(g, codes))


@inlined
def doomed_of(g: Any, codes: Any, planes: Any) -> Any:
    """The same, when the planes of the codes are at hand."""
    own = planes & mask(g, grouping_west(g), grouping_east(g))
    found = union(grown(seeds(g, own)) & own)
    if clear_size(g) > FOUR and any_cell(found):
        return _larger(g, codes, found)
    return found


@compiled
def _larger(g: Any, codes: Any, found: Any) -> Any:
    west, east = words(found)
    all_west = all_east = ZERO
    for k in range(np.int64(colors(g))):
        own_west, own_east = color_plane(codes, k)
        big_west, big_east = large(own_west & west, own_east & east, clear_size(g))
        all_west |= big_west
        all_east |= big_east
    return plane(all_west, all_east)


@inlined
def clear(g: Any, codes: Any, found: Any) -> Any:
    """Clears the cells of a plane and the nuisance beside them, drops the rest: (codes, puyos cleared).

    ::

        .B....      ......
        oRRRR.  ->  ......
        GoG...      GBG...      (the nuisance is gone, B has dropped into its place)
    """
    a, b, c, d, e, f = codes
    dust = plane(a, d) & plane(b, e) & plane(c, f) & plane(grouping_west(g), grouping_east(g))
    west, east = words(found | (grown(found) & dust))
    cleared = popcount(west) + popcount(east)
    if uses_pext(g):
        to_west = _left(west, 0) | _left(west, 1) | _left(west, 2) | _left(west, 3)
        to_east = _left(east, 0) | _left(east, 1)
        return (
            pdep(g, pext(g, a, ~west), to_west),
            pdep(g, pext(g, b, ~west), to_west),
            pdep(g, pext(g, c, ~west), to_west),
            pdep(g, pext(g, d, ~east), to_east),
            pdep(g, pext(g, e, ~east), to_east),
            pdep(g, pext(g, f, ~east), to_east),
        ), cleared
    a &= ~west
    b &= ~west
    c &= ~west
    d &= ~east
    e &= ~east
    f &= ~east
    while west != ZERO:
        rest = (west | _GUARD) - _FLOOR
        keep = rest & ~west & ~_GUARD
        a = (a & keep) | ((a & ~keep) >> ONE)
        b = (b & keep) | ((b & ~keep) >> ONE)
        c = (c & keep) | ((c & ~keep) >> ONE)
        west = (west & rest) >> ONE
    while east != ZERO:
        rest = (east | _GUARD) - _FLOOR
        keep = rest & ~east & ~_GUARD
        d = (d & keep) | ((d & ~keep) >> ONE)
        e = (e & keep) | ((e & ~keep) >> ONE)
        f = (f & keep) | ((f & ~keep) >> ONE)
        east = (east & rest) >> ONE
    return (a, b, c, d, e, f), cleared


@inlined
def _left(gone: Any, column: Any) -> Any:
    """As many cells from the floor up in a column of a word as the cells ``gone`` leave there (of 16)."""
    return (LANE >> popcount(gone & _LANES[column])) << U(16 * column)


@inlined
def resolve_codes(g: Any, codes: Any, planes: Any) -> Any:
    """The words after all chains of a settled board, without counting anything; ``planes``: those of the words."""
    found = doomed_of(g, codes, planes)
    while any_cell(found):
        codes, _ = clear(g, codes, found)
        found = doomed(g, codes)
    return codes

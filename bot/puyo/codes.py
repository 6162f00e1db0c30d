"""A board as *codes* in bit planes (imports numba): six words, in registers, while a chain runs.

The cell codes 1..7 (six colours, nuisance) have three bits. Words 0 to 2 are the low words of the planes of these
bits, 3 to 5 the high words. Falling then moves six words instead of eighteen; colours are taken out of the codes
where groups are looked for, all at once in vector lanes.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from bot.jit.lanes import any_of, compiled, constant, inlined, popcount, store
from bot.puyo.bits import (
    FLOOR,
    FOUR,
    GUARD,
    LANE,
    LANES,
    NUISANCE_HIGH,
    NUISANCE_LOW,
    ONE,
    ZERO,
    U,
    grown,
    seeds,
)
from bot.puyo.special import clear_size, grouping, pdep, pext, uses_pext

_COLORS: Final = 6
_ALL: Final = 0xFFFF_FFFF_FFFF_FFFF


def _lanes(wanted: list[bool]) -> Any:
    return constant([_ALL if lane else 0 for lane in wanted])


# For colour c (from 0, its code is c + 1): all ones where the code's bit k is 0; where there is a colour at all.
_BITS: Final = [[not (c + 1) & 1 << k for c in range(LANES)] for k in range(3)]
_not_0: Final = _lanes(_BITS[0])
_not_1: Final = _lanes(_BITS[1])
_not_2: Final = _lanes(_BITS[2])
_colored: Final = _lanes([c < _COLORS for c in range(LANES)])
_NOT: Final = np.array([[_ALL if lane else 0 for lane in bits] for bits in _BITS], np.uint64)
_LANE_1: Final = U(LANE << U(16))
_LANE_2: Final = U(LANE << U(32))


@inlined
def encode(board: Any) -> Any:
    """The six words of a board."""
    nuisance_low, nuisance_high = board[NUISANCE_LOW], board[NUISANCE_HIGH]
    return (
        board[0] | board[2] | board[4] | nuisance_low,
        board[1] | board[2] | board[5] | nuisance_low,
        board[3] | board[4] | board[5] | nuisance_low,
        board[LANES] | board[LANES + 2] | board[LANES + 4] | nuisance_high,
        board[LANES + 1] | board[LANES + 2] | board[LANES + 5] | nuisance_high,
        board[LANES + 3] | board[LANES + 4] | board[LANES + 5] | nuisance_high,
    )


@inlined
def _colors(codes: Any) -> Any:
    """The planes of all colours, as lanes (low, high)."""
    a, b, c, d, e, f = codes
    return (
        (_not_0() ^ a) & (_not_1() ^ b) & (_not_2() ^ c) & _colored(),
        (_not_0() ^ d) & (_not_1() ^ e) & (_not_2() ^ f) & _colored(),
    )


@inlined
def decode(codes: Any, board: Any) -> None:
    """Writes the planes of six words."""
    a, b, c, d, e, f = codes
    low, high = _colors(codes)
    store(board, 0, low)
    store(board, LANES, high)
    board[NUISANCE_LOW] = a & b & c
    board[NUISANCE_HIGH] = d & e & f


@inlined
def add(codes: Any, color: Any, low: Any, high: Any) -> Any:
    """The six words with the empty cells ``low``, ``high`` filled in one colour (from 0)."""
    a, b, c, d, e, f = codes
    in_0, in_1, in_2 = ~_NOT[0, color], ~_NOT[1, color], ~_NOT[2, color]
    return (
        a | (low & in_0),
        b | (low & in_1),
        c | (low & in_2),
        d | (high & in_0),
        e | (high & in_1),
        f | (high & in_2),
    )


@compiled
def large(low: Any, high: Any, least: Any) -> Any:
    """Of a plane of one colour, the groups of at least ``least`` cells."""
    all_low = all_high = ZERO
    while (low | high) != ZERO:
        group_low, group_high, size = group(low, high)
        if size >= least:
            all_low |= group_low
            all_high |= group_high
        low &= ~group_low
        high &= ~group_high
    return all_low, all_high


@compiled
def group(low: Any, high: Any) -> Any:
    """One group of a plane that isn't empty: (low, high, size). The lowest cell of one of the words grows into it."""
    group_low = low & (~low + ONE)
    group_high = ZERO
    if low == ZERO:
        group_high = high & (~high + ONE)
    size = ZERO
    while True:
        group_low, group_high = grown(group_low, group_high)
        group_low &= low
        group_high &= high
        now = popcount(group_low) + popcount(group_high)
        if now == size:
            return group_low, group_high, size
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
    """The coloured cells to clear (low, high).

    ::

        RRG...      ##....
        RRGG..  ->  ##....      (three G are too few)
    """
    own_low, own_high = _colors(codes)
    own_low, own_high = own_low & grouping(g), own_high & grouping(g)
    seed_low, seed_high = seeds(g, own_low, own_high)
    all_low, all_high = grown(seed_low, seed_high)
    low, high = any_of(all_low & own_low), any_of(all_high & own_high)
    if clear_size(g) > FOUR and (low | high) != ZERO:
        return _larger(g, codes, low, high)
    return low, high


@compiled
def _larger(g: Any, codes: Any, low: Any, high: Any) -> Any:
    all_low = all_high = ZERO
    for k in range(_COLORS):
        own_low, own_high = color_plane(codes, k)
        big_low, big_high = large(own_low & low, own_high & high, clear_size(g))
        all_low |= big_low
        all_high |= big_high
    return all_low, all_high


@inlined
def clear(g: Any, codes: Any, low: Any, high: Any) -> Any:
    """Clears the cells ``low``, ``high`` and the nuisance beside them, drops the rest: (codes, nuisance cleared).

    ::

        .B....      ......
        oRRRR.  ->  ......
        GoG...      GBG...      (the nuisance is gone, B has dropped into its place)
    """
    a, b, c, d, e, f = codes
    near_low, near_high = grown(low, high)
    hit_low = near_low & a & b & c & grouping(g)
    hit_high = near_high & d & e & f & grouping(g)
    low |= hit_low
    high |= hit_high
    dust = popcount(hit_low) + popcount(hit_high)
    if uses_pext(g):
        low_target, high_target = _remaining(low), _remaining(high)
        return (
            pdep(g, pext(g, a, ~low), low_target),
            pdep(g, pext(g, b, ~low), low_target),
            pdep(g, pext(g, c, ~low), low_target),
            pdep(g, pext(g, d, ~high), high_target),
            pdep(g, pext(g, e, ~high), high_target),
            pdep(g, pext(g, f, ~high), high_target),
        ), dust
    a &= ~low
    b &= ~low
    c &= ~low
    d &= ~high
    e &= ~high
    f &= ~high
    while low != ZERO:
        rest = (low | GUARD) - FLOOR
        keep = rest & ~low & ~GUARD
        a = (a & keep) | ((a & ~keep) >> ONE)
        b = (b & keep) | ((b & ~keep) >> ONE)
        c = (c & keep) | ((c & ~keep) >> ONE)
        low = (low & rest) >> ONE
    while high != ZERO:
        rest = (high | GUARD) - FLOOR
        keep = rest & ~high & ~GUARD
        d = (d & keep) | ((d & ~keep) >> ONE)
        e = (e & keep) | ((e & ~keep) >> ONE)
        f = (f & keep) | ((f & ~keep) >> ONE)
        high = (high & rest) >> ONE
    return (a, b, c, d, e, f), dust


@inlined
def _remaining(gone: Any) -> Any:
    """As many cells from the floor up in every column as the word leaves there (of 16)."""
    return (
        (LANE >> popcount(gone & LANE))
        | ((LANE >> popcount(gone & _LANE_1)) << U(16))
        | ((LANE >> popcount(gone & _LANE_2)) << U(32))
    )


@inlined
def resolve_codes(g: Any, codes: Any) -> Any:
    """The words after all chains of a settled board, without counting anything."""
    low, high = doomed(g, codes)
    while (low | high) != ZERO:
        codes, _ = clear(g, codes, low, high)
        low, high = doomed(g, codes)
    return codes

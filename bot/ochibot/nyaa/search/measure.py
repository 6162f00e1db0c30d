"""The metrics of a leaf on bit planes (imports numba). They are defined in ``ochibot.nyaa.search.metrics``.

Boards are those of ``ochibot.nyaa.kernels.packed``. Colours and columns are counted from 0 here, rows from the floor.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from ochibot.jit.lanes import compiled, inlined, popcount
from ochibot.nyaa.kernels.bits import ONE, ZERO, U, beside, blocks, count, lowest
from ochibot.nyaa.kernels.ignite import ignite
from ochibot.nyaa.kernels.packed import NEEDLES, NUISANCE_WORD
from ochibot.nyaa.rules.grid import COLUMNS, ROWS

LANE: Final = U(0xFFFF)
COLORS: Final = 4
OVER_CELL: Final = ONE << U(16 * 3 + ROWS - 1)
"""The top centre, in the low word."""

ENTRY_WORDS: Final = 6
"""A *memory* keeps the values of ignitions, which come up again and again: entries of six words, the colour's plane,
the starts (two words each), the attack and the tails."""
MEMORY_BITS: Final = 12
MEMORY_WORDS: Final = ENTRY_WORDS << MEMORY_BITS
_MIX: Final = (U(0x9E3779B97F4A7C15), U(0xC2B2AE3D27D4EB4F), U(0x165667B19E3779F9), U(0xD6E8FEB86659FD93))
_SHIFT: Final = U(64 - MEMORY_BITS)

# What is known of the other side, in an array of so many: its room, what waits there, its best ignition.
ROOM, WAITING, BEST = range(3)
OTHER: Final = 3

HEIGHTS: Final = 0
VALUES: Final = 8
SCRATCH: Final = 16
"""An array of int64: the heights of the columns, then the values of the best ignition of each colour and its tails."""


@inlined
def occupied(board: Any) -> Any:
    """The plane of everything."""
    low, high = blocks(board)
    low |= board[NUISANCE_WORD]
    high |= board[NUISANCE_WORD + 1]
    for c in range(COLORS):
        low |= board[NEEDLES + c]
        high |= board[NEEDLES + COLORS + c]
    return low, high


@inlined
def write_heights(low: Any, high: Any, scratch: Any) -> None:
    """The heights of the columns of a plane without gaps."""
    for x in range(4):
        scratch[x] = np.int64(popcount((low >> U(16 * x)) & LANE))
        scratch[x + 4] = np.int64(popcount((high >> U(16 * x)) & LANE))


@inlined
def share(d: Any, room: Any) -> Any:
    """100 for a full room; the square makes half a room worth a quarter."""
    d = min(max(d, 0), room)
    return 100 * d * d // (room * room)


@inlined
def room_of(scratch: Any) -> Any:
    """Nuisance in full rows that fills the fourth column."""
    return max(COLUMNS * (ROWS - scratch[3]), 1)


@inlined
def landing(scratch: Any) -> Any:
    """The plane of landing cells, given the heights.

    ::

        ..#....      the third column is full, so what lies
        .*#*...      beyond it can't be reached
        ###.#*.
        ###..##
    """
    low = high = ZERO
    for way in (-1, 1):
        x = 3
        while 0 <= x < COLUMNS and scratch[x] < ROWS:
            bit = ONE << U(16 * (x & 3) + scratch[x])
            if x < 4:
                low |= bit
            else:
                high |= bit
            x += way
    return low, high


@compiled
def value_of(
    board: Any, c: Any, cell_low: Any, cell_high: Any, start_low: Any, start_high: Any, memory: Any, work: Any
) -> Any:
    """(attack, tails) of one needle of a colour on an empty cell, which lights these starts; remembered."""
    plane_low, plane_high = board[c], board[COLORS + c]
    mixed = (plane_low * _MIX[0]) ^ (plane_high * _MIX[1]) ^ (start_low * _MIX[2]) ^ (start_high * _MIX[3])
    mixed ^= mixed >> U(29)
    at = np.int64((mixed * _MIX[0]) >> _SHIFT) * ENTRY_WORDS
    same = (memory[at] ^ plane_low) | (memory[at + 1] ^ plane_high)
    same |= (memory[at + 2] ^ start_low) | (memory[at + 3] ^ start_high)
    if same != ZERO:
        board[NEEDLES + c], board[NEEDLES + COLORS + c] = cell_low, cell_high
        attack, _, _, t, _, _, _ = ignite(board, True, work)
        board[NEEDLES + c], board[NEEDLES + COLORS + c] = ZERO, ZERO
        memory[at], memory[at + 1] = plane_low, plane_high
        memory[at + 2], memory[at + 3] = start_low, start_high
        memory[at + 4], memory[at + 5] = U(attack), U(t)
    return np.int64(memory[at + 4]), np.int64(memory[at + 5])


@compiled
def best_ignitions(board: Any, low: Any, high: Any, scratch: Any, memory: Any, work: Any) -> Any:
    """Writes the value of the best ignition of each colour on the landing cells ``low``, ``high``; returns the most
    tails of one that is worth as much as the best of all.
    """
    for c in range(COLORS):
        scratch[VALUES + c] = 0
        scratch[VALUES + COLORS + c] = 0
    while (low | high) != ZERO:
        cell_low, cell_high = lowest(low, high)
        low &= ~cell_low
        high &= ~cell_high
        near_low, near_high = beside(cell_low, cell_high)
        for c in range(COLORS):
            start_low, start_high = near_low & board[c], near_high & board[COLORS + c]
            if (start_low | start_high) != ZERO:
                attack, t = value_of(board, c, cell_low, cell_high, start_low, start_high, memory, work)
                if attack > scratch[VALUES + c]:
                    scratch[VALUES + c] = attack
                    scratch[VALUES + COLORS + c] = 0
                if attack == scratch[VALUES + c]:
                    scratch[VALUES + COLORS + c] = max(scratch[VALUES + COLORS + c], t)
    best = tails = 0
    for c in range(COLORS):
        best = max(best, scratch[VALUES + c])
    for c in range(COLORS):
        if scratch[VALUES + c] == best and best > 0:
            tails = max(tails, scratch[VALUES + COLORS + c])
    return tails


@compiled
def groups(board: Any, landing_low: Any, landing_high: Any) -> Any:
    """(mass, growth, buried)."""
    mass = growth = buried = 0
    for c in range(COLORS):
        plane_low, plane_high = board[c], board[COLORS + c]
        rest_low, rest_high = plane_low, plane_high
        while (rest_low | rest_high) != ZERO:
            low, high = lowest(rest_low, rest_high)
            while True:
                near_low, near_high = beside(low, high)
                more_low, more_high = (low | near_low) & plane_low, (high | near_high) & plane_high
                if more_low == low and more_high == high:
                    break
                low, high = more_low, more_high
            rest_low &= ~low
            rest_high &= ~high
            size = count(low, high)
            places = count(near_low & landing_low, near_high & landing_high)
            mass += size * size
            growth += size * places
            buried += size if places == 0 else 0
    return mass, growth, buried


@compiled
def measure(
    board: Any,
    attack: Any,
    sent: Any,
    early: Any,
    pending: Any,
    ready: Any,
    other: Any,
    scratch: Any,
    memory: Any,
    work: Any,
    metrics: Any,
) -> None:
    """Writes the metrics of a leaf. ready: bits of the colours of the pair after those that were tried."""
    low, high = occupied(board)
    write_heights(low, high, scratch)
    land_low, land_high = landing(scratch)
    tails = best_ignitions(board, land_low, land_high, scratch, memory, work)
    best = second = total = soon = 0
    for c in range(COLORS):
        value = scratch[VALUES + c]
        total += value
        second = max(second, min(best, value))
        best = max(best, value)
        if (ready >> c) & 1:
            soon = max(soon, value)
    mass, growth, buried = groups(board, land_low, land_high)
    height = 0
    for x in range(COLUMNS):
        height += scratch[x] * scratch[x]
    near_low, near_high = beside(*blocks(board))
    white_low, white_high = board[NUISANCE_WORD], board[NUISANCE_WORD + 1]
    room, room_there = room_of(scratch), other[ROOM]
    there = other[WAITING] + sent
    metrics[0] = attack
    metrics[1] = sent
    metrics[2] = early
    metrics[3] = share(there, room_there)
    metrics[4] = share(there - other[BEST], room_there)
    metrics[5] = best
    metrics[6] = second
    metrics[7] = total - best - second
    metrics[8] = soon
    metrics[9] = share(there + best, room_there)
    metrics[10] = tails
    metrics[11] = mass
    metrics[12] = growth
    metrics[13] = buried
    metrics[14] = height
    metrics[15] = 2 * scratch[3] * scratch[3] + scratch[2] * scratch[2] + scratch[4] * scratch[4]
    metrics[16] = count(white_low, white_high)
    metrics[17] = pending
    metrics[18] = share(pending, room)
    metrics[19] = share(pending + other[BEST] - best, room)
    metrics[20] = count(white_low & ~near_low, white_high & ~near_high)


@inlined
def weigh(metrics: Any, factors: Any) -> Any:
    """The sum of the weighted metrics, in their order."""
    value = 0.0
    for i in range(factors.shape[0]):
        value += metrics[i] * factors[i]
    return value


@compiled
def look(board: Any, pending: Any, scratch: Any, memory: Any, work: Any, other: Any) -> None:
    """Writes what is known of the other side."""
    low, high = occupied(board)
    write_heights(low, high, scratch)
    land_low, land_high = landing(scratch)
    best_ignitions(board, land_low, land_high, scratch, memory, work)
    other[ROOM] = room_of(scratch)
    other[WAITING] = pending
    other[BEST] = 0
    for c in range(COLORS):
        other[BEST] = max(other[BEST], scratch[VALUES + c])

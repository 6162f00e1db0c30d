"""The metrics of a leaf on bit planes (imports numba). ``ochibot.nyaa.search.metrics`` defines them.

Boards are those of ``ochibot.nyaa.kernels.packed``. Colours and columns are counted from 0 here, rows from the floor.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from ochibot.jit.lanes import compiled, inlined, popcount
from ochibot.nyaa.kernels.bits import FLOOR, ONE, ZERO, U, beside, blocks, count, lowest
from ochibot.nyaa.kernels.ignite import ignite
from ochibot.nyaa.kernels.packed import NEEDLES, NUISANCE_WORD
from ochibot.nyaa.rules.grid import COLUMNS, ROWS
from ochibot.nyaa.search.metrics import (
    ATTACK,
    BEST,
    BURIED,
    CENTRE,
    DANGER,
    EARLY,
    EXPOSED,
    GROWTH,
    HEIGHT,
    LOCKED,
    MASS,
    NUISANCE,
    OTHERS,
    PENDING,
    PRESSURE,
    READY,
    SECOND,
    SENT,
    TAILS,
    THREAT,
    UNANSWERED,
)
from ochibot.nyaa.search.question import (
    COLORS,
    ENTRY_WORDS,
    FACTS,
    HEIGHTS,
    KEPT_ATTACK,
    KEPT_TAILS,
    KEY_PLANE_HIGH,
    KEY_PLANE_LOW,
    KEY_STARTS_HIGH,
    KEY_STARTS_LOW,
    MEMORY_BITS,
    MOST_PENDING,
    MOST_TAILS,
    NUISANCE_EACH,
    OFFSET,
    OTHER_BEST,
    OTHER_ROOM,
    OTHER_WAITING,
    OVER_HEIGHT,
    REACHED,
    RULES,
    SPAWN_COLUMN,
    VALUES,
)

LANE: Final = U(0xFFFF)
TOP_ROW: Final = FLOOR << U(ROWS - 1)
THREE_LANES: Final = U(0xFFFF_FFFF_FFFF)
"""The columns of a plane's high word, without the spare lane."""
_MIX: Final = (U(0x9E3779B97F4A7C15), U(0xC2B2AE3D27D4EB4F), U(0x165667B19E3779F9), U(0xD6E8FEB86659FD93))
_SHIFT: Final = U(64 - MEMORY_BITS)


@inlined
def occupied(board: Any) -> Any:
    """The plane of all occupied cells."""
    low, high = blocks(board)
    low |= board[NUISANCE_WORD]
    high |= board[NUISANCE_WORD + 1]
    for c in range(COLORS):
        low |= board[NEEDLES + c]
        high |= board[NEEDLES + COLORS + c]
    return low, high


@inlined
def write_heights(low: Any, high: Any, scratch: Any) -> None:
    """Writes the heights of a plane's columns, which have no gaps, to ``scratch``."""
    for x in range(4):
        scratch[HEIGHTS + x] = np.int64(popcount((low >> U(16 * x)) & LANE))
        scratch[HEIGHTS + x + 4] = np.int64(popcount((high >> U(16 * x)) & LANE))


@inlined
def share(d: Any, room: Any) -> Any:
    """The square of d / room in percent, rounded down; d is cut to 0..room. A full room gives 100, half of it 25."""
    d = min(max(d, 0), room)
    return 100 * d * d // (room * room)


@inlined
def room_of(scratch: Any) -> Any:
    """How much nuisance, falling in full rows, ends the game; from the heights in ``scratch``."""
    return max(COLUMNS * (scratch[RULES + OVER_HEIGHT] - scratch[HEIGHTS + scratch[RULES + SPAWN_COLUMN]]), 1)


@inlined
def landing(taken_low: Any, taken_high: Any, scratch: Any) -> Any:
    """The plane of landing cells, given the plane of all occupied cells and the heights.

    ::

        ..#....      the third column is full, so what lies
        .*#*...      beyond it can't be reached
        ###.#*.
        ###..##
    """
    if ((taken_low | taken_high) & TOP_ROW) == ZERO:  # no column is full, so adding 1 carries to its lowest empty cell
        return ~taken_low & (taken_low + FLOOR), ~taken_high & (taken_high + FLOOR) & THREE_LANES
    low = high = ZERO
    for way in (-1, 1):
        x = scratch[RULES + SPAWN_COLUMN]
        while 0 <= x < COLUMNS and scratch[HEIGHTS + x] < ROWS:
            bit = ONE << U(16 * (x & 3) + scratch[HEIGHTS + x])
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
    """(attack, tails) of an ignition: one needle of colour ``c`` on an empty cell, which lights the start blocks.

    ``memory`` keeps the results.
    """
    plane_low, plane_high = board[c], board[COLORS + c]
    mixed = (plane_low * _MIX[0]) ^ (plane_high * _MIX[1]) ^ (start_low * _MIX[2]) ^ (start_high * _MIX[3])
    mixed ^= mixed >> U(29)
    at = np.int64((mixed * _MIX[0]) >> _SHIFT) * ENTRY_WORDS
    other = (memory[at + KEY_PLANE_LOW] ^ plane_low) | (memory[at + KEY_PLANE_HIGH] ^ plane_high)
    other |= (memory[at + KEY_STARTS_LOW] ^ start_low) | (memory[at + KEY_STARTS_HIGH] ^ start_high)
    if other != ZERO:
        board[NEEDLES + c], board[NEEDLES + COLORS + c] = cell_low, cell_high
        attack, t, _, _ = ignite(board, work)
        board[NEEDLES + c], board[NEEDLES + COLORS + c] = ZERO, ZERO
        memory[at + KEY_PLANE_LOW], memory[at + KEY_PLANE_HIGH] = plane_low, plane_high
        memory[at + KEY_STARTS_LOW], memory[at + KEY_STARTS_HIGH] = start_low, start_high
        memory[at + KEPT_ATTACK], memory[at + KEPT_TAILS] = U(attack), U(t)
    return np.int64(memory[at + KEPT_ATTACK]), np.int64(memory[at + KEPT_TAILS])


@compiled
def best_ignitions(board: Any, low: Any, high: Any, scratch: Any, memory: Any, work: Any) -> Any:
    """Writes to ``scratch`` the attack of each colour's best ignition on the landing cells ``low``, ``high``, and its
    tails. Returns the most tails of any ignition with the highest attack of all colours.
    """
    for c in range(COLORS):
        scratch[VALUES + c] = 0
        scratch[MOST_TAILS + c] = 0
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
                    scratch[MOST_TAILS + c] = 0
                if attack == scratch[VALUES + c]:
                    scratch[MOST_TAILS + c] = max(scratch[MOST_TAILS + c], t)
    best = tails = 0
    for c in range(COLORS):
        best = max(best, scratch[VALUES + c])
    for c in range(COLORS):
        if scratch[VALUES + c] == best and best > 0:
            tails = max(tails, scratch[MOST_TAILS + c])
    return tails


@compiled
def groups(board: Any, landing_low: Any, landing_high: Any) -> Any:
    """Measures a board's groups: (mass, growth, buried), as ``ochibot.nyaa.search.metrics`` defines them."""
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
    scratch: Any,
    memory: Any,
    work: Any,
) -> None:
    """Writes the metrics of a leaf to ``scratch``.

    ready: the colours, as bits, of the pair after those that were tried.
    """
    low, high = occupied(board)
    write_heights(low, high, scratch)
    land_low, land_high = landing(low, high, scratch)
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
        height += scratch[HEIGHTS + x] * scratch[HEIGHTS + x]
    middle = scratch[RULES + SPAWN_COLUMN]
    centre = 2 * scratch[HEIGHTS + middle] * scratch[HEIGHTS + middle]
    if middle > 0:
        centre += scratch[HEIGHTS + middle - 1] * scratch[HEIGHTS + middle - 1]
    if middle < COLUMNS - 1:
        centre += scratch[HEIGHTS + middle + 1] * scratch[HEIGHTS + middle + 1]
    near_low, near_high = beside(*blocks(board))
    white_low, white_high = board[NUISANCE_WORD], board[NUISANCE_WORD + 1]
    room, room_there = room_of(scratch), scratch[OTHER_ROOM]
    there = min(scratch[OTHER_WAITING] + sent, scratch[RULES + MOST_PENDING])
    # the nuisance of each side's best ignition, and how much waiting nuisance it can cancel
    each, offset = scratch[RULES + NUISANCE_EACH], scratch[RULES + OFFSET]
    firing, firing_there = best * each, scratch[OTHER_BEST] * each
    answer, answer_there = firing * offset, firing_there * offset
    metrics = scratch[FACTS:REACHED]
    metrics[ATTACK] = attack
    metrics[SENT] = sent
    metrics[EARLY] = early
    metrics[PRESSURE] = share(there, room_there)
    metrics[UNANSWERED] = share(there - answer_there, room_there)
    metrics[BEST] = best
    metrics[SECOND] = second
    metrics[OTHERS] = total - best - second
    metrics[READY] = soon
    metrics[THREAT] = share(min(there + firing, scratch[RULES + MOST_PENDING]), room_there)
    metrics[TAILS] = tails
    metrics[MASS] = mass
    metrics[GROWTH] = growth
    metrics[BURIED] = buried
    metrics[HEIGHT] = height
    metrics[CENTRE] = centre
    metrics[NUISANCE] = count(white_low, white_high)
    metrics[PENDING] = pending
    metrics[DANGER] = share(pending, room)
    metrics[EXPOSED] = share(pending + firing_there - answer, room)
    metrics[LOCKED] = count(white_low & ~near_low, white_high & ~near_high)


@inlined
def weigh(scratch: Any, factors: Any) -> Any:
    """The sum of the weighted metrics, in their order."""
    value = 0.0
    for i in range(factors.shape[0]):
        value += scratch[FACTS + i] * factors[i]
    return value


@compiled
def look(board: Any, pending: Any, scratch: Any, memory: Any, work: Any) -> None:
    """Measures the other side's board and writes its room, waiting nuisance and best ignition to ``scratch``."""
    low, high = occupied(board)
    write_heights(low, high, scratch)
    land_low, land_high = landing(low, high, scratch)
    best_ignitions(board, land_low, land_high, scratch, memory, work)
    scratch[OTHER_ROOM] = room_of(scratch)
    scratch[OTHER_WAITING] = pending
    scratch[OTHER_BEST] = 0
    for c in range(COLORS):
        scratch[OTHER_BEST] = max(scratch[OTHER_BEST], scratch[VALUES + c])

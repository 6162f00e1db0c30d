"""How a group of a board burns, for the kernel of many boards (imports numba), as in ``ochibot.nyaa.rules.wave``.

A set of cells is two words: the cells 0 to 41, and the others. ``small`` is a group, see ``group``. A burn under way
is a *state* of STATE_WORDS words: the claim it goes on at, a set of cells (those where the second claim wins, or on the
PS2 those from which a wave went on without a tie), the set each cell's wave has passed, the set of parents, and owners.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from ochibot.jit.lanes import compiled, inlined, popcount
from ochibot.nyaa.rules.grid import CELLS, COLUMNS

U: Final = np.uint64
ZERO: Final = U(0)
ONE: Final = U(1)
HALF: Final = 42
STATE_WORDS: Final = 3 + 2 * CELLS + 2 + CELLS


def _neighbours(cell: int) -> list[int]:
    column = cell % COLUMNS
    left, right = cell - 1 if column > 0 else -1, cell + 1 if column < COLUMNS - 1 else -1
    return [max(cell - COLUMNS, -1), left, right, cell + COLUMNS if cell + COLUMNS < CELLS else -1]


NEAR: Final = np.array([_neighbours(cell) for cell in range(CELLS)], np.int64)
"""For each cell the one above, left, right, below (the *ways* 0 to 3); -1: none."""


@inlined
def bit(cell: Any) -> Any:
    """The bit of a cell in its word."""
    return ONE << U(cell if cell < HALF else cell - HALF)


@inlined
def near_of(cell: Any, way: Any) -> Any:
    """The cell beside one, by way; -1: none."""
    return NEAR[cell, way]


@compiled
def group(codes: Any, start: Any, mark: Any, numbers: Any, small: Any) -> Any:
    """Lists a group's cells by step and then in reading order. Returns (cells, starts).

    small: [0] the order, [1] steps by cell, [2] ``mark`` where a cell is of the group, [3] scratch.
    """
    order, steps, seen, found = small[0], small[1], small[2], small[3]
    color = codes[start]
    many, done = 1, 0
    found[0] = start
    seen[start] = mark
    while done < many:
        cell = found[done]
        done += 1
        steps[cell] = 0
        for way in range(4):
            near = near_of(cell, way)
            if near >= 0 and seen[near] == 0 and codes[near] == color:
                seen[near] = mark
                found[many] = near
                many += 1
    starts = 0
    for cell in range(start, CELLS):
        if seen[cell] == mark and numbers[cell]:
            order[starts] = cell
            steps[cell] = 1
            starts += 1
    first, last, step = 0, starts, 1
    while first < last:
        step += 1
        end = last
        for k in range(first, last):
            for way in range(4):
                near = near_of(order[k], way)
                if near >= 0 and codes[near] == color and steps[near] == 0:
                    steps[near] = step
                    at = end
                    while at > last and order[at - 1] > near:
                        order[at] = order[at - 1]
                        at -= 1
                    order[at] = near
                    end += 1
        first, last = last, end
    return many, starts


@inlined
def claims_on(codes: Any, steps: Any, cell: Any) -> Any:
    """(the sources as four bits by way, the strong ones among them)."""
    sources = 0
    for way in range(4):
        near = near_of(cell, way)
        if near >= 0 and steps[near] == steps[cell] - 1 and codes[near] == codes[cell]:
            sources |= 1 << way
    upright = sources & 0b1001
    return sources, upright if upright else sources


@inlined
def both_ends(cell: Any, strong: Any) -> Any:
    """The first and the last of the strong sources."""
    first = last = -1
    for way in range(4):
        if strong >> way & 1:
            near = near_of(cell, way)
            first = near if first < 0 else first
            last = near
    return first, last


@compiled
def light(small: Any, starts: Any, numbers: Any, state: Any) -> None:
    """The state of a burn after its first step."""
    for k in range(3):
        state[k] = ZERO
    state[3 + 2 * CELLS] = state[3 + 2 * CELLS + 1] = ZERO
    for k in range(starts):
        cell = small[0, k]
        state[3 + 2 * cell] = bit(cell) if cell < HALF else ZERO
        state[3 + 2 * cell + 1] = ZERO if cell < HALF else bit(cell)
        state[3 + 2 * CELLS + 2 + cell] = U(numbers[cell])


@compiled
def claim(cell: Any, sources: Any, winner: Any, mvs: Any, state: Any) -> Any:
    """Gives a cell to the winner: a start's number on MVS, a cell on the PS2. Returns the sources merged, as bits."""
    merged = 0
    low = high = ZERO
    if cell < HALF:
        low = bit(cell)
    else:
        high = bit(cell)
    for way in range(4):
        if sources >> way & 1:
            near = near_of(cell, way)
            owner = np.int64(state[3 + 2 * CELLS + 2 + near])
            if (owner if mvs else near) == winner:
                merged |= 1 << way
                low |= state[3 + 2 * near]
                high |= state[3 + 2 * near + 1]
                if near < HALF:
                    state[3 + 2 * CELLS] |= bit(near)
                else:
                    state[3 + 2 * CELLS + 1] |= bit(near)
                state[3 + 2 * CELLS + 2 + cell] = U(owner)
    state[3 + 2 * cell] = low
    state[3 + 2 * cell + 1] = high
    return merged


@inlined
def is_parent(state: Any, cell: Any) -> Any:
    """Whether a wave went on from a cell."""
    return (state[3 + 2 * CELLS + (0 if cell < HALF else 1)] & bit(cell)) != ZERO


@inlined
def value_of(state: Any, cell: Any) -> Any:
    """How many cells the wave has passed that is at a cell."""
    return np.int64(popcount(state[3 + 2 * cell]) + popcount(state[3 + 2 * cell + 1]))


@compiled
def sums(small: Any, many: Any, state: Any, counts: Any) -> Any:
    """(s0, s1, t) of a burn that has ended."""
    s0 = s1 = most = 0
    for k in range(many):
        counts[np.int64(state[3 + 2 * CELLS + 2 + small[0, k]])] = 0
    for k in range(many):
        cell = small[0, k]
        if is_parent(state, cell):
            continue
        value = value_of(state, cell)
        s1 += value
        s0 += value if value > 1 else 0
        owner = np.int64(state[3 + 2 * CELLS + 2 + cell])
        counts[owner] += 1
        most = max(most, counts[owner])
    return s0, s1, most


@compiled
def burn(
    codes: Any, small: Any, many: Any, starts: Any, numbers: Any, mvs: Any, low: Any, high: Any, state: Any, ties: Any
) -> Any:
    """Burns a group one way; ``low``, ``high``: the cells where the second claim wins. Returns how many ties it met.

    Lists the tied cells in ``ties``, by step. The PS2's forced cells are left in the first words of ``state``.
    """
    light(small, starts, numbers, state)
    met = 0
    for k in range(starts, many):
        cell = small[0, k]
        sources, strong = claims_on(codes, small[1], cell)
        first, last = both_ends(cell, strong)
        if mvs:
            winner = np.int64(state[3 + 2 * CELLS + 2 + first])
            other = np.int64(state[3 + 2 * CELLS + 2 + last])
        else:
            winner, other = np.int64(first), np.int64(last)
        tie = other != winner and (strong == 0b1001 or strong == 0b0110)
        if tie:
            ties[met] = cell
            met += 1
            second = ((low if cell < HALF else high) & bit(cell)) != ZERO
            winner = max(winner, other) if second else min(winner, other)
        merged = claim(cell, sources, winner, mvs, state)
        if not tie and not mvs:
            for way in range(4):
                if merged >> way & 1:
                    near = near_of(cell, way)
                    state[1 if near < HALF else 2] |= bit(near)
    return met

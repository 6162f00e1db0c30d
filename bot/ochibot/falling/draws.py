"""Random numbers: the xorshift generators of our own cartridges, and the dice for the columns of nuisance.

Source: the READMEs of ``roms/homebrew`` (on pairs, and on the columns of nuisance); G. Marsaglia, "Xorshift RNGs"
(2003).

SplitMix64, the generator of uniform pairs, of drawn futures and of the seeds of games.

Source: Steele, Lea, Flood 2014, "Fast splittable pseudorandom number generators".
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

MASK_32: Final = 0xFFFF_FFFF


def step32(x: int) -> int:
    """The 32-bit state after ``x`` (shifts 13, 17, 5): the generator of pairs."""
    x ^= x << 13 & MASK_32
    x ^= x >> 17
    return x ^ (x << 5 & MASK_32)


def step16(x: int) -> int:
    """The 16-bit state after ``x`` (shifts 7, 9, 8): the generator of columns."""
    x ^= x << 7 & 0xFFFF
    x ^= x >> 9
    return x ^ (x << 8 & 0xFFFF)


@dataclass(slots=True)
class ColumnDice:
    """Chooses the columns in which nuisance falls for one seat. state: 1..65535. columns: how many the field has."""

    state: int
    columns: int

    @classmethod
    def of_seat(cls, seat: int, pairs_state: int, columns: int) -> ColumnDice:
        """The dice of seat 1 or 2 at the start of a game. ``pairs_state``: the state of the pairs' generator before
        the first piece. The dice begin with its lower half (seat 1) or upper half (seat 2), made odd.
        """
        return cls(pairs_state >> 16 * (seat - 1) & 0xFFFF | 1, columns)

    def order(self, chosen: int) -> tuple[int, ...]:
        """All columns, from 1. The first ``chosen`` (fewer than all) are drawn at random; each draw is one step."""
        order = list(range(1, self.columns + 1))
        for i in range(chosen):
            self.state = step16(self.state)
            j = i + ((self.state >> 8) * (self.columns - i) >> 8)
            order[i], order[j] = order[j], order[i]
        return tuple(order)


MASK_64: Final = (1 << 64) - 1
GAMMA: Final = 0x9E3779B97F4A7C15
"""Added to the 64-bit state before each number. MIX_1 and MIX_2 are the factors of ``mixed``."""
MIX_1: Final = 0xBF58476D1CE4E5B9
MIX_2: Final = 0x94D049BB133111EB


def mixed(state: int) -> int:
    """The generator's number for a state, 64 bits."""
    z = ((state ^ (state >> 30)) * MIX_1) & MASK_64
    z = ((z ^ (z >> 27)) * MIX_2) & MASK_64
    return z ^ (z >> 31)


def rolled(state: int, limit: int) -> tuple[int, int]:
    """The next state and its number below ``limit`` (at most 2^32): the number's high half, times ``limit``, divided by
    2^32.
    """
    state = (state + GAMMA) & MASK_64
    return state, (mixed(state) >> 32) * limit >> 32

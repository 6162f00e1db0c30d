"""Marsaglia's xorshift generators, as our own cartridges use them, and the dice for the columns of nuisance.

Source: the READMEs of ``roms/homebrew`` (on pairs, and on the columns of nuisance); G. Marsaglia, "Xorshift RNGs"
(2003).
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

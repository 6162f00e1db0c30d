"""The generators of our own cartridge, so that a match deals what the cartridge deals.

Marsaglia's xorshift: 32 bits (13, 17, 5) for pairs, 16 bits (7, 9, 8) for the columns of nuisance. All of this is
chosen for our own game (roms/homebrew/neogeo); how the original deals is not known.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from bot.errors import ConfigError
from bot.nyaa.grid import COLUMNS
from bot.nyaa.pair import Pair
from bot.puyo.xorshift import step16, step32

_MASK: Final = 0xFFFF_FFFF
_SEED_FACTOR: Final = 0x9E37_79B1


def seeded(frame: int) -> int:
    """The pairs' generator as a game starts that is begun at that frame of the cartridge's counter."""
    return frame * _SEED_FACTOR & _MASK | 1


class PairDealer:
    """Deals a seat's pairs from a state of the pairs' generator (1..2^32 - 1), as it is before the first pair.

    One step for each half, the axis first; the two highest bits of the state are the colour less 1.
    """

    def __init__(self, state: int) -> None:
        """Raises ConfigError for a state that the generator can't have."""
        if not 0 < state <= _MASK:
            raise ConfigError(f"{state:#x} is no state of the pairs' generator: give 1 to {_MASK:#x}")
        self.state = state

    def __iter__(self) -> PairDealer:
        return self

    def __next__(self) -> Pair:
        return Pair(self._color(), self._color())

    def _color(self) -> int:
        self.state = step32(self.state)
        return 1 + (self.state >> 30)


@dataclass(slots=True)
class ColumnDice:
    """Chooses the columns that nuisance falls in for one seat. state: 1..65535."""

    state: int

    @classmethod
    def of_seat(cls, seat: int, pairs_state: int) -> ColumnDice:
        """The dice of seat 0 or 1 as a game starts: a half of the pairs' generator before the first pair."""
        return cls(pairs_state >> 16 * seat & 0xFFFF | 1)

    def order(self, chosen: int) -> tuple[int, ...]:
        """All columns 1..7, the first ``chosen`` (0..6) of them drawn at random; each draw is a step."""
        columns = list(range(1, COLUMNS + 1))
        for i in range(chosen):
            self.state = step16(self.state)
            j = i + ((self.state >> 8) * (COLUMNS - i) >> 8)
            columns[i], columns[j] = columns[j], columns[i]
        return tuple(columns)

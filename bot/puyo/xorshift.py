"""The generators of our own cartridge, so that a match deals what the cartridge deals.

Source: ``roms/homebrew/famicom`` (README, "pairs" and "its columns"). Marsaglia's xorshift in 32 bits (13, 17, 5) for
pairs and in 16 bits (7, 9, 8) for the columns of nuisance.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, get_args

from bot.errors import ConfigError
from bot.puyo.dealer import Items
from bot.puyo.field import COLUMNS
from bot.puyo.pair import BIG, CARBUNCLE, Pair

_MASK: Final = 0xFFFF_FFFF
_SEED_HIGH: Final = 0xA500_0000
_SEED_STEPS: Final = 16
COLORS_DEALT: Final = (4, 5, 6)


def step32(x: int) -> int:
    """The state of the pairs' generator after ``x``."""
    x ^= x << 13 & _MASK
    x ^= x >> 17
    return x ^ (x << 5 & _MASK)


def step16(x: int) -> int:
    """The state of the columns' generator after ``x``."""
    x ^= x << 7 & 0xFFFF
    x ^= x >> 9
    return x ^ (x << 8 & 0xFFFF)


def seeded(frame: int) -> int:
    """The pairs' generator as a game starts that is begun at that frame of the cartridge's counter (24 bits)."""
    x = frame & 0xFF_FFFF | _SEED_HIGH
    for _ in range(_SEED_STEPS):
        x = step32(x)
    return x


class XorshiftDealer:
    """Deals a seat's pieces from a state of the pairs' generator, as it is before the first piece."""

    def __init__(self, state: int, colors: int, items: Items = "off", interval: int = 16) -> None:
        """``state``: 1..2^32 - 1. ``colors``: 4..6. ``items``: of the pieces counted from 1, each whose number is a
        multiple of ``interval`` is an item (both: the big puyo first) and draws nothing; interval 0: none is.

        Raises ConfigError for anything else.
        """
        if not 0 < state <= _MASK:
            raise ConfigError(f"{state:#x} is no state of the pairs' generator: give 1 to {_MASK:#x}")
        if colors not in COLORS_DEALT:
            raise ConfigError(f"the cartridge can't deal {colors} colours: choose 4 to 6")
        if items not in get_args(Items) or interval < 0:
            raise ConfigError(f"can't deal the items {items!r} every {interval} pieces")
        self.state = state
        self.colors = colors
        self.items = items
        self.interval = interval
        self.dealt = 0

    def __iter__(self) -> XorshiftDealer:
        return self

    def __next__(self) -> Pair:
        self.dealt += 1
        if self.items != "off" and self.interval and self.dealt % self.interval == 0:
            odd = self.dealt // self.interval % 2 == 1
            big = self.items == "big" or (self.items == "both" and odd)
            return Pair(BIG, BIG) if big else Pair(CARBUNCLE, CARBUNCLE)
        return Pair(self._color(), self._color())

    def _color(self) -> int:
        self.state = step32(self.state)
        return 1 + ((self.state >> 16) * self.colors >> 16)


@dataclass(slots=True)
class ColumnDice:
    """Chooses the columns that nuisance falls in for one seat. state: 1..65535."""

    state: int

    @classmethod
    def of_seat(cls, seat: int, pairs_state: int) -> ColumnDice:
        """The dice of seat 0 or 1 as a game starts: a half of the pairs' generator before the first piece."""
        return cls(pairs_state >> 16 * seat & 0xFFFF | 1)

    def order(self, chosen: int) -> tuple[int, ...]:
        """All columns 1..6, the first ``chosen`` (0..5) of them drawn at random; each draw is a step."""
        columns = list(range(1, COLUMNS + 1))
        for i in range(chosen):
            self.state = step16(self.state)
            j = i + ((self.state >> 8) * (COLUMNS - i) >> 8)
            columns[i], columns[j] = columns[j], columns[i]
        return tuple(columns)

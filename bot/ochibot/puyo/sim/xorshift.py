"""The pair generator of our own cartridge, so that a simulated match deals what the cartridge deals.

Source: ``roms/homebrew/famicom`` (README, "pairs").
"""

from __future__ import annotations

from typing import Final, get_args

from ochibot.errors import ConfigError
from ochibot.falling.xorshift import MASK_32, step32
from ochibot.puyo.rules.pair import BIG, CARBUNCLE, Pair
from ochibot.puyo.sim.dealer import Items
from ochibot.quoting import quoted
from ochibot.wording import counted

_SEED_HIGH: Final = 0xA500_0000
_SEED_STEPS: Final = 16
COLORS_DEALT: Final = (4, 5, 6)


def seeded(frame: int) -> int:
    """The initial state of the pairs' generator. ``frame``: the cartridge's frame counter (24 bits) when the game
    begins.
    """
    x = frame & 0xFF_FFFF | _SEED_HIGH
    for _ in range(_SEED_STEPS):
        x = step32(x)
    return x


class XorshiftDealer:
    """Deals a seat's pieces, given the state that the pairs' generator has before the first piece."""

    def __init__(self, state: int, colors: int, items: Items = "off", interval: int = 16) -> None:
        """``state``: 1..2^32 - 1. ``colors``: 4..6. ``items``: which items are dealt (both: big puyo and carbuncle
        in turn). Pieces are counted from 1; each whose number is a multiple of ``interval`` is an item. An item draws
        no random number. With ``interval`` 0 there are no items.

        Raises ConfigError for other values.
        """
        if not 0 < state <= MASK_32:
            raise ConfigError(f"{state:#x} is no state of the pairs' generator: give 1 to {MASK_32:#x}")
        if colors not in COLORS_DEALT:
            raise ConfigError(f"the cartridge can't deal {counted(colors, 'colour')}: choose 4 to 6")
        if items not in get_args(Items) or interval < 0:
            raise ConfigError(f"can't deal the items {quoted(items)} every {counted(interval, 'piece')}")
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

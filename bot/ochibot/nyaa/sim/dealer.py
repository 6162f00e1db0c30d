"""The generators of our own cartridge, so that a simulated match deals the same pairs as the cartridge.

Marsaglia's xorshift: 32 bits (13, 17, 5) for pairs, 16 bits (7, 9, 8) for the columns of nuisance. This is our own
game's choice (roms/homebrew/neogeo); how the original deals is not known.
"""

from __future__ import annotations

from typing import Final

from ochibot.errors import ConfigError
from ochibot.falling.xorshift import MASK_32, step32
from ochibot.nyaa.rules.pair import Pair

_SEED_FACTOR: Final = 0x9E37_79B1


def seeded(frame: int) -> int:
    """The initial state of the pairs' generator in a game that begins when the cartridge's counter is at ``frame``."""
    return frame * _SEED_FACTOR & MASK_32 | 1


class PairDealer:
    """Deals a seat's pairs. ``state``: the state of the pairs' generator before the first pair, 1..2^32 - 1.

    The generator makes one step for each half, the axis first. The two highest bits of its state are the colour less 1.
    """

    def __init__(self, state: int) -> None:
        """Raises ConfigError for a state that the generator can't have."""
        if not 0 < state <= MASK_32:
            raise ConfigError(f"{state:#x} is no state of the pairs' generator: give 1 to {MASK_32:#x}")
        self.state = state

    def __iter__(self) -> PairDealer:
        return self

    def __next__(self) -> Pair:
        return Pair(self._color(), self._color())

    def _color(self) -> int:
        self.state = step32(self.state)
        return 1 + (self.state >> 30)

"""The pair generator of the games from Puyo Puyo 20th Anniversary to eSports: 65,536 patterns.

Source: public descriptions of the generator. A digest of all 4-colour pools is published; the tests compare ours with
it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from ochibot.errors import ConfigError
from ochibot.wording import counted

POOL: Final = 256
"""Puyos in a pool."""

SEEDS: Final = 0x10000
"""How many seeds there are."""

PALETTE: Final = (0, 3, 5, 1, 4)
"""The colours before their shuffle: red, green, blue, yellow, purple, as colour codes."""

MULTIPLIER: Final = 0x5D588B65
INCREMENT: Final = 0x269EC3

_MASK: Final = 0xFFFFFFFF


@dataclass(frozen=True, slots=True)
class ModernPools:
    """What a seed deals: the five colours in the seed's order, and a pool of 256 codes each for 3, 4 and 5 colours."""

    palette: tuple[int, ...]
    pool3: bytes
    pool4: bytes
    pool5: bytes

    def pool(self, colors: int) -> bytes:
        """The pool of 3, 4 or 5 colours. Raises ConfigError for other numbers."""
        if colors not in (3, 4, 5):
            raise ConfigError(f"the modern games have no pool of {counted(colors, 'colour')}: choose 3, 4 or 5")
        return (self.pool3, self.pool4, self.pool5)[colors - 3]


def modern(seed: int) -> ModernPools:
    """The pools of a seed, 0..65535. Raises ConfigError for other seeds."""
    if not 0 <= seed < SEEDS:
        raise ConfigError(f"{seed:#x} is no seed of the modern games: give 0 to 0xffff")
    state = seed

    def draw(below: int) -> int:
        nonlocal state
        state = (state * MULTIPLIER + INCREMENT) & _MASK
        return (state >> 16) * below >> 16

    left = list(PALETTE)
    palette = tuple(left.pop(draw(len(left))) for _ in PALETTE)
    pools = []
    for colors in (3, 4, 5):
        pool = bytearray(palette[i % colors] for i in range(POOL))
        for length in (16, 32, 64):
            for row in range(POOL // length - 1):
                for _ in range(length // 2):
                    a = row * length + draw(length)
                    b = (row + 1) * length + draw(length)
                    pool[a], pool[b] = pool[b], pool[a]
        pools.append(pool)
    pool3, pool4, pool5 = pools
    pool4[:4] = pool5[:4] = pool3[:4]
    return ModernPools(palette, bytes(pool3), bytes(pool4), bytes(pool5))

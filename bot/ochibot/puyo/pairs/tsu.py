"""The pair generator of Puyo Puyo Tsu on the Mega Drive (and the System C-2), in versus.

Source: a public disassembly of the Mega Drive game, read on 2026-11-22. The Puyo Nexus wiki ("Upcoming Pair
Randomizer") describes the same pools, but there each of the three is shuffled by draws of its own, and a draw mixes the
random state with constants only. In the game's code, the 3- and the 5-colour pool are shuffled by the same draws, and a
draw also depends on a register and on the stack pointer. This module follows the code. Nobody has compared it with a
console yet.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from ochibot.errors import ConfigError
from ochibot.wording import counted

POOL: Final = 256
"""Puyos in a pool."""

POWER_ON: Final = 0x35879DE2
"""The random state (RAM FFA134) after power-on."""

COLOR_SET: Final = (0, 1, 3, 5, 4, 6, 2, 0)
"""The colour set (RAM FFA4E2) before its shuffle: colour codes. Only the first five are shuffled."""

SET_STACK: Final = 0x00FF7FE8
"""The stack pointer while the colour set is shuffled."""

POOL_STACK: Final = 0x00FF7FF4
"""The stack pointer while a pool is shuffled."""

FIRST_PAIRS: Final = (2, 1, 0)
"""The places in the pool of the first three pairs dealt. Pairs 3, 4, ... 127 follow; then the pool repeats from 0."""

_MASK: Final = 0xFFFFFFFF


def step(state: int, d0: int, stack: int) -> int:
    """The next random state. state, d0, stack: 32 bits each; d0 is a register, stack the stack pointer at the call."""
    mixed = (state + d0 + stack) & _MASK
    return ((mixed << 5 | mixed >> 27) + state + 1) & _MASK


@dataclass(frozen=True, slots=True)
class TsuPools:
    """The results of the game's shuffles before a versus round. All colours are colour codes.

    color_set: 8 codes, shuffled. first_d0: the register d0 before the first draw for a pool. state: the random state
    after all shuffles. pool3, pool4, pool5: 256 codes each; the game has already overwritten some of their first pairs.
    """

    color_set: tuple[int, ...]
    first_d0: int
    pool3: bytes
    pool4: bytes
    pool5: bytes
    state: int

    def pool(self, colors: int) -> bytes:
        """The pool of ``colors`` colours: 3 for the difficulties 1 and 2, 4 for 3, and 5 for 4 and 5.

        Raises ConfigError for other numbers.
        """
        if colors not in (3, 4, 5):
            raise ConfigError(f"Puyo Puyo Tsu has no pool of {counted(colors, 'colour')}: choose 3, 4 or 5")
        return (self.pool3, self.pool4, self.pool5)[colors - 3]


def tsu(state: int) -> TsuPools:
    """The pools that the game makes from a 32-bit random state for a versus round. Both players get the same pool.

    Raises ConfigError for a state that is negative or has more than 32 bits.
    """
    if not 0 <= state <= _MASK:
        raise ConfigError(f"{state:#x} is no state of Puyo Puyo Tsu: give 0 to 0xffffffff")
    colors, d0 = list(COLOR_SET), 0
    for k in range(5):
        state = step(state, 4, SET_STACK)
        product = (state & 0xFFFF) * 4
        j = product >> 16
        colors[k], colors[j] = colors[j], colors[k]
        d0 = (product & 0xFFFF) << 16 | j

    def shuffle(*pools: bytearray) -> None:
        nonlocal state, d0
        for i in reversed(range(POOL)):
            state = step(state, d0, POOL_STACK)
            j = state & 0xFF
            d0 = state & 0xFFFF00FF
            for pool in pools:
                pool[i], pool[j] = pool[j], pool[i]

    pool3, pool4, pool5 = (bytearray(colors[i % n] for i in range(POOL)) for n in (3, 4, 5))
    first_d0 = d0 = d0 & 0xFFFF0000
    shuffle(pool4)
    d0 |= 0xFFFF
    shuffle(pool3, pool5)
    pool4[:4] = pool5[:4] = pool3[:4]
    pool5[4:8] = pool4[4:8]
    return TsuPools(tuple(colors), first_d0, bytes(pool3), bytes(pool4), bytes(pool5), state)


def nuisance_order(draws: Sequence[int]) -> tuple[int, ...]:
    """The columns 1..6 in the order in which nuisance fills them.

    ``draws``: six random numbers below 6, as the game draws them. It isn't known which register they depend on, so they
    can't be computed from a state. Raises ConfigError for other draws.
    """
    if len(draws) != 6 or not all(0 <= draw < 6 for draw in draws):
        raise ConfigError(f"nuisance can't be dealt by the draws {list(draws)}: give six numbers, each 0 to 5")
    columns = [1, 2, 3, 4, 5, 6]
    for i, j in zip(reversed(range(6)), draws, strict=True):
        columns[i], columns[j] = columns[j], columns[i]
    return tuple(columns)

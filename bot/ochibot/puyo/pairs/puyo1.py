"""The pair generator of Puyo Puyo 1 and Mean Bean Machine on the Mega Drive (and the System C-2), in versus.

Source: public disassemblies of both games, read on 2026-11-22. Nobody has compared our version with a console yet.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from ochibot.errors import ConfigError
from ochibot.wording import counted

POOL: Final = 256
"""Puyos in a pool."""

COLORS: Final = (0, 1, 3, 4, 5, 6, 2)
"""The colour codes in the game's own order. A pool of n colours has the first n."""

ZERO_STATE: Final = 0x2A6D365A
"""Replaces a state of 0, which would stay 0 for ever."""

SHARED: Final = 8
"""Puyos at the beginning that both players get."""

SECOND_COLORS: Final = 5
"""How many colours player 2's pool has after the shared puyos, whatever player 1's pool has."""

_MASK: Final = 0xFFFFFFFF


def step(state: int) -> int:
    """The next state (32 bits, RAM FF1116); its high half is the random number of 16 bits."""
    product = 41 * (state or ZERO_STATE) & _MASK
    low = product & 0xFFFF
    return (low + (product >> 16) & 0xFFFF) << 16 | low


@dataclass(frozen=True, slots=True)
class Puyo1Pools:
    """The results of the game's shuffles before a versus round: each player's 256 colour codes, and the state after."""

    player1: bytes
    player2: bytes
    state: int

    def pool(self, player: int) -> bytes:
        """The pool of player 1 or 2. Raises ConfigError for other numbers."""
        if player not in (1, 2):
            raise ConfigError(f"Puyo Puyo has no player {player}: choose 1 or 2")
        return (self.player1, self.player2)[player - 1]


def puyo1(state: int, colors: int = 4) -> Puyo1Pools:
    """The pools that the game makes of a 32-bit state. ``colors``: 3, 4 or 5, for player 1's pool.

    Raises ConfigError for other numbers or a state of more than 32 bits.
    """
    if not 0 <= state <= _MASK:
        raise ConfigError(f"{state:#x} is no state of Puyo Puyo: give 0 to 0xffffffff")
    if colors not in (3, 4, 5):
        raise ConfigError(f"Puyo Puyo has no pool of {counted(colors, 'colour')}: choose 3, 4 or 5")
    first = bytearray(COLORS[i % colors] for i in range(POOL))
    for i in reversed(range(POOL)):
        state = step(state)
        j = state >> 16 & 0xFF
        first[i], first[j] = first[j], first[i]
    rest = bytearray(COLORS[i % SECOND_COLORS] for i in range(POOL - SHARED))
    for i in reversed(range(len(rest))):
        state = step(state)
        j = (state >> 16) * len(rest) >> 16
        rest[i], rest[j] = rest[j], rest[i]
    return Puyo1Pools(bytes(first), bytes(first[:SHARED] + rest), state)

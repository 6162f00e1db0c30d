"""The generators by name: which pool a player reads, and in which order its pairs are dealt."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import count
from typing import Final, Literal

from ochibot.errors import ConfigError
from ochibot.puyo.pairs.modern import modern
from ochibot.puyo.pairs.puyo1 import SECOND_COLORS, puyo1
from ochibot.puyo.pairs.tsu import FIRST_PAIRS, POOL, tsu

Generator = Literal["tsu", "puyo1", "modern"]
"""``tsu``: Puyo Puyo Tsu; ``puyo1``: Puyo Puyo 1 and Mean Bean Machine; ``modern``: 20th Anniversary to eSports."""

LETTERS: Final = "RYGGPB"
"""How the colour codes 0..5 of a pool are written."""

PAIRS: Final = POOL // 2
"""Pairs in a pool."""


def pool_of(generator: Generator, state: int, colors: int = 4, player: int = 1) -> bytes:
    """The 256 colour codes from which a player's pairs are dealt in versus, after the game has changed the first ones.

    ``state``: 32 bits; for ``modern``, the seed, 0..65535. ``colors``: 3, 4 or 5. ``player``: 1 or 2. Only in ``puyo1``
    do the players have different pools; player 2's always has 5 colours after its first four pairs. Raises ConfigError
    for other values.
    """
    if player not in (1, 2):
        raise ConfigError(f"can't deal to player {player}: choose 1 or 2")
    if generator == "tsu":
        return tsu(state).pool(colors)
    if generator == "puyo1":
        return puyo1(state, colors).pool(player)
    if generator == "modern":
        return modern(state).pool(colors)
    raise ConfigError(f"can't deal by {generator!r}: choose tsu, puyo1 or modern")


def place_of(generator: Generator, piece: int) -> int:
    """Which pair of the pool a game deals as piece number ``piece``; both are counted from 0."""
    first = FIRST_PAIRS if generator == "tsu" else ()
    return first[piece] if piece < len(first) else piece % PAIRS


def colors_dealt(generator: Generator, colors: int, player: int) -> int:
    """How many colours a player's pairs may have in a game of ``colors`` colours."""
    return max(colors, SECOND_COLORS) if generator == "puyo1" and player == 2 else colors


def order_of(generator: Generator) -> Iterator[int]:
    """The numbers of the pool's pairs in the order in which a game deals them, without end."""
    return (place_of(generator, piece) for piece in count())


def pairs_of(generator: Generator, pool: Sequence[int]) -> Iterator[tuple[int, int]]:
    """The pairs that a pool deals, without end, as colour codes: the axis first."""
    return ((pool[2 * k], pool[2 * k + 1]) for k in order_of(generator))

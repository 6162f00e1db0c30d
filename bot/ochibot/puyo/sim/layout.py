"""Where a batch of games keeps its numbers (``ochibot.puyo.sim.vectors`` and ``ochibot.puyo.sim.many``)."""

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt

SOURCES: Final = ("uniform", "cartridge", "tsu", "puyo1", "modern")
"""The generators; their places are the kernels' numbers for them."""
UNIFORM, CARTRIDGE, TSU, PUYO1, MODERN = range(5)

COLORS, SHOWN, SOURCE, MOST_LOCKS, SCORE_CAP, ALL_CLEAR_NOW, ALL_CLEAR_LATER, WITH_PLANES = range(8)
"""The numbers of a batch, int64: colours, next pairs that are seen, the generator, locks after which a game is cut off
(0: none), the most points, points for emptying the field at once and with the next chain, 1 if planes are written.
"""
BATCH_NUMBERS: Final = 8

PIECES: Final = 0
"""The numbers of a game, int64. From PIECES on: axis and partner of the falling pair, of the next one and of the one
after that, as labels from 1. LABELS: the label of each colour code, four bits each, 0 if it hasn't come yet. USED: how
many labels are. OWED: 1 while a field clear waits for a chain. LOCKED: pairs locked. OVER: 1 when the game has ended,
so that the next step begins another one. MASK: the legal locks, a bit each.
"""
LABELS, USED, SCORE, OWED, LOCKED, OVER, MASK = range(6, 13)
GAME_NUMBERS: Final = 13

DEALT, SEEDS, DICE, FALLS = range(4)
RANDOM_WORDS: Final = 4
"""The random words of a game, uint64: the dealer's state (of a pool: the pairs dealt), the states of the generators of
the games' seeds, of random actions, and of the columns of nuisance.
"""

TERMINATED, TRUNCATED, ILLEGAL = range(3)
"""How a step went, uint8 0 or 1."""

POOL_ROOM: Final = 768
"""Bytes in which a pool is made."""

REACHES: Final = 5**6
"""The heights of six columns that make a difference to where a pair can lock."""

_OTHER: Final = 0x5555_5555_5555_5555
"""Makes the columns of nuisance differ from the deals."""


def seed_words(random: npt.NDArray[np.uint64], state: int, dice: int) -> None:
    """Seeds the random words of a game. ``state``: for its deals and the columns of nuisance. ``dice``: for random
    actions.
    """
    random[SEEDS], random[DICE], random[FALLS] = state, dice, state ^ _OTHER

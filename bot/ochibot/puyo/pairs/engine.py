"""The compiled generators: the pools of many states at once, and the seeds that begin with pairs somebody saw."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import Final

import numpy as np
import numpy.typing as npt

from ochibot.errors import ConfigError
from ochibot.jit.library import Kernel, KernelLibrary
from ochibot.puyo.pairs.modern import SEEDS
from ochibot.puyo.pairs.tsu import POOL
from ochibot.wording import counted

Pools = npt.NDArray[np.uint8]

PAIRS_KERNELS: Final = KernelLibrary(
    "puyo-pairs",
    "the pair generators",
    {
        "tsu_pools": Kernel("ochibot.puyo.pairs.kernels", "u4[::1], u1[:,::1]", 2),
        "modern_pools": Kernel("ochibot.puyo.pairs.kernels", "u4[::1], u1[:,::1]", 2),
    },
)
"""The kernels of this room."""

_CHUNK: Final = 4096
WILDCARD: Final = "?"
"""Stands for a puyo that nobody saw."""


def tsu_pools(states: npt.NDArray[np.uint32]) -> Pools:
    """The pools of n states of Puyo Puyo Tsu, as ``tsu`` makes them: (n, 3, 256) colour codes."""
    return _made("tsu_pools", states)


def modern_pools(seeds: npt.NDArray[np.uint32]) -> Pools:
    """The pools of n seeds (below 65,536) of the modern games, as ``modern`` makes them: (n, 3, 256) colour codes."""
    return _made("modern_pools", seeds)


def _made(kernel: str, states: npt.NDArray[np.uint32]) -> Pools:
    pools = np.empty((len(states), 3 * POOL), np.uint8)
    PAIRS_KERNELS.load(kernel)(np.ascontiguousarray(states, np.uint32), pools)
    return pools.reshape(-1, 3, POOL)


def find_modern(seen: Sequence[str], colors: int) -> list[int]:
    """The seeds of the modern games whose first pairs are the seen ones, in rising order.

    ``seen``: pairs of two letters, the axis first; ``?`` is any colour. The letters may name the colours in any way:
    equal ones are equal colours, different ones are different colours. ``colors``: 3, 4 or 5. Raises ConfigError for
    other numbers, for no pair, for something that isn't a pair, and for more letters than colours.
    """
    if colors not in (3, 4, 5):
        raise ConfigError(f"the modern games have no pool of {counted(colors, 'colour')}: choose 3, 4 or 5")
    for pair in seen:
        if len(pair) != 2 or not all(sign == WILDCARD or (sign.isascii() and sign.isalpha()) for sign in pair):
            raise ConfigError(f"{pair[:20]!r} is not a pair: give two letters, the axis first, or ? for any colour")
    if not seen:
        raise ConfigError("no pair was seen: give the first ones, such as 'RR PR PY'")
    where: dict[str, list[int]] = {}
    for place, sign in enumerate("".join(seen).upper()):
        if sign != WILDCARD:
            where.setdefault(sign, []).append(place % POOL)
    if len(where) > colors:
        raise ConfigError(f"{len(where)} colours were seen, and the game has {colors}: give another --colors")
    found: list[int] = []
    for first in range(0, SEEDS, _CHUNK):
        seeds = np.arange(first, first + _CHUNK, dtype=np.uint32)
        pools = modern_pools(seeds)[:, colors - 3]
        fits = np.ones(_CHUNK, np.bool_)
        for places in where.values():
            fits &= (pools[:, places] == pools[:, places[:1]]).all(axis=1)
        for one, other in combinations(where.values(), 2):
            fits &= pools[:, one[0]] != pools[:, other[0]]
        found += seeds[fits].tolist()
    return found

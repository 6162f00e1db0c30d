"""The compiled generators: the pools of many states at once."""

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt

from ochibot.jit.library import Kernel, KernelLibrary
from ochibot.puyo.pairs.generators import Generator
from ochibot.puyo.pairs.tsu import POOL

Pools = npt.NDArray[np.uint8]
States = npt.NDArray[np.uint32]

_SIEVE: Final = "u4[::1], b1, b1, i8[:,::1], u8[::1], u4[::1], u1[::1], u1[::1], u4[::1], u4[::1], u8[::1], i8[::1]"

PAIRS_KERNELS: Final = KernelLibrary(
    "puyo-pairs",
    "the pair generators",
    {
        "tsu_pools": Kernel("ochibot.puyo.pairs.kernels", "u4[::1], b1, u1[:,::1]", 2),
        "modern_pools": Kernel("ochibot.puyo.pairs.kernels", "u4[::1], u1[:,::1]", 2),
        "puyo1_pools": Kernel("ochibot.puyo.pairs.kernels", "u4[::1], i8, u1[:,::1]", 2),
        "tsu_sieve": Kernel("ochibot.puyo.pairs.sieve", _SIEVE, 4),
        "tsu_marks": Kernel("ochibot.puyo.pairs.marks", "i8, u8[::1]", 1),
        "tsu_marked": Kernel("ochibot.puyo.pairs.marks", "u8[::1], i8, u4[::1], i8[::1]", 1),
        "puyo1_sieve": Kernel("ochibot.puyo.pairs.sieve", _SIEVE, 4),
        "fitting": Kernel("ochibot.puyo.pairs.sieve", "u1[:,::1], i8, i8[::1], i8[::1], i8[::1], u8[::1]", 1),
    },
)
"""The kernels that make pools and search for states."""


def tsu_pools(states: States, begun: bool = False) -> Pools:
    """The pools of n states of Puyo Puyo Tsu, as ``tsu`` makes them: (n, 3, 256) colour codes.

    begun: whether the states are those after the colour set was shuffled. The set itself is then unknown; 0, 1, 3,
    5, 4 is used.
    """
    pools = np.empty((len(states), 3 * POOL), np.uint8)
    PAIRS_KERNELS.load("tsu_pools")(np.ascontiguousarray(states, np.uint32), begun, pools)
    return pools.reshape(-1, 3, POOL)


def modern_pools(seeds: States) -> Pools:
    """The pools of n seeds (below 65,536) of the modern games, as ``modern`` makes them: (n, 3, 256) colour codes."""
    pools = np.empty((len(seeds), 3 * POOL), np.uint8)
    PAIRS_KERNELS.load("modern_pools")(np.ascontiguousarray(seeds, np.uint32), pools)
    return pools.reshape(-1, 3, POOL)


def puyo1_pools(states: States, colors: int = 4) -> Pools:
    """The pools of n states of Puyo Puyo 1, as ``puyo1`` makes them: (n, 2, 256) colour codes, player 1's first."""
    pools = np.empty((len(states), 2 * POOL), np.uint8)
    PAIRS_KERNELS.load("puyo1_pools")(np.ascontiguousarray(states, np.uint32), colors, pools)
    return pools.reshape(-1, 2, POOL)


def pools_of(generator: Generator, states: States, colors: int, player: int) -> Pools:
    """``generators.pool_of`` for n states: (n, 256) colour codes, a view of a larger array."""
    if generator == "puyo1":
        return puyo1_pools(states, colors)[:, player - 1]
    return (tsu_pools if generator == "tsu" else modern_pools)(states)[:, colors - 3]

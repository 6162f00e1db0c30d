"""Which of several placements of equal value a player takes."""

from __future__ import annotations

import random

import numpy as np
import numpy.typing as npt


def tie_order(locks: int, seed: int | None) -> npt.NDArray[np.int64]:
    """The rank of every lock, (locks,), the lowest wins: in the order of locks, or shuffled by a seed.

    Two equal players at one game then need not play alike, yet equal snapshots always get equal decisions.
    """
    ranks = list(range(locks))
    if seed is not None:
        random.Random(seed).shuffle(ranks)
    return np.array(ranks, np.int64)

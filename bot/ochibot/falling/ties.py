"""Decides between placements of equal value."""

from __future__ import annotations

import random

import numpy as np
import numpy.typing as npt


def tie_order(locks: int, seed: int | None) -> npt.NDArray[np.int64]:
    """The rank of every lock, (locks,); the lowest wins. The order is that of the locks, or that order shuffled by a
    seed.

    So two equal players in one game need not play alike, yet equal snapshots always get equal decisions.
    """
    ranks = list(range(locks))
    if seed is not None:
        random.Random(seed).shuffle(ranks)
    return np.array(ranks, np.int64)

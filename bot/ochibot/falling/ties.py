"""Decides between placements of equal value."""

from __future__ import annotations

import random

import numpy as np
import numpy.typing as npt


def tie_order(locks: int, seed: int | None) -> npt.NDArray[np.int64]:
    """The rank of every lock, (locks,); the lowest wins. Without a seed, that is the order of the locks; a seed
    shuffles it.

    So equal players with different seeds need not play alike, yet one player always decides equal snapshots alike.
    """
    ranks = list(range(locks))
    if seed is not None:
        random.Random(seed).shuffle(ranks)
    return np.array(ranks, np.int64)

"""The search of Pochi & Nyaa: lock positions, evaluation and the two-ply player. Uses the rules only.

Importing this is cheap. numba is imported, and the kernels are loaded, by the first player that is made.
"""

from __future__ import annotations

from ochibot.nyaa.search.engine import prepare
from ochibot.nyaa.search.locks import find_path, lock_positions
from ochibot.nyaa.search.metrics import METRICS
from ochibot.nyaa.search.player import BY_HAND, GREEDY, NyaaPlayerConfig, NyaaWeights, load_nyaa_player
from ochibot.nyaa.search.simple import RandomPlayer
from ochibot.nyaa.search.twoply import Decision, Measured, NyaaPlayer

__all__ = [
    "BY_HAND",
    "GREEDY",
    "METRICS",
    "Decision",
    "Measured",
    "NyaaPlayer",
    "NyaaPlayerConfig",
    "NyaaWeights",
    "RandomPlayer",
    "find_path",
    "load_nyaa_player",
    "lock_positions",
    "prepare",
]

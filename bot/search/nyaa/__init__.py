"""The search of Pochi & Nyaa: lock positions, evaluation and the two-ply player. Uses the rules only.

Importing this is cheap. numba is imported, and the kernels are loaded, by the first player that is made.
"""

from __future__ import annotations

from bot.search.nyaa.engine import prepare
from bot.search.nyaa.locks import find_path, lock_positions
from bot.search.nyaa.metrics import METRICS
from bot.search.nyaa.player import BY_HAND, GREEDY, NyaaPlayerConfig, NyaaWeights, load_nyaa_player
from bot.search.nyaa.simple import RandomPlayer
from bot.search.nyaa.twoply import Decision, Measured, NyaaPlayer

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

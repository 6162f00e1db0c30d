"""Search: lock positions, evaluation and the two-ply player. Uses the rules only; knows no emulator.

Importing this is cheap. numba is imported, and its kernels are loaded, by the first decision or evaluation.
"""

from __future__ import annotations

from bot.search.engine import prepare
from bot.search.evaluate import Evaluation, Metrics, evaluate
from bot.search.locks import find_path, lock_positions
from bot.search.metrics import METRICS
from bot.search.player import Normalisers, PlayerConfig, Weights, load_player
from bot.search.twoply import Decision, TwoPly

__all__ = [
    "METRICS",
    "Decision",
    "Evaluation",
    "Metrics",
    "Normalisers",
    "PlayerConfig",
    "TwoPly",
    "Weights",
    "evaluate",
    "find_path",
    "load_player",
    "lock_positions",
    "prepare",
]

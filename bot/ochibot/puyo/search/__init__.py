"""Search: lock positions, evaluation and the two-ply player. It uses the rules only, and no emulator.

Importing this is cheap. numba is imported, and its kernels are loaded, by the first decision or evaluation.
"""

from __future__ import annotations

from ochibot.puyo.search.engine import prepare
from ochibot.puyo.search.evaluate import Evaluation, Metrics, evaluate
from ochibot.puyo.search.locks import find_path, lock_positions
from ochibot.puyo.search.metrics import METRICS
from ochibot.puyo.search.placements import placements, with_path
from ochibot.puyo.search.player import Normalisers, PlayerConfig, Weights, load_player
from ochibot.puyo.search.twoply import Decision, TwoPly

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
    "placements",
    "prepare",
    "with_path",
]

"""The layout of the beam's arrays. Plain Python."""

from __future__ import annotations

from typing import Final

ROOT, ATTACK, SENT, EARLY, PENDING_THEN = range(5)
"""The words (int64) of a board's *way*, the locks that led to it: the root (the number of the first lock), the attack
of all locks, the nuisance that they sent, the nuisance that the first one sent, and the nuisance that still waits.
"""
WAY: Final = 5

ALL_READY: Final = 15
"""All colours, as bits: the possible colours of a pair that isn't visible."""

LEAVES: Final = 0
"""The word of the counts that holds how many boards were examined, including those where the game is over."""
COUNTS: Final = 1

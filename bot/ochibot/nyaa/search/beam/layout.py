"""The layout of the beam's arrays. Plain Python."""

from __future__ import annotations

from typing import Final

ROOT, ATTACK, SENT, EARLY, PENDING_THEN = range(5)
"""The words (int64) of a board's way: the number of its first lock; the attack of all its locks; what they sent; what
the first of them sent; the nuisance that still waits.
"""
WAY: Final = 5

ALL_READY: Final = 15
"""All colours, as bits: of a pair that isn't seen."""

LEAVES: Final = 0
"""The word of the counts that counts the boards looked at, lost games included."""
COUNTS: Final = 1

"""The layout of the beam's arrays. Plain Python."""

from __future__ import annotations

from typing import Final

ROOT, ATTACK, SENT, EARLY, PENDING_THEN = range(5)
"""The words (int64) of a board's *way*, which tells how the board came about. ROOT: the number of the first lock.
ATTACK: the attack of all locks. SENT: the nuisance that they sent. EARLY: the part of it that the first lock sent.
PENDING_THEN: the nuisance that still waits to fall.
"""
WAY: Final = 5

ALL_READY: Final = 15
"""All four colours, as bits: a pair that isn't visible can have any of them."""

LEAVES: Final = 0
"""The index in the counts of the number of boards examined, lost games included."""
COUNTS: Final = 1

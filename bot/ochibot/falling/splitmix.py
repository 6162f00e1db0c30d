"""SplitMix64, the generator of uniform pairs, of drawn futures and of the seeds of games.

Source: Steele, Lea, Flood 2014, "Fast splittable pseudorandom number generators".
"""

from __future__ import annotations

from typing import Final

MASK_64: Final = (1 << 64) - 1
GAMMA: Final = 0x9E3779B97F4A7C15
"""Added to the 64-bit state before each number. MIX_1 and MIX_2 are the factors of ``mixed``."""
MIX_1: Final = 0xBF58476D1CE4E5B9
MIX_2: Final = 0x94D049BB133111EB


def mixed(state: int) -> int:
    """The generator's number for a state, 64 bits."""
    z = ((state ^ (state >> 30)) * MIX_1) & MASK_64
    z = ((z ^ (z >> 27)) * MIX_2) & MASK_64
    return z ^ (z >> 31)


def rolled(state: int, limit: int) -> tuple[int, int]:
    """The next state and its number below ``limit`` (at most 2^32): the number's high half, times ``limit``, divided by
    2^32.
    """
    state = (state + GAMMA) & MASK_64
    return state, (mixed(state) >> 32) * limit >> 32

"""The score tables of the Famicom profile, ``ochibot.puyo.rules.profile.FAMICOM``.

Source: the classic formula with first-generation chain power; the Famicom's own formula is not public.
"""

from __future__ import annotations

from typing import Final

CHAIN_POWER: Final = (0, 8, 16, 32, 64, 128, 256, 512, 999)
"""By step of the chain, from the first; later steps are like the last."""

COLOR_BONUS: Final = (0, 0, 3, 6, 12, 24, 48)
"""By the number of different colours (0..6) cleared in one step."""

GROUP_BONUS: Final = (0, 0, 0, 0, 0, 2, 3, 4, 5, 6, 7, 10)
"""By the size of a group; larger groups are like the last."""

CLEAR_SIZE: Final = 4
"""A group of this many clears."""

MAX_MULTIPLIER: Final = 999

SCORE_UNIT: Final = 10
"""Shown points per stored unit of the score."""

SCORE_CAP: Final = 99_999_990
"""The highest score shown."""

"""What the kernels of the chain search and their callers agree on: the places of the weights, and of the scratch."""

from __future__ import annotations

from typing import Final

from ochibot.puyo.rules.field import COLUMNS

WEIGHTS: Final = ("chain", "need", "row", "link", "triple", "uneven", "well", "danger", "tear", "waste")
"""The weights of a board's value, in the kernel's order; behind them the profile, a number for each column."""
PROFILE: Final = len(WEIGHTS)
WEIGHT_COUNT: Final = PROFILE + COLUMNS

CHAIN, NEED, ROW, LINK, TRIPLE, UNEVEN, WELL, DANGER, TEAR, WASTE = range(len(WEIGHTS))

TRIGGERS: Final = 48
"""Groups set off on one board that are remembered, so that each is looked into once."""
ROOTS: Final = 22
"""Locks of the falling pair, on a field where nothing floats: their places in the order of locks."""
FLOOD: Final = 16
"""Words of a flood (``ochibot.puyo.search.reach``)."""
SCRATCH_WORDS: Final = FLOOD + 2 * TRIGGERS
"""Words of scratch: a flood's, then the groups set off."""
GUARDED: Final = 8
"""Numbers that ``lasting_locks`` is asked with."""
NODES: Final = 0
"""What ``grow`` counts: boards looked at."""
COUNTS: Final = 1
ALL_ROOTS: Final = (1 << ROOTS) - 1
"""All of them, as bits."""
QUESTION: Final = 10
"""Numbers that ``grow`` is asked with."""

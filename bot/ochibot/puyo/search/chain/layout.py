"""The order of the weights and the sizes of the scratch arrays, shared by the chain search's kernels and callers."""

from __future__ import annotations

from typing import Final

from ochibot.puyo.rules.field import BOARD_WORDS, COLORS, COLUMNS

WEIGHTS: Final = ("chain", "need", "row", "link", "triple", "uneven", "well", "danger", "tear", "waste")
"""The weights of a board's value, in the kernels' order. In a kernel's array of weights, the profile's columns
follow them.
"""
PROFILE: Final = len(WEIGHTS)
MOST: Final = PROFILE + COLUMNS
"""The index of the weight that limits a chain's points: points beyond it count nothing. It comes after the profile."""
WEIGHT_COUNT: Final = MOST + 1

CHAIN, NEED, ROW, LINK, TRIPLE, UNEVEN, WELL, DANGER, TEAR, WASTE = range(len(WEIGHTS))

ROOTS: Final = 22
"""How many first locks (roots) there are. A root is an index into the order of locks of an open field."""
FLOOD: Final = 16
"""Words of a flood (``ochibot.puyo.search.reach``)."""
CHILD: Final = BOARD_WORDS + 4
"""Words of a child: a board that a lock leads to. See ``grow``."""
GROUP: Final = 8
"""Words of a group that one or two more puyos complete."""
RUNNING: Final = 9
"""Words of a chain that goes on."""
TRIGGERS: Final = COLUMNS * len(COLORS) * ROOTS + 1
"""The most such groups on all children of a board: one for each column and colour. And one more word for the next."""
SCRATCH_WORDS: Final = FLOOD + CHILD * ROOTS + (GROUP + RUNNING) * TRIGGERS
"""Words of scratch: those of a flood, then those of a board's children and of their chains."""
GUARDED: Final = 8
"""The length of the array ``question`` of ``lasting_locks``."""
NODES: Final = 0
"""The index, in ``grow``'s array ``counts``, of the number of boards examined."""
COUNTS: Final = 1
ALL_ROOTS: Final = (1 << ROOTS) - 1
"""One bit for each root, all set."""
QUESTION: Final = 10
"""The length of the array ``question`` of ``grow``."""

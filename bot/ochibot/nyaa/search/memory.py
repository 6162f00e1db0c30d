"""The layout of the arrays that the compiled search works in. Players (plain Python) make them, kernels use them."""

from __future__ import annotations

from typing import Final

from ochibot.nyaa.kernels.packed import BOARD_WORDS, WORK_WORDS
from ochibot.nyaa.rules.grid import COLUMNS
from ochibot.nyaa.rules.motion import ALL_ROWS
from ochibot.nyaa.search.metrics import METRICS
from ochibot.nyaa.search.question import RULE_WORDS

COLORS: Final = 4

# A *memory* is a hash table of the values of ignitions, because the same ignitions occur again and again. An entry's
# words: the plane of the colour, the plane of the start blocks, and the ignition's attack and tails.
KEY_PLANE_LOW, KEY_PLANE_HIGH, KEY_STARTS_LOW, KEY_STARTS_HIGH, KEPT_ATTACK, KEPT_TAILS = range(6)
ENTRY_WORDS: Final = 6
MEMORY_BITS: Final = 12
MEMORY_WORDS: Final = ENTRY_WORDS << MEMORY_BITS

# The layout of ``numbers``, an array of int64. It begins with the heights of the columns (and of the spare lane), the
# value of each colour's best ignition, and the most tails of an ignition of that value, for each colour. Then follow
# values that are the same for all leaves of a question: the other side's room, its waiting nuisance, its best ignition,
# and the words of the rules. Then the metrics, and the search for reachable locks.
HEIGHTS: Final = 0
VALUES: Final = HEIGHTS + COLUMNS + 1
MOST_TAILS: Final = VALUES + COLORS
OTHER_ROOM: Final = MOST_TAILS + COLORS
OTHER_WAITING: Final = OTHER_ROOM + 1
OTHER_BEST: Final = OTHER_WAITING + 1
RULES: Final = OTHER_BEST + 1
FACTS: Final = RULES + RULE_WORDS
REACHED: Final = FACTS + len(METRICS)
PLACES: Final = ALL_ROWS * COLUMNS * 4
"""Places of a pair: 4 orientations for each cell of the axis."""
NUMBERS: Final = REACHED + 2 * PLACES
"""The places that the search for locks has still to examine, and those that it has seen, come last."""

SEARCH_WORK_WORDS: Final = WORK_WORDS + 2 * BOARD_WORDS
"""Words of the scratch memory of a search: that of an ignition, and two boards."""

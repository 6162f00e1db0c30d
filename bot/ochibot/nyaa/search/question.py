"""The layout of a question to the compiled search, and a check of the rules that it supports. Plain Python.

The player writes the words of a question, and the kernels read them. The words count columns from 0.

The layout of the beam's arrays. Plain Python.

The layout of the arrays that the compiled search works in. Players (plain Python) make them, kernels use them.
"""

from __future__ import annotations

from typing import Final

from ochibot.errors import ConfigError
from ochibot.nyaa.kernels.packed import BOARD_WORDS, WORK_WORDS
from ochibot.nyaa.rules.grid import COLUMNS
from ochibot.nyaa.rules.lock import check_match_rules
from ochibot.nyaa.rules.pair import ALL_ROWS
from ochibot.nyaa.rules.profile import Rules, Ruleset
from ochibot.nyaa.search.metrics import METRICS

# The index of each word, or of the first of several words; ``ochibot.nyaa.search.kernels.two_ply`` explains the words.
PAIRS, PLACE, SPAWN_PLACE, PENDING, THERE, READY_1, READY_2 = 0, 4, 7, 10, 11, 12, 13
PLIES, BARRED, ASKED_RULES = 14, 15, 16

# The three words at PLACE and SPAWN_PLACE: the axis's column, its row (from the top, 0 hidden), the orientation.
AXIS_X, AXIS_Y, TURNED = range(3)

# The words of the rules, from ASKED_RULES on. OFFSET, IDLE_VANISHES and NUISANCE_POPS are 0 or 1. SPAWN_COLUMN is
# also the column of the cell that ends the game. OVER_HEIGHT: the game is over once that column is this many rows high.
NUISANCE_EACH, OFFSET, MOST_PENDING, MOST_PER_FALL, IDLE_VANISHES, NUISANCE_POPS, SPAWN_COLUMN, OVER_HEIGHT = range(8)
FALL_ORDER: Final = 8
"""The index, among the words of the rules, at which the columns begin. Incomplete rows of nuisance fill them in this
order. The player doesn't know the game's order, so this one begins with the worst column: where the game ends.
"""
RULE_WORDS: Final = FALL_ORDER + COLUMNS

RANKS: Final = ASKED_RULES + RULE_WORDS
"""The word at which the locks' ranks begin; they are the last words."""

# The answer's words.
ANSWER_LOCK, ANSWER_LEAVES, ANSWER_METRICS = 0, 1, 2


def rule_words(rules: Rules) -> list[int]:
    """The words of the rules. Raises ConfigError, naming the entry, for rules that the search can't play by."""
    check_match_rules(rules)
    if rules.ruleset is not Ruleset.MVS:
        raise ConfigError(
            f"the rules {rules.name} count values as the ruleset {rules.ruleset}, but the search of Pochi & Nyaa "
            f"counts as {Ruleset.MVS}: give ruleset: {Ruleset.MVS}"
        )
    attack, column = rules.attack, rules.spawn_column - 1
    return [
        attack.nuisance_each,
        int(attack.offset),
        attack.most_pending,
        attack.most_per_fall,
        int(rules.idle_needle == "vanish"),
        int(rules.nuisance_pops),
        column,
        rules.over_cell[1],
        *sorted(range(COLUMNS), key=lambda x: (abs(x - column), x)),
    ]


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

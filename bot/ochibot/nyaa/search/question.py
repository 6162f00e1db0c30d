"""The layout of a question to the compiled search, and a check of the rules that it supports. Plain Python.

The player writes the words of a question, and the kernels read them. The words count columns from 0.
"""

from __future__ import annotations

from typing import Final

from ochibot.errors import ConfigError
from ochibot.nyaa.rules.grid import COLUMNS
from ochibot.nyaa.rules.lock import check_match_rules
from ochibot.nyaa.rules.profile import Rules, Ruleset

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

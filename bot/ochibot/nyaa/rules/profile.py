"""Rules profiles of Pochi & Nyaa: the differences between its two versions, and what is unknown about them.

The values are in configs/rules/nyaa_mvs.yaml and nyaa_ps2.yaml, with the source of each.
``ochibot.nyaa.rules.file.load_rules`` reads them. This module has no values.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Literal

TieRule = Literal["reading_order"]
IdleNeedle = Literal["block", "stay", "vanish"]


class Ruleset(StrEnum):
    """The two versions of the game, which value ignitions differently: the arcade (MVS) and the PlayStation 2."""

    MVS = "mvs"
    PS2 = "ps2"

    @property
    def rules(self) -> Rules:
        """The version's shipped rules profile."""
        from ochibot.nyaa.rules.file import load_rules  # needs pydantic, which kernels must not depend on

        return load_rules(self.value)


@dataclass(frozen=True, slots=True)
class Attack:
    """How an attack becomes nuisance.

    nuisance_each: nuisance blocks per attack point. offset: whether an attack cancels the player's own waiting nuisance
    before the rest is sent. most_pending: how many nuisance blocks can wait; more are lost. most_per_fall: how many
    fall at once at most. score_each: shown points per attack point. score_cap: the highest possible score.
    """

    nuisance_each: int
    offset: bool
    most_pending: int
    most_per_fall: int
    score_each: int
    score_cap: int


@dataclass(frozen=True, slots=True)
class Rules:
    """The rules that a game is played by.

    - ruleset: how values are counted.
    - tie_rule: who gets a cell in an open tie, when a single outcome is needed.
    - idle_needle: what happens to a needle that ignites nothing.
    - nuisance_pops: whether nuisance beside a block that pops vanishes with it.
    - repeated_ignition: whether remaining needles ignite again after the fall. Needles remain only if idle ones stay.
    - hidden_rows: rows above the 12 visible ones, for the falling pair only.
    - spawn_column: where pairs appear.
    - over_cell: the (x, y) that ends the game when it is occupied.

    Ignition values can be counted by any such rules. To lock pairs, rules need one hidden row and no needles that stay
    (``ochibot.nyaa.rules.lock.check_rules``). To play a match, pairs must appear in the column of ``over_cell``
    (``check_match_rules``).
    """

    name: str
    ruleset: Ruleset
    tie_rule: TieRule
    idle_needle: IdleNeedle
    nuisance_pops: bool
    repeated_ignition: bool
    hidden_rows: int
    spawn_column: int
    over_cell: tuple[int, int]
    attack: Attack


def rules_of(rules: Ruleset | Rules) -> Rules:
    """Returns the rules unchanged; for a version, the rules of its shipped file."""
    return rules.rules if isinstance(rules, Ruleset) else rules


def attack_of(ruleset: Ruleset, s0: int, s1: int, t: int) -> int:
    """The attack of an ignition.

    s1: the sum of all tails' values. s0: the same sum without tails of value 1. t: the number of tails of the start
    that has the most. MVS: s0 plus t times 4 % of s1, rounded down. PS2: s1, but a lone block is worth nothing.
    """
    if ruleset is Ruleset.MVS:
        return (100 * s0 + 4 * t * s1) // 100
    return 0 if s1 == 1 else s1

"""Rules profiles of Pochi & Nyaa: what differs between its two versions, and what their sources leave open.

``ochibot.nyaa.rules.file`` reads them from configs/rules/nyaa_mvs.yaml and nyaa_ps2.yaml, where each entry has its
source.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Final, Literal

TieRule = Literal["reading_order"]
IdleNeedle = Literal["block", "stay", "vanish"]


class Ruleset(StrEnum):
    """Whose ignition value: the arcade version's or the PlayStation 2 version's."""

    MVS = "mvs"
    PS2 = "ps2"

    @property
    def rules(self) -> Rules:
        """The shipped profile."""
        return MVS if self is Ruleset.MVS else PS2


@dataclass(frozen=True, slots=True)
class Attack:
    """How an attack becomes nuisance.

    nuisance_each: nuisance blocks per attack point. offset: whether it takes one's own waiting nuisance away first.
    most_pending: nuisance waiting beyond that is lost. most_per_fall: how many fall at once. score_each, score_cap:
    shown points per attack point, and their limit.
    """

    nuisance_each: int = 1
    offset: bool = True
    most_pending: int = 255
    most_per_fall: int = 21
    score_each: int = 10
    score_cap: int = 99_999_990


@dataclass(frozen=True, slots=True)
class Rules:
    """A version's rules. ``MVS`` and ``PS2`` are the shipped profiles.

    ruleset: how values are counted. tie_rule: who gets a cell that the sources leave open, where one answer is needed.
    idle_needle: what becomes of a needle that ignites nothing. nuisance_pops: whether nuisance beside a block that
    pops goes with it. repeated_ignition: whether needles that are left ignite again after the fall; only where idle
    ones stay are there any. hidden_rows: rows above the 12 visible ones, for the falling pair only. spawn_column,
    over_cell: where pairs appear, and the (x, y) that ends the game when it is taken.

    Values are counted by any of these. Pairs lock with one hidden row and without needles that stay
    (``ochibot.nyaa.rules.lock.check_rules``), and a ``Match`` ends in the column where pairs appear.
    """

    name: str
    ruleset: Ruleset
    tie_rule: TieRule = "reading_order"
    idle_needle: IdleNeedle = "block"
    nuisance_pops: bool = True
    repeated_ignition: bool = False
    hidden_rows: int = 1
    spawn_column: int = 4
    over_cell: tuple[int, int] = (4, 12)
    attack: Attack = Attack()


def rules_of(rules: Ruleset | Rules) -> Rules:
    """The profile; of a version, the shipped one."""
    return rules.rules if isinstance(rules, Ruleset) else rules


MVS: Final = Rules("nyaa_mvs", Ruleset.MVS)
PS2: Final = Rules("nyaa_ps2", Ruleset.PS2)


def attack_of(ruleset: Ruleset, s0: int, s1: int, t: int) -> int:
    """The attack of an ignition.

    s1: the sum of all tails' values. s0: the same without tails of value 1. t: the most tails of one start.
    MVS: 4 % of s1 for each of t is added to s0, rounded down. PS2: s1, but a lone block is worth nothing.
    """
    if ruleset is Ruleset.MVS:
        return (100 * s0 + 4 * t * s1) // 100
    return 0 if s1 == 1 else s1

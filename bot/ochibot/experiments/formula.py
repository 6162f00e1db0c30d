"""Works out the tables of the formula.

Points of a step = unit x cells x max(1, chain power + colour bonus + group bonus).

A sum of 0 and a sum of 1 give the same points, and a step of several groups may add up their bonuses in three ways. So
all that the simple locks leave open is tried, and what explains the locks with several colours best is taken.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import product
from typing import Final

from ochibot.experiments.effects import Event
from ochibot.experiments.rig import Bytes
from ochibot.experiments.score import UNIT, Score

WAYS: Final = ("group", "step", "excess")
MOST_TWO: Final = 100
"""The bonus for two colours is at most this."""


@dataclass
class Formula:
    """The formula's tables, as far as locks showed them. drop_bonus: points for each row fallen with DOWN held.

    per: how the bonuses of several groups add up (``group_bonus_per`` of a rules file).
    """

    chain_power: list[int] = field(default_factory=list)
    color_bonus: dict[int, int] = field(default_factory=dict)
    group_bonus: dict[int, int] = field(default_factory=dict)
    drop_bonus: int = 0
    all_clear: int = 0
    per: str = "group"
    seen: list[tuple[str, int]] = field(default_factory=list)
    """(the name of a lock, its points)."""


def solve(
    score: Score, events: Sequence[Event], size: int, rows: int, hurried: Bytes, emptied: Event | None
) -> Formula:
    """Works out the formula's tables.

    ``hurried``: RAM after the piece of the first event fell ``rows`` rows with DOWN held. ``emptied``: a lock that left
    the field empty.
    """
    nothing = score.value(events[0].fallen.ram)
    formula = Formula()
    grown = score.value(hurried) - nothing
    # a piece may be steered for some rows before it is hurried, so it is rounded to what the score can show
    formula.drop_bonus = max(0, score.scale * round(grown / max(1, rows) / score.scale))
    worth = {event.name: score.value(event.fallen.ram) - nothing for event in events[1:]}
    formula.seen = list(worth.items())
    told = explain(worth, size)
    formula.group_bonus = {number: told.group(number) for number in told.groups}
    formula.color_bonus = {2: told.two} if "colours 2" in worth else {}
    chain: dict[int, int] = {}
    for name, points in worth.items():
        kind, number = name.split()[0], int(name.split()[1])
        if kind == "colours" and number > 2:
            times = points // (UNIT * size * number)
            formula.color_bonus[number] = max(0, times - told.first - told.added([size] * number)) if times > 1 else 0
        elif kind == "chain":
            chain[number] = points
    powers = [told.first]
    before = UNIT * size * max(1, told.first)
    for steps in sorted(chain):
        if steps != len(powers) + 1:
            break
        times = (chain[steps] - before) // (UNIT * size)
        powers.append(times if times > 1 else told.second if steps == 2 else 0)
        before = chain[steps]
    formula.chain_power = powers
    formula.per = told.per
    if emptied is not None and 2 in formula.color_bonus:
        plain = max(1, told.first + formula.color_bonus[2] + told.added([size, size])) * UNIT * size * 2
        formula.all_clear = score.value(emptied.fallen.ram) - nothing - plain
    return formula


@dataclass(frozen=True)
class Told:
    """What the locks tell: the first two chain powers, the bonus for two colours, how groups' bonuses add up (``per``).

    groups: the factor of a group's cells by its size. low: the bonus of the largest group whose factor is 1: 0 or 1.
    """

    size: int
    groups: Mapping[int, int]
    first: int
    second: int
    two: int
    per: str
    low: int

    def group(self, number: int) -> int:
        """The bonus for a group of so many cells."""
        number = min(number, max(self.groups, default=number))
        times = self.groups.get(number, 1)
        if times > 1:
            return max(0, times - self.first)
        plain = [one for one, seen in self.groups.items() if seen <= 1]
        return self.low if plain and number == max(plain) and number > self.size else 0

    def added(self, sizes: Sequence[int]) -> int:
        """The bonus of a step with groups of these sizes."""
        if self.per == "group":
            return sum(map(self.group, sizes))
        return self.group(sum(sizes) if self.per == "step" else self.size + sum(one - self.size for one in sizes))


def explain(worth: Mapping[str, int], size: int) -> Told:
    """The simplest of those that contradict the fewest locks with several colours."""
    groups = {
        int(name.split()[1]): points // (UNIT * int(name.split()[1]))
        for name, points in worth.items()
        if name.startswith("group")
    }
    first = groups.get(size, 0)
    chain = (worth.get("chain 2", 0) - worth.get(f"group {size}", 0)) // (UNIT * size)

    def wrong(one: Told) -> int:
        several = one.two + one.added([size, size])
        said = {
            "colours 2": (one.first + several, 2 * size, 0),
            "bigger 2": (one.first + one.two + one.added([size + 1, size + 1]), 2 * size + 2, 0),
            "wider 2": (one.first + one.two + one.added([size + 1, size]), 2 * size + 1, 0),
            "later 2": (one.second + one.group(size + 1), size + 1, worth.get(f"group {size}", 0)),
            "late 2": (one.second + several, 2 * size, worth.get(f"group {size}", 0)),
        }
        return sum(
            worth[name] != before + UNIT * cells * max(1, times)
            for name, (times, cells, before) in said.items()
            if name in worth
        )

    def open_ones() -> Iterator[Told]:
        firsts, seconds = (((0, 1) if seen <= 1 else (seen,)) for seen in (first, chain))
        for low, one, second, per, two in product((0, 1), firsts, seconds, WAYS, range(MOST_TWO + 1)):
            yield Told(size, groups, one, second, two, per, low)

    return min(open_ones(), key=wrong)

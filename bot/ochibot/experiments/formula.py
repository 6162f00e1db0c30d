"""Works out the tables of the formula from what groups were worth.

Points of a step = unit x cells x max(1, chain power + colour bonus + group bonus), with a limit to that sum. Other
formulas are in ``forms.py``.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from math import prod
from typing import Final

from ochibot.errors import CalibrationError

WAYS: Final = ("group", "step", "excess")
MOST_UNIT: Final = 1000
MOST_STEPS: Final = 19
"""The most steps that a chain can have on a field of 14 by 6 cells. Published tables have no more."""
SIZES: Final = 24
"""A table by size in a rules file has at most so many numbers."""
MOST_POINTS: Final = 1_000_000_000
"""The highest number of points that a rules file may have."""
MOST_TIMES: Final = 999
"""The published limit of the factor by which a step's cells are multiplied."""


@dataclass(frozen=True)
class Trial:
    """Groups that vanished in a step of a chain (1, 2, …), and their points. colors: how many colours they had."""

    step: int
    groups: tuple[int, ...]
    colors: int
    points: int


@dataclass
class Formula:
    """The formula's tables, as far as trials showed them. drop_bonus: points for each row fallen with DOWN held.

    unit: the points of a cell. chain_power: by step, from the first one. color_bonus, group_bonus: by number. per: how
    the bonuses of several groups add up (``group_bonus_per`` of a rules file). limit: of the sum; None: not reached.
    all_clear: points for an emptied field; None: not seen. lowest_row: whether they come as soon as the lowest row is
    empty. all_clear_per: ``step`` where they are times the number of the chain's step, ``lock`` where they are the same
    for all; empty where neither was seen. wrong: how many of the ``trials`` the tables don't explain. tests: how many
    trials test the tables, beyond those that show their numbers. doubt: why the formula isn't known; empty if it is.

    The others are of games with another form, as in rules files. product: the bonuses are multiplied. per_cell,
    by_size, by_step, multiplied, per_group, groups_multiplied: the extra points.
    """

    unit: int = 10
    chain_power: list[int] = field(default_factory=list)
    color_bonus: dict[int, int] = field(default_factory=dict)
    group_bonus: dict[int, int] = field(default_factory=dict)
    per: str = "group"
    limit: int | None = None
    drop_bonus: int = 0
    all_clear: int | None = 0
    trials: int = 0
    wrong: int = 0
    seen: list[tuple[str, int]] = field(default_factory=list)
    """(the name of a lock, its points, as if a cell were worth 10)."""
    lowest_row: bool = False
    all_clear_per: str = "lock"
    tests: int = 0
    doubt: str = ""
    product: bool = False
    per_cell: int = 0
    by_size: dict[int, int] = field(default_factory=dict)
    by_step: list[int] = field(default_factory=list)
    multiplied: bool = False
    per_group: int = 0
    groups_multiplied: bool = False

    @property
    def other_form(self) -> bool:
        """Whether it isn't of the published form."""
        numbers = self.product or self.per_cell or self.per_group
        return bool(numbers) or any(self.by_size.values()) or any(self.by_step)

    def divided(self, by: int) -> Formula:
        """The formula of a score that is so many times lower."""
        return replace(
            self,
            unit=self.unit // by,
            drop_bonus=self.drop_bonus // by,
            all_clear=None if self.all_clear is None else self.all_clear // by,
            per_cell=self.per_cell // by,
            by_size={size: points // by for size, points in self.by_size.items()},
            by_step=[points // by for points in self.by_step],
            per_group=self.per_group // by,
        )

    def counted(self, size: int, groups: Sequence[int]) -> list[int]:
        """The sizes by which a step's bonuses are looked up. size: how many cells make a group."""
        if self.per == "group":
            return [*groups]
        total = sum(groups)
        return [total if self.per == "step" else total - size * (len(groups) - 1)]

    def bonus(self, size: int, groups: Sequence[int], colors: int) -> int:
        """The bonus of a step's groups and colours. size: how many cells make a group."""
        return self.color_bonus.get(colors, 0) + self._grown(self.group_bonus, size, groups)

    def _grown(self, table: dict[int, int], size: int, groups: Sequence[int]) -> int:
        if not table:
            return 0
        most = max(table)
        return sum(table.get(min(one, most), 0) for one in self.counted(size, groups))

    def points(self, size: int, one: Trial) -> int:
        """The points that the tables say for a trial."""
        power = _at(self.chain_power, one.step)
        if self.product:
            parts = power, self.color_bonus.get(one.colors, 0), self._grown(self.group_bonus, size, one.groups)
            total = prod(max(1, part) for part in parts)
        else:
            total = power + self.bonus(size, one.groups, one.colors)
        times = max(1, min(total, self.limit or total))
        points = self.unit * sum(one.groups) * times
        if not self.other_form:
            return points
        extra = self.per_cell * sum(counted - size for counted in self.counted(size, one.groups))
        extra += self._grown(self.by_size, size, one.groups) + _at(self.by_step, one.step)
        further = self.per_group * (len(one.groups) - 1)
        return points + extra * (times if self.multiplied else 1) + further * (times if self.groups_multiplied else 1)


def _at(table: Sequence[int], step: int) -> int:
    """A table's number for a step from 1; the last one holds for all later steps."""
    return table[min(step, len(table)) - 1] if table else 0


def solve(trials: Sequence[Trial], size: int) -> Formula:
    """The tables of the published form that explain most trials; ties go to the largest unit. A group vanishes at
    ``size``.

    Raises CalibrationError where a group is worth nothing.
    """
    first = next(one.points for one in trials if one.step == 1 and one.groups == (size,))
    if first < size:
        raise CalibrationError("the score doesn't show what a group is worth")
    units = [first // size // part for part in range(1, MOST_UNIT) if first // size % part == 0]
    made = [_tables(trials, size, unit, per) for unit in units for per in WAYS]
    return min(made, key=lambda one: (one.wrong, -one.unit))


def _tables(trials: Sequence[Trial], size: int, unit: int, per: str) -> Formula:
    """The tables with this unit, if bonuses add up so."""
    # a trial that isn't a whole number of units is explained by no table
    worth = {(one.step, one.groups, one.colors): one.points // (unit * sum(one.groups)) for one in trials}
    steps = max(one.step for one in trials)
    alone = {step: worth[step, (size,), 1] for step in range(1, steps + 1) if (step, (size,), 1) in worth}
    found = Formula(unit=unit, per=per, trials=len(trials))
    base = _base(trials, alone)
    several = worth.get((base, (size, size), 1))
    # how much the bonus of the smallest group is shows only where there are two of them
    least = max(0, several - alone[base]) if per == "group" and several is not None else 0
    # a sum of 0 and a sum of 1 are worth the same; the first power of all published tables is 0
    own = alone[base] if alone[base] > 1 else 0
    for one in trials:
        if one.step == base and len(one.groups) == 1:
            times = worth[base, one.groups, 1]
            found.group_bonus[one.groups[0]] = max(0, least + times - own) if times > 1 else least
    found.chain_power = [0] * (base - 1) + [max(0, own - least)]
    for one in sorted(trials, key=lambda one: one.colors):
        if one.step == base and one.colors > 1 and one.colors not in found.color_bonus:
            rest = found.chain_power[-1] + found.bonus(size, one.groups, 1)
            found.color_bonus[one.colors] = max(0, worth[base, one.groups, one.colors] - rest)
    found.chain_power = []
    for step, times in sorted(alone.items()):
        if step != len(found.chain_power) + 1:
            break
        # a sum of 0 and a sum of 1 are worth the same: other trials of this step tell them apart
        likely = [times - least] if times > 1 else [0, 1] if not least else [0]
        known = max(found.group_bonus, default=size)
        same = [one for one in trials if one.step == step and max(one.groups) <= known]

        def wrong(power: int, same: Sequence[Trial] = same) -> int:
            told = Formula(unit, [power], found.color_bonus, found.group_bonus, per)
            return sum(told.points(size, one) != one.points for one in same)

        found.chain_power.append(min((max(0, power) for power in likely), key=wrong))
    for one in trials:
        # where no group of this size could be cleared in that step, another step tells its bonus
        if len(one.groups) == 1 and one.groups[0] not in found.group_bonus and one.step <= len(found.chain_power):
            times = worth[one.step, one.groups, 1]
            found.group_bonus[one.groups[0]] = max(0, times - found.chain_power[one.step - 1]) if times > 1 else 0
    for one in sorted(trials, key=lambda one: one.colors):
        # where no such step could be made, another one tells the bonus
        if one.colors > 1 and one.colors not in found.color_bonus and one.step <= len(found.chain_power):
            rest = found.chain_power[one.step - 1] + found.bonus(size, one.groups, 1)
            times = worth[one.step, one.groups, one.colors]
            found.color_bonus[one.colors] = max(0, times - rest) if times > 1 else 0
    found.wrong = sum(found.points(size, one) != one.points for one in trials)
    read = len(found.chain_power) + len(found.group_bonus) + len(found.color_bonus)
    found.tests = max(0, len(trials) - read)
    return found


def _base(trials: Sequence[Trial], alone: dict[int, int]) -> int:
    """The step by which bonuses are measured: that with most trials, among those whose sums are all above 1."""
    counts = {step: sum(one.step == step for one in trials) for step in alone}
    return max(alone, key=lambda step: (alone[step] > 1 and counts[step] > 2, counts[step], -step))


def continued(table: list[int], length: int = MOST_STEPS, most: int = MOST_TIMES) -> tuple[list[int], str]:
    """Continues a table, such as that of chain powers, in the way its last numbers grew: (the table, a text that says
    how).
    """
    last = table[-4:]
    growth = [b - a for a, b in pairwise(last)]
    if len(last) < 4 or growth[0] <= 0:
        return table, "like the last one seen"
    more = growth[1] - growth[0]
    doubled = all(b == 2 * a for a, b in pairwise(last))
    if not doubled and (more < 0 or growth[2] - growth[1] != more):
        return table, "like the last one seen"
    table, step = list(table), growth[-1]
    while len(table) < length:
        step += table[-1] - step if doubled else more
        table.append(min(most, table[-1] + step))
    if doubled:
        return table, "doubled on"
    return table, f"{growth[-1] + more} more, and each time {more} more than that" if more else f"{step} more for each"

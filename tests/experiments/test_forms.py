"""Formulas of many forms are found from what clears were worth, and none is said to be known where it isn't."""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from types import SimpleNamespace
from typing import Any

import pytest
from ochibot.errors import CalibrationError
from ochibot.experiments import trials
from ochibot.experiments.chains import Board
from ochibot.experiments.checking.rules import RulesEntries
from ochibot.experiments.effects import Event
from ochibot.experiments.formula import Formula, Trial
from ochibot.experiments.rulesfile import _whole
from ochibot.experiments.trials import measure_formula
from ochibot.puyo import Rules
from ochibot.puyo.rules.profile import Extra
from ochibot.ramtools.findings import Report
from ochibot.ramtools.proposals import patched_rules

from tests.puyo import FAMICOM

SIZE, COLORS = 4, (1, 2, 3, 4)
TRIED = 12
"""The most cells that are tried alone."""
Points = Callable[[int, Sequence[int], int], int]
"""The points of a step by its number, its groups' sizes and how many colours they have."""


@dataclass
class Game:
    """A game that counts points by a formula of its own, written down here once more.

    longest: chains of more steps don't come about. lowest_row: points as soon as the lowest row is empty; emptied:
    points for an empty field. times: what they are multiplied by in a chain's step.
    """

    points: Points
    longest: int = 99
    lowest_row: int = 0
    emptied: int = 0
    times: Callable[[int], int] = lambda _step: 1

    def steps(self, boards: Sequence[Board]) -> list[int]:
        if len(boards) + 1 > self.longest:
            raise CalibrationError("the step doesn't come")
        found = [self.points(1, (SIZE,), 1)]
        for step, one in enumerate(boards, 2):
            rest = [place for place in one.cells if place not in one.doomed]
            bonus = (self.lowest_row if all(row for _, row in rest) else 0) + (0 if rest else self.emptied)
            found.append(self.points(step, one.groups, one.colors) + bonus * self.times(step))
        return found

    def play(self, _poker: Any, _size: int, boards: Sequence[Board]) -> int:
        return sum(self.steps(boards))

    def rises(self, _poker: Any, _score: Any, _size: int, boards: Sequence[Board]) -> tuple[int, ...]:
        return tuple(self.steps(boards))

    def events(self) -> list[Event]:
        def event(name: str, *steps: tuple[int, ...], colors: int = 1) -> Event:
            worth = sum(self.points(step, sizes, colors) for step, sizes in enumerate(steps, 1))
            groups = tuple(tuple((size, kind % colors) for kind, size in enumerate(sizes)) for sizes in steps)
            fallen: Any = SimpleNamespace(ram=worth)
            return Event(name, groups, fallen)

        return [
            event("nothing"),
            event("short"),
            *(event(f"group {size}", (size,)) for size in range(SIZE, 12)),
            *(event(f"colours {many}", (SIZE,) * many, colors=many) for many in (2, 3, 4)),
            *(event(f"chain {steps}", *[(SIZE,)] * steps) for steps in (2, 3, 4)),
        ]


POKER: Any = SimpleNamespace(ground=SimpleNamespace(colors=COLORS, grid=SimpleNamespace(columns=6), visible=12))
SCORE: Any = SimpleNamespace(value=lambda ram: ram, kept=True)


def measured(game: Game, monkeypatch: pytest.MonkeyPatch) -> Formula:
    monkeypatch.setattr(trials, "rises", game.rises)
    monkeypatch.setattr(trials, "play", game.play)
    return measure_formula(POKER, SCORE, game.events(), SIZE, None)


def agrees(found: Formula, points: Points, most: int = 99) -> bool:
    """Whether a formula says the points of steps that were not tried. most: the most cells of a step.

    What a table says of more cells than were tried isn't known.
    """
    dice = random.Random(1)
    for _ in range(400):
        groups = [dice.choice((4, 4, 4, 5, 5, 6, 7, 9)) for _ in range(dice.choice((1, 1, 1, 2, 2, 3)))]
        step, colors = dice.randint(1, 8), dice.randint(1, len(groups))
        tables = {**found.by_size, **found.group_bonus}
        if sum(groups) > most or (any(tables.values()) and max(found.counted(SIZE, groups)) > TRIED):
            continue
        told = found.points(SIZE, Trial(step, tuple(groups), colors, 0))
        if told != points(step, groups, colors):
            return False
    return True


def drawn(seed: int) -> tuple[Points, str]:
    """A formula of the space that rules files can say, drawn at random, and what it is made of."""
    dice = random.Random(seed)
    chain = dice.choice(
        (
            [1, 2, 4, 8, 16, 32, 64, 64],
            [1, 2, 3, 4, 5, 6, 7, 8],
            [1, 3, 5, 7, 9, 11, 13, 15],
            [1, 3, 6, 10, 15, 21, 28, 36],
            [0, 8, 16, 32, 64, 96, 128, 160],
            [2, 4, 8, 16, 32, 64, 128, 256],
            [1, 1, 2, 3, 5, 8, 13, 21],
        )
    )
    unit = dice.choice((1, 5, 10, 10, 20, 25, 100))
    per = dice.choice(("group", "step", "excess"))
    by_product = dice.random() < 0.4
    colors = dice.choice(([0] * 5, [0] * 5, [0, 0, 3, 6, 12], [0, 1, 2, 3, 4], [0, 0, 2, 4, 8]))
    if chain[0] == 2 and not by_product:
        colors = [0] * 5
    kind = dice.choice(("none", "cells", "cells", "sizes", "sizes alone", "steps", "steps alone", "bonuses", "added"))
    multiplied = dice.random() < 0.5 and not kind.startswith("steps")
    each = dice.choice((1, 5, 10, 20, 30, 50))
    table = [0] * 5
    for _ in range(5, 13):
        table.append(table[-1] + dice.choice((5, 10, 15, 30)))
    by_step = [0, *sorted(dice.sample(range(50, 2000, 50), 7))]
    if kind == "sizes alone":
        multiplied, unit, table = True, 0, [0] * 4 + [number + 50 for number in table[4:]]
    if kind == "steps alone":
        unit, by_step = 0, [number + 40 for number in by_step]
    if kind.startswith("steps"):
        chain, colors, by_product = [1] * 8, [0] * 5, False
    least = dice.choice((0, 1, 1, 2, 3))
    bonuses = [0] * 4 + [size - 4 + least for size in range(4, 24)] if kind == "bonuses" else [0] * 24
    if kind == "added":
        by_product, bonuses = False, [0] * 5 + [2 + 3 * (size - 5) // 2 for size in range(5, 24)]
    squares = dice.random() < 0.3
    by_product |= kind == "bonuses"
    further, times_further = dice.choice((0, 0, 10, 25, 50, 80)), dice.random() < 0.5

    def points(step: int, groups: Sequence[int], many: int) -> int:
        power = chain[min(step, 8) - 1]
        counted = {"group": list(groups), "step": [sum(groups)], "excess": [4 + sum(groups) - 4 * len(groups)]}[per]
        grown = sum(bonuses[min(one, 23)] for one in counted)
        parts = power, colors[many], grown
        times = math.prod(max(part, 1) for part in parts) if by_product else max(1, sum(parts))
        extra = 0
        if kind == "cells":
            extra = each * sum(one - 4 for one in counted)
        elif kind.startswith("sizes"):
            extra = sum(each * (one - 4) ** 2 + table[4] if squares else table[min(one, 12)] for one in counted)
        elif kind.startswith("steps"):
            extra = by_step[min(step, 8) - 1]
        more = further * (len(groups) - 1) * (times if times_further else 1)
        return unit * sum(groups) * times + extra * (times if multiplied else 1) + more

    told = (
        f"{seed}: {kind} unit {unit} chain {chain} colours {colors} product {by_product} per {per} times {multiplied} "
        f"further {further}, times {times_further}, squares {squares}"
    )
    return points, told


def ranges(few: int, last: int) -> list[Any]:
    """Seeds for ``make test``, for ``make test-long`` and for ``make prove``."""
    long = pytest.param(range(1001, 1101), marks=pytest.mark.long)
    return [range(1, few + 1), long, pytest.param(range(1101, last + 1), marks=[pytest.mark.long, pytest.mark.proof])]


@pytest.mark.parametrize("seeds", ranges(12, 1400))
def test_formulas_drawn_at_random_are_found(seeds: Sequence[int], monkeypatch: pytest.MonkeyPatch) -> None:
    """Each is found or said to be unknown; none is taken for another."""
    known, false, unknown = 0, [], []
    for seed in seeds:
        points, told = drawn(seed)
        found = measured(Game(points), monkeypatch)
        if found.doubt:
            unknown.append(told)
        elif agrees(found, points):
            known += 1
        else:
            false.append((told, found))
    assert not false, false[:3]
    assert known >= 0.95 * len(seeds), unknown


def _fence(step: int, groups: Sequence[int], _: int) -> int:
    return 10 * sum(groups) * step + 70 * (len(groups) - 1) ** 2


def _level(step: int, groups: Sequence[int], many: int) -> int:
    return 10 * (sum(groups) + step) ** 2 * many


def _largest(step: int, groups: Sequence[int], _: int) -> int:
    return 10 * sum(groups) * step + 15 * max(groups) * step * len(groups)


def _power(step: int, groups: Sequence[int], _: int) -> int:
    return int(10 * sum(groups) ** (1 + step / 4))


def _odd(step: int, groups: Sequence[int], _: int) -> int:
    return sum(10 * one * step if one % 2 else 7 * one for one in groups)


@pytest.mark.parametrize("points", [_fence, _level, _largest, _power, _odd])
def test_a_formula_of_no_known_form_is_unknown(points: Points, monkeypatch: pytest.MonkeyPatch) -> None:
    found = measured(Game(points), monkeypatch)
    assert found.doubt == "no formula explains what groups are worth"


def test_further_groups_of_more_than_two_tell_whether_points_grow_evenly(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without boards of three groups of one colour, a table would look like points for each further group."""

    def few(step: int, groups: Sequence[int], _: int) -> int:
        return 10 * sum(groups) * step + (0, 0, 25, 60, 110)[len(groups)]

    assert measured(Game(few), monkeypatch).doubt == "no formula explains what groups are worth"


def test_few_trials_make_no_form_known(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where no chain can be built, nothing tells whether a chain multiplies the points for large groups."""

    def points(step: int, groups: Sequence[int], _: int) -> int:
        return (10 * sum(groups) + 20 * (sum(groups) - 4 * len(groups))) * step

    assert measured(Game(points, longest=1), monkeypatch).doubt
    assert not measured(Game(points), monkeypatch).doubt


@pytest.mark.parametrize(("lowest_row", "emptied"), [(0, 0), (2100, 0), (0, 500)])
def test_a_bonus_for_the_lowest_row_is_told_from_one_for_the_field(
    lowest_row: int, emptied: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = Game(lambda step, groups, _: 10 * sum(groups) * step, lowest_row=lowest_row, emptied=emptied)
    found = measured(game, monkeypatch)
    assert (found.all_clear, found.lowest_row, found.all_clear_per) == (lowest_row or emptied, lowest_row > 0, "lock")


@pytest.mark.parametrize(("lowest_row", "emptied"), [(2100, 0), (0, 500)])
def test_a_bonus_for_an_emptied_field_may_grow_with_the_chain(
    lowest_row: int, emptied: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = Game(_groups, lowest_row=lowest_row, emptied=emptied, times=lambda step: step)
    found = measured(game, monkeypatch)
    assert (found.all_clear, found.lowest_row, found.all_clear_per) == (lowest_row or emptied, lowest_row > 0, "step")
    assert not found.doubt
    # one that grows otherwise is not known, and neither is it where no longer chain comes about
    assert measured(replace(game, times=lambda step: 2**step), monkeypatch).all_clear is None
    short = measured(replace(game, longest=2), monkeypatch)
    assert (short.all_clear, short.all_clear_per) == (2 * (lowest_row or emptied), "")


def _groups(step: int, groups: Sequence[int], _: int) -> int:
    return 10 * sum(groups) * step + 25 * (len(groups) - 1)


def test_points_for_further_groups_are_found_as_two_games_give_them(monkeypatch: pytest.MonkeyPatch) -> None:
    def pebbles(step: int, groups: Sequence[int], _: int) -> int:
        return sum(groups) * (sum(groups) - 1) * step + 25 * (len(groups) - 1)

    def berries(step: int, groups: Sequence[int], _: int) -> int:
        each = sum(5 * size + 10 * (size - 4) for size in groups)
        return (each << min(step - 1, 5)) + 50 * (len(groups) - 1)

    found = measured(Game(pebbles), monkeypatch)
    assert (found.doubt, found.wrong, found.per_group, found.groups_multiplied) == ("", 0, 25, False)
    # a step with more cells than were tried continues the table
    table, how = _whole(found.by_size)
    worth = [found.unit * n + table[n] for n in range(24)]
    assert worth[4:] == [n * (n - 1) for n in range(4, 24)]
    assert how.endswith("and each time 2 more than that")
    found = measured(Game(berries), monkeypatch)
    assert (found.doubt, found.unit, found.per_cell, found.multiplied) == ("", 5, 10, True)
    assert (found.per_group, found.groups_multiplied) == (50, False)
    assert agrees(found, berries)
    rules = replace(FAMICOM, chain_power=(1, 2, 4, 8, 16, 32), color_bonus=(0,) * 7, group_bonus=(0, 0), score_unit=5)
    rules = replace(rules, extra=Extra(per_cell=10, multiplied=True, per_group=50))
    assert checked(rules, found).holds == ["rules.drop_bonus", "rules.score"]
    for other in ({"per_group": 0}, {"groups_multiplied": True}):
        (wrong,) = checked(replace(rules, extra=replace(rules.extra, **other)), found).findings
        assert wrong.says.startswith(("step 1 with groups of 4, 4 is", "step 2 with groups of 4, 4 is"))


PARTS: dict[str, Points] = {
    "pairs of groups": lambda _step, groups, _many: len(groups) * (len(groups) - 1) // 2,
    "several groups": lambda _step, groups, _many: int(len(groups) > 1),
    "groups and steps squared": lambda step, groups, _many: (len(groups) - 1) * step * step,
    "the largest group": lambda _step, groups, _many: max(groups) * len(groups),
    "the smallest group": lambda step, groups, _many: min(groups) * sum(groups) * step,
    "colours beside": lambda step, _groups, many: many * many + step * step,
    "cells and steps squared": lambda step, groups, _many: (sum(groups) + step) ** 2,
    "odd cells": lambda step, groups, _many: sum(groups) % 2 * step * 3,
    "a third step": lambda step, groups, _many: sum(groups) * (step % 3),
}


def outside(seed: int) -> tuple[Points, str]:
    """A formula that no rules file can say: one of the space, and a part that is in none."""
    dice = random.Random(seed)
    within, told = drawn(seed + 10_000)
    name, times = dice.choice(sorted(PARTS)), dice.choice((5, 10, 30, 70))

    def points(step: int, groups: Sequence[int], many: int) -> int:
        return within(step, groups, many) + times * PARTS[name](step, groups, many)

    return points, f"{times} x {name} and {told}"


@pytest.mark.parametrize("seeds", ranges(30, 1300))
def test_no_formula_is_known_that_says_other_points(seeds: Sequence[int], monkeypatch: pytest.MonkeyPatch) -> None:
    """But for one in a hundred, which agrees with the other formula in all trials that are made."""
    unknown, false = 0, []
    for seed in seeds:
        points, told = outside(seed)
        found = measured(Game(points), monkeypatch)
        unknown += bool(found.doubt)
        # beyond the largest group that was tried, tables aren't measured
        if not found.doubt and not agrees(found, points, most=12):
            false.append((told, found))
    assert len(false) <= len(seeds) // 100, false
    assert unknown > len(seeds) / 2


def checked(rules: Rules, formula: Formula) -> Report:
    """What ``ram check`` says of rules in a game with this formula."""
    learnt: Any = SimpleNamespace(formula=formula, score=SCORE, size=SIZE, kicks=None,
                                  stance=SimpleNamespace(denotes="axis"))  # fmt: skip
    report = Report()
    RulesEntries(rules, learnt, POKER, report).compare()
    return report


def test_rules_are_checked_by_what_steps_are_worth() -> None:
    formula = Formula(10, [1, 2, 4, 8], {2: 0}, {}, per_cell=20, multiplied=True, drop_bonus=1)
    plain = replace(FAMICOM, chain_power=(1, 2, 4, 8), color_bonus=(0,) * 7, group_bonus=(0, 0), drop_bonus=1)
    right = replace(plain, extra=Extra(per_cell=20, multiplied=True))
    assert (checked(right, formula).findings, checked(right, formula).holds) == (
        [],
        ["rules.drop_bonus", "rules.score"],
    )
    # a score that counts tens is the same one
    tens = replace(right, score_unit=1, extra=Extra(per_cell=2, multiplied=True), drop_bonus=0)
    assert checked(tens, replace(formula, drop_bonus=0)).holds == ["rules.drop_bonus", "rules.score"]
    (wrong,) = checked(replace(plain, extra=Extra(per_cell=20)), formula).findings
    assert wrong.says == "step 2 with groups of 5 is worth 120 points by the rules"
    assert wrong.seen == "it is worth 140 points"
    assert checked(plain, formula).findings[0].seen == "it is worth 70 points"
    doubted = checked(right, replace(formula, doubt="no formula explains what groups are worth"))
    assert (doubted.findings, doubted.holds) == ([], [])
    assert "rules of the score: not checked, no formula explains what groups are worth" in doubted.notes


def test_the_bonus_for_an_emptied_field_is_checked() -> None:
    formula = Formula(10, [1, 2, 4, 8], {2: 0}, {}, per_cell=20, multiplied=True, all_clear=500, all_clear_per="step")
    rules = replace(FAMICOM, chain_power=(1, 2, 4, 8), color_bonus=(0,) * 7, group_bonus=(0, 0), drop_bonus=0)
    rules = replace(rules, extra=Extra(per_cell=20, multiplied=True), all_clear_bonus=500)
    right = replace(rules, all_clear_per="step")
    assert checked(right, formula).holds == ["rules.drop_bonus", "rules.all_clear_bonus", "rules.score"]
    (wrong,) = checked(rules, formula).findings
    assert wrong.says == "the rules say all_clear_bonus: 500, all_clear_when: empty, all_clear_per: lock"
    assert patched_rules(rules, [wrong]) == right
    # nothing is said where the bonus comes later, was not seen, or none is paid
    for other, seen in (
        (replace(rules, all_clear_paid="next_chain"), formula),
        (rules, replace(formula, all_clear=None)),
        (right, replace(formula, all_clear_per="")),
        (replace(rules, all_clear_bonus=0), replace(formula, all_clear=0)),
    ):
        assert (checked(other, seen).holds, checked(other, seen).findings) == (["rules.drop_bonus", "rules.score"], [])

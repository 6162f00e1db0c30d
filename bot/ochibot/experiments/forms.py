"""Finds formulas of other forms than the published one: extra points, bonuses that are multiplied, points by step.

Each form is fitted to all trials. Of those that explain most, the one with the fewest numbers is taken. Where several
with as few differ in what they say of other steps, the formula isn't known.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import product
from typing import Final, NamedTuple

from ochibot.experiments.formula import WAYS, Formula, Trial

MOST_FIRST: Final = 8
"""The first step of a chain multiplies by at most this."""

TESTS_OF_WRONG: Final = 8
"""Where so many trials test a formula, one more may be wrong: something else may give points meanwhile."""

FEWEST_TESTS: Final = 3
"""A form with extra points that fewer trials test may be one of many."""


class Form(NamedTuple):
    """What a formula is made of. extra: ``none``, ``cells`` (for those beyond a group's least), ``sizes`` (a table),
    ``all`` (a table, and no points for cells) or ``groups`` (a table of bonuses that multiply). steps: points by step
    instead of a multiplier by step. per: see Formula.
    """

    extra: str
    steps: bool
    product: bool
    multiplied: bool
    per: str


def formula_of(trials: Sequence[Trial], size: int, published: Formula) -> Formula:
    """The formula by these trials. published: the best one of the published form. A group vanishes at ``size``."""
    if not published.wrong:
        return published
    fits = [fit for form in _forms() for fit in _fitted(trials, size, form)]
    fits = [fit for fit in fits if fit.wrong < published.wrong and fit.tests >= FEWEST_TESTS]
    fits = [fit for fit in fits if fit.wrong <= (fit.tests >= TESTS_OF_WRONG)]
    if not fits:
        # this form was seen in many games, so it needs fewer tests
        good = published.wrong <= max(1, published.tests // TESTS_OF_WRONG)
        return published if good else replace(published, doubt="no formula explains what groups are worth")
    wrong = min(fit.wrong for fit in fits)
    fits = [fit for fit in fits if fit.wrong == wrong]
    least = min(map(_numbers, fits))
    simple = [fit for fit in fits if _numbers(fit) == least]
    first = simple[0]
    if any(_told(fit, trials, size) != _told(first, trials, size) for fit in simple[1:]):
        return replace(first, doubt="several formulas explain what groups are worth")
    return first


def _forms() -> Iterator[Form]:
    for extra, steps, by_product, multiplied, per in product(
        ("none", "cells", "sizes", "all", "groups"), (False, True), (False, True), (False, True), WAYS
    ):
        plain = extra in ("none", "groups")
        if (multiplied and (plain or steps)) or (extra == "none" and per != "group"):
            continue
        if extra == "groups" and (not by_product or steps):
            continue
        yield Form(extra, steps, by_product, multiplied, per)


def _numbers(formula: Formula) -> int:
    """How many numbers a formula has beside a chain's."""
    some = *formula.color_bonus.values(), *formula.group_bonus.values(), *formula.by_size.values(), formula.per_cell
    return sum(number > 0 for number in some)


def _told(formula: Formula, trials: Sequence[Trial], size: int) -> list[int]:
    """What a formula says of steps as they come in play, as far as its tables go."""
    steps = range(1, 1 + max(one.step for one in trials if one.groups == (size,)))
    colors = range(1, 1 + max(one.colors for one in trials))
    most = max(max(one.groups) for one in trials)
    groups: list[tuple[int, ...]] = [(one,) for one in range(size, most + 1)]
    groups += [(one, other) for one in range(size, most + 1) for other in range(size, min(one, most - size) + 1)]
    several = [(one, many) for one in groups for many in colors if many <= len(one)]
    several += [((size,) * many, many) for many in colors]
    return [formula.points(size, Trial(step, one, many, 0)) for step in steps for one, many in several]


def _fitted(trials: Sequence[Trial], size: int, form: Form) -> Iterator[Formula]:
    """Formulas of this form whose numbers are read from the trials, each number from the most trials that agree."""
    alone = {one.step: one.points for one in trials if one.groups == (size,) and one.colors == 1}
    chain = [alone[step] for step in range(1, len(alone) + 1) if step in alone]
    if len(chain) < 2 or min(chain) <= 0:
        return
    for start in _starts(trials, size, form, chain):
        found = _with_extra(trials, size, form, start)
        for zero in (False, True) if not form.product and not form.steps and found.chain_power[0] == 1 else (False,):
            # a sum of 0 and a sum of 1 are worth the same
            power = [0, *found.chain_power[1:]] if zero else found.chain_power
            made = _with_colors(trials, size, replace(found, chain_power=power))
            made.trials = len(trials)
            made.wrong = sum(made.points(size, one) != one.points for one in trials)
            read = len(chain) + len(made.color_bonus) + len(made.by_size) + len(made.group_bonus) + (made.per_cell > 0)
            made.tests = max(0, len(trials) - read)
            yield made


def _starts(trials: Sequence[Trial], size: int, form: Form, chain: Sequence[int]) -> Iterator[Formula]:
    """The unit and the chain's numbers, by single groups of the least size."""
    base = Formula(unit=0, per=form.per, product=form.product, multiplied=form.multiplied)
    if form.steps:
        units = [0] if form.extra == "all" else _slopes(trials)
        for unit in units[:2]:
            by_step = [points - unit * size for points in chain]
            if min(by_step) >= 0 and any(by_step):
                yield replace(base, unit=unit, chain_power=[1], by_step=by_step)
        return
    for first in range(1, MOST_FIRST + 1):
        if any(points * first % chain[0] for points in chain):
            continue
        power = [points * first // chain[0] for points in chain]
        if form.extra == "all":
            if form.multiplied and chain[0] % first == 0:
                yield replace(base, chain_power=power)
        elif chain[0] % (first * size) == 0:
            yield replace(base, unit=chain[0] // (first * size), chain_power=power)


def _slopes(trials: Sequence[Trial]) -> list[int]:
    """What one more cell of a single group adds, the most frequent points first."""
    single = {(one.step, one.groups[0]): one.points for one in trials if len(one.groups) == 1 and one.colors == 1}
    before = {(step, cells + 1): points for (step, cells), points in single.items()}
    slopes = Counter(points - before[place] for place, points in single.items() if place in before)
    return [slope for slope, _ in slopes.most_common() if slope >= 0]


def _most(numbers: Iterable[int]) -> int | None:
    """The most frequent number that isn't below 0; None if there is none."""
    counts = Counter(number for number in numbers if number >= 0)
    return max(counts, key=lambda number: (counts[number], -number)) if counts else None


def _with_extra(trials: Sequence[Trial], size: int, form: Form, start: Formula) -> Formula:
    """The formula with the numbers that single groups of one colour show."""
    single = [one for one in trials if len(one.groups) == 1 and one.colors == 1 and one.step <= _steps(start)]
    if form.extra == "none":
        return start
    more: dict[int, list[int]] = {}
    for one in single:
        cells, times = one.groups[0], start.chain_power[min(one.step, len(start.chain_power)) - 1]
        times = max(1, times)
        by_step = start.by_step[one.step - 1] if start.by_step else 0
        rest = one.points - start.unit * cells * times - by_step
        if form.extra == "groups":
            rest, whole = one.points, start.unit * cells * times
        else:
            whole = times if form.multiplied else 1
        if rest % whole == 0:
            more.setdefault(cells, []).append(rest // whole)
    if form.extra == "cells":
        each = [number // (cells - size) for cells, some in more.items() if cells > size for number in some
                if number % (cells - size) == 0]  # fmt: skip
        return replace(start, per_cell=_most(each) or 0)
    table = {cells: number for cells, some in sorted(more.items()) if (number := _most(some)) is not None}
    if form.extra == "groups":
        return replace(start, group_bonus={cells: number if number > 1 else 0 for cells, number in table.items()})
    return replace(start, by_size=table)


def _steps(formula: Formula) -> int:
    return max(len(formula.chain_power), len(formula.by_step))


def _with_colors(trials: Sequence[Trial], size: int, start: Formula) -> Formula:
    """The formula with the colour bonuses that explain most trials."""
    colors: dict[int, int] = {}
    for many in sorted({one.colors for one in trials if one.colors > 1}):
        found: list[int] = []
        for one in trials:
            if one.colors != many or one.step > _steps(start):
                continue
            # points grow evenly with the bonus
            none, single, double = (replace(start, color_bonus={many: n}).points(size, one) for n in (0, 1, 2))
            more, each = one.points - single, double - single
            if one.points == none:
                found.append(0)
            elif each and more % each == 0:
                found.append(1 + more // each)
        colors[many] = _most(found) or 0
    return replace(start, color_bonus=colors)

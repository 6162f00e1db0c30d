"""Finds formulas of other forms than the published one: extra points, bonuses that are multiplied, points by step.

Each form is fitted to all trials. Of those that explain most, the one with the fewest numbers is taken. Where several
with as few differ in what they say of other steps, the formula isn't known.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import product
from typing import Final, NamedTuple

from ochibot.experiments.formula import MOST_POINTS, SIZES, WAYS, Formula, Trial, continued

MOST_FIRST: Final = 8
"""The first step of a chain multiplies by at most this."""

TESTS_OF_WRONG: Final = 8
"""Where so many trials test a formula, one more may be wrong: something else may give points meanwhile."""

FEWEST_TESTS: Final = 3
"""A form with extra points that fewer trials test may be one of many."""


class Form(NamedTuple):
    """What a formula is made of. extra: ``none``, ``cells`` (for those beyond a group's least), ``sizes`` (a table),
    ``all`` (a table, and no points for cells) or ``groups`` (a table of bonuses of the multiplier).
    steps: points by step instead of a multiplier by step. per: see Formula.
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
    others = [fit for number, fit in enumerate(simple) if fit not in simple[:number]][1:]
    told = _told(first, trials, size)
    if any(_told(fit, trials, size) != told for fit in others):
        return replace(first, doubt="several formulas explain what groups are worth")
    return first


def _forms() -> Iterator[Form]:
    for extra, steps, by_product, multiplied, per in product(
        ("none", "cells", "sizes", "all", "groups"), (False, True), (False, True), (False, True), WAYS
    ):
        plain = extra in ("none", "groups")
        if (multiplied and (plain or steps)) or (extra == "none" and per != "group"):
            continue
        if extra == "groups" and steps:
            continue
        yield Form(extra, steps, by_product, multiplied, per)


def _numbers(formula: Formula) -> int:
    """How many numbers a formula has beside a chain's."""
    tables = *formula.color_bonus.values(), *formula.group_bonus.values(), *formula.by_size.values()
    return sum(number > 0 for number in (*tables, formula.per_cell, formula.per_group))


def _told(formula: Formula, trials: Sequence[Trial], size: int) -> list[int]:
    """What a formula says of steps as they come in play, as far as its tables go."""
    steps = range(1, 1 + max(one.step for one in trials if one.groups == (size,)))
    colors = range(1, 1 + max(one.colors for one in trials))
    most = max(max(one.groups) for one in trials)
    groups: list[tuple[int, ...]] = [(one,) for one in range(size, most + 1)]
    groups += [(one, other) for one in range(size, most + 1) for other in range(size, min(one, most - size) + 1)]
    several = [(one, many) for one in groups for many in colors if many <= len(one)]
    several += [((size,) * 3, many) for many in colors[:3]] + [((size,) * many, many) for many in colors]
    return [formula.points(size, Trial(step, one, many, 0)) for step in steps for one, many in several]


def _fitted(trials: Sequence[Trial], size: int, form: Form) -> Iterator[Formula]:
    """Formulas of this form whose numbers are read from the trials, each number from the most trials that agree."""
    alone = {one.step: one.points for one in trials if one.groups == (size,) and one.colors == 1}
    chain = [alone[step] for step in range(1, len(alone) + 1) if step in alone]
    if len(chain) < 2 or min(chain) <= 0:
        return
    single = [one for one in trials if len(one.groups) == 1]
    for start in _starts(trials, size, form, chain):
        begun = _with_extra(trials, size, form, start)
        if sum(begun.points(size, one) != one.points for one in single) > 1:
            # neither colours nor further groups change that
            continue
        for found in (further for alike in _alike(begun, form) for further in _with_further(trials, size, alike)):
            made = _plain(_with_colors(trials, size, found))
            made.trials = len(trials)
            made.wrong = sum(made.points(size, one) != one.points for one in trials)
            tables = len(chain) + len(made.color_bonus) + len(made.by_size) + len(made.group_bonus)
            made.tests = max(0, len(trials) - tables - (made.per_cell > 0) - (made.per_group > 0))
            yield made


def _plain(found: Formula) -> Formula:
    """The formula without what changes no points: equal formulas of several forms are then equal."""
    if not any(found.by_size.values()):
        found = replace(found, by_size={})
    extra = found.per_cell or found.by_size
    return replace(
        found,
        multiplied=found.multiplied and bool(extra),
        per=found.per if extra or any(found.group_bonus.values()) else "group",
    )


def _alike(found: Formula, form: Form) -> Iterator[Formula]:
    """Formulas that say the same of all single groups that were tried."""
    yield found
    table = "group_bonus" if form.extra == "groups" else "by_size"
    sizes: dict[int, int] = getattr(found, table)
    if form.per != "group" and len(sizes) == 1 + max(sizes, default=0) - min(sizes, default=0):
        # several groups together may have more cells than any that was tried alone
        longer = continued(list(sizes.values()), SIZES - min(sizes), MOST_POINTS)[0]
        if len(longer) > len(sizes):
            yield _with(found, table, dict(enumerate(longer, min(sizes))))
    # factors of 0 and 1 are worth the same, but not their sums
    if form.extra == "groups" and form.product and form.per == "group" and 0 in sizes.values():
        yield replace(found, group_bonus={size: max(1, bonus) for size, bonus in sizes.items()})


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
        # a sum of 0 and a sum of 1 are worth the same
        powers = [power, [0, *power[1:]]] if first == 1 and not form.product else [power]
        if form.extra == "all":
            if form.multiplied and chain[0] % first == 0:
                yield from (replace(base, chain_power=one) for one in powers)
        elif chain[0] % (first * size) == 0:
            if form.extra == "groups" and form.product and first > 1 and not any(points % chain[0] for points in chain):
                # the least group may have a bonus, too
                powers.append([points // chain[0] for points in chain])
            unit = chain[0] // (first * size)
            yield from (replace(base, unit=unit, chain_power=one) for one in powers)


def _slopes(trials: Sequence[Trial]) -> list[int]:
    """What one more cell of a single group adds, the most frequent points first."""
    single = {(one.step, one.groups[0]): one.points for one in trials if len(one.groups) == 1 and one.colors == 1}
    before = {(step, cells + 1): points for (step, cells), points in single.items()}
    slopes = Counter(points - before[place] for place, points in single.items() if place in before)
    return [slope for slope, _ in slopes.most_common() if slope >= 0]


def _best(trials: Iterable[Trial], size: int, made: Callable[[int], Formula]) -> int | None:
    """The number with which a formula explains most trials; None if no number explains one. made: the formula with it.

    Points grow evenly with the number, but for a bonus of 0, which may be worth as much as one of 1.
    """
    counts: Counter[int] = Counter()
    none, single, double = made(0), made(1), made(2)
    for one in trials:
        first = single.points(size, one)
        more, each = one.points - first, double.points(size, one) - first
        if one.points == none.points(size, one):
            counts[0] += 1
        elif each and more % each == 0 and more // each >= -1:
            counts[1 + more // each] += 1
    return max(counts, key=lambda number: (counts[number], -number)) if counts else None


def _with_extra(trials: Sequence[Trial], size: int, form: Form, start: Formula) -> Formula:
    """The formula with the numbers that single groups of one colour show."""
    single = [one for one in trials if len(one.groups) == 1 and one.colors == 1 and one.step <= _steps(start)]
    if form.extra == "none":
        return start
    if form.extra == "cells":
        larger = [one for one in single if one.groups[0] > size]
        return replace(start, per_cell=_best(larger, size, lambda number: replace(start, per_cell=number)) or 0)
    table = "group_bonus" if form.extra == "groups" else "by_size"
    found: dict[int, int] = {}
    for cells in sorted({one.groups[0] for one in single}):
        number = _best(
            [one for one in single if one.groups == (cells,)],
            size,
            lambda number, cells=cells: _with(start, table, {cells: number}),  # type: ignore[misc]
        )
        if number is not None:
            found[cells] = number
    return _with(start, table, found)


def _with(start: Formula, table: str, numbers: dict[int, int]) -> Formula:
    """The formula with this table: ``by_size`` or ``group_bonus``."""
    return replace(start, by_size=numbers) if table == "by_size" else replace(start, group_bonus=numbers)


def _with_further(trials: Sequence[Trial], size: int, start: Formula) -> Iterator[Formula]:
    """The formula without points for further groups, and with those that several groups of one colour show: beside the
    multiplier, and times it.
    """
    yield start
    several = [one for one in trials if len(one.groups) > 1 and one.colors == 1 and one.step <= _steps(start)]
    for times in (False, True):
        base = replace(start, groups_multiplied=times)
        each = _best(several, size, lambda number, base=base: replace(base, per_group=number))  # type: ignore[misc]
        if each:
            yield replace(base, per_group=each)


def _steps(formula: Formula) -> int:
    return max(len(formula.chain_power), len(formula.by_step))


def _with_colors(trials: Sequence[Trial], size: int, start: Formula) -> Formula:
    """The formula with the colour bonuses that explain most trials."""
    colors: dict[int, int] = {}
    for many in sorted({one.colors for one in trials if one.colors > 1}):
        some = [one for one in trials if one.colors == many and one.step <= _steps(start)]
        colors[many] = _best(some, size, lambda number, many=many: replace(start, color_bonus={many: number})) or 0  # type: ignore[misc]
    return replace(start, color_bonus=colors)

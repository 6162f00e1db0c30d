"""Formulas of other forms than the family's published one, and the mechanisms that draw them.

Only games of the kind ``formulas`` have them: they are drawn apart, so all other games stay as they were.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from itertools import accumulate
from random import Random
from typing import TYPE_CHECKING, Any

from tests.strangers.maker.mechanism import Mechanism

if TYPE_CHECKING:
    from tests.strangers.maker.spec import Spec

ONCE = (0,) * 7
"""Several colours pay nothing more."""


@dataclass(frozen=True)
class Formula:
    """What a step is worth beside its cells times the sum of its bonuses.

    product: the bonuses are multiplied, where one of 0 counts as 1. per_cell: for each cell beyond the least. by_size:
    by a group's cells, from 0; both are for all cells of a step together where its bonus is. by_step: by step, from the
    first one. multiplied: these three are multiplied as cells are. per_group: for each further group;
    groups_multiplied: so are those. all_clear: for an empty field, once it is empty; lowest_row: for the lowest row, as
    soon as it is empty; by_chain: times the step.
    """

    product: bool = False
    per_cell: int = 0
    by_size: tuple[int, ...] = (0,)
    by_step: tuple[int, ...] = (0,)
    multiplied: bool = False
    per_group: int = 0
    groups_multiplied: bool = False
    all_clear: int = 0
    lowest_row: bool = False
    by_chain: bool = False

    def numbers(self) -> tuple[int, ...]:
        """All points that it names."""
        return self.per_cell, *self.by_size, *self.by_step, self.per_group, self.all_clear


def _with(draw: Callable[[Random, Spec], dict[str, Any]]) -> Callable[[Random, Spec], dict[str, Any]]:
    """A mechanism's changes: those of the formula, and under ``spec`` those of the game."""

    def changes(rng: Random, spec: Spec) -> dict[str, Any]:
        drawn = draw(rng, spec)
        others = drawn.pop("spec", {})
        return {**others, "formula": replace(spec.formula, **drawn)}

    return changes


def _amount(rng: Random, spec: Spec, *amounts: int) -> int:
    # a score in tens keeps no single points
    return rng.choice(amounts) * (10 if spec.score.unit == 10 else 1)


def _cells(rng: Random, spec: Spec) -> dict[str, Any]:
    each = _amount(rng, spec, 5, 10, 20, 50)
    return {"per_cell": each, "multiplied": rng.random() < 0.5, "spec": {"group_bonus": (0, 0)}}


def _sizes(rng: Random, spec: Spec) -> dict[str, Any]:
    least, each = spec.clear_size, _amount(rng, spec, 5, 10, 20)
    if rng.random() < 0.5:
        table = [0] * least + [each * (size - least + 1) ** 2 for size in range(least, 24)]
    else:
        table = [0] * least + list(accumulate(each * rng.randint(1, 6) for _ in range(least, 12)))
    alone = rng.random() < 0.5
    unit = 0 if alone else spec.points_unit
    others = {"group_bonus": (0, 0), "points_unit": unit}
    return {"by_size": tuple(table), "multiplied": alone or rng.random() < 0.5, "spec": others}


def _steps(rng: Random, spec: Spec) -> dict[str, Any]:
    table = accumulate((0, *(_amount(rng, spec, 20, 50, 100, 300) for _ in range(9))))
    return {"by_step": tuple(table), "spec": {"chain_power": (1,), "color_bonus": ONCE, "group_bonus": (0, 0)}}


def _product(rng: Random, spec: Spec) -> dict[str, Any]:
    power = rng.choice(((1, 2, 3, 4, 5, 6, 7, 8), (1, 2, 4, 8, 16, 32), (1, 3, 6, 10, 15, 21, 28)))
    sizes = rng.choice(((0, 0), (0,) * spec.clear_size + tuple(range(spec.clear_size - 1, 23))))
    colors = rng.choice((ONCE, (0, 1, 2, 3, 4, 5, 6)))
    if colors == ONCE and sizes == (0, 0):
        colors = (0, 1, 2, 4, 8, 16, 32)
    return {"product": True, "spec": {"chain_power": power, "color_bonus": colors, "group_bonus": sizes}}


def _groups(rng: Random, spec: Spec) -> dict[str, Any]:
    return {"per_group": _amount(rng, spec, 10, 25, 50, 100), "groups_multiplied": rng.random() < 0.4}


def _clear(rng: Random, spec: Spec) -> dict[str, Any]:  # noqa: ARG001
    return {"all_clear": rng.choice((300, 500, 1000, 2100))}


FORMULAS: tuple[Mechanism, ...] = tuple(
    Mechanism(name, doc, keys, holds, _with(draw), share, "pairs", "formulas")
    for name, doc, keys, holds, draw, share in (
        ("pays_cells", "cells beyond the least pay more", "extra", lambda s: s.formula.per_cell > 0, _cells, 0.3),
        ("pays_sizes", "a table pays by a group's size", "extra", lambda s: any(s.formula.by_size), _sizes, 0.3),
        ("pays_steps", "a table pays by step", "extra product", lambda s: any(s.formula.by_step), _steps, 0.2),
        ("multiplies", "bonuses are multiplied", "product", lambda s: s.formula.product, _product, 0.3),
        ("pays_groups", "further groups pay more", "groups", lambda s: s.formula.per_group > 0, _groups, 0.5),
        (
            "pays_clear",
            "an empty field pays",
            "clear",
            lambda s: s.formula.all_clear > 0 and not (s.formula.lowest_row or s.formula.by_chain),
            _clear,
            0.2,
        ),
        (
            "pays_row",
            "an empty lowest row pays",
            "clear",
            lambda s: s.formula.lowest_row,
            lambda rng, spec: {**_clear(rng, spec), "lowest_row": True},
            0.2,
        ),
        (
            "pays_longer",
            "an empty field pays more after a longer chain",
            "clear",
            lambda s: s.formula.by_chain,
            lambda rng, spec: {**_clear(rng, spec), "by_chain": True},
            0.3,
        ),
    )
)

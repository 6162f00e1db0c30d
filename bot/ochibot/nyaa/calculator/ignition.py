"""Computes the ignition value of a grid exactly: every tail with its path, and every outcome of open ties.

Ignitions as plain values, for JSON.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from ochibot.nyaa.rules.grid import CELLS, COLUMNS, ROWS, Grid, place_of
from ochibot.nyaa.rules.profile import Rules, Ruleset, attack_of, rules_of
from ochibot.nyaa.rules.resolve import burnt_out
from ochibot.nyaa.rules.ties import MOST_BURNS, NOTHING, Options, Sums, options_of
from ochibot.nyaa.rules.wave import Group, burn, groups_of


@dataclass(frozen=True, slots=True)
class Tail:
    """The end of a wave. x (1..7 from the left), y (1..12 from the floor): its cell. owner: the number of the start
    that its wave came from.

    path: the cells (x, y) that the wave has passed, including this one, sorted by step and then in reading order.
    value: the number of those cells.
    """

    x: int
    y: int
    value: int
    owner: int
    path: tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True, eq=False)
class WaveOutcome:
    """One outcome of an ignition.

    tails: sorted by value, then in reading order. s1: the sum of their values. s0: the same sum without tails of value
    1. t: the number of tails of the start that has the most. bonus: the points that MVS adds to s0 for the tails (the
    PS2 uses s1 only). steps, owner: for each cell, the step at which it pops and the number of its start (0: it doesn't
    pop), (12, 7) int8.
    """

    attack: int
    s0: int
    s1: int
    t: int
    bonus: int
    tails: tuple[Tail, ...]
    steps: npt.NDArray[np.int8]
    owner: npt.NDArray[np.int8]


@dataclass(frozen=True, slots=True, eq=False)
class Ignition:
    """The result of igniting a grid with needles.

    outcomes: sorted by attack. On MVS there is one for each (attack, S0, S1, T) that the open ties make possible. On
    the PS2 only the attack matters, so there is one for each attack. With ``most_outcomes``,
    ``ignite`` computes only some of them. If several ways to settle ties lead to the same numbers, only the first one
    found is listed (the tie rule's way comes first). The other ways may have other paths.

    total: how many outcomes there are. exact: whether there is only one. low, high: the lowest and the highest attack.
    complete: whether all ways to settle the ties were tried; if not, low, high and total describe those tried.
    open_ties: the cells whose winner the known rules don't decide, in the outcome by the tie rule. starts: the cells
    (x, y) that needles light, in the order of their numbers (from 1). after: the grid after the pops and the fall.
    Needles that are left don't ignite again here (``resolve`` repeats the ignition).
    """

    exact: bool
    outcomes: tuple[WaveOutcome, ...]
    total: int
    low: int
    high: int
    complete: bool
    open_ties: tuple[tuple[int, int], ...]
    starts: tuple[tuple[int, int], ...]
    after: Grid

    @property
    def attack_exact(self) -> bool:
        """Whether the attack is certain, however the original game settles ties."""
        return self.complete and self.low == self.high

    @property
    def paths_exact(self) -> bool:
        """Whether the waves' paths are certain: no tie is open."""
        return not self.open_ties


def ignite(
    grid: Grid, rules: Ruleset | Rules, *, most_burns: int = MOST_BURNS, most_outcomes: int | None = None
) -> Ignition:
    """Ignites all needles of a grid at once. Without needles, or when they light nothing, the attack is 0.

    rules: the rules, or a version, which stands for the rules of its shipped file. most_burns: how many ways to settle
    ties are tried in each part (see ``ochibot.nyaa.rules.ties``); a lower limit is faster, but the result may be
    incomplete. most_outcomes: how many outcomes are computed, 2 or more: the lowest, the highest, and others evenly
    between them. None: all.
    """
    rules = rules_of(rules)
    groups = groups_of(grid)
    options, complete = options_of(groups, rules.ruleset, most_burns)
    found = _listed(options, rules.ruleset)
    shown = [sums for _, sums in found]
    if most_outcomes is not None and len(found) > most_outcomes:
        shown = [shown[i * (len(found) - 1) // (most_outcomes - 1)] for i in range(most_outcomes)]
    burns = [burn(group, rules.ruleset) for group in groups]
    starts = [cell for group in groups for cell in group.starts]
    return Ignition(
        exact=len(found) == 1 and complete,
        outcomes=tuple(_outcome(groups, rules.ruleset, options[sums], sums) for sums in shown),
        total=len(found),
        low=found[0][0],
        high=found[-1][0],
        complete=complete,
        open_ties=tuple(place_of(cell) for cell in sorted(cell for one in burns for cell in one.ties)),
        starts=tuple(map(place_of, sorted(starts))),
        after=burnt_out(grid, {cell for group in groups for cell in group.cells}, rules),
    )


def _listed(options: Options, ruleset: Ruleset) -> list[tuple[int, Sums]]:
    """All options with their attacks, sorted by attack; on the PS2 one for each attack."""
    found = [(attack_of(ruleset, *sums), sums) for sums in options]
    if ruleset is Ruleset.PS2:
        first: dict[int, Sums] = {}
        for attack, sums in found:
            first.setdefault(attack, sums)
        found = list(first.items())
    return sorted(found)


def _outcome(groups: Sequence[Group], ruleset: Ruleset, second: frozenset[int], sums: Sums) -> WaveOutcome:
    steps, owner = np.zeros(CELLS, np.int8), np.zeros(CELLS, np.int8)
    tails: list[tuple[int, int, Tail]] = []
    for group in groups:
        burnt = burn(group, ruleset, second)
        for cell, step in burnt.steps.items():
            steps[cell], owner[cell] = step, burnt.owners[cell]
        in_order = [(1 << at, place_of(at)) for at in burnt.steps]  # by step, then in reading order
        for cell in burnt.tails:
            passed = burnt.visited[cell]
            path = tuple([place for bit, place in in_order if passed & bit])
            tails.append((len(path), cell, Tail(*place_of(cell), len(path), burnt.owners[cell], path)))
    tails.sort(key=lambda one: one[:2])
    attack = attack_of(ruleset, *sums)
    if ruleset is Ruleset.PS2 and sums != NOTHING:
        counts = np.bincount([tail.owner for *_, tail in tails])
        sums = sums._replace(t=int(np.max(counts)))
    shape = (ROWS, COLUMNS)
    for array in (steps, owner):
        array.flags.writeable = False
    return WaveOutcome(
        attack=attack,
        s0=sums.s0,
        s1=sums.s1,
        t=sums.t,
        bonus=attack - sums.s0 if ruleset is Ruleset.MVS else 0,
        tails=tuple(tail for *_, tail in tails),
        steps=steps.reshape(shape),
        owner=owner.reshape(shape),
    )


def numbers(ignition: Ignition) -> dict[str, Any]:
    """The attack and the sums of an ignition. Tails and sums are those of the first outcome.

    attack: [low, high]. exact: whether there is one outcome. attack_exact: whether the attack is certain. paths_exact:
    whether the waves' paths are. tails: their values, ascending.
    """
    first = ignition.outcomes[0]
    return {
        "attack": [ignition.low, ignition.high],
        "exact": ignition.exact,
        "attack_exact": ignition.attack_exact,
        "paths_exact": ignition.paths_exact,
        "tails": [tail.value for tail in first.tails],
        "s0": first.s0,
        "s1": first.s1,
        "t": first.t,
    }


def summary(ignition: Ignition) -> dict[str, Any]:
    """All numbers of an ignition. open_ties: cells [x, y]. outcomes: how many the ignition lists."""
    first = ignition.outcomes[0]
    return {
        **numbers(ignition),
        "bonus": first.bonus,
        "popped": int((first.steps > 0).sum()),
        "outcomes": len(ignition.outcomes),
        "complete": ignition.complete,
        "open_ties": [list(place) for place in ignition.open_ties],
    }


def both(grid: Grid) -> dict[str, Any]:
    """The ``summary`` of a grid's ignition under each ruleset, by the ruleset's name."""
    return {str(ruleset): summary(ignite(grid, ruleset)) for ruleset in Ruleset}

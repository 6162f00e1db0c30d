"""Finds all outcomes that the open ties of an ignition make possible, as sums.

The sums S0, S1 and the most tails T are computed for independent parts and then combined. On MVS, a part is a group,
which is burnt again for every way to settle its ties. On the PS2, the winner of a cell only decides which of the two
claiming cells is a tail. So a part is a set of ties in one step that are connected by common claiming cells.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Sequence
from itertools import product
from typing import Final, NamedTuple

from ochibot.nyaa.rules.grid import Grid
from ochibot.nyaa.rules.profile import Ruleset, attack_of
from ochibot.nyaa.rules.wave import Burn, Group, burn, groups_of

MOST_BURNS: Final = 2048
"""How many ways to settle ties are tried in each part by default. If there are more, the outcomes are marked
incomplete.
"""


class Sums(NamedTuple):
    """The numbers that make up the attack."""

    s0: int
    s1: int
    t: int


NOTHING: Final = Sums(0, 0, 0)
Options = dict[Sums, frozenset[int]]
"""The possible sums. For each, the cells where the second claim must win to reach it."""


def sums_of(burnt: Burn) -> Sums:
    """The sums of one way to burn."""
    return _summed(
        [burnt.visited[tail].bit_count() for tail in burnt.tails], [burnt.owners[tail] for tail in burnt.tails]
    )


def _summed(values: Sequence[int], owners: Sequence[int]) -> Sums:
    """The sums of tails with these values and starts."""
    return Sums(sum(v for v in values if v > 1), sum(values), max(map(owners.count, set(owners))))


class AttackRange(NamedTuple):
    """The lowest and the highest attack of an ignition, and whether all ways to settle its ties were tried."""

    low: int
    high: int
    complete: bool = True


def attack_range(grid: Grid, ruleset: Ruleset) -> AttackRange:
    """``low``, ``high`` and ``complete`` of ``ignite``, without computing paths."""
    options, complete = options_of(groups_of(grid), ruleset)
    attacks = [attack_of(ruleset, *sums) for sums in options]
    return AttackRange(min(attacks), max(attacks), complete)


def options_of(groups: Sequence[Group], ruleset: Ruleset, most_burns: int = MOST_BURNS) -> tuple[Options, bool]:
    """All possible sums, those of the tie rule first; and whether all ways to settle the ties were tried.

    On the PS2, ``t`` doesn't affect the attack, so all options have the ``t`` of the tie rule. most_burns: the most
    ways to settle ties that are tried in each part.
    """
    found: Options = {NOTHING: frozenset()}
    complete = True
    for group in groups:
        first = burn(group, ruleset)
        parts: Iterable[tuple[Options, bool]]
        if not first.ties:
            parts = [({sums_of(first): frozenset()}, True)]
        elif ruleset is Ruleset.MVS:
            parts = [_tries(group, most_burns)]
        else:
            parts = _clusters(first, most_burns)
        for part, whole in parts:
            found = _combined(found, part)
            complete &= whole
    return found, complete


def _combined(left: Options, right: Options) -> Options:
    sums: Options = {}
    for (a, seconds), (b, more) in product(left.items(), right.items()):
        sums.setdefault(Sums(a.s0 + b.s0, a.s1 + b.s1, max(a.t, b.t)), seconds | more)
    return sums


class _Try(NamedTuple):
    """A burn on MVS up to the claim ``at``, a tie that the second start wins (-1 in the first try).

    owners, visited: as in ``Burn``. parents: cells from which a wave went on, as a bit mask. second: the ties that the
    second start wins.
    """

    at: int
    owners: dict[int, int]
    visited: dict[int, int]
    parents: int
    second: frozenset[int]


def _tries(group: Group, most: int) -> tuple[Options, bool]:
    """MVS: burns the group in every way to settle its ties. Settling a tie can create or remove other ties, but only in
    later steps.

    At each tie, the first start wins, and another try is queued in which the second one wins from there on. Tries with
    few such changes come first. So if there are too many tries, those that are made still vary.
    """
    found: Options = {}
    waiting = deque([_Try(-1, dict(group.starts), {cell: 1 << cell for cell in group.starts}, 0, frozenset())])
    tried, whole = 0, True
    while waiting:
        at, owners, visited, parents, second = waiting.popleft()
        tried += 1
        for number in range(max(at, 0), len(group.claims)):
            cell, sources, strong = group.claims[number]
            winner = owners[strong[0]]
            if len(strong) == 2 and owners[strong[1]] != winner:
                other = owners[strong[1]]
                if number == at:
                    winner = max(winner, other)
                else:
                    winner = min(winner, other)
                    if tried + len(waiting) < most:
                        waiting.append(_Try(number, owners.copy(), visited.copy(), parents, second | {cell}))
                    else:
                        whole = False
            owners[cell] = winner
            passed = 1 << cell
            for source in sources:
                if owners[source] == winner:
                    passed |= visited[source]
                    parents |= 1 << source
            visited[cell] = passed
        tails = [cell for cell in group.steps if not parents >> cell & 1]
        found.setdefault(
            _summed([visited[tail].bit_count() for tail in tails], [owners[tail] for tail in tails]), second
        )
    return found, whole


def _clusters(first: Burn, most: int) -> list[tuple[Options, bool]]:
    """PS2: the options of each part: first the tails that don't depend on ties, then each cluster of ties."""
    open_cells = {source for pair in first.ties.values() for source in pair} - first.forced
    values = [first.steps[tail] for tail in first.tails if tail not in open_cells]
    sure = Sums(sum(v for v in values if v > 1), sum(values), sums_of(first).t)
    parts: list[tuple[Options, bool]] = [({sure: frozenset()}, True)]
    waiting = dict(first.ties)
    while waiting:
        tie, sources = waiting.popitem()
        cluster, cells = {tie: sources}, set(sources) & open_cells
        grown = True
        while grown:
            more = {tie: pair for tie, pair in waiting.items() if cells & set(pair)}
            grown = bool(more)
            for tie, pair in more.items():
                cluster[tie] = waiting.pop(tie)
                cells |= set(pair) & open_cells
        if cells:
            parts.append(_cluster(dict(sorted(cluster.items())), cells, first.steps[tie] - 1, most))
    return parts


def _cluster(ties: dict[int, tuple[int, int]], cells: set[int], step: int, most: int) -> tuple[Options, bool]:
    """The possible contributions of the cells that a cluster of ties decides: cells that no tie chooses are tails."""
    found: Options = {}
    for count, choice in enumerate(product((0, 1), repeat=len(ties))):
        if count == most:
            return found, False
        chosen = {pair[which] for pair, which in zip(ties.values(), choice, strict=True)}
        total = step * len(cells - chosen)
        second = frozenset(tie for tie, which in zip(ties, choice, strict=True) if which)
        found.setdefault(Sums(total if step > 1 else 0, total, 0), second)
    return found, True

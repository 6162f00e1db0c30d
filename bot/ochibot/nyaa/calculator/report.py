"""Ignitions as plain values, for JSON."""

from __future__ import annotations

from typing import Any

from ochibot.nyaa.calculator.ignition import Ignition, ignite
from ochibot.nyaa.rules.grid import Grid
from ochibot.nyaa.rules.profile import Ruleset


def summary(ignition: Ignition) -> dict[str, Any]:
    """The numbers of an ignition. Tails and sums are those of the first outcome.

    attack: [low, high]. exact: whether there is one outcome. attack_exact: whether the attack is certain. paths_exact:
    whether the waves' paths are. tails: their values, ascending. open_ties: cells [x, y]. outcomes: how many the
    ignition lists.
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
        "bonus": first.bonus,
        "popped": int((first.steps > 0).sum()),
        "outcomes": len(ignition.outcomes),
        "complete": ignition.complete,
        "open_ties": [list(place) for place in ignition.open_ties],
    }


def both(grid: Grid) -> dict[str, Any]:
    """The ``summary`` of a grid's ignition under each ruleset, by the ruleset's name."""
    return {str(ruleset): summary(ignite(grid, ruleset)) for ruleset in Ruleset}

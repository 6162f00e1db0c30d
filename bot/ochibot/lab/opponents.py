"""Simple players to train against and to compare with: ``--player ochibot.lab.opponents:Greedy`` works everywhere."""

from __future__ import annotations

from typing import Any

from ochibot.falling.draws import rolled
from ochibot.nyaa.family import FAMILY as NYAA
from ochibot.nyaa.rules.lock import heights
from ochibot.puyo.family import FAMILY as PUYO
from ochibot.puyo.rules.profile import Rules


class Random:
    """Chooses among all placements alike."""

    name = "random"

    def __init__(self, rules: Any, seed: int | None = None) -> None:
        self._rules, self._state = rules, seed or 0
        self._family: Any = PUYO if isinstance(rules, Rules) else NYAA

    def choose(self, snapshot: Any) -> Any:
        """A placement; None if there is none."""
        found = self._family.placements(snapshot, self._rules)
        self._state, number = rolled(self._state, len(found))
        return found[number] if found else None


class Greedy:
    """Takes the most points (or attack) that a placement makes now. Where none makes any, or several make as many, the
    highest column stays as low as it can, and then the field as empty.
    """

    name = "greedy"

    def __init__(self, rules: Any) -> None:
        self._rules = rules
        self._family: Any = PUYO if isinstance(rules, Rules) else NYAA

    def choose(self, snapshot: Any) -> Any:
        """A decision; None if there is no placement."""
        found = [
            self._family.decide(snapshot, placement, self._rules)
            for placement in self._family.placements(snapshot, self._rules)
        ]
        return max(found, key=self._worth, default=None)

    def _worth(self, decision: Any) -> tuple[float, ...]:
        outcome = decision.outcome
        if isinstance(self._rules, Rules):
            columns = outcome.field.heights()
            return -outcome.game_over, outcome.score, -max(columns), -sum(columns)
        columns = heights(outcome.grid)
        return -outcome.over, outcome.attack, -max(columns), -sum(columns)

"""Two players of Kakera as plain Python classes, which return bare placements."""

from __future__ import annotations

import random

from kakera.family import FAMILY, Placement, Rules, Snapshot, dropped
from kakera.rules import EMPTY


class Greedy:
    """Chooses the placement whose lock scores most; ties go to the smallest sum of squared column heights."""

    name = "greedy stones"

    def __init__(self, rules: Rules) -> None:
        self.rules = rules

    def choose(self, snapshot: Snapshot) -> Placement | None:
        """The best placement."""

        def worth(placement: Placement) -> tuple[int, int]:
            outcome = dropped(snapshot, placement, self.rules)
            heights = [sum(cell != EMPTY for cell in column) for column in zip(*outcome.field, strict=True)]
            return outcome.score, -sum(height * height for height in heights)

        return max(FAMILY.placements(snapshot, self.rules), key=worth, default=None)


class Anywhere:
    """Chooses placements at random, from a seed."""

    def __init__(self, seed: int | None) -> None:
        self._dice = random.Random(seed)

    def choose(self, snapshot: Snapshot) -> Placement | None:
        """A random placement."""
        found = FAMILY.placements(snapshot, Rules("kakera"))
        return self._dice.choice(found) if found else None

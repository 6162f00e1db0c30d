"""Two players of Kakera as plain Python classes, which return bare placements."""

from __future__ import annotations

import random

from kakera.family import FAMILY, Placement, Rules, Snapshot, dropped
from kakera.rules import EMPTY


class Greedy:
    """Takes what scores most at once, then what leaves the field lowest."""

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
    """Puts pieces just anywhere, by a seed."""

    def __init__(self, seed: int | None) -> None:
        self._dice = random.Random(seed)

    def choose(self, snapshot: Snapshot) -> Placement | None:
        """Some placement."""
        found = FAMILY.placements(snapshot, Rules("kakera"))
        return self._dice.choice(found) if found else None

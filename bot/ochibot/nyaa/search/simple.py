"""A player that places its pairs at random: the baseline that every other player must beat."""

from __future__ import annotations

import random

from ochibot.nyaa.rules.lock import place
from ochibot.nyaa.rules.profile import Rules
from ochibot.nyaa.rules.snapshot import Snapshot
from ochibot.nyaa.search.locks import lock_positions
from ochibot.nyaa.search.twoply import Decision


class RandomPlayer:
    """Chooses among all locks that the pair can reach, as needles or blocks, with equal probability.

    A choice depends on the snapshot, on the seed and on how many choices it has made before.
    """

    def __init__(self, seed: int, rules: Rules) -> None:
        self.seed = seed
        self.rules = rules
        self._random = random.Random(seed)

    def choose(self, snapshot: Snapshot) -> Decision | None:
        """The decision, of value 0; None when there is no lock."""
        locks = lock_positions(snapshot.grid, snapshot.pair, snapshot.state)
        if not locks:
            return None
        placement = self._random.choice(locks)
        outcome = place(snapshot.grid, snapshot.pair, placement, self.rules)
        return Decision(placement, 0.0, outcome, len(locks))

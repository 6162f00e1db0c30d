"""Counts the replies of the two-ply search that slow hands don't reach: a player for ``ochibot play --player``.

It plays like the article's player. At the end it prints how many decisions it made, and for how many of them the reply
(the next pair's best lock, on which the search had counted) couldn't be reached in time.
"""

from __future__ import annotations

import atexit
from dataclasses import replace
from typing import Any

from ochibot.data import data_path
from ochibot.play.reach import Hands
from ochibot.puyo.rules.file import load_rules
from ochibot.puyo.search.player import load_player
from ochibot.puyo.search.twoply import TwoPly


class Counting:
    """The two-ply player, which counts its decisions and the replies out of reach."""

    def __init__(self) -> None:
        config, self._rules = load_player(data_path("configs/players/article.yaml")), load_rules("famicom")
        self._two, self._one = TwoPly(config, self._rules), TwoPly(config, self._rules, plies=1)
        self.decisions = self.missed = 0
        atexit.register(lambda: print(f"{self.decisions} decisions, {self.missed} replies out of reach"))

    def choose(self, snapshot: Any) -> Any:
        """Returns the two-ply decision, and counts whether the hands would reach its reply in time."""
        decision = self._two.choose(snapshot)
        if decision is None or snapshot.hands is None or decision.outcome.game_over:
            return decision
        after = replace(
            snapshot, field=decision.outcome.field, pair=snapshot.next_pair, state=self._rules.spawn, hands=None
        )
        reply = self._one.choose(after)
        if reply is not None:
            assert reply.value == decision.value, "this isn't the reply that the search counted on"
            hands = snapshot.hands
            self.decisions += 1
            self.missed += not Hands(hands._seat, after, hands._pace, hands._speed)(reply.placement)
        return decision

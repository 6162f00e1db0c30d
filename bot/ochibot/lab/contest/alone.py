"""Games that a candidate plays alone, in which only the best chain counts, by the protocol of docs/strength.md."""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass
from typing import Any, Final

from ochibot.lab.contest.contestant import Contestant
from ochibot.lab.contest.table import deal_number
from ochibot.puyo.rules.profile import Rules
from ochibot.puyo.sim.fifty import COLORS, PAIRS, play

FIRST_SEED: Final = 20_000
"""The lowest seed of a game in training. The games by which strength is measured have lower seeds."""
_SEEDS: Final = 65_536 - FIRST_SEED
"""How many seeds training games have. (The modern dealer has 65,536 in all.)"""


@dataclass(frozen=True)
class Solitaire:
    """The conditions of a game alone, in place of a table: no opponent, no nuisance. nodes: how many boards a decision
    may examine.
    """

    rules: Rules
    nodes: int
    game: str = "tsu"

    def identity(self) -> dict[str, Any]:
        """Everything that a game depends on except the player and the seed."""
        return {
            "game": self.game,
            "rules": asdict(self.rules),
            "nodes": self.nodes,
            "colors": COLORS,
            "pairs": PAIRS,
        }


@dataclass(frozen=True)
class AloneTask:
    """Games to play. deal: the number from which their seeds are made. games: how many."""

    table: Solitaire
    player: Contestant
    deal: int
    games: int


def play_alone(task: AloneTask) -> dict[str, Any]:
    """Plays the games. ``points``: the sum of the points of the games' best chains. ``margin``: the mean of the square
    roots of these points, scaled so that a chain of 100,000 points counts 1.
    """
    player = task.player.open(task.table.game, task.table.rules, deal_number(task.deal, "ties", 0))
    played = [
        play(player, task.table.rules, FIRST_SEED + deal_number(task.deal, "game", number) % _SEEDS)
        for number in range(task.games)
    ]
    margin = sum(math.sqrt(game.score / 100_000) for game in played) / task.games
    return {"points": sum(game.score for game in played), "margin": round(margin, 9)}

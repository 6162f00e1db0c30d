"""Settings for the rounds that ``tests.lab.cartridge.replay`` compares: varied options, and players that lose."""

from __future__ import annotations

import random
from dataclasses import dataclass

from ochibot.data import data_path
from ochibot.lab.match import PuyoPlayer
from ochibot.puyo.rules.profile import Rules
from ochibot.puyo.rules.snapshot import Snapshot
from ochibot.puyo.search.placements import placements
from ochibot.puyo.search.player import load_player
from ochibot.puyo.search.twoply import Decision, TwoPly

from tests.puyo import FAMICOM


class Careless:
    """A player that places some pieces at random, so that rounds end. The same seed gives the same choices."""

    def __init__(self, player: PuyoPlayer, every: int, seed: int, rules: Rules = FAMICOM) -> None:
        self._player = player
        self._rules = rules
        self._every = every
        self._random = random.Random(seed)

    def choose(self, snapshot: Snapshot) -> Decision | None:
        """The player's decision; on average, one in ``every`` is replaced by a random placement."""
        decision: Decision | None = self._player.choose(snapshot)
        if decision is None or self._random.randrange(self._every):
            return decision
        places = placements(snapshot.field, snapshot.pair, self._rules, snapshot.state)
        return Decision(self._random.choice(places), 0.0, decision.outcome, 0)


@dataclass(frozen=True)
class Setting:
    """How one round is played: the menu's options; and for each seat the plies, ``Careless.every`` and the speed."""

    seed: int
    options: dict[str, int]
    plies: tuple[int, int]
    every: tuple[int, int]
    speeds: tuple[int, int]

    def players(self) -> tuple[PuyoPlayer, PuyoPlayer]:
        """Players as they are before the round; each call makes new ones."""
        config = load_player(data_path("configs/players/article.yaml"))
        made = [
            Careless(TwoPly(config, FAMICOM, plies, seed=self.seed + seat), every, 2 * self.seed + seat)
            for seat, (plies, every) in enumerate(zip(self.plies, self.every, strict=True))
        ]
        return made[0], made[1]


def settings(rounds: int, seed: int, items: bool = True) -> list[Setting]:
    """Settings for ``rounds`` varied rounds: levels 1 and 4, 4 and 5 colours, every limit, items off and on (never on
    without ``items``), quick and slow hands.
    """
    made = []
    for number in range(rounds):
        dice = random.Random(seed * 1_000_003 + number)
        options = {
            "level": 1 + 3 * (number % 2),
            "colors": 4 + number // 2 % 2,
            "limit": (0, 6, 12, 30)[number // 4 % 4],
            "items": number % 4 if items and number % 3 == 2 else 0,
        }
        made.append(
            Setting(
                seed=dice.randrange(1021),
                options=options,
                plies=(dice.choice((1, 2)), dice.choice((1, 2))),
                every=(dice.choice((1, 2, 3, 5)), dice.choice((1, 2, 3, 5))),
                speeds=(dice.choice((10, 10, 8, 6)), dice.choice((10, 10, 8, 6))),
            )
        )
    return made

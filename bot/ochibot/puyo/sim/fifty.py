"""The game for one player that measures strength: fifty pairs on an empty field. docs/strength.md has the protocol."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from ochibot.falling.deciding import decision_of
from ochibot.falling.family import Family
from ochibot.falling.player import AnyPlayer, chosen, tell_end
from ochibot.puyo.rules.field import Field
from ochibot.puyo.rules.profile import Rules
from ochibot.puyo.rules.resolve import place
from ochibot.puyo.rules.snapshot import Snapshot
from ochibot.puyo.sim.dealer import PoolDealer

COLORS: Final = 4
PAIRS: Final = 50
SHOWN: Final = 2
"""The number of visible pairs besides the falling one, unless another is asked for."""


@dataclass(frozen=True, slots=True)
class StrengthGame:
    """One game. score, chain: the points and steps of its best chain. at: the number of the pair that set it off (0:
    there was no chain). dead: whether the game was lost. pairs: how many were placed. seconds, cpu_seconds: the time of
    all decisions, as real time and as processor time: this thread's, or an engine's own.
    """

    seed: int
    score: int
    chain: int
    at: int
    pairs: int
    dead: bool
    seconds: float
    cpu_seconds: float


def play(
    player: AnyPlayer,
    rules: Rules,
    seed: int,
    family: Family | None = None,
    shown: int = SHOWN,
    colors: int = COLORS,
) -> StrengthGame:
    """Plays one game on an empty field: 50 pairs of the modern dealer with this seed, or fewer if the game ends.

    ``family``: checks the player's choices, for players of users. ``shown``: the number of visible pairs besides the
    falling one, at least 1. ``colors``: 3 to 5. Raises PlayerError for a wrong choice.
    """
    dealer = PoolDealer("modern", seed, colors)
    pairs = [next(dealer) for _ in range(PAIRS + shown)]
    here, score = Field.empty(), 0
    best = (0, 0, 0)
    seconds = cpu = 0.0
    clock: Callable[[], float] = getattr(player, "processor_time", time.thread_time)
    placed, dead = 0, False
    for number in range(PAIRS):
        pair, following, *more = pairs[number : number + 1 + shown]
        snapshot = Snapshot(here, pair, following, score, rules.spawn, colors=colors, foreseen=tuple(more))
        began_cpu, began = clock(), time.perf_counter()
        decision = decision_of(player, family, snapshot, rules) if family else chosen(player, snapshot)
        seconds += time.perf_counter() - began
        cpu += clock() - began_cpu
        if decision is None:
            dead = True
            break
        outcome = place(here, pair, getattr(decision, "placement", decision), rules)
        placed += 1
        if outcome.chain and outcome.score > best[0]:
            best = outcome.score, outcome.chain, number + 1
        here, score = outcome.field, score + outcome.score
        if outcome.game_over:
            dead = True
            break
    tell_end(player, "over")
    return StrengthGame(seed, *best, placed, dead, seconds, cpu)

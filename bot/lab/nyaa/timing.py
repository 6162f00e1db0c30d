"""How long the two-ply player of Pochi & Nyaa thinks, in the matches that it plays against itself.

python -m bot.lab.nyaa.timing --games 4 --json -
"""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path
from typing import Final

import numpy as np

from bot.data import data_path
from bot.errors import OchibotError, UsageError
from bot.lab.nyaa.arena import PLAYER
from bot.lab.nyaa.match import deal_of, play_match
from bot.lab.nyaa.report import write_report
from bot.nyaa.snapshot import Snapshot
from bot.search.nyaa import Decision, NyaaPlayer, NyaaPlayerConfig, load_nyaa_player, prepare

BUDGET: Final = 5.0
"""Milliseconds that a decision may take: a third of a frame."""


class TimedPlayer:
    """A player that keeps the milliseconds and the leaves of its decisions."""

    def __init__(self, config: NyaaPlayerConfig, seed: int) -> None:
        self._player = NyaaPlayer(config, 2, seed)
        self.milliseconds: list[float] = []
        self.leaves = 0

    def choose(self, snapshot: Snapshot) -> Decision | None:
        """The player's decision."""
        began = time.perf_counter()
        decision = self._player.choose(snapshot)
        self.milliseconds.append(1000 * (time.perf_counter() - began))
        self.leaves += decision.leaves if decision is not None else 0
        return decision


def main(arguments: list[str] | None = None) -> None:
    """The command."""
    parser = argparse.ArgumentParser(prog="python -m bot.lab.nyaa.timing", description=__doc__)
    parser.add_argument("--player", type=Path, default=data_path(PLAYER))
    parser.add_argument("--games", type=int, default=4)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--json", metavar="FILE", help="write the report there (- for stdout)")
    options = parser.parse_args(arguments)
    if options.games < 1:
        raise UsageError("give at least one game")
    config = load_nyaa_player(options.player)
    prepare()
    sides = TimedPlayer(config, options.seed), TimedPlayer(config, options.seed + 1)
    for number in range(options.games):
        play_match(deal_of(options.seed, 2 * number), sides)
    taken = np.array([ms for side in sides for ms in side.milliseconds])
    leaves = sum(side.leaves for side in sides)
    report = {
        "decisions": len(taken),
        "mean_ms": round(float(taken.mean()), 3),
        "median_ms": round(float(np.median(taken)), 3),
        "p99_ms": round(float(np.quantile(taken, 0.99)), 3),
        "most_ms": round(float(taken.max()), 3),
        "leaves": leaves,
        "leaves_per_second": round(1000 * leaves / float(taken.sum())),
        "budget_ms": BUDGET,
        "within_budget": round(float((taken < BUDGET).mean()), 5),
        "seed": options.seed,
    }
    write_report(report, options.json)
    if options.json != "-":
        print(
            f"{len(taken):,} decisions: {report['mean_ms']} ms on average, median {report['median_ms']}, 99 % below "
            f"{report['p99_ms']}, longest {report['most_ms']}; {leaves / len(taken):,.0f} leaves each, "
            f"{report['leaves_per_second']:,} per second; below {BUDGET:g} ms: {report['within_budget']:.2%}"
        )


if __name__ == "__main__":
    try:
        main()
    except OchibotError as error:
        print(error, file=sys.stderr)
        sys.exit(2)

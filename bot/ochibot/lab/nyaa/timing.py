"""Measures how long the two-ply player of Pochi & Nyaa thinks in matches against itself.

python -m ochibot.lab.nyaa.timing --games 4 --json -
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path
from typing import Final

import numpy as np
import numpy.typing as npt

from ochibot import interrupts
from ochibot.data import data_path
from ochibot.errors import UsageError
from ochibot.lab.nyaa.arena import PLAYER, RULES
from ochibot.lab.nyaa.match import deal_of, play_match
from ochibot.nyaa.rules.file import load_rules
from ochibot.nyaa.rules.profile import Rules
from ochibot.nyaa.rules.snapshot import Snapshot
from ochibot.nyaa.search.engine import prepare
from ochibot.nyaa.search.player import NyaaPlayerConfig, load_nyaa_player
from ochibot.nyaa.search.twoply import Decision, NyaaPlayer
from ochibot.report import check_target, write_json
from ochibot.wording import counted

BUDGET: Final = 5.0
"""Milliseconds that a decision may take: a third of a frame."""


class TimedPlayer:
    """Wraps a player, records each decision's milliseconds (by the clock, of processor time) and adds up the leaves."""

    def __init__(self, config: NyaaPlayerConfig, rules: Rules, seed: int) -> None:
        self._player = NyaaPlayer(config, rules, 2, seed)
        self.taken: list[tuple[float, float]] = []
        self.leaves = 0

    def choose(self, snapshot: Snapshot) -> Decision | None:
        """The player's decision."""
        began, busy = time.perf_counter(), time.thread_time()
        decision = self._player.choose(snapshot)
        self.taken.append((1000 * (time.perf_counter() - began), 1000 * (time.thread_time() - busy)))
        self.leaves += decision.leaves if decision is not None else 0
        return decision


def main(arguments: list[str] | None = None) -> None:
    """Runs the command line of this module."""
    parser = argparse.ArgumentParser(prog="python -m ochibot.lab.nyaa.timing", description=__doc__)
    parser.add_argument("--player", type=Path, default=data_path(PLAYER))
    parser.add_argument("--games", type=int, default=4)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--json", metavar="FILE", help="write the report there (- for stdout)")
    options = parser.parse_args(arguments)
    if options.games < 1:
        raise UsageError("give at least one game")
    check_target(options.json)
    config, rules = load_nyaa_player(options.player), load_rules(RULES)
    prepare()
    sides = TimedPlayer(config, rules, options.seed), TimedPlayer(config, rules, options.seed + 1)
    for number in range(options.games):
        play_match(deal_of(options.seed, 2 * number), sides, rules)
    clock, processor = np.array([taken for side in sides for taken in side.taken]).T
    leaves = sum(side.leaves for side in sides)
    report = {
        "decisions": len(clock),
        **{f"{name}_ms": _summary(taken) for name, taken in (("clock", clock), ("processor", processor))},
        "leaves": leaves,
        "leaves_per_second": round(1000 * leaves / float(processor.sum())),
        "budget_ms": BUDGET,
        "within_budget": round(float((processor < BUDGET).mean()), 5),
        "seed": options.seed,
    }
    write_json(report, options.json)
    if options.json != "-":
        for name, taken in (("by the clock", clock), ("of processor time", processor)):
            milliseconds = ", ".join(f"{what} {ms} ms" for what, ms in _summary(taken).items())
            print(f"{counted(len(taken), 'decision')}, {name}: {milliseconds}")
        print(
            f"{leaves / len(clock):,.0f} leaves each, {report['leaves_per_second']:,} per second; below {BUDGET:g} ms "
            f"of processor time: {report['within_budget']:.2%}"
        )


def _summary(taken: npt.NDArray[np.float64]) -> dict[str, float]:
    numbers = {"mean": taken.mean(), "median": np.median(taken), "p99": np.quantile(taken, 0.99), "most": np.max(taken)}
    return {name: round(float(number), 3) for name, number in numbers.items()}


if __name__ == "__main__":
    interrupts.run(main)

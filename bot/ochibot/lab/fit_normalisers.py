"""Fits the normalisers of a player file, so that its published weights show the published behaviour.

    python -m ochibot.lab.fit_normalisers --colors 5 --trials 300 --log runs/fit5.jsonl

The article publishes the weights, and how 50 million pieces went. It says that every metric is brought to 0..1, but not
by which divisors. Only the ratios of the divisors matter for the choices. So the divisor of ``colored`` is fixed, and
the five others that matter in endless play (all but nuisance's) are searched: each trial changes the best set so far by
random factors, plays ``--pieces`` pieces, and keeps the better set. Every trial is appended to ``--log``, and a later
call resumes from there.

Targets: no game over; the mean and the deviation of the number of puyos on the field by the article's Gaussian, which
is 10^-17 at 42 puyos and 10^-89 at 84 (so the mean is about 10, the deviation about 3.65); 3,326 field clears in 50
million pieces; at most 37 puyos on the field, reached once (in its place, the misfit uses the number that ``tail``
returns: by the same Gaussian and the article's maximum, about 25).
"""

from __future__ import annotations

import argparse
import json
import math
from pathlib import Path
from typing import Any

import numpy as np

from ochibot import interrupts
from ochibot.data import data_path
from ochibot.lab.selfplay import SOURCES, SelfPlay, Statistics
from ochibot.puyo.rules.file import load_rules
from ochibot.puyo.search.metrics import METRICS
from ochibot.puyo.search.player import Normalisers, PlayerConfig, load_player

MEAN, DEVIATION, CLEARS, TAIL = 10.0, 3.65, 3326, 25
SEARCHED = ("edge", "spawn", "consecutive", "variance", "links")


def tail(seen: Statistics) -> int:
    """The highest number of puyos that is on the field after more than 1 in 10,000 locks."""
    above = seen.counts[::-1].cumsum()[::-1]
    return int(np.max(np.flatnonzero(above > seen.pieces / 10_000)))


def misfit(seen: Statistics) -> float:
    """How far a self-play is from the article's results (0: equal). A target missed by its tolerance adds 1, a game
    over adds 20.
    """
    clears = seen.per_50_million(seen.field_clears)
    terms = (
        (seen.mean - MEAN) / 0.5,
        (seen.deviation - DEVIATION) / 0.25,
        math.log((clears + 100) / (CLEARS + 100)) / 0.4,
        (tail(seen) - TAIL) / 1.5,
    )
    return sum(term * term for term in terms) + 20.0 * seen.game_overs


def with_normalisers(config: PlayerConfig, normalisers: dict[str, float]) -> PlayerConfig:
    """The same player with other normalisers."""
    return config.model_copy(update={"normalisers": Normalisers(**normalisers)})


def main(arguments: list[str] | None = None) -> None:
    """Runs the command line of this module."""
    parser = argparse.ArgumentParser(prog="python -m ochibot.lab.fit_normalisers")
    parser.add_argument("--player", type=Path, default=data_path("configs/players/article.yaml"))
    parser.add_argument("--rules", default="famicom", help="a rules file of puyo, or the name of a shipped one")
    parser.add_argument("--colors", type=int, default=5)
    parser.add_argument("--trials", type=int, default=100)
    parser.add_argument("--pieces", type=int, default=100_000)
    parser.add_argument("--dealer", choices=SOURCES, default="uniform", help="whose generator deals")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--log", type=Path, default=Path("runs/fit.jsonl"))
    options = parser.parse_args(arguments)
    config, rules = load_player(options.player), load_rules(options.rules)
    options.log.parent.mkdir(parents=True, exist_ok=True)
    lines = options.log.read_text(encoding="utf-8").splitlines() if options.log.exists() else []
    trials: list[dict[str, Any]] = [json.loads(line) for line in lines]
    for number in range(len(trials), len(trials) + options.trials):
        normalisers = config.normalisers.model_dump()
        if trials:
            best = min(trials, key=lambda trial: float(trial["misfit"]))
            normalisers = dict(best["normalisers"])
            rng = np.random.default_rng((options.seed, number))
            spread = float(rng.choice([0.1, 0.3, 0.8]))
            for metric in SEARCHED:
                if rng.random() < 0.6:
                    normalisers[metric] *= math.exp(spread * rng.standard_normal())
        game = SelfPlay(with_normalisers(config, normalisers), options.colors, options.seed, rules, options.dealer)
        seen = game.play(options.pieces // 10)
        if misfit(seen) < 2000:  # normalisers with a large misfit aren't played to the end
            seen = game.play(options.pieces - options.pieces // 10)
        trial: dict[str, Any] = {"misfit": round(misfit(seen), 3), "normalisers": normalisers, "seen": str(seen)}
        with options.log.open("a", encoding="utf-8") as log:
            log.write(json.dumps(trial) + "\n")
        if not trials or float(trial["misfit"]) < min(float(other["misfit"]) for other in trials):
            values = ", ".join(f"{metric} {normalisers[metric]:.4g}" for metric in METRICS)
            print(f"{number}: misfit {trial['misfit']}: {values}\n    {seen}", flush=True)
        trials.append(trial)


if __name__ == "__main__":
    interrupts.run(main)

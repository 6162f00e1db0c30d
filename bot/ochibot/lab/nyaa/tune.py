"""Tunes the weights of the Pochi & Nyaa player by matches against itself.

    python -m ochibot.lab.nyaa.tune --seed 1 --generations 20 --state runs/nyaa_tune.json --write tuned.yaml

An evolution strategy with a step size for each weight (Ros and Hansen 2008, "A simple modification in CMA-ES achieving
linear time and space complexity"). In each generation all candidates play the same deals from both seats, against the
start and against the strategy's mean; the score of a candidate is its mean ``margin``. The state is kept after every
generation, and a later call with the same state goes on as if it hadn't been interrupted.
"""

from __future__ import annotations

import argparse
import json
import math
import sys
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Final

import numpy as np
import numpy.typing as npt
import yaml

from ochibot import interrupts
from ochibot.errors import ConfigError, OutputError, UsageError
from ochibot.lab.nyaa.arena import RULES
from ochibot.lab.nyaa.match import deal_of, margin, play_match
from ochibot.leftovers import whole_file
from ochibot.nyaa.rules.file import load_rules
from ochibot.nyaa.rules.profile import Rules
from ochibot.nyaa.search.engine import prepare
from ochibot.nyaa.search.metrics import METRICS
from ochibot.nyaa.search.player import BY_HAND, NyaaPlayerConfig, NyaaWeights, load_nyaa_player
from ochibot.nyaa.search.twoply import NyaaPlayer
from ochibot.report import check_target, write_json

Vector = npt.NDArray[np.float64]

_N: Final = len(METRICS)
_LEAST_SCALE: Final = 0.1
_MOST_PIECES: Final = 150


@dataclass
class State:
    """The strategy between two generations. start, scale: the weights it began with, and the unit of each. mean, in
    these units from 0, and the rest: of the strategy. history: of each generation its scores, best first.
    """

    seed: int
    candidates: int
    games: int
    max_pieces: int
    start: list[float]
    scale: list[float]
    mean: list[float] = field(default_factory=lambda: [0.0] * _N)
    sigma: float = 0.4
    variances: list[float] = field(default_factory=lambda: [1.0] * _N)
    path: list[float] = field(default_factory=lambda: [0.0] * _N)
    step_path: list[float] = field(default_factory=lambda: [0.0] * _N)
    history: list[list[float]] = field(default_factory=list)

    @property
    def generation(self) -> int:
        """How many there were."""
        return len(self.history)

    def config(self, at: Sequence[float] | Vector, name: str, provenance: str = "") -> NyaaPlayerConfig:
        """The player at a point."""
        weights = np.array(self.start) + np.array(self.scale) * np.array(at)
        rounded = {metric: float(f"{weight:.4g}") for metric, weight in zip(METRICS, weights.tolist(), strict=True)}
        return NyaaPlayerConfig(name=name, weights=NyaaWeights(**rounded), provenance=provenance)


def begin(start: NyaaPlayerConfig, seed: int, candidates: int, games: int, max_pieces: int) -> State:
    """A strategy that begins at a player."""
    factors = list(start.weights.factors)
    return State(seed, candidates, games, max_pieces, factors, [max(abs(f), _LEAST_SCALE) for f in factors])


def score(state: State, at: Vector, rules: Rules) -> float:
    """The mean margin of a point over the generation's games: against the start, and against the strategy's mean."""
    candidate = NyaaPlayer(state.config(at, "candidate"), rules)
    others = (
        NyaaPlayer(state.config([0.0] * _N, "start"), rules),
        NyaaPlayer(state.config(state.mean, "mean"), rules),
    )
    total = 0.0
    for number in range(state.games):
        seat = 1 + number % 2
        other = others[number // 2 % 2]
        deal = deal_of(state.seed + 7919 * (state.generation + 1), number)
        sides = (candidate, other) if seat == 1 else (other, candidate)
        total += margin(play_match(deal, sides, rules, max_pieces=state.max_pieces), seat)
    return total / state.games


def advance(state: State, rules: Rules) -> None:
    """One generation."""
    random = np.random.default_rng((state.seed, state.generation))
    mean, variances = np.array(state.mean), np.array(state.variances)
    steps = random.standard_normal((state.candidates, _N)) * np.sqrt(variances)
    scores = [score(state, mean + state.sigma * step, rules) for step in steps]
    ranked = sorted(range(state.candidates), key=lambda i: (-scores[i], i))
    half = state.candidates // 2
    shares = np.log(half + 0.5) - np.log(np.arange(1, half + 1))
    shares /= shares.sum()
    effective = 1.0 / float((shares**2).sum())
    best = steps[ranked[:half]]
    step = shares @ best
    # the learning rates of the paper, which for step sizes alone are larger than those of the full method
    slow = (4 + effective / _N) / (_N + 4 + 2 * effective / _N)
    fast = (effective + 2) / (_N + effective + 5)
    one = 2 / ((_N + 1.3) ** 2 + effective)
    many = min(1 - one, 2 * (effective - 2 + 1 / effective) / ((_N + 2) ** 2 + effective))
    one, many = min(0.5, one * (_N + 2) / 3), min(0.4, many * (_N + 2) / 3)
    damping = 1 + 2 * max(0.0, math.sqrt((effective - 1) / (_N + 1)) - 1) + fast
    length = math.sqrt(_N) * (1 - 1 / (4 * _N) + 1 / (21 * _N**2))
    whitened = step / np.sqrt(variances)
    step_path = (1 - fast) * np.array(state.step_path) + math.sqrt(fast * (2 - fast) * effective) * whitened
    norm = float(np.linalg.norm(step_path))
    steady = norm / math.sqrt(1 - (1 - fast) ** (2 * (state.generation + 1))) < (1.4 + 2 / (_N + 1)) * length
    path = (1 - slow) * np.array(state.path) + steady * math.sqrt(slow * (2 - slow) * effective) * step
    state.variances = ((1 - one - many) * variances + one * path**2 + many * (shares @ best**2)).tolist()
    state.mean = (mean + state.sigma * step).tolist()
    state.sigma *= math.exp(min(1.0, fast / damping * (norm / length - 1)))
    state.path, state.step_path = path.tolist(), step_path.tolist()
    state.history.append([round(scores[i], 4) for i in ranked])


def load(path: Path, like: State) -> State:
    """The kept state. Raises ConfigError when it isn't one, or of another start, seed or size than ``like``."""
    try:
        state = State(**json.loads(path.read_text(encoding="utf-8")))
    except (OSError, ValueError, TypeError) as error:
        raise ConfigError(f"{path} is not a state of the tuner: {error}; give another file") from error
    same = ("seed", "candidates", "games", "max_pieces", "start")
    if differs := [name for name in same if getattr(state, name) != getattr(like, name)]:
        raise ConfigError(f"{path} was begun with another {differs[0]}: give another file, or the same options")
    return state


def write_player(path: Path, config: NyaaPlayerConfig) -> None:
    """Writes a player file. Raises OutputError."""
    text = yaml.safe_dump(config.model_dump(), sort_keys=False, allow_unicode=True, width=110)
    try:
        with whole_file(path) as partial:
            partial.write_text(text, encoding="utf-8")
    except OSError as error:
        raise OutputError(f"can't write {path}: {error.strerror}; give another path") from error


def main(arguments: list[str] | None = None) -> None:
    """The command."""
    parser = argparse.ArgumentParser(prog="python -m ochibot.lab.nyaa.tune", description=__doc__)
    parser.add_argument("--player", type=Path, help="where to begin; by default weights chosen by hand")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--generations", type=int, default=20, help="in all, those of a kept state included")
    parser.add_argument("--candidates", type=int, default=12, help="in each generation")
    parser.add_argument("--games", type=int, default=16, help="of each candidate, a multiple of 4")
    parser.add_argument("--max-pieces", type=int, default=_MOST_PIECES, help="a longer game is a draw")
    parser.add_argument("--state", type=Path, default=Path("runs/nyaa_tune.json"))
    parser.add_argument("--write", type=Path, help="write the tuned player there")
    parser.add_argument("--json", metavar="FILE", help="write the report there (- for stdout)")
    options = parser.parse_args(arguments)
    if options.candidates < 4 or options.games < 4 or options.games % 4:
        raise UsageError("the tuner needs at least 4 candidates, and games in fours (two opponents, two seats)")
    for target in (options.json, options.state, options.write):
        check_target(target)
    start = load_nyaa_player(options.player) if options.player else BY_HAND
    state = begin(start, options.seed, options.candidates, options.games, options.max_pieces)
    if options.state.exists():
        state = load(options.state, state)
    rules = load_rules(RULES)
    prepare()
    said = sys.stderr if options.json == "-" else sys.stdout
    while state.generation < options.generations:
        advance(state, rules)
        write_json(asdict(state), options.state)
        best, middle = state.history[-1][0], float(np.mean(state.history[-1]))
        text = f"generation {state.generation}: best {best:+.3f}, mean {middle:+.3f}, step size {state.sigma:.3f}"
        print(text, file=said, flush=True)
    command = (
        f"python -m ochibot.lab.nyaa.tune --seed {options.seed} --generations {state.generation} --candidates "
        f"{options.candidates} --games {options.games} --max-pieces {options.max_pieces}"
    )
    tuned = state.config(state.mean, "nyaa", f"tuned from the player {start.name!r} by: {command}")
    if options.write:
        write_player(options.write, tuned)
    write_json({**asdict(state), "tuned": tuned.model_dump()}, options.json)


if __name__ == "__main__":
    interrupts.run(main)

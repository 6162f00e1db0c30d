"""An agent that learns by itself to value fields: docs/agent.md.

The value of a placement is a weighted sum of what can be counted on the field that it leads to. The weights are found
by the cross-entropy method, as Szita and Lorincz (2006) did for Tetris: each round draws weights around those that were
best, plays matches against the greedy player with all of them, and keeps the ones that won most. Nobody says which
counts are good.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from ochibot.puyo.rules.file import load_rules
from ochibot.puyo.rules.resolve import place
from ochibot.puyo.search import placements
from ochibot.puyo.sim.many import LOCKS, ManyGames

Array = npt.NDArray[np.float32]

COUNTS = {  # what is counted, and how much of it is usual
    "points, as a logarithm": 4,
    "thousands of points": 1,
    "puyos of one colour side by side": 8,
    "above one another": 8,
    "diagonally": 8,
    "in a row with one between": 8,
    "in a column with another colour between": 8,
    "highest column": 4,
    "third column": 4,
    "steps between columns": 8,
    "columns at the edges": 8,
    "puyos": 20,
}
USUAL = np.array(list(COUNTS.values()), np.float32)
GREEDY = np.array([[100, *[0] * 6, -1, 0, 0, 0, -0.01]], np.float32)
"""The greedy player (``ochibot.lab.opponents.Greedy``) as weights: points, then low columns, then few puyos."""


def counted(planes: npt.NDArray[np.uint8], points: npt.NDArray[np.float64]) -> Array:
    """The counts of n fields, (n, counts). planes: (n, planes, rows, columns). points: the placement's, (n,)."""
    packed = np.packbits(planes, axis=-2, bitorder="little").astype(np.uint16)
    columns = packed[..., 0, :] | (packed[..., 1, :] << 8)  # a number for each column, bit 0 is its top row
    colors, filled = columns[:, :-1], np.bitwise_or.reduce(columns, axis=1)
    left, right = colors[..., :-1], colors[..., 1:]
    heights = np.bitwise_count(filled).astype(np.float32)

    def count(bits: Any) -> Any:
        return np.bitwise_count(bits).sum(axis=(1, 2), dtype=np.float32)

    lines = count(left & right), count(colors & (colors << 1))
    diagonals = count(left & (right << 1)) + count(right & (left << 1))
    between = count(colors[..., :-2] & colors[..., 2:]), count(colors & (colors << 2) & ~(colors << 1))
    steps = np.abs(np.diff(heights, axis=1)).sum(axis=1)
    shape = heights.max(axis=1), heights[:, 2], steps, heights[:, 0] + heights[:, 5], heights.sum(axis=1)
    counts = (np.log1p(points), points / 1000, *lines, diagonals, *between, *shape)
    return np.stack(counts, axis=1).astype(np.float32) / USUAL


def lock(batch: ManyGames, weights: Array) -> None:
    """Locks a pair in each game, where the candidate's value is highest. weights: (candidates, counts)."""
    after, games = batch.look_ahead(), batch.count // len(weights)
    counts = counted(after.planes.reshape(-1, *after.planes.shape[2:]), after.points.reshape(-1))
    values = np.einsum("cnf,cf->cn", counts.reshape(len(weights), games * LOCKS, -1), weights)
    values = np.where(after.over, -1e9, values.reshape(-1, LOCKS))
    batch.step(np.where(batch.masks.any(axis=1), values.argmax(axis=1), 0))


def play(weights: Array, games: int, locks: int, first_seed: int) -> Array:
    """Matches against greedy play, (candidates, games): 1 for a win, 0 for a loss, and up to 0.1 for lasting long."""
    rules, count = load_rules("famicom"), len(weights) * games
    sides = [ManyGames(count, rules, source="uniform", planes=False) for _ in range(2)]
    for side in sides:
        for number in range(count):
            side.seed(number, first_seed + number % games)
        side.begin()
    result, going, points = np.full(count, 0.5), np.ones(count, np.bool_), np.zeros((2, count))
    for turn in range(locks):
        for side, mind, have in zip(sides, (weights, GREEDY), points, strict=True):
            lock(side, mind)
            have += side.rewards
        for side, have in zip(sides, points[::-1], strict=True):
            side.drop(np.minimum(have // 70, 30))  # 70 points send one nuisance, of which 30 fall at most
            have %= 70
        lost, won = sides[0].terminated & going, sides[1].terminated & going
        result[lost | won] = (0.5 + (won.astype(float) - lost) / 2 + 0.1 * turn / locks)[lost | won]
        going &= ~(lost | won)
        if not going.any():
            break
    return result.reshape(len(weights), games).astype(np.float32)


def learn(seed: int, rounds: int, run: Callable[..., Iterable[Array]] = map) -> dict[str, Any]:
    """Learns: the weights and the curve of wins on held-out deals. ``run``: calls ``play`` for lists, like map."""
    random = np.random.default_rng(seed)
    mean, spread = np.zeros(len(COUNTS), np.float32), np.ones(len(COUNTS), np.float32)
    began, curve = time.process_time(), []
    for number in range(rounds + 1):
        if number % 5 == 0:
            seeds = [(1 << 40) + 64 * part for part in range(4)]
            held = np.concatenate(list(run(play, [mean[None]] * 4, [64] * 4, [150] * 4, seeds)), axis=1)
            won = float((held >= 1).mean())
            curve.append({"round": number, "won": won, "seconds": round(time.process_time() - began, 1)})
            print(f"round {number}: {won:.1%} won, {curve[-1]['seconds']:.0f} s of processor time", flush=True)
        drawn = (mean + spread * random.standard_normal((48, len(COUNTS)))).astype(np.float32)
        played = run(play, np.split(drawn, 4), [16] * 4, [60] * 4, [(seed << 20) + 16 * number] * 4)
        best = drawn[np.argsort(-np.concatenate(list(played)).mean(axis=1))[:8]]
        mean, spread = best.mean(axis=0), best.std(axis=0) + max(0.3 - number / 100, 0.02)
    return {"seed": seed, "curve": curve, "weights": dict(zip(COUNTS, mean.tolist(), strict=True))}


class Learned:
    """The agent as a player."""

    def __init__(self, rules: Any, weights: Path | None = None) -> None:
        self._rules = rules
        learnt = json.loads((weights or Path(__file__).with_name("weights.json")).read_text(encoding="utf-8"))
        self._weights = np.array(list(learnt["weights"].values()), np.float32)

    def choose(self, snapshot: Any) -> Any:
        """The placement of the most value; None if there is none."""
        found = placements(snapshot.field, snapshot.pair, self._rules, snapshot.state)
        outcomes = [place(snapshot.field, snapshot.pair, one, self._rules) for one in found]
        if not found:
            return None
        planes = np.array([[one.field.cells == code for code in range(1, 8)] for one in outcomes], np.uint8)
        values = counted(planes, np.array([one.score for one in outcomes], np.float64)) @ self._weights
        return found[int(np.where([one.game_over for one in outcomes], -1e9, values).argmax())]


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("-o", "--output", type=Path, default=Path("weights.json"))
    parser.add_argument("--scheduler", help="of a Dask cluster, whose workers play the games")
    options = parser.parse_args()
    run: Callable[..., Iterable[Array]] = map
    if options.scheduler:
        from dask.distributed import Client

        run = lambda play, *lists, to=Client(options.scheduler): to.gather(to.map(play, *lists))  # noqa: B008, E731
    learnt = learn(options.seed, options.rounds, run)
    options.output.write_text(json.dumps(learnt, indent=1) + "\n")

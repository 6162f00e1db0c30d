"""Fits the weights of a chance model, with hidden units or without, and measures its predictions.

Numbers only: no game, no player. ``ochibot.falling.chance.ChanceModel`` is the model with hidden units.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from ochibot.falling.chance import ChanceModel, Floats

STAGES: Final = 6
"""A match is looked at after each sixth of its decisions, except at its end."""
BINS: Final = 10
CONSTANT: Final = 0.25
"""The Brier score of always saying one half."""
_SWEEPS: Final = 100
_CLOSE: Final = 1e-6
_MOST: Final = 100.0
"""No weight of a scaled feature becomes larger."""


def fit(differences: Floats, won: Floats, shares: Floats, penalty: float) -> Floats:
    """The weights, at least 0, that make the outcomes most probable.

    won: 1 where the first side won, else 0. shares: how much each row counts. penalty: times half the sum of the
    squared weights, of features scaled to a deviation of 1, is subtracted from the mean logarithm of the probability.
    The weights are improved one after the other, in their order, until none changes: equal rows give equal weights.
    """
    scale = np.sqrt(np.average(differences**2, axis=0, weights=shares))
    used = scale > _CLOSE
    columns = [np.ascontiguousarray(column) for column in (differences[:, used] / scale[used]).T]
    part = shares / shares.sum()
    weights, total = np.zeros(len(columns)), np.zeros(len(won))
    for _ in range(_SWEEPS):
        change = 0.0
        for k, column in enumerate(columns):
            chance = 1 / (1 + np.exp(-np.clip(total, -700, 700)))
            slope = float(np.sum(part * (won - chance) * column)) - penalty * weights[k]
            # a quarter bounds the curvature from above, so that no step makes the fit worse
            bend = 0.25 * float(np.sum(part * column * column)) + penalty
            new = min(max(weights[k] + slope / bend, 0.0), _MOST)
            if new != weights[k]:
                total += (new - weights[k]) * column
                change = max(change, abs(new - weights[k]))
                weights[k] = new
        if change < _CLOSE:
            break
    found = np.zeros(len(scale))
    found[used] = weights / scale[used]
    return found


def brier(chances: Floats, won: Floats) -> float:
    """The mean squared error of the chances."""
    return float(np.mean((chances - won) ** 2))


def calibration(chances: Floats, won: Floats, shares: Floats) -> tuple[float, list[dict[str, Any]]]:
    """The expected calibration error in ten bins, and the bins: (from, to, share of all, mean chance, share won).

    Each row counts for both sides, so the bins of p and of 1 - p are mirror images.
    """
    both = np.concatenate((chances, 1 - chances))
    outcome, part = np.concatenate((won, 1 - won)), np.concatenate((shares, shares))
    part = part / part.sum()
    place = np.minimum((both * BINS).astype(int), BINS - 1)
    bins: list[dict[str, Any]] = []
    error = 0.0
    for number in range(BINS):
        inside = place == number
        weight = float(part[inside].sum())
        if weight <= 0:
            continue
        said = float((part[inside] * both[inside]).sum() / weight)
        came = float((part[inside] * outcome[inside]).sum() / weight)
        error += weight * abs(said - came)
        bins.append({"from": number / BINS, "to": (number + 1) / BINS, "share": weight, "chance": said, "won": came})
    return error, bins


_ROUNDS: Final = 20
_BATCH: Final = 256
_RATE: Final = 0.004
_PENALTY: Final = 0.0003
_SEED: Final = 1
_LEAST: Final = 1e-6


def fit_hidden(own: Floats, other: Floats, won: Floats, shares: Floats, units: int) -> ChanceModel:
    """The model with so many hidden units that makes the outcomes most probable.

    own, other: the features of both sides. won, shares: as for ``fit``. The steps are Adam's (Kingma and Ba, 2015) on
    batches of rows, with rates that fall to 0. After each step, the weights that must not be below 0 are raised to 0.
    """
    random = np.random.default_rng(_SEED)
    both = np.vstack((own, other))
    middle, scale = both.mean(axis=0), np.maximum(both.std(axis=0), _LEAST)
    one, two = (own - middle) / scale, (other - middle) / scale
    count = own.shape[1]
    size = 0.35 / np.sqrt(2 * count)
    up, down = (np.abs(random.normal(0, size, (count, units))) for _ in range(2))
    values = [np.zeros(count), up, down, random.normal(0, 2 * size, units), np.full(units, 0.1)]
    free = 3  # the index of the biases, the only values that may be below 0
    means, squares = [np.zeros_like(value) for value in values], [np.zeros_like(value) for value in values]
    part, steps = shares / shares.mean(), 0
    for turn in range(_ROUNDS):
        order = random.permutation(len(won))
        for begin in range(0, len(won), _BATCH):
            rows = order[begin : begin + _BATCH]
            slopes = _slopes(values, one[rows], two[rows], won[rows], part[rows])
            steps += 1
            rate = _RATE * (1 - turn / _ROUNDS)
            for k, slope in enumerate(slopes):
                means[k] = 0.9 * means[k] + 0.1 * slope
                squares[k] = 0.999 * squares[k] + 0.001 * slope**2
                size_now = np.sqrt(squares[k] / (1 - 0.999**steps)) + 1e-8
                values[k] = values[k] - rate * means[k] / (1 - 0.9**steps) / size_now
                if k != free:
                    values[k] = np.maximum(values[k], 0)
    weights, up, down, bias, sizes = values
    up, down = up / scale[:, None], down / scale[:, None]
    return ChanceModel(weights / scale, up, down, bias - middle @ up + middle @ down, sizes)


def _slopes(values: list[Floats], one: Floats, two: Floats, won: Floats, part: Floats) -> list[Floats]:
    """How the mean penalised loss of these rows changes with each value."""
    weights, up, down, bias, sizes = values
    here, there = np.tanh(one @ up - two @ down + bias), np.tanh(two @ up - one @ down + bias)
    lead = (one - two) @ weights + (here - there) @ sizes
    miss = part * (1 / (1 + np.exp(-np.clip(lead, -700, 700))) - won) / len(won)
    first, second = np.outer(miss, sizes) * (1 - here**2), np.outer(miss, sizes) * (1 - there**2)
    return [
        (one - two).T @ miss + _PENALTY * weights,
        one.T @ first - two.T @ second + _PENALTY * up,
        one.T @ second - two.T @ first + _PENALTY * down,
        first.sum(axis=0) - second.sum(axis=0),
        (here - there).T @ miss + 0.1 * _PENALTY * sizes,
    ]

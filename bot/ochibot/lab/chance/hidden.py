"""Fits a chance model with hidden units (``ochibot.falling.chance.ChanceModel``) to outcomes."""

from __future__ import annotations

from typing import Final

import numpy as np

from ochibot.falling.chance import ChanceModel, Floats

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

"""Fits the weights of a chance model, and measures its predictions. Numbers only: no game, no player."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]

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

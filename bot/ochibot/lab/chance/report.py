"""Fits a chance model to a run's matches, measures it on those held out, and writes its file."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any, Final

import numpy as np
import yaml

from ochibot.errors import UsageError
from ochibot.falling.chance import ChanceModel, Floats
from ochibot.lab.chance.fit import CONSTANT, STAGES, calibration, fit, fit_hidden
from ochibot.lab.chance.matches import MatchMoments, MatchPlan, moments, sides_of
from ochibot.leftovers import written

PENALTY: Final = 0.01
"""How strongly large weights are avoided (``ochibot.lab.chance.fit.fit``)."""
_DIGITS: Final = 4
_ELAPSED: Final = (0, 10, 20, 40, 80, 160, 320, 10_000)
_LEAST: Final = 1e-4
"""Smaller weights are left out, as 0."""


def fitted(plan: MatchPlan, results: Mapping[int, Mapping[str, Any]], penalty: float, units: int) -> dict[str, Any]:
    """The entries of a file of weights that are fitted, rounded. ``units``: how many hidden units.

    Raises UsageError if no match was decided.
    """
    sides = sides_of(plan.table)
    seen = moments(sides, plan, results, held=False)
    if not len(seen.won):
        raise UsageError("no match was decided: play more matches, or longer ones (--max-pieces)")
    if units:
        model = fit_hidden(seen.own, seen.other, seen.won, seen.shares, units)
    else:
        model = ChanceModel.plain(fit(seen.own - seen.other, seen.won, seen.shares, penalty))
    return entries(model, sides.names)


def entries(model: ChanceModel, names: Sequence[str]) -> dict[str, Any]:
    """A model as the entries of its file. ``names``: those of the features."""
    hidden = [
        {
            "weight": _rounded(float(weight)),
            "bias": float(f"{bias:.{_DIGITS}g}"),
            "own": _named(own, names),
            "other": _named(other, names),
        }
        for weight, bias, own, other in zip(model.units, model.bias, model.own.T, model.other.T, strict=True)
    ]
    weights = {name: _rounded(float(weight)) for name, weight in zip(names, model.weights, strict=True)}
    return {"weights": weights, "hidden": hidden}


def _named(weights: Floats, names: Sequence[str]) -> dict[str, float]:
    rounded = {name: _rounded(float(weight)) for name, weight in zip(names, weights, strict=True)}
    return {name: weight for name, weight in rounded.items() if weight}


def _rounded(weight: float) -> float:
    return float(f"{weight:.{_DIGITS}g}") if weight >= _LEAST else 0.0


def measured(plan: MatchPlan, results: Mapping[int, Mapping[str, Any]], model: ChanceModel) -> dict[str, Any]:
    """What the model is worth on the matches held out, as plain values."""
    sides = sides_of(plan.table)
    seen = moments(sides, plan, results, held=True)
    if not len(seen.won):
        raise UsageError("no match that is held out was decided: play more of them (--held)")
    chances = model.chances(seen.own, seen.other)
    error, bins = calibration(chances, seen.won, seen.shares)
    everything = np.ones(len(seen.won), bool)
    return {
        "game": plan.table.game,
        "rules": plan.table.rules.name,
        "seed": plan.seed,
        "held_seed": plan.held_seed,
        "matches": {"fitted": plan.sizes.games * len(plan.players), "held": plan.sizes.held * len(plan.players)},
        "constant": CONSTANT,
        "stages": _stages(seen, chances, everything),
        "elapsed": _elapsed(seen, chances),
        "calibration": _short(error),
        "reliability": [{key: _short(value) for key, value in one.items()} for one in bins],
        "players": [
            {
                "name": player.name,
                "decided": int(seen.matches[number]),
                "stages": _stages(seen, chances, seen.player == number),
                "calibration": _calibration(seen, chances, seen.player == number),
            }
            for number, player in enumerate(plan.players)
        ],
        **entries(model, sides.names),
    }


def _stages(seen: MatchMoments, chances: Floats, chosen: Any) -> list[dict[str, Any]]:
    """For each sixth of the matches, the Brier score with its 95 % interval."""
    found = []
    for sixth in range(1, STAGES + 1):
        rows = seen.stages[sixth][chosen[seen.stages[sixth]]]
        if not len(rows):
            continue
        errors = (chances[rows] - seen.won[rows]) ** 2
        mean = float(np.mean(errors))
        apart = 1.96 * float(np.std(errors)) / len(rows) ** 0.5
        found.append(
            {"sixth": sixth, "brier": _short(mean), "low": _short(max(0.0, mean - apart)), "high": _short(mean + apart)}
        )
    return found


def _elapsed(seen: MatchMoments, chances: Floats) -> list[dict[str, Any]]:
    """The Brier score by how many decisions a match has had so far, which a viewer knows, unlike its stage."""
    found = []
    for low, high in pairwise(_ELAPSED):
        rows = (seen.number >= low) & (seen.number < high)
        if not rows.any():
            continue
        errors = (chances[rows] - seen.won[rows]) ** 2
        part = float(seen.shares[rows].sum() / seen.shares.sum())
        found.append(
            {"from": low, "share": _short(part), "brier": _short(float(np.average(errors, weights=seen.shares[rows])))}
        )
    return found


def _calibration(seen: MatchMoments, chances: Floats, chosen: Any) -> float | None:
    if not chosen.any():
        return None
    return _short(calibration(chances[chosen], seen.won[chosen], seen.shares[chosen])[0])


def _short(value: float) -> float:
    return round(value, 4)


def write_weights(path: Path, name: str, family: str, values: Mapping[str, Any], provenance: str) -> None:
    """Writes a file with these entries (``ochibot.falling.chance.ChanceFile``). Raises OutputError."""
    data = {
        "kind": "chance",
        "name": name,
        "family": family,
        **values,
        "provenance": {"weights": provenance},
    }
    with written(path, "", "give another folder") as partial:
        partial.write_text(yaml.safe_dump(data, sort_keys=False, width=120, default_flow_style=None), encoding="utf-8")

"""The chance of winning a match of two seats: a model of what a viewer sees of both sides.

A family lists its features (``ochibot.puyo.chance``, ``ochibot.nyaa.chance``). A feature is a number for one side
facing the other, and more of it is never worse for that side. A side's lead, in log odds, is the weighted sum of its
features less the other side's, and of what hidden units find. All weights are at least 0. So swapping the sides turns
a chance p into 1 - p, and a chance never rises where all features of a side fall and none of the other side does.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Literal

import numpy as np
import numpy.typing as npt
from pydantic import Field

from ochibot.errors import ConfigError
from ochibot.yamlfile import Finite, Name, load_model

Floats = npt.NDArray[np.float64]
Weight = Annotated[float, Field(ge=0, le=1_000)]
Weights = Annotated[dict[str, Weight], Field(max_length=100)]


class UnitEntry(Finite):
    """A hidden unit in a file. It rises with the features ``own`` of a side and falls with those of the other side."""

    weight: Weight
    bias: Annotated[float, Field(ge=-1_000, le=1_000)]
    own: Weights
    other: Weights


class ChanceFile(Finite):
    """A file of weights. family: the family whose features they weigh. weights: by the features' names. hidden: units,
    if any; features that a unit doesn't name have no weight there. provenance: the command that made the file, and
    what was measured.
    """

    kind: Literal["chance"]
    name: Name
    family: Name
    weights: Weights
    hidden: Annotated[tuple[UnitEntry, ...], Field(max_length=64)] = ()
    provenance: Annotated[dict[str, str], Field(default_factory=dict)]


@dataclass(frozen=True, eq=False)
class ChanceModel:
    """The weights of a family's features, in the features' order.

    weights: of a side's features less the other side's. own, other, bias, units: the hidden units, one a column. A
    unit is the hyperbolic tangent of its bias, plus the weighted features of a side, less those of the other side.
    ``units`` are their weights.
    """

    weights: Floats
    own: Floats
    other: Floats
    bias: Floats
    units: Floats

    @classmethod
    def plain(cls, weights: Sequence[float] | Floats) -> ChanceModel:
        """A model without hidden units."""
        none = np.zeros((len(weights), 0))
        return cls(np.asarray(weights, np.float64), none, none, np.zeros(0), np.zeros(0))

    def leads(self, own: Floats, other: Floats) -> Floats:
        """The log odds of the sides with the features ``own`` against those with ``other``, a row for each position."""
        here = np.tanh(own @ self.own - other @ self.other + self.bias)
        there = np.tanh(other @ self.own - own @ self.other + self.bias)
        found: Floats = (own - other) @ self.weights + (here - there) @ self.units
        return found

    def chances(self, own: Floats, other: Floats) -> Floats:
        """The chances of these sides, between 0 and 1."""
        lead = np.clip(self.leads(own, other), -700, 700)
        # the exponent is never above 0: 1 - p is exactly what the other side gets
        upper = 1 / (1 + np.exp(-np.abs(lead)))
        return np.where(lead < 0, 1 - upper, upper)

    def chance(self, own: Sequence[float] | Floats, other: Sequence[float] | Floats) -> float:
        """The chance of the side with the features ``own`` against one with ``other``."""
        return float(self.chances(np.array([own], np.float64), np.array([other], np.float64))[0])


def model_of(file: ChanceFile, features: Sequence[str], where: str) -> ChanceModel:
    """The model of a file. ``where``: the file, for messages.

    Raises ConfigError when a feature has no weight, or a weight has no feature.
    """
    if missing := [name for name in features if name not in file.weights]:
        raise ConfigError(f"{where}: weights.{missing[0]} is missing; give one for each of {len(features)} features")
    _check(file.weights, features, f"{where}: weights")
    for number, unit in enumerate(file.hidden):
        _check(unit.own, features, f"{where}: hidden.{number}.own")
        _check(unit.other, features, f"{where}: hidden.{number}.other")
    return ChanceModel(
        np.array([file.weights[name] for name in features]),
        _columns([unit.own for unit in file.hidden], features),
        _columns([unit.other for unit in file.hidden], features),
        np.array([unit.bias for unit in file.hidden], np.float64),
        np.array([unit.weight for unit in file.hidden], np.float64),
    )


def _check(weights: Mapping[str, float], features: Sequence[str], where: str) -> None:
    if strange := [name for name in weights if name not in features]:
        raise ConfigError(f"{where}.{strange[0]} is no feature; give {', '.join(features)}")


def _columns(units: Sequence[Mapping[str, float]], features: Sequence[str]) -> Floats:
    return np.array([[unit.get(name, 0.0) for unit in units] for name in features], np.float64)


def load_chance(path: Path | str, family: str, features: Sequence[str]) -> ChanceModel:
    """Reads a file of weights (YAML) for a family with these features. Raises ConfigError naming the file, the entry
    and the reason.
    """
    file = load_model(Path(path), ChanceFile, "a file of weights for chances", ConfigError)
    if file.family != family:
        raise ConfigError(f"{path}: family: is {file.family}, but the match is of {family}; give a file for {family}")
    return model_of(file, features, str(path))

"""The chance of winning a match of two seats: a logistic model on what a viewer sees of both sides.

A family lists its features (``ochibot.puyo.chance``, ``ochibot.nyaa.chance``). A feature is a number for one side
facing the other, and more of it is never worse for that side. The model takes the difference of both sides' features.
Its weights are at least 0. So swapping the sides turns a chance p into 1 - p, and a chance never rises where all
features of a side fall.
"""

from __future__ import annotations

import math
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


class ChanceFile(Finite):
    """A file of weights. family: the family whose features they weigh. weights: by the features' names. provenance: the
    command that made the file, and what was measured.
    """

    kind: Literal["chance"]
    name: Name
    family: Name
    weights: Annotated[dict[str, Weight], Field(max_length=100)]
    provenance: Annotated[dict[str, str], Field(default_factory=dict)]


@dataclass(frozen=True)
class ChanceModel:
    """The weights of a family's features, in the features' order."""

    weights: tuple[float, ...]

    def chance(self, difference: Sequence[float] | Floats) -> float:
        """The chance of the side whose features less the other side's are ``difference``. It lies between 0 and 1."""
        total = math.fsum(weight * float(value) for weight, value in zip(self.weights, difference, strict=True))
        # both branches keep the exponent below 0, so that nothing overflows and 1 - p is what the other side gets
        if total < 0:
            return 1.0 - self._upper(-total)
        return self._upper(total)

    @staticmethod
    def _upper(total: float) -> float:
        return 1.0 / (1.0 + math.exp(-total))


def model_of(weights: Mapping[str, float], features: Sequence[str], where: str) -> ChanceModel:
    """The model with these weights. ``where``: what gives the weights, for messages.

    Raises ConfigError when a feature has no weight, or a weight has no feature.
    """
    if missing := [name for name in features if name not in weights]:
        raise ConfigError(f"{where}: weights.{missing[0]} is missing; give one for each of {len(features)} features")
    if strange := [name for name in weights if name not in features]:
        raise ConfigError(f"{where}: weights.{strange[0]} is no feature; give {', '.join(features)}")
    return ChanceModel(tuple(float(weights[name]) for name in features))


def load_chance(path: Path | str, family: str, features: Sequence[str]) -> ChanceModel:
    """Reads a file of weights (YAML) for a family with these features. Raises ConfigError naming the file, the entry
    and the reason.
    """
    file = load_model(Path(path), ChanceFile, "a file of weights for chances", ConfigError)
    if file.family != family:
        raise ConfigError(f"{path}: family: is {file.family}, but the match is of {family}; give a file for {family}")
    return model_of(file.weights, features, str(path))

"""Player files: the weights of the evaluation and the normalisers that make its metrics comparable."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

from pydantic import BeforeValidator, Field, PositiveFloat, model_validator

from ochibot.errors import ConfigError
from ochibot.puyo.search.metrics import METRICS, REWARDS
from ochibot.yamlfile import Name, Strict, load_model, whole

_MOST = 1e6
"""The most weight per unit of a metric. With more, a field could be worth less than a lost game (-1e9)."""


class Weights(Strict):
    """How much each metric matters, in percent or any other common unit; 0 switches a metric off."""

    colored: Annotated[float, Field(ge=0)]
    nuisance: Annotated[float, Field(ge=0)]
    edge: Annotated[float, Field(ge=0)]
    spawn: Annotated[float, Field(ge=0)]
    consecutive: Annotated[float, Field(ge=0)]
    variance: Annotated[float, Field(ge=0)]
    links: Annotated[float, Field(ge=0)]


class Normalisers(Strict):
    """The divisor that brings each raw metric to about 0..1. On very full fields, the quotient exceeds 1."""

    colored: PositiveFloat
    nuisance: PositiveFloat
    edge: PositiveFloat
    spawn: PositiveFloat
    consecutive: PositiveFloat
    variance: PositiveFloat
    links: PositiveFloat


class Provenance(Strict):
    """Where the numbers of a player file come from."""

    weights: str
    normalisers: str
    normalisers_are: Literal["fitted", "chosen", "published"]


class PlayerConfig(Strict):
    """A player: its search depth, weights and normalisers, and where they come from.

    ``ochibot.puyo.search.metrics`` defines the metrics.
    """

    kind: Literal["two_ply"] = "two_ply"
    name: Name
    plies: Annotated[Literal[1, 2], BeforeValidator(whole)] = 2
    weights: Weights
    normalisers: Normalisers
    provenance: Provenance

    @model_validator(mode="after")
    def _stays_a_number(self) -> PlayerConfig:
        for metric, factor in zip(METRICS, self.factors, strict=True):
            if not abs(factor) <= _MOST:
                raise ValueError(f"the weight of {metric} over its normaliser is {factor:g}; keep it below {_MOST:g}")
        return self

    @property
    def factors(self) -> tuple[float, ...]:
        """The factor of each raw metric, in the order of METRICS: weight / normaliser, negative except in REWARDS."""
        weights, normalisers = self.weights.model_dump(), self.normalisers.model_dump()
        return tuple((1.0 if metric in REWARDS else -1.0) * weights[metric] / normalisers[metric] for metric in METRICS)


def load_player(path: Path | str) -> PlayerConfig:
    """Reads the player file ``path`` (YAML).

    Raises ConfigError, naming the file, the entry and the reason, when the file can't be read, lacks an entry, or has
    an unknown entry or a value that isn't allowed.
    """
    return load_model(Path(path), PlayerConfig, "a player file", ConfigError)

"""The weights that a trainer changes: their names, their initial values, and the player made of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final, Protocol

import numpy as np
import numpy.typing as npt

from ochibot.errors import UsageError
from ochibot.lab.contest.contestant import Entrant
from ochibot.nyaa.search import metrics as nyaa_metrics
from ochibot.nyaa.search.player import BY_HAND, NyaaPlayerConfig, NyaaWeights
from ochibot.puyo.search import metrics as puyo_metrics
from ochibot.puyo.search.chain.config import ChainConfig, ChainProvenance, ChainWeights
from ochibot.puyo.search.player import PlayerConfig, Provenance, Weights

Vector = npt.NDArray[np.float64]

_LEAST: Final = 0.5
"""The least initial weight of Puyo Puyo, in percent: a weight of 0 could never grow by factors."""
_LEAST_UNIT: Final = 0.1
"""A step of 1 changes a Pochi & Nyaa weight by its initial size, but at least by this much."""
_DIGITS: Final = 4
"""Significant digits of the weights in a player file."""


class Space(Protocol):
    """The weights of a family's players, as trainers see them."""

    @property
    def size(self) -> int:
        """How many weights there are."""

    def random(self, random: np.random.Generator) -> Vector:
        """Random initial weights, (size,)."""

    def at(self, point: Vector) -> Vector:
        """The weights at a point of the search space. Both are (size,).

        The point 0 stands for the initial weights. Each weight has its own axis, and a step of 1 along this axis
        changes it by about its own size.
        """

    def by_metric(self, weights: Vector) -> dict[str, float]:
        """The weights by the names of the metrics, as in a player file."""

    def player(self, weights: Vector, name: str, provenance: str) -> Any:
        """The player file's content."""

    def contestant(self, weights: Vector, name: str) -> Entrant:
        """The player with these weights, as a contestant."""


@dataclass(frozen=True)
class PuyoSpace:
    """Seven weights, none below 0. Only their ratios matter; they are written in percent."""

    start: PlayerConfig
    names: tuple[str, ...] = tuple(puyo_metrics.METRICS)

    @property
    def size(self) -> int:
        """How many weights there are."""
        return len(self.names)

    def random(self, random: np.random.Generator) -> Vector:
        """Random weights between 0 and 1."""
        return random.random(self.size)

    def at(self, point: Vector) -> Vector:
        """The weights at a point: a step of 1 multiplies a weight by e, a step of -1 divides it by e."""
        weights = self.start.weights.model_dump()
        begin = np.array([max(weights[name], _LEAST) for name in self.names], np.float64)
        found: Vector = begin * np.exp(np.clip(point, -20, 20))
        return found

    def by_metric(self, weights: Vector) -> dict[str, float]:
        """The weights by the names of the metrics, in percent of their sum."""
        return _by_metric(self.names, 100 * weights / weights.sum())

    def player(self, weights: Vector, name: str, provenance: str) -> PlayerConfig:
        """The player file's content: these weights with the initial player's normalisers."""
        before = self.start.provenance
        return PlayerConfig(
            name=name,
            plies=self.start.plies,
            weights=Weights(**self.by_metric(weights)),
            normalisers=self.start.normalisers,
            provenance=Provenance(
                weights=provenance, normalisers=before.normalisers, normalisers_are=before.normalisers_are
            ),
        )

    def contestant(self, weights: Vector, name: str) -> Entrant:
        """The player with these weights, as a contestant."""
        return Entrant(name, "two_ply", self.player(weights, name, ""))


@dataclass(frozen=True)
class NyaaSpace:
    """Twenty-one weights of either sign."""

    start: NyaaPlayerConfig
    names: tuple[str, ...] = tuple(nyaa_metrics.METRICS)

    @property
    def size(self) -> int:
        """How many weights there are."""
        return len(self.names)

    def random(self, random: np.random.Generator) -> Vector:
        """Random weights between 0 and twice those chosen by hand, so that every sign stays the same."""
        return random.random(self.size) * 2 * np.array(BY_HAND.weights.factors)

    def at(self, point: Vector) -> Vector:
        """The weights at a point: a step of 1 adds the initial weight's size, so a weight may change its sign."""
        begin = np.array(self.start.weights.factors)
        return np.asarray(begin + np.maximum(np.abs(begin), _LEAST_UNIT) * point, np.float64)

    def by_metric(self, weights: Vector) -> dict[str, float]:
        """The weights by the names of the metrics, limited to the range that a player file allows."""
        return _by_metric(self.names, np.clip(weights, -1e3, 1e3))

    def player(self, weights: Vector, name: str, provenance: str) -> NyaaPlayerConfig:
        """The player file's content."""
        by_metric = NyaaWeights(**self.by_metric(weights))
        return NyaaPlayerConfig(name=name, plies=self.start.plies, weights=by_metric, provenance=provenance)

    def contestant(self, weights: Vector, name: str) -> Entrant:
        """The player with these weights, as a contestant."""
        return Entrant(name, "nyaa_two_ply", self.player(weights, name, ""))


_PROFILE: Final = tuple(f"profile {column}" for column in range(1, 7))
_HOPES: Final = ("promise", "standing")


@dataclass(frozen=True)
class ChainSpace:
    """Seventeen numbers of a player of the kind ``beam``: its weights except ``chain`` (the unit of the others), its
    profile, and its ``promise`` and ``standing``. nodes: how many boards a decision examines in training.
    """

    start: ChainConfig
    nodes: int
    names: tuple[str, ...] = (*(name for name in ChainWeights.model_fields if name != "chain"), *_PROFILE, *_HOPES)

    @property
    def size(self) -> int:
        """How many numbers there are."""
        return len(self.names)

    def random(self, random: np.random.Generator) -> Vector:  # noqa: ARG002
        """Refuses: training such players from random numbers would take weeks. Raises UsageError."""
        raise UsageError("--method article begins with random weights, by which no chain is built: give --method cma")

    def at(self, point: Vector) -> Vector:
        """The numbers at a point: a step of 1 adds half the initial size, but at least the kind's ``_LEAST_STEP``.

        The numbers are limited: ``promise`` and ``standing`` to 0..2, the others to -1000..1000.
        """
        begin = np.array(list(self._begin().values()), np.float64)
        least = np.array([_LEAST_STEP[_kind_of(name)] for name in self.names])
        found = begin + np.maximum(np.abs(begin) / 2, least) * point
        hopes = np.array([name in _HOPES for name in self.names])
        return np.asarray(np.where(hopes, np.clip(found, 0, 2), np.clip(found, -1e3, 1e3)), np.float64)

    def by_metric(self, weights: Vector) -> dict[str, float]:
        """The numbers by their names."""
        return _by_metric(self.names, weights)

    def player(self, weights: Vector, name: str, provenance: str) -> ChainConfig:
        """The player file's content: these numbers; the rest as in the initial player."""
        numbers = self.by_metric(weights)
        kept = self.start.weights.model_dump() | {key: numbers[key] for key in numbers if _kind_of(key) == "weight"}
        hopes = {key: numbers[key] for key in _HOPES}
        return self.start.model_copy(
            update={
                "name": name,
                "weights": ChainWeights(**kept),
                "profile": [numbers[key] for key in _PROFILE],
                "deciding": self.start.deciding.model_copy(update=hopes),
                "provenance": ChainProvenance(weights=provenance),
            }
        )

    def contestant(self, weights: Vector, name: str) -> Entrant:
        """The player with these numbers as a contestant. Each decision examines ``nodes`` boards."""
        return Entrant(name, "beam", self.player(weights, name, "").model_copy(update={"nodes": self.nodes}))

    def _begin(self) -> dict[str, float]:
        weights, deciding = self.start.weights.model_dump(), self.start.deciding
        profile = dict(zip(_PROFILE, self.start.profile, strict=True))
        hopes = {"promise": deciding.promise, "standing": deciding.standing}
        every: dict[str, float] = weights | profile | hopes
        return {name: every[name] for name in self.names}


_LEAST_STEP: Final = {"weight": 1.0, "profile": 0.8, "hope": 0.1}
"""The least change of each kind of number by a step of 1 (``ChainSpace.at``). Some numbers begin at 0."""


def _kind_of(name: str) -> str:
    return "profile" if name in _PROFILE else "hope" if name in _HOPES else "weight"


def space_of(start: Entrant, nodes: int | None = None) -> Space:
    """The search space around an initial player. nodes: how many boards a decision of a ``beam`` player examines in
    training.

    Raises UsageError for a player that can't be trained.
    """
    if isinstance(start.config, ChainConfig):
        return ChainSpace(start.config, nodes or start.config.nodes)
    if isinstance(start.config, PlayerConfig):
        return PuyoSpace(start.config)
    if isinstance(start.config, NyaaPlayerConfig):
        return NyaaSpace(start.config)
    raise UsageError(
        f"the player {start.name} can't be trained: only players of the kinds two_ply, beam and nyaa_two_ply can; "
        "give the name or the file of one, such as article, chain or nyaa"
    )


def _by_metric(names: Sequence[str], weights: Vector) -> dict[str, float]:
    return {name: float(f"{weight:.{_DIGITS}g}") for name, weight in zip(names, weights.tolist(), strict=True)}

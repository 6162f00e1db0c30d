"""Player files of Pochi & Nyaa: what each metric of a leaf is worth (``ochibot.nyaa.search.metrics``)."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Final, Literal

from pydantic import BeforeValidator, Field

from ochibot.errors import ConfigError
from ochibot.nyaa.search.metrics import METRICS
from ochibot.yamlfile import Name, Strict, load_model, whole

_Worth = Annotated[float, Field(ge=-1e3, le=1e3)]
"""A weight, with its range. With larger weights, a leaf could get a lower value than a lost game."""


class NyaaWeights(Strict):
    """The factor of each metric: above 0 the player seeks it, below 0 it avoids it."""

    attack: _Worth = 0.0
    sent: _Worth = 0.0
    early: _Worth = 0.0
    pressure: _Worth = 0.0
    unanswered: _Worth = 0.0
    best: _Worth = 0.0
    second: _Worth = 0.0
    others: _Worth = 0.0
    ready: _Worth = 0.0
    threat: _Worth = 0.0
    tails: _Worth = 0.0
    mass: _Worth = 0.0
    growth: _Worth = 0.0
    buried: _Worth = 0.0
    height: _Worth = 0.0
    centre: _Worth = 0.0
    nuisance: _Worth = 0.0
    pending: _Worth = 0.0
    danger: _Worth = 0.0
    exposed: _Worth = 0.0
    locked: _Worth = 0.0

    @property
    def factors(self) -> tuple[float, ...]:
        """The weights in the order of METRICS."""
        weights = self.model_dump()
        return tuple(float(weights[metric]) for metric in METRICS)


class NyaaPlayerConfig(Strict):
    """A player: its name, how deep it searches, its weights (those not given are 0), and where they come from."""

    kind: Literal["nyaa_two_ply"] = "nyaa_two_ply"
    name: Name
    plies: Annotated[Literal[1, 2], BeforeValidator(whole)] = 2
    weights: NyaaWeights
    provenance: str


GREEDY: Final = NyaaPlayerConfig(
    name="greedy",
    weights=NyaaWeights(attack=1000, height=-1),
    provenance="chosen: the most attack at once, then the flattest grid; meant for one ply",
)
"""A simple opponent for measuring other players."""

BY_HAND: Final = NyaaPlayerConfig(
    name="by hand",
    weights=NyaaWeights(
        attack=0.2,
        sent=1,
        early=0.1,
        pressure=0.5,
        unanswered=0.6,
        best=0.8,
        second=0.3,
        others=0.1,
        ready=0.1,
        threat=0.4,
        tails=0.2,
        mass=0.08,
        growth=0.1,
        buried=-0.3,
        height=-0.05,
        centre=-0.1,
        nuisance=-0.3,
        pending=-0.3,
        danger=-0.8,
        exposed=-0.3,
        locked=-0.1,
    ),
    provenance="chosen by hand",
)
"""The weights that training started from; docs/nyaa_player.md explains them."""


def load_nyaa_player(path: Path | str) -> NyaaPlayerConfig:
    """Reads a player file (YAML).

    Raises ConfigError, naming the file, the entry and the reason, when the file can't be read, lacks an entry, or has
    an unknown entry or a wrong value.
    """
    return load_model(Path(path), NyaaPlayerConfig, "a Pochi & Nyaa player file", ConfigError)

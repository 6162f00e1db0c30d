"""Player files of the kind ``nyaa_beam``: the weights of a leaf and the budget."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

from pydantic import BeforeValidator, Field

from ochibot.errors import ConfigError
from ochibot.nyaa.search.player import NyaaPlayerConfig, NyaaWeights
from ochibot.yamlfile import Name, Strict, load_model, whole

MOST_NODES = 1_000_000
"""The most boards that a decision may examine."""


class NyaaBeamConfig(Strict):
    """A player file of the kind ``nyaa_beam``.

    nodes: about how many boards a decision may examine. plies: how many of the three visible pairs the beam follows.
    expecting: the share of ``nodes`` spent on the pairs that can come after the visible ones. weights: as in files of
    the two-ply player; missing ones are 0.
    """

    kind: Literal["nyaa_beam"]
    name: Name
    nodes: Annotated[int, Field(ge=1, le=MOST_NODES), BeforeValidator(whole)]
    plies: Annotated[Literal[2, 3], BeforeValidator(whole)] = 3
    expecting: Annotated[float, Field(ge=0, lt=1)] = 0.0
    weights: NyaaWeights
    provenance: str

    def plainly(self) -> NyaaPlayerConfig:
        """The player file of a two-ply player with the same weights."""
        return NyaaPlayerConfig(name=self.name, plies=2, weights=self.weights, provenance=self.provenance)


def load_nyaa_beam(path: Path | str) -> NyaaBeamConfig:
    """Reads a player file (YAML). Raises ConfigError naming the file, the entry and the reason."""
    return load_model(Path(path), NyaaBeamConfig, "a Pochi & Nyaa player file", ConfigError)

"""Player files of the kind ``beam``: the weights of a field's value, what goes into a decision, and the budget."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import numpy as np
import numpy.typing as npt
from pydantic import BaseModel, ConfigDict, Field

from ochibot.errors import ConfigError
from ochibot.puyo.rules.field import COLUMNS
from ochibot.puyo.search.chain.layout import WEIGHTS
from ochibot.yamlfile import Name, load_model

Number = Annotated[float, Field(ge=-1e4, le=1e4)]
Puyos = Annotated[int, Field(ge=0, le=85)]
Share = Annotated[float, Field(ge=0, le=2)]


class _Strict(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)


class ChainWeights(_Strict):
    """What a field is worth; positive is good. ``ochibot.puyo.search.chain`` explains each: chain, need and row in
    ``potential``; link, triple, uneven, well and danger in ``shape``; tear and waste in ``beam``.
    """

    chain: Annotated[float, Field(gt=0, le=1e4)]
    need: Number
    row: Number
    link: Number
    triple: Number
    uneven: Number
    well: Number
    danger: Number
    tear: Number
    waste: Number


class Deciding(_Strict):
    """How a decision is made of what the search finds.

    later: what a point is worth of the same one pair sooner. promise: what the points within reach of a field at the
    search's end are worth of such that are made. standing: what the shape of that field counts beside them.
    patience: by how much later points must surpass those of a chain that can be set off now. trigger: points of a
    chain that is set off without a question. least: points that a chain must have to be set off at all while there is
    room. crowded: puyos on the field from which on there is none. hurry: patience from then on. waiting: puyos from
    which on a decision counts as one that waits; below half of them the count begins anew. waits: how many of these
    cost nothing. presses: by how much patience grows with each one more.
    danger: puyos from which on a chain that is sure is set off if it has the share ``settle`` of the points that the
    futures hold. full: puyos from which on it is set off however small. blind: where no pair after the
    next one is seen, puyos from which on such a chain is set off or the article's player makes room, with 3, 4, 5 and 6
    colours.
    """

    later: Share
    promise: Share
    standing: Share
    patience: Annotated[float, Field(ge=1, le=10)]
    trigger: Annotated[float, Field(gt=0)]
    least: Annotated[float, Field(ge=0)]
    crowded: Annotated[int, Field(ge=0, le=84)]
    hurry: Annotated[float, Field(ge=1, le=10)]
    waiting: Puyos
    waits: Annotated[int, Field(ge=0, le=1000)]
    presses: Annotated[float, Field(ge=0, le=1)]
    danger: Puyos
    settle: Share
    full: Puyos
    blind: tuple[Puyos, Puyos, Puyos, Puyos]


class Provenance(_Strict):
    """Where the numbers of a player file come from."""

    weights: str


class ChainConfig(_Strict):
    """A player file of the kind ``beam``. nodes: boards that a decision may look at, about. profile: how much higher
    than the average each column should be.
    """

    kind: Literal["beam"]
    name: Name
    nodes: Annotated[int, Field(ge=1, le=100_000_000)]
    weights: ChainWeights
    profile: Annotated[list[Number], Field(min_length=COLUMNS, max_length=COLUMNS)]
    deciding: Deciding
    provenance: Provenance

    def vector(self) -> npt.NDArray[np.float64]:
        """The weights as the kernels want them (``ochibot.puyo.search.chain.layout``)."""
        weights = self.weights.model_dump()
        return np.array([*(weights[name] for name in WEIGHTS), *self.profile], np.float64)


def load_chain_player(path: Path | str) -> ChainConfig:
    """Reads a player file (YAML). Raises ConfigError naming the file, the entry and the reason."""
    return load_model(Path(path), ChainConfig, "a player file", ConfigError)

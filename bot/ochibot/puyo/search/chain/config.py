"""Player files of the kind ``beam``: the weights of a field's value, the numbers that decide, and the budget."""

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
    """The weights of a field's value; positive is good. These modules of ``ochibot.puyo.search.chain`` explain them:
    ``potential`` chain, need and row; ``shape`` link, triple, uneven, well and danger; ``beam`` tear and waste.
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
    """The numbers by which the player decides between the chains that the search finds.

    Values of points:

    - later: the factor by which a point loses value for each pair that it comes later.
    - promise: the value of a point that is in reach at the search's end, relative to a point that is scored.
    - standing: the weight of the value of the last field's shape, which is added to the value of the points.

    When to set off a chain that can be set off now:

    - patience: the player waits with a chain only if more than this many times its points are expected later.
    - trigger: a chain with this many points is set off at once.
    - least: a chain with fewer points isn't set off while the field isn't crowded.
    - crowded, hurry: from ``crowded`` puyos on, the field is crowded, and ``hurry`` replaces patience.
    - waiting, waits, presses: a decision is counted if the field holds ``waiting`` or more puyos. (With fewer than half
      as many puyos, the count goes back to 0.) Each counted decision beyond ``waits`` adds ``presses`` to patience.
    - danger, settle: from ``danger`` puyos on, a certain chain (one that a visible pair can set off) is set off if it
      has at least the share ``settle`` of the points expected later.
    - full: from this many puyos on, a certain chain is set off however small it is; if there is none, the article's
      player makes room.
    - blind: four limits, for 3, 4, 5 and 6 colours, for games that show no pair after the next one. From this many
      puyos on, a certain chain is set off, or the article's player makes room.
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
    """A player file of the kind ``beam``. nodes: about how many boards a decision may examine. profile: how many rows
    higher than the average each column should be.
    """

    kind: Literal["beam"]
    name: Name
    nodes: Annotated[int, Field(ge=1, le=100_000_000)]
    weights: ChainWeights
    profile: Annotated[list[Number], Field(min_length=COLUMNS, max_length=COLUMNS)]
    deciding: Deciding
    provenance: Provenance

    def vector(self) -> npt.NDArray[np.float64]:
        """The weights in the kernels' order (``ochibot.puyo.search.chain.layout``); all of a chain's points count."""
        weights = self.weights.model_dump()
        return np.array([*(weights[name] for name in WEIGHTS), *self.profile, np.inf], np.float64)


def load_chain_player(path: Path | str) -> ChainConfig:
    """Reads a player file (YAML). Raises ConfigError naming the file, the entry and the reason."""
    return load_model(Path(path), ChainConfig, "a player file", ConfigError)

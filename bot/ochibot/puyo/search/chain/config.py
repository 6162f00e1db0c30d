"""Player files of the kind ``beam``: the weights of a field's value, the numbers that decide, and the budget."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import numpy as np
import numpy.typing as npt
from pydantic import Field

from ochibot.errors import ConfigError
from ochibot.puyo.rules.field import COLUMNS
from ochibot.puyo.rules.profile import Rules
from ochibot.puyo.search.chain.layout import WEIGHTS
from ochibot.yamlfile import Finite, Name, load_model

Number = Annotated[float, Field(ge=-1e4, le=1e4)]
Puyos = Annotated[int, Field(ge=0, le=85)]
Share = Annotated[float, Field(ge=0, le=2)]


class ChainWeights(Finite):
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


class Deciding(Finite):
    """The numbers by which the player decides between the chains that the search finds.

    Values of points:

    - later: the factor by which a point loses value for each pair that it comes later.
    - promise: the value of a point that is in reach at the search's end, relative to a point that is scored.
    - standing: the weight of the value of the last field's shape, which is added to the value of the points.

    When to set off a chain that can be set off now. Steps stand for the least points that a chain of so many steps
    scores by the game's rules:

    - patience: the player waits with a chain only if more than this many times its points are expected later.
    - trigger: a chain worth this many steps is set off at once.
    - least: a chain worth fewer steps isn't set off while the field isn't crowded.
    - crowded, hurry: from ``crowded`` puyos on, the field is crowded, and ``hurry`` replaces patience.
    - waiting, waits, presses: a decision is counted if the field holds ``waiting`` or more puyos. (With fewer than half
      as many puyos, the count goes back to 0.) Each counted decision beyond ``waits`` adds ``presses`` to patience.
    """

    later: Share
    promise: Share
    standing: Share
    patience: Annotated[float, Field(ge=1, le=10)]
    trigger: Annotated[int, Field(ge=1, le=99)]
    least: Annotated[int, Field(ge=0, le=99)]
    crowded: Annotated[int, Field(ge=0, le=84)]
    hurry: Annotated[float, Field(ge=1, le=10)]
    waiting: Puyos
    waits: Annotated[int, Field(ge=0, le=1000)]
    presses: Annotated[float, Field(ge=0, le=1)]


class ChainProvenance(Finite):
    """Where the numbers of a player file come from."""

    weights: str


class ChainConfig(Finite):
    """A player file of the kind ``beam``. nodes: about how many boards a decision may examine. profile: how many rows
    higher than the average each column should be.
    """

    kind: Literal["beam"]
    name: Name
    nodes: Annotated[int, Field(ge=1, le=100_000_000)]
    weights: ChainWeights
    profile: Annotated[list[Number], Field(min_length=COLUMNS, max_length=COLUMNS)]
    deciding: Deciding
    provenance: ChainProvenance

    def vector(self) -> npt.NDArray[np.float64]:
        """The weights in the kernels' order (``ochibot.puyo.search.chain.layout``); all of a chain's points count."""
        weights = self.weights.model_dump()
        return np.array([*(weights[name] for name in WEIGHTS), *self.profile, np.inf], np.float64)


def points_of(steps: int, rules: Rules) -> int:
    """The least points of a chain of so many steps by a game's rules."""
    return sum(rules.step_score(step, [rules.clear_size], 1) for step in range(1, steps + 1))


def load_chain_player(path: Path | str) -> ChainConfig:
    """Reads a player file (YAML). Raises ConfigError naming the file, the entry and the reason."""
    return load_model(Path(path), ChainConfig, "a player file", ConfigError)

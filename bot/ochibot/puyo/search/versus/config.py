"""Player files of the kind ``versus``: who builds, and when to attack."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

from ochibot.data import data_path
from ochibot.errors import ConfigError
from ochibot.puyo.search.chain.config import ChainConfig, Provenance, Puyos, load_chain_player
from ochibot.yamlfile import Name, load_model

Times = Annotated[float, Field(ge=0, le=10)]
Count = Annotated[int, Field(ge=0, le=10_000)]


class Fighting(BaseModel):
    """When to attack. Counts are of nuisance puyos.

    reply: how much of the chain that its pairs seen are sure to set off the rival is taken to answer with. later_reply:
    the same of the chain that it has in reach with puyos that it doesn't see yet. kill: attacks count as deadly from so
    many times what fills the rival's third column. worth: an attack beyond the rival's answer that is made at once
    though it isn't deadly; press: so is this share of a deadly one. crowded: puyos on the own field from which on the
    best chain is set off. tidy: those from which on the builder makes room, where no pair after the next one is seen.
    heavy: nuisance about to fall that is answered. harass: a small attack is made when it leaves the rival no more than
    this share of its chain in reach, and spare: and the player that share of its own.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)

    reply: Times
    later_reply: Times
    kill: Times
    worth: Count
    press: Times
    crowded: Puyos
    tidy: Puyos
    heavy: Count
    harass: Times
    spare: Times


def _builder(given: Any) -> Any:
    """A shipped player of the kind ``beam`` for its name."""
    if not isinstance(given, str):
        return given
    if not given.isidentifier():
        raise ValueError(f"{given!r} is no name of a shipped player: give chain, or a player's entries")
    return load_chain_player(data_path(f"configs/players/{given}.yaml"))


class VersusConfig(BaseModel):
    """A player file of the kind ``versus``. nodes: boards that building may look at. builder: the player of the kind
    ``beam`` that builds: a shipped one's name, or its entries.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)

    kind: Literal["versus"]
    name: Name
    nodes: Annotated[int, Field(ge=1, le=100_000_000)]
    builder: Annotated[ChainConfig, BeforeValidator(_builder)]
    fighting: Fighting
    provenance: Provenance


def load_versus_player(path: Path | str) -> VersusConfig:
    """Reads a player file (YAML). Raises ConfigError naming the file, the entry and the reason."""
    return load_model(Path(path), VersusConfig, "a player file", ConfigError)

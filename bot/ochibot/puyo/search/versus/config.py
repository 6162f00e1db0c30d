"""Player files of the kind ``versus``: who builds, and when to attack."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field

from ochibot.data import data_path
from ochibot.errors import ConfigError
from ochibot.puyo.search.chain.config import ChainConfig, ChainProvenance, Puyos, Share, load_chain_player
from ochibot.yamlfile import Finite, Name, load_model

Times = Annotated[float, Field(ge=0, le=10)]
Count = Annotated[int, Field(ge=0, le=10_000)]


class Fighting(Finite):
    """When to attack. Amounts are counted in nuisance puyos.

    - reply: the share of the rival's certain chain (its visible pairs can set it off) that it is expected to answer
      with. later_reply: the same for the chain that one or two more puyos could set off after its visible pairs.
    - growth: how many steps the rival's chain is expected to grow with each placement that it still makes after those,
      while the player's chain runs. per_step: it is expected to have at least a step for so many of its puyos (0: this
      isn't looked at).
    - kill: an attack counts as deadly if it has this many times the nuisance that fills the rival's third column.
    - worth, press: an attack that isn't deadly is made if it exceeds the rival's expected answer by ``worth``, or by
      the share ``press`` of a deadly attack.
    - crowded: from this many puyos on the player's own field, it sets off its best chain. tidy: from this many, the
      builder makes room if no pair after the next one is visible.
    - heavy: the player answers when at least this much nuisance is about to fall.
    - harass, spare: a small attack is made if it leaves the rival at most the share ``harass`` of its chain in reach,
      and the player at least the share ``spare`` of its own (shares of the square roots of the points). Without offset,
      nuisance that would leave the player less than the share ``spare`` is answered.
    """

    reply: Times
    later_reply: Times
    growth: Times = 0
    per_step: Times = 0
    kill: Times
    worth: Count
    press: Times
    crowded: Puyos
    tidy: Puyos
    heavy: Count
    harass: Times
    spare: Times


class Racing(Finite):
    """How the builder builds in games where nuisance beyond one batch is lost. There, a chain is worth no more than one
    batch, or than a deadly attack if that is smaller.

    later, promise, standing: replace the builder's (``Deciding``). plies, futures: the search's depth in pairs, and
    the number of futures. surplus: a chain's points count up to this many times that worth.
    """

    later: Share = 0.9
    promise: Share = 0.65
    standing: Share = 0.3
    plies: Annotated[int, Field(ge=3, le=40)] = 8
    futures: Annotated[int, Field(ge=1, le=100)] = 6
    surplus: Annotated[float, Field(gt=0, le=100)] = 1.1


def _builder(given: Any) -> Any:
    """Replaces a name by the shipped player of the kind ``beam`` that has it. Anything else is returned unchanged."""
    if not isinstance(given, str):
        return given
    if not given.isidentifier():
        raise ValueError(f"{given!r} is no name of a shipped player: give chain, or a player's entries")
    return load_chain_player(data_path(f"configs/players/{given}.yaml"))


class VersusConfig(Finite):
    """A player file of the kind ``versus``. nodes: how many boards the builder may examine. builder: the player of the
    kind ``beam`` that builds, given by the name of a shipped one or by its entries. racing: may be left out.
    """

    kind: Literal["versus"]
    name: Name
    nodes: Annotated[int, Field(ge=1, le=100_000_000)]
    builder: Annotated[ChainConfig, BeforeValidator(_builder)]
    fighting: Fighting
    racing: Racing = Racing()
    provenance: ChainProvenance


def load_versus_player(path: Path | str) -> VersusConfig:
    """Reads a player file (YAML). Raises ConfigError naming the file, the entry and the reason."""
    return load_model(Path(path), VersusConfig, "a player file", ConfigError)

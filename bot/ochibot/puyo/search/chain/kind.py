"""The player kind ``beam``: players that search for chains (``ochibot.puyo.search.chain``)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from ochibot.falling.family import PlayerKind, with_budget
from ochibot.puyo.search.chain.config import load_chain_player
from ochibot.puyo.search.chain.player import ChainPlayer

BUDGET: Final[Mapping[str, range]] = {
    "nodes": range(1, 100_000_001),
    "budget_ms": range(1, 600_001),
    "threads": range(1, 1025),
}

KIND: Final = PlayerKind(
    name="beam",
    family="puyo",
    options=BUDGET,
    load=load_chain_player,
    open=with_budget(ChainPlayer),
    fits=lambda data: "profile" in data and "deciding" in data,
)

"""The player kind ``beam`` (``ochibot.players``)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any, Generic, TypeVar, Unpack

from ochibot.puyo.rules.profile import Rules
from ochibot.puyo.search.chain.config import ChainConfig, load_chain_player
from ochibot.puyo.search.chain.plan import Budget
from ochibot.puyo.search.chain.player import ChainPlayer

C = TypeVar("C")
P = TypeVar("P")


class BudgetedKind(Generic[C, P]):
    """The base of kinds whose players are made from a player file, rules, a seed and a budget."""

    family = "puyo"
    options: Mapping[str, range] = MappingProxyType(
        {"nodes": range(1, 100_000_001), "budget_ms": range(1, 600_001), "threads": range(1, 1025)}
    )
    from_records = False

    def __init__(self, player: Callable[..., P]) -> None:
        """player: the class of the players, or a function that makes one."""
        self._player = player

    def open(self, config: C, rules: Rules, *, seed: int | None, **budget: Unpack[Budget]) -> P:
        """Makes the player. A budget given here replaces the file's own."""
        return self._player(config, rules, seed, **budget)


class BeamKind(BudgetedKind[ChainConfig, ChainPlayer]):
    """Opens the players that search for chains (``ochibot.puyo.search.chain``)."""

    name = "beam"

    def fits(self, data: Mapping[str, Any]) -> bool:
        """Whether a player file without ``kind`` belongs here: it has the entries ``profile`` and ``deciding``."""
        return "profile" in data and "deciding" in data

    def load(self, file: Path) -> ChainConfig:
        """Reads a player file. Raises ConfigError."""
        return load_chain_player(file)


KIND = BeamKind(ChainPlayer)

"""The player kind ``beam`` (``ochibot.players``)."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any

from ochibot.puyo.rules.profile import Rules
from ochibot.puyo.search.chain.config import ChainConfig, load_chain_player
from ochibot.puyo.search.chain.player import ChainPlayer


class BeamKind:
    """Opens the players that search for chains (``ochibot.puyo.search.chain``)."""

    name = "beam"
    family = "puyo"
    options: Mapping[str, range] = MappingProxyType(
        {"nodes": range(1, 100_000_001), "budget_ms": range(1, 600_001), "threads": range(1, 1025)}
    )
    from_records = False

    def fits(self, data: Mapping[str, Any]) -> bool:
        """Whether a player file without ``kind`` belongs here: it has an entry ``profile``."""
        return "profile" in data and "deciding" in data

    def load(self, file: Path) -> ChainConfig:
        """Reads a player file. Raises ConfigError."""
        return load_chain_player(file)

    def open(
        self,
        config: ChainConfig,
        rules: Rules,
        *,
        seed: int | None,
        nodes: int | None = None,
        budget_ms: int | None = None,
        threads: int = 1,
    ) -> ChainPlayer:
        """Makes the player. ``nodes`` and ``budget_ms`` replace the file's own budget."""
        return ChainPlayer(config, rules, seed, nodes=nodes, budget_ms=budget_ms, threads=threads)


KIND = BeamKind()

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
    """A beam over the pairs that are seen and over drawn futures."""

    name = "beam"
    family = "puyo"
    options: Mapping[str, range] = MappingProxyType(
        {"nodes": range(1, 100_000_001), "budget_ms": range(1, 600_001), "threads": range(1, 1025)}
    )
    from_records = False

    def fits(self, data: Mapping[str, Any]) -> bool:
        """Files without ``kind`` that hold a profile are of this one."""
        return "profile" in data and "deciding" in data

    def load(self, file: Path) -> ChainConfig:
        """What a file says. Raises ConfigError."""
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
        """The player; ``nodes`` and ``budget_ms`` go before the file's own budget."""
        return ChainPlayer(config, rules, seed, nodes=nodes, budget_ms=budget_ms, threads=threads)


KIND = BeamKind()

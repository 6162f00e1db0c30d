"""The player kind ``versus`` (``ochibot.players``)."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ochibot.puyo.rules.profile import Rules
from ochibot.puyo.search.chain.kind import KIND as BEAM
from ochibot.puyo.search.versus.config import VersusConfig, load_versus_player
from ochibot.puyo.search.versus.player import VersusPlayer


class VersusKind:
    """Opens the players for matches (``ochibot.puyo.search.versus``)."""

    name = "versus"
    family = "puyo"
    options: Mapping[str, range] = BEAM.options
    from_records = False

    def fits(self, data: Mapping[str, Any]) -> bool:
        """Whether a player file without ``kind`` belongs here: it has an entry ``fighting``."""
        return "fighting" in data and "builder" in data

    def load(self, file: Path) -> VersusConfig:
        """Reads a player file. Raises ConfigError."""
        return load_versus_player(file)

    def open(
        self,
        config: VersusConfig,
        rules: Rules,
        *,
        seed: int | None,
        nodes: int | None = None,
        budget_ms: int | None = None,
        threads: int = 1,
    ) -> VersusPlayer:
        """Makes the player. ``nodes`` and ``budget_ms`` replace the file's own budget."""
        return VersusPlayer(config, rules, seed, nodes=nodes, budget_ms=budget_ms, threads=threads)


KIND = VersusKind()

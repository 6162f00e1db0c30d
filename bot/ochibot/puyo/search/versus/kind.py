"""The player kind ``versus`` (``ochibot.players``)."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ochibot.puyo.search.chain.kind import BudgetedKind
from ochibot.puyo.search.versus.config import VersusConfig, load_versus_player
from ochibot.puyo.search.versus.player import VersusPlayer


class VersusKind(BudgetedKind[VersusConfig, VersusPlayer]):
    """Builds as ``beam`` does, and attacks, answers and harasses by what both fields hold."""

    name = "versus"

    def fits(self, data: Mapping[str, Any]) -> bool:
        """Files without ``kind`` that say how to fight are of this one."""
        return "fighting" in data and "builder" in data

    def load(self, file: Path) -> VersusConfig:
        """What a file says. Raises ConfigError."""
        return load_versus_player(file)


KIND = VersusKind(VersusPlayer)

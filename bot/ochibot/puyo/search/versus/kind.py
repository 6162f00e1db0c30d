"""The player kind ``versus`` (``ochibot.players``)."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ochibot.puyo.search.chain.kind import BudgetedKind
from ochibot.puyo.search.versus.config import VersusConfig, load_versus_player
from ochibot.puyo.search.versus.player import VersusPlayer


class VersusKind(BudgetedKind[VersusConfig, VersusPlayer]):
    """Opens the players for matches (``ochibot.puyo.search.versus``)."""

    name = "versus"

    def fits(self, data: Mapping[str, Any]) -> bool:
        """Whether a player file without ``kind`` belongs here: it has the entries ``fighting`` and ``builder``."""
        return "fighting" in data and "builder" in data

    def load(self, file: Path) -> VersusConfig:
        """Reads a player file. Raises ConfigError."""
        return load_versus_player(file)


KIND = VersusKind(VersusPlayer)

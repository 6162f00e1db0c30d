"""The player kind ``nyaa_beam`` (``ochibot.players``)."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any

from ochibot.nyaa.rules.profile import Rules
from ochibot.nyaa.search.beam.config import MOST_NODES, NyaaBeamConfig, load_nyaa_beam
from ochibot.nyaa.search.beam.player import NyaaBeamPlayer


class NyaaBeamKind:
    """Opens the players that search a beam along all visible pairs (``ochibot.nyaa.search.beam``)."""

    name = "nyaa_beam"
    family = "nyaa"
    options: Mapping[str, range] = MappingProxyType({"nodes": range(1, MOST_NODES + 1), "budget_ms": range(1, 600_001)})
    # these players need to see the other side, which records don't keep
    from_records = False

    def fits(self, data: Mapping[str, Any]) -> bool:  # noqa: ARG002
        """Always False: a player file with these weights but without ``kind`` belongs to the two-ply player."""
        return False

    def load(self, file: Path) -> NyaaBeamConfig:
        """Reads a player file. Raises ConfigError."""
        return load_nyaa_beam(file)

    def open(
        self,
        config: NyaaBeamConfig,
        rules: Rules,
        *,
        seed: int | None,
        nodes: int | None = None,
        budget_ms: int | None = None,
    ) -> NyaaBeamPlayer:
        """Makes the player. ``nodes`` and ``budget_ms`` replace the file's own budget. Raises ConfigError for rules
        that it can't play by.
        """
        return NyaaBeamPlayer(config, rules, seed, nodes=nodes, budget_ms=budget_ms)


KIND = NyaaBeamKind()

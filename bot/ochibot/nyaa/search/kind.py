"""The player kind ``nyaa_two_ply`` (``ochibot.players``)."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any

from ochibot.nyaa.rules.profile import Rules
from ochibot.nyaa.search.metrics import METRICS
from ochibot.nyaa.search.player import NyaaPlayerConfig, load_nyaa_player
from ochibot.nyaa.search.twoply import NyaaPlayer


class NyaaTwoPlyKind:
    """Opens the players of Pochi & Nyaa that search one or two pairs deep and weigh metrics."""

    name = "nyaa_two_ply"
    family = "nyaa"
    options: Mapping[str, range] = MappingProxyType({"plies": range(1, 3)})
    # these players need to see the other side, which records don't keep
    from_records = False

    def fits(self, data: Mapping[str, Any]) -> bool:
        """Whether a player file without ``kind`` is of this kind: weights of these metrics only, and no normalisers."""
        weights = data.get("weights")
        return isinstance(weights, Mapping) and "normalisers" not in data and set(weights) <= set(METRICS)

    def load(self, file: Path) -> NyaaPlayerConfig:
        """Reads a player file. Raises ConfigError."""
        return load_nyaa_player(file)

    def open(self, config: NyaaPlayerConfig, rules: Rules, *, seed: int | None, plies: int | None = None) -> NyaaPlayer:
        """Makes the player. ``plies`` overrides the file's own. Raises ConfigError for rules that it can't play by."""
        return NyaaPlayer(config, rules, config.plies if plies is None else plies, seed)


KIND = NyaaTwoPlyKind()

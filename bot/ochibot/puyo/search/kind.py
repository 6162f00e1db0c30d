"""The player kind ``two_ply`` (``ochibot.players``)."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any

from ochibot.puyo.rules.profile import Rules
from ochibot.puyo.search.clairvoyant import Clairvoyant
from ochibot.puyo.search.player import PlayerConfig, load_player
from ochibot.puyo.search.twoply import TwoPly


class TwoPlyKind:
    """Opens the players that search one or two pairs deep and weigh seven metrics."""

    name = "two_ply"
    family = "puyo"
    options: Mapping[str, range] = MappingProxyType({"plies": range(1, 3)})
    from_records = True

    def fits(self, data: Mapping[str, Any]) -> bool:
        """Whether a player file without ``kind`` belongs here: it has an entry ``normalisers``."""
        return "normalisers" in data

    def load(self, file: Path) -> PlayerConfig:
        """Reads a player file. Raises ConfigError."""
        return load_player(file)

    def open(self, config: PlayerConfig, rules: Rules, *, seed: int | None, plies: int | None = None) -> TwoPly:
        """Makes the player. ``plies`` overrides the file's own."""
        return TwoPly(config, rules, config.plies if plies is None else plies, seed)

    def clairvoyant(
        self, config: PlayerConfig, rules: Rules, *, seed: int | None, plies: int | None = None
    ) -> Clairvoyant:
        """Makes the player that knows the coming pairs."""
        return Clairvoyant(config, rules, config.plies if plies is None else plies, seed)


KIND = TwoPlyKind()

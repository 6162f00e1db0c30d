"""Pochi & Nyaa, and our own Togetama, as a Game (``ochibot.games.protocols``)."""

from __future__ import annotations

from typing import Any

from ochibot.console import Ram
from ochibot.games.protocols import Game
from ochibot.games.title import Title
from ochibot.games.togetama.seat import Seat
from ochibot.games.togetama.table import TABLE
from ochibot.nyaa.family import FAMILY
from ochibot.ram import RamMap


class Togetama(Title):
    """The title."""

    def seat(self, ram_map: RamMap, ram: Ram, rules: Any) -> Seat:
        """One player's side. Raises MapError when the map is for something else."""
        return Seat(ram_map, ram, rules)


GAME: Game = Togetama(TABLE, FAMILY)

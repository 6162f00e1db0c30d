"""Kakera as a Game: ``--game-module`` takes this file, and the entry point of its package names it."""

from __future__ import annotations

from typing import Any

from ochibot.console import Ram
from ochibot.games.protocols import Game
from ochibot.games.title import Title
from ochibot.ram import RamMap

from kakera.family import FAMILY
from kakera.seat import Look, Seat
from kakera.table import TABLE


class Kakera(Title):
    """The game, for ``ochibot.games``."""

    def seat(self, ram_map: RamMap, ram: Ram, rules: Any) -> Seat:
        """One player's side."""
        return Seat(TABLE, Look(), ram_map, ram, rules)


GAME: Game = Kakera(TABLE, FAMILY)

"""Famicom Puyo Puyo as a Game (``ochibot.games.protocols``)."""

from __future__ import annotations

from typing import Any

from ochibot.console import Ram
from ochibot.games.famicom_puyo.seat import Seat
from ochibot.games.famicom_puyo.table import TABLE
from ochibot.games.protocols import Game
from ochibot.games.title import Title
from ochibot.puyo.family import FAMILY
from ochibot.ram import RamMap


class FamicomPuyo(Title):
    """The title."""

    def seat(self, ram_map: RamMap, ram: Ram, rules: Any) -> Seat:
        """One player's side. Raises MapError when the map is for something else."""
        return Seat(ram_map, ram, rules)


GAME: Game = FamicomPuyo(TABLE, FAMILY)

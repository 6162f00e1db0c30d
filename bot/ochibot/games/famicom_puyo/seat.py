"""A seat of Famicom Puyo Puyo, or of our own cartridge that keeps its state at the same addresses."""

from __future__ import annotations

from ochibot.console import Ram
from ochibot.games.famicom_puyo.look import LOOK
from ochibot.games.famicom_puyo.table import TABLE
from ochibot.games.puyoseat import STILL_FRAMES, PuyoSeat
from ochibot.puyo.rules.profile import Rules
from ochibot.ram import RamMap

__all__ = ["STILL_FRAMES", "Seat"]


class Seat(PuyoSeat):
    """One player's side of the running game."""

    def __init__(self, ram_map: RamMap, ram: Ram, rules: Rules) -> None:
        super().__init__(TABLE, LOOK, ram_map, ram, rules)

"""A seat of Pochi & Nyaa, or of our own game Togetama that is played by the same rules."""

from __future__ import annotations

from ochibot.console import Ram
from ochibot.games.nyaaseat import NyaaSeat
from ochibot.games.togetama.look import LOOK
from ochibot.games.togetama.table import TABLE
from ochibot.nyaa.rules.profile import Rules
from ochibot.ram import RamMap


class Seat(NyaaSeat):
    """One player's side of the running game."""

    def __init__(self, ram_map: RamMap, ram: Ram, rules: Rules) -> None:
        super().__init__(TABLE, LOOK, ram_map, ram, rules)

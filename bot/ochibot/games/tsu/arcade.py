"""Puyo Puyo Tsu in the arcade, on Sega's System C-2, as a Game. Nobody has tried its set here."""

from __future__ import annotations

from ochibot.games.protocols import Game
from ochibot.games.tsu.game import Tsu
from ochibot.games.tsu.table import ARCADE
from ochibot.puyo.family import FAMILY

GAME: Game = Tsu(ARCADE, FAMILY)

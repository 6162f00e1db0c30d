"""Puyo Puyo Tsu in the arcade, on Sega's System C-2, as a Game. We haven't tried its set."""

from __future__ import annotations

from ochibot.games.filed.read import read_shipped
from ochibot.games.protocols import Game
from ochibot.games.tsu.game import Tsu

GAME: Game = Tsu(read_shipped("tsu_c2"))

"""Pochi & Nyaa, and our own Togetama, as a Game (``ochibot.games.protocols``). All that is known stands in its file."""

from __future__ import annotations

from ochibot.games.filed.title import shipped_title
from ochibot.games.protocols import Game

GAME: Game = shipped_title("nyaa")

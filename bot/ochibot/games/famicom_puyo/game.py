"""Famicom Puyo Puyo as a Game (``ochibot.games.protocols``). All that is known of it stands in its game file."""

from __future__ import annotations

from ochibot.games.filed.title import shipped_title
from ochibot.games.protocols import Game

GAME: Game = shipped_title("puyo")

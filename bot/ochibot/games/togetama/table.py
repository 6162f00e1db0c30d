"""Pochi & Nyaa on the Neo Geo, and our own Togetama: the table that the game file holds (configs/games/nyaa.yaml)."""

from __future__ import annotations

from typing import Final

from ochibot.games.filed.read import read_shipped

TABLE: Final = read_shipped("nyaa").table

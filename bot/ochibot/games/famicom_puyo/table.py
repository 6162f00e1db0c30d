"""Famicom Puyo Puyo: the table that its game file holds (configs/games/puyo.yaml)."""

from __future__ import annotations

from typing import Final

from ochibot.games.filed.read import read_shipped

TABLE: Final = read_shipped("puyo").table

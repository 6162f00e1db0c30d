"""Puyo Puyo Tsu: the tables of its game files (configs/games/tsu.yaml, tsu_c2.yaml), and what no file can say."""

from __future__ import annotations

from typing import Final

from ochibot.games.filed.read import read_shipped

DIFFICULTY_OF_COLORS: Final = {3: 2, 4: 3, 5: 4}
"""The difficulty that a number of colours is had with: 1 and 2 have three, 3 has four, 4 and 5 have five."""

TABLE: Final = read_shipped("tsu").table

ARCADE: Final = read_shipped("tsu_c2").table
"""The arcade game on Sega's System C-2."""

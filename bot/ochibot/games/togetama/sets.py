"""The files of Pochi & Nyaa's sets (configs/games/nyaa.yaml)."""

from __future__ import annotations

from typing import Final

from ochibot.games.togetama.table import TABLE

SETS: Final = TABLE.sets
